package encode_test

import (
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

func order(t testing.TB) *model.Entity {
	return entity(t, "Order",
		[]*model.Attribute{attr("customerId: string"), attr("orderId: string"), attr("status: enum"), attr("placedAt: datetime"), attr("note: string?")},
		"PK: CUSTOMER#{customerId}", "SK: ORDER#{placedAt}#{orderId}",
		"GSI1PK: ORDER#{orderId}", "GSI1SK: ORDER",
		"OpenPK: OPEN#{placedAt|day} when status = 'placed'", "OpenSK: {placedAt}#{orderId}",
		"NotePK: {note}", "NoteSK: {orderId}")
}

func orders(t testing.TB) *model.Model {
	return table([]*model.Entity{order(t)}, index("GSI1", "GSI1PK", "GSI1SK"), index("Open", "OpenPK", "OpenSK"), index("Notes", "NotePK", "NoteSK"))
}

func TestItem(t *testing.T) {
	m := orders(t)
	got, err := encode.Item(m, m.Entities[0], item(map[string]any{
		"customerId": "c1", "orderId": "o1", "status": "placed", "placedAt": "2026-01-05T09:00:00Z", "note": value.OfNull(),
	}), noRandom)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "placed, without a note", got, map[string]any{
		"customerId": "c1", "orderId": "o1", "status": "placed", "placedAt": "2026-01-05T09:00:00Z", "EntityType": "Order",
		"PK": "CUSTOMER#c1", "SK": "ORDER#2026-01-05T09:00:00Z#o1",
		"GSI1PK": "ORDER#o1", "GSI1SK": "ORDER",
		"OpenPK": "OPEN#2026-01-05", "OpenSK": "2026-01-05T09:00:00Z#o1",
	})
	got, err = encode.Item(m, m.Entities[0], item(map[string]any{
		"customerId": "c1", "orderId": "o1", "status": "paid", "placedAt": "2026-01-05T09:00:00Z", "note": "x", "undeclared": 1,
	}), noRandom)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "paid, with a note", got, map[string]any{
		"customerId": "c1", "orderId": "o1", "status": "paid", "placedAt": "2026-01-05T09:00:00Z", "note": "x", "undeclared": 1, "EntityType": "Order",
		"PK": "CUSTOMER#c1", "SK": "ORDER#2026-01-05T09:00:00Z#o1",
		"GSI1PK": "ORDER#o1", "GSI1SK": "ORDER",
		"NotePK": "x", "NoteSK": "o1",
	})
}

// TestSharedKeys holds that a key attribute of two indexes stays while either
// includes the item, that the table's keys and an entity's own attributes
// always stay, and that the entity type may key an index.
func TestSharedKeys(t *testing.T) {
	e := entity(t, "Job",
		[]*model.Attribute{attr("id: string"), attr("queue: string"), attr("state: string"), attr("owner: string?")},
		"PK: JOB#{id}", "SK: JOB", "queue: {queue}", "A: {state} when state = 'open'", "B: {owner}")
	byType := index("ByType", "EntityType", "queue")
	m := table([]*model.Entity{e}, index("QueueA", "queue", "A"), index("QueueB", "queue", "B"), index("AB", "A", "B"), byType)
	tests := []struct {
		name, state string
		owner       any
		keys        map[string]any
		in          string
	}{
		{"in all", "open", "ada", map[string]any{"A": "open", "B": "ada"}, "QueueA QueueB AB ByType"},
		{"without an owner", "open", value.Value{}, map[string]any{"A": "open"}, "QueueA ByType"},
		{"not open", "done", "ada", map[string]any{"B": "ada"}, "QueueB ByType"},
		{"neither", "done", value.Value{}, nil, "ByType"},
	}
	for _, tt := range tests {
		job := item(map[string]any{"id": "1", "queue": "q", "state": tt.state, "owner": tt.owner})
		got, err := encode.Item(m, e, job, noRandom)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]any{"PK": "JOB#1", "SK": "JOB", "id": "1", "queue": "q", "state": tt.state, "EntityType": "Job"}
		if val(tt.owner).Exists() {
			want["owner"] = tt.owner
		}
		for name, v := range tt.keys {
			want[name] = v
		}
		same(t, tt.name, got, want)
		if got := indexesOf(m, e, job); got != tt.in {
			t.Errorf("%s: in %s, want %s", tt.name, got, tt.in)
		}
	}
}

