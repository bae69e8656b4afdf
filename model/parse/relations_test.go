package parse_test

import (
	"os"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

func relations(t *testing.T) *model.Model {
	t.Helper()
	text, err := os.ReadFile("testdata/valid/relations.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return read(t, string(text))
}

func parts(list []model.RefPart) string {
	var out []string
	for _, p := range list {
		out = append(out, p.Own.Name.Text+"="+p.Target.Name.Text)
	}
	return strings.Join(out, " ")
}

func TestRelations(t *testing.T) {
	m := relations(t)
	team, membership, alert := m.Entity("Team"), m.Entity("Membership"), m.Entity("Alert")
	members, owners, points := team.Attribute("members"), team.Attribute("owners"), team.Attribute("points")
	addedBy, reactions := membership.Attribute("addedBy"), alert.Attribute("reactions")
	var refs []string
	for _, r := range addedBy.Refs {
		refs = append(refs, r.Entity.Name.Text+"."+r.Attribute.Name.Text)
	}
	tests := []struct{ what, got, want string }{
		{"common attributes", line(len(m.Entity("User").Attributes), m.Entity("User").Attribute("createdAt").Immutable), "4 true"},
		{"common, but declared here", line(membership.Attribute("updatedAt").OnWrite == nil), "true"},
		{"default", expr.String(alert.Attribute("createdAt").DefaultNow), "$now"},
		{"on write", expr.String(alert.Attribute("updatedAt").OnWrite), "$now"},
		{"minted", line(m.Entity("User").Attribute("userId").Minted, membership.Attribute("userId").Minted), "true false"},
		{"several references", line(addedBy.Ref == nil, addedBy.Type, refs), "true slug [User.userId ApiKey.userId]"},
		{"count", line(members.Type, members.Domain.Min.Text(), members.Aggregate.Source.Name.Text, members.Aggregate.Sum == nil, parts(members.Aggregate.By)), "integer 0 Membership true teamId=teamId"},
		{"count of some", line(owners.Aggregate.Where.Text, owners.KeptBy), "role = 'owner' stream"},
		{"sum", line(points.Type, points.Aggregate.Sum.Name.Text), "integer points"},
		{"copy", membership.Attribute("teamName").KeptBy, "stream"},
		{"invariants", line(len(team.Invariants), expr.String(team.Invariants[2].Cond)), "3 owners + 1 <= seatLimit"},
		{"live", expr.String(m.Entity("ApiKey").Live.Cond), "expiresAt > $now AND attribute_not_exists(deletedAt)"},
		{"map", line(reactions.Domain.Keys.Type, reactions.Domain.Items.Type, alert.Attribute("labels").Domain.Keys == nil), "slug integer true"},
		{"periods", line(alert.Key("SK").Template.Parts[1].Funcs[0], alert.Key("SK").Template.Parts[3].Funcs[0], alert.Key("SK").Template.Parts[5].Funcs[0]), "week minute bucket(15m)"},
	}
	for _, test := range tests {
		same(t, test.what, test.got, test.want)
	}
}

func TestPatternsOfRelations(t *testing.T) {
	m := relations(t)
	pattern := func(name string) *model.Pattern { return m.Pattern(name) }
	inputs := func(name string) string {
		var out []string
		for _, in := range pattern(name).Step.Inputs {
			out = append(out, in.Attribute.Name.Text+"="+expr.String(in.Value))
		}
		return strings.Join(out, " ")
	}
	parameters := func(name string) string {
		var out []string
		for _, p := range pattern(name).Parameters {
			text := p.Name
			if p.MayBeAbsent {
				text += "?"
			}
			out = append(out, text)
		}
		return strings.Join(out, " ")
	}
	var order []string
	for _, by := range pattern("team-page").Order {
		order = append(order, by.Entity.Name.Text+"."+by.Attribute+line("", by.Desc))
	}
	change, each := pattern("change-points"), pattern("rename-in-members")
	tests := []struct{ what, got, want string }{
		{"create", inputs("add-user"), "userId=$userId name=$name createdAt=$createdAt updatedAt=$now"},
		{"create parameters", parameters("add-user"), "userId name createdAt?"},
		{"update", expr.String(pattern("rename-user").Step.Change.Update), "SET name = $name, updatedAt = $now"},
		{"map key", line(parameters("react"), pattern("react").Parameter("emoji").Domain().Domain.Length, pattern("react").Parameter("count").Like.Type), "teamId alertId raisedAt emoji count 2..12 integer"},
		{"order over types", strings.Join(order, ", "), "Team. false, Membership.userId false, Alert.raisedAt true"},
		{"include the dead", line(pattern("team-page").IncludeDead), "true"},
		{"then", line(pattern("members-of-team").Then.Entity.Name.Text, parts(pattern("members-of-team").Then.Keys)), "User userId=userId"},
		{"then by", parts(pattern("adders-of-team").Then.Keys), "addedBy=userId"},
		{"delete each", line(len(pattern("delete-team").Steps), pattern("delete-team").Steps[1].Operation, pattern("delete-team").Entities[1].Name.Text, parameters("delete-team")), "2 delete Membership teamId"},
		{"update each", line(each.Steps[0].Operation, expr.String(each.Steps[0].Change.Update), each.Steps[0].If.Text, parameters("rename-in-members")), "update SET teamName = $name teamName <> $name teamId name"},
		{"derived", line(expr.String(change.Steps[1].Change.Update), change.Derived[0].Name, change.Derived[0].Description), "SET updatedAt = $now ADD points $points - $oldPoints delta what the sum changes by"},
		{"derived parameters", parameters("change-points"), "teamId userId points oldPoints"},
		{"require", expr.String(change.Require.Cond), "$points <> $oldPoints"},
		{"bucket", expr.String(pattern("alerts-of-a-quarter").Where.Cond), "teamId = $teamId AND bucket(raisedAt, 15m) = bucket($at, 15m)"},
		{"external", line(pattern("search-users").Service, pattern("search-users").Entities[0].Name.Text, parameters("search-users"), pattern("metrics").Operation), "OpenSearch User text external"},
	}
	for _, test := range tests {
		same(t, test.what, test.got, test.want)
	}
}
