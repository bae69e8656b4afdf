package parse_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag/diagtest"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// read reads a model without findings.
func read(t testing.TB, text string) *model.Model {
	t.Helper()
	file := source.NewFile("m.yaml", text)
	m, list := parse.File(file, nil)
	diagtest.Check(t, list.All(), file)
	if m == nil {
		t.Fatal("no model")
	}
	return m
}

func everything(t testing.TB) *model.Model {
	t.Helper()
	text, err := os.ReadFile("testdata/valid/everything.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return read(t, string(text))
}

// line writes values with spaces between them.
func line(values ...any) string { return strings.TrimSuffix(fmt.Sprintln(values...), "\n") }

// same compares two texts.
func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}

func TestTable(t *testing.T) {
	table := everything(t).Table
	same(t, "keys", line(table.Name.Text, table.PartitionKey.Name, table.SortKey.Name, table.SortKey.Typed, table.EntityType), "everything-prod PK SK true Kind")
	same(t, "capacity", fmt.Sprintf("%v %d %d %+v", table.Capacity.OnDemand, table.Capacity.Read, table.Capacity.Write, *table.Capacity.AutoScaling), "false 1000 500 {Min:5 Max:1000 Target:70}")
	same(t, "stream", line(table.Stream.View, table.Stream.Consumers[1].Text), "new_and_old_images audit")
	same(t, "recovery", line(table.PointInTimeRecovery.Enabled, table.PointInTimeRecovery.Days), "true 14")
	same(t, "dax", line(table.DAX.Nodes, table.DAX.Type), "3 dax.r5.large")
	same(t, "encryption", line(table.Encryption.Kind, table.Encryption.KMSKey), "kms_key arn:aws:kms:eu-west-1:111122223333:key/1")
	same(t, "tags", line(table.Tags), "[{cost-centre 0080} {team core}]")
	same(t, "roles", line(table.Roles[0].Name.Text, len(table.Roles[0].Patterns), table.Roles[1].Patterns[0].Name.Text), "reader 2 start-game")
	var indexes []string
	for _, x := range table.Indexes {
		text := x.Name.Text + ":"
		for _, k := range x.Keys() {
			text += fmt.Sprintf(" %s %s", k.Name, k.Kind)
		}
		indexes = append(indexes, fmt.Sprintf("%s local=%v %s", text, x.Local, x.Projection.Type))
	}
	same(t, "indexes", strings.Join(indexes, "\n"), strings.Join([]string{
		"GSI1: GSI1PK S GSI1SK S local=false all",
		"ByScore: tenantId S state S score N startedAt S local=false keys_only",
		"ByTime: PK S LSK S local=true include",
		"ByKind: Kind S GSI2SK S local=false all",
		"Bytes: raw B local=false all",
	}, "\n"))
	if c := table.Index("GSI1").Capacity; c == nil || !c.OnDemand || c.MaxRead != 100 || table.Index("GSI1").Ignores[0].Reason != "small items" {
		t.Errorf("GSI1 has capacity %+v", c)
	}
}

func TestTableByNameAlone(t *testing.T) {
	m := read(t, "version: 1\ntable: notes\nentities: {Note: {attributes: {id: uuid}, keys: {PK: \"{id}\", SK: NOTE}}}\n")
	same(t, "table", line(m.Name, m.Table.PartitionKey.Name, m.Table.SortKey.Name, m.Table.EntityType, m.Table.Capacity.OnDemand), "notes PK SK EntityType true")
}

// The smallest useful model: a key attribute that is itself an attribute needs
// no template.
func TestSmallestModel(t *testing.T) {
	m := read(t, `version: 1
table: {name: notes, partition_key: noteId}
entities:
  Note:
    attributes: {noteId: ulid, text: string?}
access_patterns:
  - {name: note-by-id, get: Note}
  - {name: add-note, create: Note}
`)
	e := m.Entity("Note")
	key := e.Key("noteId")
	if key == nil || !key.Implied || key.Template.Whole() == nil || key.Template.Parts[0].Attribute != e.Attribute("noteId") {
		t.Errorf("key %+v", key)
	}
	if !e.Attribute("noteId").Minted || !e.Attribute("text").Optional || len(e.Identity) != 1 {
		t.Errorf("noteId minted %v, text optional %v, identity %v", e.Attribute("noteId").Minted, e.Attribute("text").Optional, e.Identity)
	}
}