func TestLocalIndexAndMultiAttributeKeys(t *testing.T) {
	e := entity(t, "Reading",
		[]*model.Attribute{attr("device: string"), attr("at: epoch"), attr("site: string?"), attr("level: integer?")},
		"PK: {device}", "SK: R#{at|pad(10)}", "site: {site}", "level: {level}", "at: {at}", "LSK: {level|pad(3)}")
	local := index("ByLevel", "PK", "LSK")
	local.Local = true
	level := model.KeyAttribute{Name: "level", Kind: value.Number}
	multi := &model.Index{Name: model.Name{Text: "Multi"}, PartitionKey: []model.KeyAttribute{stringKey("site"), level}, SortKey: []model.KeyAttribute{{Name: "at", Kind: value.Number}}}
	m := table([]*model.Entity{e}, local, multi)
	got, err := encode.Item(m, e, item(map[string]any{"device": "d", "at": 1700000000, "level": 7}), noRandom)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "without a site", got, map[string]any{"device": "d", "at": 1700000000, "level": 7, "EntityType": "Reading", "PK": "d", "SK": "R#1700000000", "LSK": "007"})
	if !encode.In(m.Table, local, e, item(map[string]any{"device": "d", "at": 1, "level": 7})) || encode.In(m.Table, multi, e, item(map[string]any{"device": "d", "at": 1, "level": 7})) {
		t.Error("membership")
	}
}

func TestStored(t *testing.T) {
	email := attr("email: email")
	email.Stored = expr.Lower
	code := attr("code: string")
	code.Stored = expr.Upper
	address := attr("address: map?")
	address.Domain.Attributes = []*model.Attribute{code, attr("city: string")}
	aliases := attr("aliases: string_set?")
	aliases.Domain.Items = &model.Attribute{Type: model.TypeEmail, Stored: expr.Lower}
	list := attr("list: list?")
	list.Domain.Items = code
	e := entity(t, "User", []*model.Attribute{email, address, aliases, list}, "PK: U#{email}", "SK: {address.code} when email = 'ADA@x'")
	given := item(map[string]any{
		"email":   "Ada@X",
		"address": value.OfMap(value.Field{Name: "code", Value: val("ab")}, value.Field{Name: "city", Value: val("Rom")}),
		"aliases": value.OfSet(value.StringSet, val("A"), val("a"), val("b")),
		"list":    value.OfList(val("x")),
	})
	got, err := encode.Item(table([]*model.Entity{e}), e, given, noRandom)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "stored", got, map[string]any{
		"email":   "ada@x",
		"address": value.OfMap(value.Field{Name: "code", Value: val("AB")}, value.Field{Name: "city", Value: val("Rom")}),
		"aliases": value.OfSet(value.StringSet, val("a"), val("b")),
		"list":    value.OfList(val("X")),
		"PK":      "U#ada@x", "SK": "AB", "EntityType": "User",
	})
	if given["email"].Text() != "Ada@X" {
		t.Error("the item given was changed")
	}
}

func TestErrors(t *testing.T) {
	e := entity(t, "E",
		[]*model.Attribute{attr("a: string"), attr("n: integer?"), attr("m: map?"), attr("g: string?"), attr("own: number?"), attr("bad: string?")},
		"PK: {a}", "SK: N#{n|pad(3)}", "G: {g}", "H: {m}", "own: {own}", "I: x{bad|day}")
	m := table([]*model.Entity{e}, index("GI", "G", "SK"), index("HI", "H", "SK"), index("OI", "own", "SK"), index("II", "I", "SK"))
	long := func(n int) string { return strings.Repeat("x", n) }
	tests := []struct {
		item      map[string]any
		fault     encode.Fault
		key, text string
	}{
		{map[string]any{"n": 1}, encode.Missing, "PK", "key PK of E: a is not there"},
		{map[string]any{"a": "x"}, encode.Missing, "SK", "n is not there"},
		{map[string]any{"a": "", "n": 1}, encode.Empty, "PK", "empty, which DynamoDB refuses"},
		{map[string]any{"a": long(2049), "n": 1}, encode.TooLong, "PK", "2049 bytes, of which a key may have 2048"},
		{map[string]any{"a": 5, "n": 1}, encode.WrongKind, "PK", "5 is of type N, the key attribute of type S"},
		{map[string]any{"a": "x", "n": 1000}, encode.TooWide, "SK", "key SK of E: n = 1000 does not fit into pad(3)"},
		{map[string]any{"a": "x", "n": -1}, encode.Negative, "SK", "n = -1 is negative"},
		{map[string]any{"a": "x", "n": "1"}, encode.NotWhole, "SK", `n = "1" is no whole number, as pad(3) needs`},
		{map[string]any{"a": "x", "n": number(t, "1.5")}, encode.NotWhole, "SK", "n = 1.5 is no whole number"},
		{map[string]any{"a": "x", "n": 1, "g": ""}, encode.Empty, "G", "key G of E"},
		{map[string]any{"a": "x", "n": 1, "g": long(2049)}, encode.TooLong, "G", "2049 bytes"},
		{map[string]any{"a": "x", "n": 1, "m": value.OfMap()}, encode.WrongKind, "H", "of type M"},
		{map[string]any{"a": "x", "n": 1, "own": 1}, encode.WrongKind, "own", "of type N, the key attribute of type S"},
		{map[string]any{"a": "x", "n": 1, "bad": "y"}, encode.NoTime, "I", `bad = "y" holds no time that day could read`},
	}
	for _, tt := range tests {
		_, err := encode.Item(m, e, item(tt.item), noRandom)
		if fault(err) != tt.fault || !strings.Contains(err.Error(), tt.text) || err.(*encode.Error).Key != tt.key {
			t.Errorf("%s: got %v", tt.text, err)
		}
	}
	if _, err := encode.Item(m, e, item(map[string]any{"a": long(2048), "n": 999, "g": long(2048)}), noRandom); err != nil {
		t.Error(err)
	}
	bare := entity(t, "Bare", []*model.Attribute{attr("a: string")}, "PK: {a}")
	if _, err := encode.Item(m, bare, item(map[string]any{"a": "x"}), noRandom); fault(err) != encode.Missing {
		t.Errorf("an entity without a sort key: got %v", err)
	}
	sort := entity(t, "Sort", []*model.Attribute{attr("a: string")}, "PK: x", "SK: {a}")
	if _, err := encode.Item(m, sort, item(map[string]any{"a": long(1025)}), noRandom); fault(err) != encode.TooLong {
		t.Errorf("a long sort key: got %v", err)
	}
	text := entity(t, "Text", []*model.Attribute{attr("m: map")}, "PK: x", "SK: M#{m}")
	if _, err := encode.Item(m, text, item(map[string]any{"m": value.OfMap()}), noRandom); fault(err) != encode.NoText {
		t.Errorf("a map in a text: got %v", err)
	}
}

