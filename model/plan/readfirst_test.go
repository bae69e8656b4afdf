package plan_test

import (
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// TestReadFirst makes the requests of writes that read first, from what they read.
func TestReadFirst(t *testing.T) {
	m := modeltest.File(t, "testdata/writes.yaml")
	id := value.OfString("01J8ZQ6V3N5T0K2R4M6P8S0A1B")
	user := plan.Stored{"PK": value.OfString("USER#1"), "SK": value.OfString("USER"), "id": id,
		"email": value.OfString("old@b.c"), "nick": value.OfString("ada"), "visits": value.OfInt(0), "rev": value.OfInt(7)}
	task := plan.Stored{"list": value.OfString("l"), "id": value.OfInt(7), "rank": value.OfInt(5), "state": value.OfString("open")}
	held := plan.Stored{"list": value.OfString("l"), "id": value.OfInt(7), "rank": value.OfInt(5), "state": value.OfString("held")}
	for _, test := range []struct {
		pattern string
		args    model.Args
		old     plan.Stored
		want    []string
	}{
		{"rank-up-read", model.Args{"list": value.OfString("l"), "id": value.OfInt(7), "by": value.OfInt(3)}, task, []string{
			`UpdateItem key {PK: "LIST#l", SK: "TASK#0007"} if attribute_exists(PK) AND rank = 5 AND state = "open" SET rank = rank + 3, OpenSK = "008#0007", RankSK = "008"`,
		}},
		{"rank-up-read", model.Args{"list": value.OfString("l"), "id": value.OfInt(7), "by": value.OfInt(3)}, held, []string{
			`UpdateItem key {PK: "LIST#l", SK: "TASK#0007"} if attribute_exists(PK) AND rank = 5 AND state = "held" SET rank = rank + 3, RankSK = "008" REMOVE OpenSK`,
		}},
		{"rank-up-read", model.Args{"list": value.OfString("l"), "id": value.OfInt(7), "by": value.OfInt(3)}, nil, []string{
			`UpdateItem key {PK: "LIST#l", SK: "TASK#0007"} if attribute_exists(PK) SET rank = rank + 3`,
		}},
		{"change-email-read", model.Args{"id": id, "email": value.OfString("NEW@b.c")}, user, []string{
			`TransactWriteItems`,
			`UpdateItem key {PK: "USER#01J8ZQ6V3N5T0K2R4M6P8S0A1B", SK: "USER"} if attribute_exists(PK) AND rev = 7 AND email = "old@b.c" SET email = "new@b.c", rev = rev + 1`,
			`DeleteItem key {PK: "UNIQUE#User#email#old@b.c", SK: "UNIQUE#User#email#old@b.c"}, guard`,
			`PutItem item {PK: "UNIQUE#User#email#new@b.c", SK: "UNIQUE#User#email#new@b.c"} if attribute_not_exists(PK), guard`,
		}},
		{"visit-read", model.Args{"id": id}, user, []string{ // with the first visit the nick becomes unique
			`TransactWriteItems`,
			`UpdateItem key {PK: "USER#01J8ZQ6V3N5T0K2R4M6P8S0A1B", SK: "USER"} if attribute_exists(PK) AND rev = 7 AND nick = "ada" AND visits = 0 SET rev = rev + 1 ADD visits 1`,
			`PutItem item {PK: "UNIQUE#User#nick#ada", SK: "UNIQUE#User#nick#ada"} if attribute_not_exists(PK), guard`,
		}},
		{"put-user-read", model.Args{"id": id, "email": value.OfString("old@b.c"), "name": value.OfString("Ada"), "visits": value.OfInt(2)}, user, []string{
			`TransactWriteItems`,
			`PutItem item {EntityType: "User", PK: "USER#01J8ZQ6V3N5T0K2R4M6P8S0A1B", SK: "USER", email: "old@b.c", id: "01J8ZQ6V3N5T0K2R4M6P8S0A1B", name: "Ada", rev: 8, visits: 2} if rev = 7 AND email = "old@b.c" AND nick = "ada" AND visits = 0`,
		}},
		{"delete-user-read", model.Args{"id": id}, user, []string{
			`TransactWriteItems`,
			`DeleteItem key {PK: "USER#01J8ZQ6V3N5T0K2R4M6P8S0A1B", SK: "USER"} if attribute_exists(PK) AND rev = 7 AND email = "old@b.c" AND nick = "ada" AND visits = 0`,
			`DeleteItem key {PK: "UNIQUE#User#email#old@b.c", SK: "UNIQUE#User#email#old@b.c"}, guard`,
		}},
	} {
		t.Run(test.pattern, func(t *testing.T) {
			v := plan.New(m).Pattern(m.Pattern(test.pattern)).For(test.args)
			call := plan.Call{Args: test.args, Now: now}
			reads, err := v.FirstReads(call)
			if err != nil || len(reads) != 1 || !reads[0].Consistent {
				t.Fatalf("first reads %v, %v", reads, err)
			}
			if _, err := v.Requests(call); err == nil {
				t.Error("the requests are made without what was read")
			}
			call.Old = []plan.Stored{test.old}
			requests, err := v.Requests(call)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, r := range requests {
				describeRequest(&b, "", r)
			}
			got := strings.Split(strings.TrimSpace(b.String()), "\n")
			for i := range max(len(got), len(test.want)) {
				if i >= len(got) || i >= len(test.want) || strings.TrimSpace(got[i]) != test.want[i] {
					t.Fatalf("got\n%s\nwant\n%s", b.String(), strings.Join(test.want, "\n"))
				}
			}
		})
	}
}

func TestRenameTable(t *testing.T) {
	for statement, want := range map[string]string{
		`SELECT * FROM "shop" WHERE PK = 'shop'`:      `SELECT * FROM "t1" WHERE PK = 'shop'`,
		`SELECT * FROM shop.GSI1 WHERE shops = 'a''b`: `SELECT * FROM "t1".GSI1 WHERE shops = 'a''b`,
		`SELECT * FROM "shop"."shop-by" WHERE a = ?`:  `SELECT * FROM "t1"."shop-by" WHERE a = ?`,
		``: ``,
	} {
		if got := plan.RenameTable(statement, "shop", "t1"); got != want {
			t.Errorf("%s becomes %s, want %s", statement, got, want)
		}
	}
}

// TestShopIsSound: the example is served throughout.
func TestShopIsSound(t *testing.T) {
	m := modeltest.File(t, "../../examples/shop/access-patterns.yaml")
	p := plan.New(m)
	for _, pattern := range m.Patterns {
		made := p.Pattern(pattern)
		for _, f := range made.Findings {
			t.Errorf("%s: %s: %s", pattern.Name.Text, f.Rule, f.Message)
		}
		for _, v := range made.Variants {
			if !v.Sound() {
				t.Errorf("%s is not sound: %s", pattern.Name.Text, v.Text())
			}
		}
	}
}