func TestAttributes(t *testing.T) {
	m := everything(t)
	tenant, game := m.Entity("Tenant"), m.Entity("Game")
	tests := []struct{ what, got, want string }{
		{"type name", tenant.Type, "tenant"},
		{"ref type", string(game.Attribute("tenantId").Type), "slug"},
		{"copy type", string(game.Attribute("tenantName").Type), "string"},
		{"copy domain", line(game.Attribute("tenantName").Domain.Length), "1..80"},
		{"snapshot", game.Attribute("planThen").SnapshotOf.Attribute.Name.Text, "plan"},
		{"shares", line(tenant.Attribute("plan").Domain.Values[1].Value.Text(), tenant.Attribute("plan").Domain.Values[1].Share), "paid 0.1"},
		{"max", tenant.Attribute("seats").Domain.Max.Text(), "10000"},
		{"default", tenant.Attribute("seats").Default.Text(), "5"},
		{"stored", string(tenant.Attribute("owner").Stored), "lower"},
		{"present with", tenant.Attribute("ownerSince").PresentWith.Name.Text, "owner"},
		{"minted", line(game.Attribute("gameId").Minted, game.Attribute("tenantId").Minted), "true false"},
		{"version", line(game.Attribute("lock").Version, game.Attribute("lock").Type), "true integer"},
		{"precision", game.Attribute("startedAt").Layout(), "2006-01-02T15:04:05.000Z"},
		{"zone", line(game.Attribute("endedAt").Domain.AnyZone, game.Attribute("endedAt").Domain.Precision), "true variable"},
		{"derived", game.Attribute("expiresAt").Derive.Expr.(*expr.Arith).Right.(*expr.Duration).Length.String(), "168h0m0s"},
		{"members", line(game.Attribute("tags").Domain.Members, game.Attribute("tags").Domain.Items.Type), "1..8 slug"},
		{"map", game.Attribute("address").Domain.Attributes[1].Domain.Pattern.String(), "[0-9]{5}"},
		{"optional member", line(game.Attribute("moves").Domain.Items.Domain.Attributes[1].Optional), "true"},
		{"self reference", game.Attribute("parent").Ref.Attribute.Name.Text, "gameId"},
		{"immutable", line(game.Attribute("fixed").Immutable, game.Attribute("fixed").Default), "true false"},
		{"volume", line(tenant.Volumes[0].Count, tenant.Volumes[0].Growth.Percent, tenant.Volumes[0].Size), "2000 5 2048"},
		{"volume per", line(game.Volumes[0].PerEntity.Name.Text, game.Volumes[0].PerAttribute.Name.Text, game.Volumes[0].Average), "Tenant tenantId 20"},
		{"volume rate", line(game.Volumes[1].Rate.PerSecond, game.Volumes[1].Keep, game.Volumes[1].PerAttribute.Name.Text), "0.05 2160h0m0s tenantId"},
	}
	for _, test := range tests {
		same(t, test.what, test.got, test.want)
	}
}