func TestGuards(t *testing.T) {
	email := attr("email: email?")
	email.Stored = expr.Lower
	e := entity(t, "User", []*model.Attribute{attr("id: string"), email, attr("org: string"), attr("slug: string"), attr("state: string")}, "PK: U#{id}", "SK: U")
	guard := func(when string, of []*model.Attribute, keys ...string) *model.Unique {
		u := &model.Unique{Of: of}
		for _, k := range keys {
			u.Keys = append(u.Keys, key(t, e, k))
		}
		if when != "" {
			u.When = key(t, e, "X: x when "+when).When
		}
		return u
	}
	e.Unique = []*model.Unique{
		guard("", []*model.Attribute{email}, "PK: UNIQUE#User#email#{email}", "SK: UNIQUE#User#email#{email}"),
		guard("state = 'live'", []*model.Attribute{e.Attribute("org"), e.Attribute("slug")}, "PK: ORG#{org}", "SK: SLUG#{slug}"),
	}
	m := table([]*model.Entity{e})
	user := map[string]any{"id": "1", "email": "Ada@X", "org": "o", "slug": "s", "state": "live"}
	guards, err := encode.Guards(m, e, item(user))
	if err != nil || len(guards) != 2 || guards[1].Unique != e.Unique[1] {
		t.Fatalf("got %v, %v", guards, err)
	}
	same(t, "email", guards[0].Key, map[string]any{"PK": "UNIQUE#User#email#ada@x", "SK": "UNIQUE#User#email#ada@x"})
	same(t, "slug", guards[1].Key, map[string]any{"PK": "ORG#o", "SK": "SLUG#s"})

	delete(user, "email")
	user["state"] = "gone"
	if guards, err = encode.Guards(m, e, item(user)); err != nil || len(guards) != 0 {
		t.Errorf("got %v, %v", guards, err)
	}
	user["email"] = strings.Repeat("x", 1024)
	if _, err = encode.Guards(m, e, item(user)); fault(err) != encode.TooLong || err.(*encode.Error).Key != "SK" {
		t.Errorf("got %v", err)
	}
}

func TestRandom(t *testing.T) {
	e := entity(t, "Event", []*model.Attribute{attr("id: string")}, "PK: S#{random(8)}", "SK: {id}", "G: {random(100)}#{id}", "H: {id}{random(20)}x")
	m := table([]*model.Entity{e}, index("GI", "G", "H"))
	drawn := map[string]int{"PK": 3, "G": 42, "H": 17}
	ns := map[string]int{}
	got, err := encode.Item(m, e, item(map[string]any{"id": "7"}), func(key string, n int) int {
		ns[key] = n
		return drawn[key]
	})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"id": "7", "EntityType": "Event", "PK": "S#3", "SK": "7", "G": "42#7", "H": "717x"}
	same(t, "drawn", got, want)
	if ns["PK"] != 8 || ns["G"] != 100 || ns["H"] != 20 {
		t.Errorf("drew from %v", ns)
	}
	again, err := encode.Item(m, e, item(map[string]any{"id": "7"}), encode.Drawn(m.Table, e, got))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "drawn again", again, want)
}
