package plan_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

const eachModel = `version: 1
table:
  name: teams
  partition_key: PK
  sort_key: SK
  indexes:
    Days: {partition_key: DayPK, sort_key: DaySK, projection: keys_only}
entities:
  Org:
    attributes: {orgId: slug, name: string}
    keys: {PK: "ORG#{orgId}", SK: ORG}
  Member:
    attributes: {orgId: slug, email: email, joined: date}
    unique: [email]
    keys: {PK: "ORG#{orgId}", SK: "MEMBER#{email}"}
  Note:
    attributes: {orgId: slug, noteId: slug, at: date, state: [open, done]}
    keys: {PK: "NOTES#{orgId}", SK: "NOTE#{noteId}", DayPK: "DAY#{at}", DaySK: "{state}#{noteId}"}
access_patterns:
  - {name: delete-notes, delete_each: Note, where: orgId = $orgId}
  - {name: delete-day, delete_each: Note, where: at = $at}
  - {name: close-notes, update_each: Note, where: orgId = $orgId, change: SET state = 'done', if: state <> 'done'}
  - {name: close-day, update_each: Note, where: at = $at, change: SET state = 'done'}
  - {name: delete-org, delete_each: [Org, Member], where: orgId = $orgId}
`

func TestEach(t *testing.T) {
	m := modeltest.Model(t, eachModel)
	planner := plan.New(m)
	notes := func(n int) []plan.Stored {
		var out []plan.Stored
		for i := range n {
			out = append(out, plan.Stored{"PK": value.OfString("NOTES#a"), "SK": value.OfString(fmt.Sprintf("NOTE#%d", i)), "EntityType": value.OfString("Note"),
				"orgId": value.OfString("a"), "noteId": value.OfString(fmt.Sprint(i)), "at": value.OfString("2026-01-05"), "state": value.OfString("open")})
		}
		return out
	}
	org := []plan.Stored{
		{"PK": value.OfString("ORG#a"), "SK": value.OfString("ORG"), "EntityType": value.OfString("Org"), "orgId": value.OfString("a")},
		{"PK": value.OfString("ORG#a"), "SK": value.OfString("MEMBER#x@y"), "EntityType": value.OfString("Member"), "orgId": value.OfString("a"), "email": value.OfString("x@y"), "joined": value.OfString("2026-01-05")},
	}
	for _, test := range []struct {
		pattern string
		found   []plan.Stored
		text    string
		want    []string // API and number of actions of each request
	}{
		{"delete-notes", notes(60), `query table: PK = "NOTES#{orgId}" AND begins_with(SK, "NOTE#"); then delete each Note`,
			[]string{"BatchWriteItem 25", "BatchWriteItem 25", "BatchWriteItem 10"}},
		{"delete-notes", nil, "", nil},
		{"delete-day", notes(2), `query Days: DayPK = "DAY#{at}"; then delete each Note`, []string{"BatchWriteItem 2"}},
		{"close-notes", notes(2), `query table: PK = "NOTES#{orgId}" AND begins_with(SK, "NOTE#"); then update each Note SET state = 'done', DaySK = "done#{old.noteId}" if attribute_exists(PK) AND state <> 'done'`,
			[]string{"UpdateItem 0", "UpdateItem 0"}},
		{"delete-org", org, `query table: PK = "ORG#{orgId}"; then delete each Org and Member`, []string{"TransactWriteItems 2", "BatchWriteItem 1"}},
	} {
		v := planner.Pattern(m.Pattern(test.pattern)).Variants[0]
		if !v.Sound() {
			t.Errorf("%s: %v", test.pattern, v.Flaws)
			continue
		}
		if got := v.Text(); test.text != "" && got != test.text {
			t.Errorf("%s\n got %s\nwant %s", test.pattern, got, test.text)
		}
		requests, err := v.EachRequests(plan.Call{Args: model.Args{}, Now: now}, test.found)
		if err != nil {
			t.Errorf("%s: %v", test.pattern, err)
			continue
		}
		var got []string
		for _, r := range requests {
			got = append(got, fmt.Sprint(r.API, " ", len(r.Actions)))
		}
		if fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s sends %v, want %v", test.pattern, got, test.want)
		}
	}
}

// An index that lacks what the write needs of the items does not serve.
func TestEachNeeds(t *testing.T) {
	m := modeltest.Model(t, eachModel)
	v := plan.New(m).Pattern(m.Pattern("close-day")).Variants[0]
	if fmt.Sprint(v.Flaws) != "[missing-projection]" {
		t.Errorf("flaws %v", v.Flaws)
	}
}