func TestKeys(t *testing.T) {
	m := everything(t)
	game := m.Entity("Game")
	var got []string
	for _, k := range game.Keys {
		text := k.Name.Text + ":"
		for _, p := range k.Template.Parts {
			switch {
			case p.Attribute != nil:
				text += fmt.Sprintf(" {%s %v}", p.Path, p.Funcs)
			case p.Random > 0:
				text += fmt.Sprintf(" random(%d)", p.Random)
			default:
				text += fmt.Sprintf(" %q", p.Literal)
			}
		}
		got = append(got, fmt.Sprintf("%s implied=%v", text, k.Implied))
	}
	same(t, "keys", strings.Join(got, "\n"), strings.Join([]string{
		`PK: "TENANT#" {tenantId []} implied=false`,
		`SK: "GAME#" {gameId []} implied=false`,
		`GSI1PK: "{braces}#" {address.city []} "#" {gameId [shard(4)]} implied=false`,
		`GSI1SK: {seen [pad(15)]} "#" {startedAt [month]} "#" random(3) implied=false`,
		`tenantId: {tenantId []} implied=true`,
		`state: {state []} implied=true`,
		`score: {score []} implied=true`,
		`startedAt: {startedAt []} implied=true`,
		`LSK: {startedAt []} implied=false`,
		`GSI2SK: "GAME#" {gameId [day]} implied=false`,
		`raw: {raw []} implied=true`,
	}, "\n"))
	if when := m.Entity("Tenant").Key("GSI1PK").When; when == nil || when.Text != "plan = 'paid'" {
		t.Errorf("when %+v", when)
	}
}

func TestIdentityAndUnique(t *testing.T) {
	m := read(t, `version: 1
table: {name: users, partition_key: PK, sort_key: SK}
entities:
  User:
    attributes: {email: email, name: {type: string, stored: upper}, tenant: slug, n: integer}
    keys: {PK: "U#{email|lower}", SK: "{name}#{n|pad(3)}"}
    unique: [email, [tenant, n], {of: name, key: {PK: "N#{name}", SK: N}, when: n > 5}]
  Both:
    attributes: {email: email}
    keys: {PK: "B#{email|lower}", SK: "{email}"}
  Named:
    attributes: {email: email, id: uuid}
    keys: {PK: "N#{id}", SK: "{email|lower}"}
    identity: [id, email]
`)
	parts := func(e *model.Entity) string {
		var out []string
		for _, p := range e.Identity {
			out = append(out, line(p.Attribute.Name.Text, p.Funcs))
		}
		return strings.Join(out, " ")
	}
	same(t, "case of the key and of the store", parts(m.Entity("User")), "email [lower] name [upper] n []")
	same(t, "one key takes it as it is", parts(m.Entity("Both")), "email []")
	same(t, "declared", parts(m.Entity("Named")), "id [] email [lower]")
	var guards []string
	for _, u := range m.Entity("User").Unique {
		for _, k := range u.Keys {
			guards = append(guards, fmt.Sprintf("%s=%s %v", k.Name.Text, k.Template.Text, u.Default))
		}
	}
	same(t, "guards", strings.Join(guards, "\n"), strings.Join([]string{
		"PK=UNIQUE#User#email#{email} true", "SK=UNIQUE#User#email#{email} true",
		"PK=UNIQUE#User#tenant#n#{tenant}#{n} true", "SK=UNIQUE#User#tenant#n#{tenant}#{n} true",
		"PK=N#{name} false", "SK=N false",
	}, "\n"))
	if m.Entity("User").Unique[2].When == nil {
		t.Error("the when of a unique is lost")
	}
}

func TestReferences(t *testing.T) {
	m := read(t, `version: 1
table: {name: tasks, partition_key: PK, sort_key: SK}
entities:
  Org:
    attributes: {orgId: uuid, name: string}
    keys: {PK: "O#{orgId}", SK: ORG}
  Task:
    attributes: {orgId: {ref: Org}, taskId: uuid, parent: {ref: Task, optional: true}}
    keys: {PK: "O#{orgId}", SK: "T#{taskId}"}
  Comment:
    attributes: {orgId: {ref: Org}, task: {ref: Task}, commentId: uuid, author: {ref: Org.name}}
    keys: {PK: "O#{orgId}", SK: "C#{task}#{commentId}"}
  Loose:
    attributes: {id: uuid, task: {ref: Task.taskId}}
    keys: {PK: "L#{id}", SK: L}
`)
	ref := func(entity, attribute string) string {
		r := m.Entity(entity).Attribute(attribute).Ref
		text := r.Entity.Name.Text + "." + r.Attribute.Name.Text
		for _, w := range r.With {
			text += fmt.Sprintf(" with %s=%s", w.Own.Name.Text, w.Target.Name.Text)
		}
		return text
	}
	same(t, "same name", ref("Task", "orgId"), "Org.orgId")
	same(t, "own identity", ref("Task", "parent"), "Task.taskId")
	same(t, "together", ref("Comment", "task"), "Task.taskId with orgId=orgId")
	same(t, "named", ref("Comment", "author"), "Org.name")
	same(t, "alone", ref("Loose", "task"), "Task.taskId")
}

