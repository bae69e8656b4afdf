package expr

import (
	"testing"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// Each case starts from its own item and shows the new item, or the error, and
// what UPDATED_OLD and UPDATED_NEW return.
func TestUpdates(t *testing.T) {
	const (
		missing = "The provided expression refers to an attribute that does not exist in the item"
		operand = "An operand in the update expression has an incorrect data type"
		path    = "The document path provided in the update expression is invalid for update"
		digits  = "Attempting to store more than 38 significant digits in a Number"
	)
	for _, tt := range []struct{ item, expression, want, updatedOld, updatedNew string }{
		{`{}`, "SET n = :n", `{"n":{"N":"5"}}`, `{}`, `{"n":{"N":"5"}}`},
		{`{"n":{"N":"5"}}`, "set n = :n", `{"n":{"N":"5"}}`, `{"n":{"N":"5"}}`, `{"n":{"N":"5"}}`},
		{`{"n":{"N":"1"},"s":{"S":"x"}}`, "REMOVE n, nope", `{"s":{"S":"x"}}`, `{"n":{"N":"1"}}`, `{}`},
		{`{"n":{"N":"1"}}`, "SET n = n + :n", `{"n":{"N":"6"}}`, `{"n":{"N":"1"}}`, `{"n":{"N":"6"}}`},
		{`{"n":{"N":"1"}}`, "SET n = (n - :n)", `{"n":{"N":"-4"}}`, `{"n":{"N":"1"}}`, `{"n":{"N":"-4"}}`},
		{`{}`, "SET #dot = :n", `{"a.b":{"N":"5"}}`, `{}`, `{"a.b":{"N":"5"}}`},
		// Right-hand sides read the old item.
		{`{"a":{"N":"1"},"b":{"N":"2"}}`, "SET a = b, b = a", `{"a":{"N":"2"},"b":{"N":"1"}}`, `{"a":{"N":"1"},"b":{"N":"2"}}`, `{"a":{"N":"2"},"b":{"N":"1"}}`},
		{`{"a":{"N":"1"}}`, "SET b = a REMOVE a", `{"b":{"N":"1"}}`, `{"a":{"N":"1"}}`, `{"b":{"N":"1"}}`},
		{`{"a":{"N":"1"}}`, "SET c = if_not_exists(a, :n) + if_not_exists(b, :n)", `{"a":{"N":"1"},"c":{"N":"6"}}`, `{}`, `{"c":{"N":"6"}}`},
		{`{}`, "SET l = list_append(if_not_exists(l, :l), :l)", `{"l":{"L":[{"N":"9"},{"N":"9"}]}}`, `{}`, `{"l":{"L":[{"N":"9"},{"N":"9"}]}}`},
		// Positions in lists are those from before.
		{`{"l":{"L":[{"N":"1"},{"N":"2"},{"N":"3"}]}}`, "SET l[0] = :n REMOVE l[1]", `{"l":{"L":[{"N":"5"},{"N":"3"}]}}`, `{"l":{"L":[{"N":"1"},{"N":"2"}]}}`, `{"l":{"L":[{"N":"5"},{"N":"3"}]}}`},
		{`{"l":{"L":[{"N":"1"}]}}`, "SET l[10] = :n, l[5] = :s", `{"l":{"L":[{"N":"1"},{"S":"h"},{"N":"5"}]}}`, `{}`, `{}`},
		{`{"l":{"L":[{"N":"1"},{"N":"2"}]}}`, "SET l[7] = :n REMOVE l[0]", `{"l":{"L":[{"N":"2"},{"N":"5"}]}}`, `{"l":{"L":[{"N":"1"}]}}`, `{"l":{"L":[{"N":"2"}]}}`},
		{`{"l":{"L":[{"N":"1"}]}}`, "REMOVE l[9]", `{"l":{"L":[{"N":"1"}]}}`, `{}`, `{}`},
		{`{"l":{"L":[{"N":"1"}]}}`, "REMOVE l[0]", `{"l":{"L":[]}}`, `{"l":{"L":[{"N":"1"}]}}`, `{}`},
		{`{"a":{"M":{"c":{"L":[{"N":"1"},{"N":"2"},{"N":"3"}]}}}}`, "REMOVE a.c[1]", `{"a":{"M":{"c":{"L":[{"N":"1"},{"N":"3"}]}}}}`,
			`{"a":{"M":{"c":{"L":[{"N":"2"}]}}}}`, `{"a":{"M":{"c":{"L":[{"N":"3"}]}}}}`},
		{`{"l":{"L":[{"N":"1"},{"N":"2"}]}}`, "SET l[0] = l[1], l[1] = l[0]", `{"l":{"L":[{"N":"2"},{"N":"1"}]}}`, `{"l":{"L":[{"N":"1"},{"N":"2"}]}}`, `{"l":{"L":[{"N":"2"},{"N":"1"}]}}`},
		// Maps.
		{`{"m":{"M":{"x":{"N":"1"}}}}`, "SET m.x = m.x + :n, m.y = m.x", `{"m":{"M":{"x":{"N":"6"},"y":{"N":"1"}}}}`, `{"m":{"M":{"x":{"N":"1"}}}}`, `{"m":{"M":{"x":{"N":"6"},"y":{"N":"1"}}}}`},
		{`{"m":{"M":{"x":{"N":"1"}}}}`, "REMOVE m.x, m.y", `{"m":{"M":{}}}`, `{"m":{"M":{"x":{"N":"1"}}}}`, `{}`},
		{`{"l":{"L":[{"M":{"q":{"N":"1"},"w":{"N":"2"}}},{"S":"z"}]}}`, "REMOVE l[0].q SET l[0].x = :n", `{"l":{"L":[{"M":{"w":{"N":"2"},"x":{"N":"5"}}},{"S":"z"}]}}`,
			`{"l":{"L":[{"M":{"q":{"N":"1"}}}]}}`, `{"l":{"L":[{"M":{"x":{"N":"5"}}}]}}`},
		// ADD and DELETE.
		{`{"n":{"N":"1"}}`, "ADD n :n", `{"n":{"N":"6"}}`, `{"n":{"N":"1"}}`, `{"n":{"N":"6"}}`},
		{`{}`, "ADD n :n, ss :ss", `{"n":{"N":"5"},"ss":{"SS":["a"]}}`, `{}`, `{"n":{"N":"5"},"ss":{"SS":["a"]}}`},
		{`{"ss":{"SS":["b"]}}`, "ADD ss :ss", `{"ss":{"SS":["a","b"]}}`, `{"ss":{"SS":["b"]}}`, `{"ss":{"SS":["a","b"]}}`},
		{`{"ss":{"SS":["a","b"]}}`, "DELETE ss :ss", `{"ss":{"SS":["b"]}}`, `{"ss":{"SS":["a","b"]}}`, `{"ss":{"SS":["b"]}}`},
		{`{"ss":{"SS":["a"]}}`, "DELETE ss :ss, nope :ss", `{}`, `{"ss":{"SS":["a"]}}`, `{}`},
		{`{"m":{"M":{"x":{"N":"1"}}}}`, "ADD m.x :n, m.y :ss", `{"m":{"M":{"x":{"N":"6"},"y":{"SS":["a"]}}}}`, `{"m":{"M":{"x":{"N":"1"}}}}`, `{"m":{"M":{"x":{"N":"6"},"y":{"SS":["a"]}}}}`},
		{`{"l":{"L":[{"N":"1"}]}}`, "ADD l[0] :n, l[9] :n", `{"l":{"L":[{"N":"6"},{"N":"5"}]}}`, `{"l":{"L":[{"N":"1"}]}}`, `{"l":{"L":[{"N":"6"}]}}`},
		// Refusals.
		{`{}`, "SET n = nope", missing, "", ""},
		{`{}`, "SET n = nope + :n", missing, "", ""},
		{`{}`, "SET n = if_not_exists(nope, nope2)", missing, "", ""},
		{`{}`, "SET l = list_append(nope, :l)", missing, "", ""},
		{`{"s":{"S":"x"}}`, "SET n = s + :n", operand, "", ""},
		{`{"s":{"S":"x"}}`, "SET l = list_append(s, :l)", operand, "", ""},
		{`{"s":{"S":"x"}}`, "SET n = if_not_exists(s, :n) - :n", operand, "", ""},
		{`{"s":{"S":"x"}}`, "ADD s :n", operand, "", ""},
		{`{"ss":{"SS":["x"]}}`, "ADD ss :ns", operand, "", ""},
		{`{"n":{"N":"1"}}`, "DELETE n :ss", operand, "", ""},
		{`{}`, "SET nope.x = :n", path, "", ""},
		{`{"n":{"N":"1"}}`, "SET n.x = :n", path, "", ""},
		{`{"m":{"M":{}}}`, "SET m[0] = :n", path, "", ""},
		{`{"l":{"L":[]}}`, "SET l.x = :n", path, "", ""},
		{`{"l":{"L":[]}}`, "SET l[0].x = :n", path, "", ""},
		{`{"m":{"M":{}}}`, "SET m.x.y = :n", path, "", ""},
		{`{"n":{"N":"1"}}`, "REMOVE nope.x", path, "", ""},
		{`{"n":{"N":"1"}}`, "ADD nope.x :n", path, "", ""},
		{`{"l":{"L":[{"N":"1"}]}}`, "REMOVE l[5].x", path, "", ""},
		{`{"n":{"N":"1"}}`, "SET n = n + :big", digits, "", ""},
		{`{"n":{"N":"1"}}`, "ADD n :big", digits, "", ""},
		{`{}`, "SET n = :huge + :huge", "Number overflow. Attempting to store a number with magnitude larger than supported range", "", ""},
	} {
		u, err := context(t).Update(tt.expression)
		if err != nil {
			t.Errorf("%s: %v", tt.expression, err)
			continue
		}
		old := item(t, tt.item)
		got, err := u.Apply(old, true)
		if err != nil {
			if err.Error() != tt.want {
				t.Errorf("%s on %s: %v, want %s", tt.expression, tt.item, err, tt.want)
			}
			continue
		}
		for _, check := range []struct {
			what string
			got  attr.Item
			want string
		}{{"new item", got, tt.want}, {"UPDATED_OLD", u.Touched().Of(old), tt.updatedOld}, {"UPDATED_NEW", u.Touched().Of(got), tt.updatedNew}} {
			if text := string(check.got.AppendJSON(nil)); text != check.want {
				t.Errorf("%s on %s, %s:\n got %s\nwant %s", tt.expression, tt.item, check.what, text, check.want)
			}
		}
	}
}

// On an item that is not there, taking away does nothing; DynamoDB Local
// refuses REMOVE of a nested path, the service does not.
func TestUpdateOfNothing(t *testing.T) {
	key := `{"k":{"S":"a"}}`
	for _, tt := range []struct {
		expression, want string
		onlyRemoves      bool
	}{
		{"REMOVE n", key, true},
		{"REMOVE n.x, l[0]", key, true},
		{"DELETE ss :ss", key, true},
		{"REMOVE n SET s = :s", `{"k":{"S":"a"},"s":{"S":"h"}}`, false},
		{"ADD n :n", `{"k":{"S":"a"},"n":{"N":"5"}}`, false},
		{"SET s = k", `{"k":{"S":"a"},"s":{"S":"a"}}`, false},
		{"SET n.x = :n", errPath.Error(), false},
	} {
		u, err := context(t).Update(tt.expression)
		if err != nil {
			t.Fatal(err)
		}
		got, err := u.Apply(item(t, key), false)
		text := string(got.AppendJSON(nil))
		if err != nil {
			text = err.Error()
		}
		if text != tt.want || u.OnlyRemoves() != tt.onlyRemoves {
			t.Errorf("%s: %s, only removes %v; want %s", tt.expression, text, u.OnlyRemoves(), tt.want)
		}
	}
	empty, err := NewUpdate(nil)
	if err != nil || empty.OnlyRemoves() {
		t.Errorf("an update without actions only removes; %v", err)
	}
}

func TestUpdateNestsTooDeep(t *testing.T) {
	deep, v := attr.Map(attr.Item{}), attr.List()
	for range 30 {
		deep = attr.Map(attr.NewItem(attr.Entry{Name: "x", Value: deep}))
	}
	path := Attribute("m")
	for range 31 {
		path = append(path, Element{Name: "x"})
	}
	u, err := NewUpdate([]Action{{Set, path, Literal(attr.Int(1))}})
	if err != nil {
		t.Fatal(err)
	}
	m := attr.NewItem(attr.Entry{Name: "m", Value: deep})
	if _, err := u.Apply(m, true); err != nil {
		t.Errorf("level 32: %v", err)
	}
	u, err = NewUpdate([]Action{{Set, path, Literal(v)}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := u.Apply(m, true); err != attr.ErrTooNested {
		t.Errorf("level 33: %v", err)
	}
}

func TestProjections(t *testing.T) {
	for _, tt := range []struct{ expression, want string }{
		{"n", `{"n":{"N":"5"}}`},
		{"s, n", `{"n":{"N":"5"},"s":{"S":"hello"}}`},
		{"nope", `{}`}, {"n[0]", `{}`}, {"n.x", `{}`}, {"l[9]", `{}`}, {"l[0].x", `{}`}, {"m.x.y", `{}`}, {"ss[0]", `{}`},
		{"l[2], l[0]", `{"l":{"L":[{"N":"1"},{"N":"3"}]}}`},
		{"l[10], l[2]", `{"l":{"L":[{"N":"3"}]}}`},
		{"lm[0].q, lm[2]", `{"lm":{"L":[{"M":{"q":{"N":"1"}}},{"S":"y"}]}}`},
		{"lm[0].w, n, lm[0].q", `{"lm":{"L":[{"M":{"q":{"N":"1"},"w":{"N":"2"}}}]},"n":{"N":"5"}}`},
		{"#dot, m.nope", `{"a.b":{"S":"dot"}}`},
		{"m. x", `{"m":{"M":{"x":{"N":"1"}}}}`},
	} {
		p, err := context(t).Projection(tt.expression)
		if err != nil {
			t.Errorf("%s: %v", tt.expression, err)
			continue
		}
		if got := string(p.Of(item(t, testItem)).AppendJSON(nil)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.expression, got, tt.want)
		}
	}
}

func BenchmarkUpdate(b *testing.B) {
	values := item(b, `{":v":{"N":"5"},":s":{"S":"h"}}`)
	it := item(b, testItem)
	for _, expression := range []string{"ADD n :v", "SET s = :s, n = n + :v, m.x = :v"} {
		b.Run(expression, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c, err := NewContext(nil, values)
				if err != nil {
					b.Fatal(err)
				}
				u, err := c.Update(expression)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := u.Apply(it, true); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func FuzzUpdate(f *testing.F) {
	for _, s := range []string{"SET n = n + :n, l[1] = :s REMOVE m.x ADD ns :ns DELETE ss :ss", "SET l = list_append(if_not_exists(l, :l), :l)", "SET lm[5] = :n REMOVE lm[0].q", "SET a.b = :n, a[0] = :n", "REMOVE"} {
		f.Add(s)
	}
	it := item(f, testItem)
	f.Fuzz(func(t *testing.T, text string) {
		u, err := context(t).Update(text)
		if err != nil {
			return
		}
		got, err := u.Apply(it, true)
		if err != nil {
			return
		}
		if _, ok := attr.DecodeItem(got.AppendBinary(nil)); !ok {
			t.Fatalf("%q made an item that is not canonical", text)
		}
		u.Touched().Of(got)
	})
}

func FuzzProjection(f *testing.F) {
	for _, s := range []string{"n, m.x, l[0], lm[0].q", "#dot, #n.x", "a, a.b", "l[0], l[0].x", "l[1],"} {
		f.Add(s)
	}
	it := item(f, testItem)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := context(t).Projection(text)
		if err != nil {
			return
		}
		got := p.Of(it)
		if _, ok := attr.DecodeItem(got.AppendBinary(nil)); !ok || got.Size() > it.Size() {
			t.Fatalf("%q made a wrong item", text)
		}
	})
}