// An item of which no request can be made is passed over where its `if` tells from
// what was read that DynamoDB would refuse it, and an error where it does not.
func TestEachWithoutRoom(t *testing.T) {
	m := modeltest.Model(t, `version: 1
table: {name: guests, partition_key: PK, sort_key: SK, indexes: {Board: {partition_key: BoardPK, sort_key: BoardSK, projection: [room, guest, score]}}}
entities:
  Guest:
    attributes: {room: slug, guest: slug, score: {type: integer, min: 0, max: 99}, at: datetime, visits: {type: map, items: integer, keys: slug}}
    keys: {PK: "ROOM#{room}", SK: "GUEST#{guest}", BoardPK: "BOARD#{room}", BoardSK: "{score|pad(2)}"}
access_patterns:
  - {name: bound, update_each: Guest, where: room = $room, change: SET score = score + 1, if: score < 99}
  - {name: given, update_each: Guest, where: room = $room, change: SET score = score + 1, if: score < $most}
  - {name: timed, update_each: Guest, where: room = $room, change: SET score = score + 1, if: at < $now - 1d}
  - {name: member, update_each: Guest, where: room = $room, change: SET score = score + 1, if: "visits[$place] > 5"}
  - {name: listed, update_each: Guest, where: room = $room, change: SET score = score + 1, if: guest IN $guests}
  - {name: also, update_each: Guest, where: room = $room, change: SET score = score + 1, if: "at < $now AND score < 99", index: Board}
  - {name: unseen, update_each: Guest, where: room = $room, change: SET score = score + 1, if: "at < $now", index: Board}
`)
	args := model.Args{"room": value.OfString("a"), "most": value.OfInt(99), "place": value.OfString("here"), "guests": value.OfList(value.OfString("b"))}
	for _, test := range []struct {
		pattern, at string
		visits      int64
		fails       bool
	}{
		{"bound", "2026-01-05T00:00:00Z", 0, false},
		{"given", "2026-01-05T00:00:00Z", 0, false},
		{"timed", "2026-01-05T00:00:00Z", 0, false},
		{"timed", "2026-01-02T00:00:00Z", 0, true},
		{"member", "2026-01-05T00:00:00Z", 5, false},
		{"member", "2026-01-05T00:00:00Z", 6, true},
		{"listed", "2026-01-05T00:00:00Z", 0, false},
		{"also", "2026-01-05T00:00:00Z", 0, false},
		{"unseen", "2026-01-05T00:00:00Z", 0, true},
	} {
		v := plan.New(m).Pattern(m.Pattern(test.pattern)).Variants[0]
		guest := func(id string, score int64) plan.Stored {
			return plan.Stored{"PK": value.OfString("ROOM#a"), "SK": value.OfString("GUEST#" + id), "EntityType": value.OfString("Guest"), "room": value.OfString("a"), "guest": value.OfString(id),
				"score": value.OfInt(score), "at": value.OfString(test.at), "visits": value.OfMap(value.Field{Name: "here", Value: value.OfInt(test.visits)})}
		}
		at := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
		requests, err := v.EachRequests(plan.Call{Args: args, Now: at}, []plan.Stored{guest("full", 99), guest("b", 5)})
		if (err != nil) != test.fails || !test.fails && len(requests) != 1 {
			t.Errorf("%s at %s with %d visits: %d requests, %v", test.pattern, test.at, test.visits, len(requests), err)
		}
	}
}

// What a query finds is read then, each item once, as far as it refers to one.
func TestThen(t *testing.T) {
	m := modeltest.Model(t, `version: 1
table: {name: teams, partition_key: PK, sort_key: SK}
entities:
  User:
    attributes: {userId: slug, gone: date?}
    live: attribute_not_exists(gone)
    keys: {PK: "USER#{userId}", SK: USER}
  Member:
    attributes: {team: slug, n: integer, userId: {ref: User, optional: true}, role: slug}
    keys: {PK: "TEAM#{team}", SK: "MEMBER#{n|pad(5)}"}
access_patterns:
  - {name: users, query: Member, where: team = $team, select: [role], then: {batch_get: User}}
`)
	v := plan.New(m).Pattern(m.Pattern("users")).Variants[0]
	if got, want := v.Text(), `query table: PK = "TEAM#{team}" AND begins_with(SK, "MEMBER#"); then batch get table: PK = "USER#{old.userId}" AND SK = "USER"`; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if got := fmt.Sprint(v.Read.Projection); got != "[role userId]" {
		t.Errorf("projection %s", got)
	}
	var found []plan.Stored
	for i := range 250 {
		item := plan.Stored{"role": value.OfString("x")}
		if i%2 == 0 {
			item["userId"] = value.OfString(fmt.Sprint(i % 240))
		}
		found = append(found, item)
	}
	requests, err := v.ThenRequests(plan.Call{Args: model.Args{}, Now: now}, found)
	if err != nil || len(requests) != 2 || len(requests[0].Actions) != 100 || len(requests[1].Actions) != 20 {
		t.Fatalf("%d requests, %v", len(requests), err)
	}
	if got := requests[0].Actions[1].Key["PK"].Text(); got != "USER#2" {
		t.Errorf("key %s", got)
	}
}