// params writes a pattern's parameters.
func params(ps []*model.Parameter) string {
	var out []string
	for _, p := range ps {
		text := p.Name
		if p.LikeEntity != nil {
			text += " " + p.LikeEntity.Name.Text + "." + p.Like.Name.Text
		} else if p.Like != nil {
			text += " " + string(p.Like.Type)
		}
		if len(p.Funcs) > 0 {
			text += line("", p.Funcs)
		}
		if p.Declared != nil {
			text += " declared " + string(p.Declared.Type)
		}
		if p.Optional {
			text += " optional"
		}
		if p.MayBeAbsent {
			text += " may be absent"
		}
		if p.List {
			text += fmt.Sprintf(" list of %d", p.Max)
		}
		if p.Fields != nil {
			text += " {" + params(p.Fields) + "}"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func TestParameters(t *testing.T) {
	tests := []struct {
		m             *model.Model
		pattern, want string
	}{
		{read(t, modeltest.Shop()), "place-order", "customerId Order.customerId, orderId Order.orderId, total Order.total, note Order.note may be absent, " +
			"items list of 20 {line OrderItem.line, sku OrderItem.sku, quantity OrderItem.quantity}"},
		{read(t, modeltest.Shop()), "register-customer", "customerId Customer.customerId, email Customer.email, name Customer.name, phone Customer.phone may be absent, orderCount Customer.orderCount may be absent, createdAt Customer.createdAt"},
		{read(t, modeltest.Shop()), "ship-order", "customerId Order.customerId, orderId Order.orderId, placedAt Order.placedAt"},
		{everything(t), "tenants-by-ids", "keys list of 250 {tenantId Tenant.tenantId}"},
		{everything(t), "tenant-and-game", "tenantId Tenant.tenantId, game Game.gameId"},
		{everything(t), "games-by-state", "tenantId Game.tenantId, states Game.state list of 3, low Game.score declared number, high Game.score, name Game.name optional, " +
			"prefix Game.name optional, tag Game., other Game.name, city Game.city, day Game.startedAt [day], x Game.x, extra Game.extra declared string"},
		{everything(t), "one-game", "city Game.city declared string, shard declared integer, seen Game.seen"},
		{everything(t), "finish-game", "tenantId Game.tenantId, id Game.gameId, seenLock Game.lock, points Game.score, city Game.city, more Game.flags, gone Game.tags, startedAt Game.startedAt, seen Game.seen"},
		{everything(t), "touch-game", "tenantId Game.tenantId, gameId Game.gameId, seen Game.seen, none Game.moves, moves Game.moves, name Game.name optional"},
		{everything(t), "put-many", "name Tenant.name, seats Tenant.seats may be absent, owner Tenant.owner may be absent, ownerSince Tenant.ownerSince may be absent, a Tenant.tenantId, list list of 20 {tenantId Tenant.tenantId}"},
		{everything(t), "by-statement", "pk Tenant.tenantId declared string"},
	}
	for _, test := range tests {
		p := test.m.Pattern(test.pattern)
		if p == nil {
			t.Errorf("no pattern %s", test.pattern)
			continue
		}
		same(t, test.pattern, params(p.Parameters), test.want)
	}
}

func TestSteps(t *testing.T) {
	m := everything(t)
	step := m.Pattern("finish-game").Step
	var inputs []string
	for _, in := range step.Inputs {
		inputs = append(inputs, in.Attribute.Name.Text+"=$"+in.Value.(*expr.Param).Name)
	}
	same(t, "inputs", strings.Join(inputs, " "), "tenantId=$tenantId gameId=$id")
	same(t, "version", step.Version.Value.(*expr.Param).Name, "seenLock")
	same(t, "old", line(len(step.Old), step.Old[1].Attribute.Name.Text), "2 seen")
	if v := m.Pattern("touch-game").Step; v.Version != nil || !v.Upsert || !v.Unversioned || !m.Pattern("touch-game").Unversioned {
		t.Errorf("touch-game: version %v upsert %v unversioned %v", v.Version, v.Upsert, v.Unversioned)
	}
	create := m.Pattern("start-game").Steps[1]
	var given []string
	for _, in := range create.Inputs {
		given = append(given, in.Attribute.Name.Text)
		if in.Attribute.Name.Text == "startedAt" {
			if _, ok := in.Value.(*expr.Now); !ok {
				t.Errorf("startedAt is %T", in.Value)
			}
		}
	}
	if slices.Contains(given, "lock") || slices.Contains(given, "expiresAt") || !slices.Contains(given, "tenantName") {
		t.Errorf("a create brings %v: neither versions nor what is derived, but copies", given)
	}
	add := m.Pattern("add-tenant").Step
	for _, w := range add.With {
		if (w.Attribute.Name.Text == "owner" || w.Attribute.Name.Text == "ownerSince") != (w.Value == nil) {
			t.Errorf("with %s = %v; null leaves an attribute out", w.Attribute.Name.Text, w.Value)
		}
	}
	same(t, "steps", line(len(m.Pattern("put-many").AllSteps()), m.Pattern("put-many").Steps[1].ForEach.Count), "2 0..20")
	same(t, "get", string(m.Pattern("tenant-by-id").Step.Operation), "get")
}

func TestReads(t *testing.T) {
	m := everything(t)
	p := m.Pattern("games-by-state")
	same(t, "shape", line(p.Order[0].Attribute, p.Order[0].Desc, p.Order[1].Desc, p.Limit, p.Span, p.Skew.Kind, p.Skew.Hottest, p.Rate.PerSecond, p.Peak.Text), "score true false 20 720h0m0s hottest 0.1 200 90M/day")
	pinned := m.Pattern("one-game")
	same(t, "pinned", line(pinned.Index.Name.Text, pinned.IndexPinned, pinned.Key[0].Op, pinned.Key[1].Op, pinned.Count), "GSI1 true = begins_with true")
	parts := pinned.Key[0].Values[0].Parts
	same(t, "pinned parameter", line(parts[1].Param == pinned.Parameter("city"), parts[3].Param == pinned.Parameter("shard")), "true true")
	between := m.Pattern("pinned-between")
	same(t, "between", line(between.Index.Name.Text, between.Key[1].Op, len(between.Key[1].Values)), "ByTime between 2")
	all := m.Pattern("everything")
	same(t, "scan", line(all.All, len(all.Entities), all.Page), "true 2 100")
	after := m.Pattern("read-after")
	same(t, "after", after.After.Name.Text, "put-tenant")
	example := after.Examples[0]
	same(t, "example", line(example.With["plan"], example.Expect[0].Item["name"], example.Expect[1].Item["seats"], example.Expect[1].Entity.Name.Text), `"paid" "NO" 80 Tenant`)
	budget := m.Pattern("start-game").Budget
	same(t, "budget", line(*budget.RCU, *budget.WCU, *budget.Requests, *budget.ItemsRead), "1.5 20 1 2000")
	statement := m.Pattern("by-statement").Statement
	same(t, "statement", line(statement.Returns[0].Name.Text, strings.HasPrefix(statement.Text, "SELECT")), "Tenant true")
}

// Scalars are read from their source text by the declared type.
func TestSamplesAreReadByType(t *testing.T) {
	m := everything(t)
	item := m.Samples[2].Item
	tests := map[string]value.Value{
		"name": value.OfString("12E4567"), "tenantName": value.OfString("NO"), "seen": value.OfInt(1767603600000),
		"startedAt": value.OfString("2026-01-05T09:00:00.000Z"), "month": value.OfString("2026-01"),
		"tags":    value.OfSet(value.StringSet, value.OfString("a"), value.OfString("b")),
		"flags":   value.OfSet(value.NumberSet, value.OfInt(1), value.OfInt(2)),
		"address": value.OfMap(value.Field{Name: "city", Value: value.OfString("NO")}, value.Field{Name: "zip", Value: value.OfString("00800")}),
		"raw":     value.OfBinary("hi"), "fixed": value.OfBool(false), "lock": value.OfInt(1),
		"extra": value.OfList(value.OfInt(1), value.OfString("1"), value.OfMap(value.Field{Name: "a", Value: value.OfBool(true)}, value.Field{Name: "b", Value: value.OfNull()})),
		"moves": value.OfList(value.OfMap(value.Field{Name: "x", Value: value.OfInt(1)}),
			value.OfMap(value.Field{Name: "x", Value: value.OfInt(2)}, value.Field{Name: "y", Value: value.OfInt(3)})),
	}
	for name, want := range tests {
		if !value.Equal(item[name], want) {
			t.Errorf("%s = %v, want %v", name, item[name], want)
		}
	}
	score, _ := value.OfNumber("1.1")
	if !value.Equal(item["score"], score) {
		t.Errorf("score = %v", item["score"])
	}
	if name := m.Samples[1].Item["name"]; !value.Equal(name, value.OfString("1.10")) {
		t.Errorf("1.10 is read as %v", name)
	}
	if _, there := item["parent"]; there {
		t.Error("an absent attribute has an entry")
	}
}

func TestSpans(t *testing.T) {
	m := read(t, modeltest.Shop())
	p := m.Pattern("recent-orders")
	same(t, "pattern", p.Name.At.Text(), "recent-orders")
	same(t, "operation", p.OperationAt.Text(), "query: Order")
	same(t, "where", p.Where.At.Text(), "customerId = $customerId AND placedAt >= $since")
	same(t, "condition", p.Where.Cond.(*expr.And).Terms[1].Span().Text(), "placedAt >= $since")
	same(t, "order", p.Order[0].At.Text(), "placedAt desc")
	e := m.Entity("Order")
	same(t, "attribute", e.Attribute("total").At.Text(), "{type: number, min: 0}")
	same(t, "key", e.Key("SK").At.Text(), "ORDER#{placedAt}#{orderId}")
	same(t, "part", e.Key("SK").Template.Parts[1].At.Text(), "{placedAt}")
	same(t, "when", e.Key("OpenPK").When.At.Text(), "status = 'placed'")
	same(t, "index", m.Table.Index("GSI1").At.Text(), "GSI1: {partition_key: GSI1PK, sort_key: GSI1SK}")
}

func TestUnits(t *testing.T) {
	m := read(t, `version: 1
table: {name: units, partition_key: id}
entities:
  A:
    attributes:
      id: uuid
      b: {type: string, size: 400B..1.5MB}
      c: {type: string, size: 2KB}
      d: {type: string, length: 0..10k}
      e: {type: integer, max: 1B}
    volume: {count: 1.5M..2M, average: 1.8M}
access_patterns:
  - {name: s, get: A, rate: 200/s}
  - {name: m, get: A, rate: 5/min}
  - {name: d, get: A, rate: 1M/day}
  - {name: h, query: A, where: id = $id, span: 36h}
`)
	e := m.Entity("A")
	same(t, "bytes", line(*e.Attribute("b").Domain.Size), "400..1572864")
	same(t, "kilobytes", line(*e.Attribute("c").Domain.Size), "2048")
	same(t, "length", line(*e.Attribute("d").Domain.Length), "0..10000")
	same(t, "max", e.Attribute("e").Domain.Max.Text(), "1000000000")
	same(t, "count", line(e.Volumes[0].Count, e.Volumes[0].Average), "1500000..2000000 1.8e+06")
	same(t, "per second", line(m.Pattern("s").Rate.PerSecond), "200")
	same(t, "per minute", fmt.Sprintf("%.4f", m.Pattern("m").Rate.PerSecond), "0.0833")
	same(t, "per day", fmt.Sprintf("%.4f", m.Pattern("d").Rate.PerSecond), "11.5741")
	same(t, "span", m.Pattern("h").Span.String(), (36 * time.Hour).String())
}
