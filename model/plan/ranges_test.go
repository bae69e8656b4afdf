package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// texts are all texts of one to n characters.
func texts(alphabet string, n int) []value.Value {
	all, last := []value.Value(nil), []string{""}
	for range n {
		var next []string
		for _, head := range last {
			for _, c := range alphabet {
				next = append(next, head+string(c))
				all = append(all, value.OfString(head+string(c)))
			}
		}
		last = next
	}
	return all
}

func ofLength(n int, all []value.Value) []value.Value {
	var out []value.Value
	for _, v := range all {
		if len(v.Text()) == n {
			out = append(out, v)
		}
	}
	return out
}

func integers(low, high, step int64) []value.Value {
	var out []value.Value
	for n := low; n <= high; n += step {
		out = append(out, value.OfInt(n))
	}
	return out
}

func words(all ...string) []value.Value {
	var out []value.Value
	for _, s := range all {
		out = append(out, value.OfString(s))
	}
	return out
}

// TestRangesHoldExactlyWhatTheySay makes the request of every range over small
// domains, and holds the items that its key condition and filter let through
// against those for which where holds.
func TestRangesHoldExactlyWhatTheySay(t *testing.T) {
	seconds := words("2026-01-31T23:59:58Z", "2026-01-31T23:59:59Z", "2026-02-01T00:00:00Z", "2026-02-01T00:00:01Z", "2026-03-01T00:00:00Z")
	for _, test := range []struct {
		attribute string
		values    []value.Value
		templates []string
	}{
		{"string", texts("!#a~", 2), []string{"{v}", "X#{v}", "X#{v}#{id}", "{v}#{id}", "X#{v|prefix(1)}", "{v|lower}"}},
		{"{type: slug}", texts("-0a", 2), []string{"{v}", "X#{v}", "X#{v}#{id}", "{v}!{id}", "X#{v}z{id}", "X#{v}{id}"}},
		{"{type: string, length: 2..2}", ofLength(2, texts("!#a~", 2)), []string{"{v}", "X#{v}", "X#{v}#{id}", "{v}{id}", "X#{v}~"}},
		{"{type: string, pattern: '[ab]{2}'}", ofLength(2, texts("ab", 2)), []string{"X#{v}", "X{v}{id}"}},
		{"{type: string, stored: lower}", texts("#aB", 2), []string{"X#{v}", "X#{v}#{id}", "{v|lower}"}},
		{"[a, b, ab, b-]", words("a", "b", "ab", "b-"), []string{"X#{v}", "X#{v}#{id}", "{v}~{id}"}},
		{"{type: integer, min: 0, max: 99}", integers(0, 99, 9), []string{"X#{v|pad(2)}", "X#{v|pad(3)}#{id}", "{v|invert(2)}", "X#{v|invert(2)}#{id}"}},
		{"{type: integer, min: 10, max: 99}", integers(10, 99, 7), []string{"X#{v}", "X#{v}#{id}"}},
		{"datetime", seconds, []string{"X#{v}", "X#{v}#{id}", "{v}", "X#{v|day}#{id}", "{v|month}", "X#{v|hour}"}},
		{"date", words("2026-01-31", "2026-02-01", "2026-02-28", "2026-03-01"), []string{"X#{v}", "{v}#{id}", "X#{v|month}"}},
		{"month", words("2025-12", "2026-01", "2026-02"), []string{"X#{v}", "{v}#{id}", "X#{v|year}"}},
		{"{type: epoch, min: 0}", integers(1769903998, 1769904002, 1), []string{"X#{v|pad(10)}", "X#{v|day}#{id}"}},
	} {
		for _, template := range test.templates {
			t.Run(test.attribute+" in "+template, func(t *testing.T) {
				r := newRanges(t, test.attribute, template)
				for _, where := range spans(append(outside(template), test.values...)) {
					if r.decodable || !isEquality(where) {
						r.check(t, where, test.values)
					}
				}
			})
		}
	}
}

// outside are ends of ranges that have no place in the digits of a template.
func outside(template string) []value.Value {
	if !strings.Contains(template, "pad(") && !strings.Contains(template, "invert(") {
		return nil
	}
	return []value.Value{value.OfInt(-7), value.OfInt(100000000000)}
}

// isEquality: one value can be taken for another where a key does not show
// where it ends, which is for the check to find out.
func isEquality(c expr.Cond) bool {
	compare, ok := c.(*expr.Compare)
	return ok && compare.Op == expr.Eq
}

// TestRangesOnTheKeyItself does the same for keys that are attributes, which no
// filter may name.
func TestRangesOnTheKeyItself(t *testing.T) {
	var decimals []value.Value
	for _, s := range []string{"-10", "-1.5", "-0.001", "0", "1E-130", "0.1", "1", "9.99", "10", "100"} {
		v, err := value.OfNumber(s)
		if err != nil {
			t.Fatal(err)
		}
		decimals = append(decimals, v)
	}
	var binaries []value.Value
	for _, s := range []string{"\x00", "\x00\x00", "\x01", "a", "a\x00", "a\xff", "b"} {
		binaries = append(binaries, value.OfBinary(s))
	}
	for _, test := range []struct {
		attribute string
		values    []value.Value
	}{{"number", decimals}, {"integer", integers(-3, 3, 1)}, {"binary", binaries},
		{"string", texts("!#a~", 2)}, {"datetime", words("2026-01-31T23:59:59Z", "2026-02-01T00:00:00Z")}} {
		t.Run(test.attribute, func(t *testing.T) {
			r := newRanges(t, test.attribute, "")
			for _, where := range spans(test.values) {
				r.check(t, where, test.values)
			}
		})
	}
}

// spans are conditions on v with every operator and every pair of ends.
func spans(values []value.Value) []expr.Cond {
	v := attribute("v")
	literal := func(v value.Value) expr.Operand { return &expr.Literal{Value: v} }
	var out []expr.Cond
	for _, a := range values {
		for _, op := range []expr.Op{expr.Eq, expr.Lt, expr.Le, expr.Gt, expr.Ge} {
			out = append(out, compare(v, op, literal(a)))
		}
		if a.Kind() != value.Number {
			out = append(out, &expr.Test{Name: expr.BeginsWith, X: v, Arg: literal(a)})
		}
		for i, b := range values {
			if i%5 != 0 { // a sample of the other ends
				continue
			}
			out = append(out, &expr.Between{X: v, Low: literal(a), High: literal(b)})
			for _, low := range []expr.Op{expr.Gt, expr.Ge} {
				for _, high := range []expr.Op{expr.Lt, expr.Le} {
					out = append(out, expr.All(compare(v, low, literal(a)), compare(v, high, literal(b))))
				}
			}
		}
	}
	return out
}

// ranges is a model with one entity whose sort key holds v.
type ranges struct {
	model  *model.Model
	entity *model.Entity
	// decodable tells that a key shows where v ends.
	decodable bool
}

func newRanges(t *testing.T, attribute, template string) *ranges {
	t.Helper()
	sort, keys := "SK", fmt.Sprintf("{PK: \"P#{owner}\", SK: %q}", template)
	if template == "" {
		sort, keys = "v", "{PK: \"P#{owner}\"}"
	}
	text := fmt.Sprintf(`version: 1
name: m
table: {name: mmm, partition_key: PK, sort_key: %s}
entities:
  E:
    attributes: {owner: slug, v: %s, id: slug}
    keys: %s
`, sort, attribute, keys)
	m, findings := parse.File(source.NewFile("m.yaml", text), nil)
	for _, f := range findings.All() {
		if f.Severity == diag.Error && !strings.Contains(f.Message, "pattern") {
			t.Fatal(f.Message)
		}
	}
	r := &ranges{model: m, entity: m.Entities[0]}
	parts := r.entity.Key(m.Table.Keys()[len(m.Table.Keys())-1].Name).Template.Parts
	for i, p := range parts {
		if p.Attribute != nil && p.Attribute.Name.Text == "v" {
			r.decodable = sortPart{Part: p, following: parts[i+1:]}.closed()
		}
	}
	return r
}

// check holds the request for a condition against the condition itself.
func (r *ranges) check(t *testing.T, where expr.Cond, values []value.Value) {
	t.Helper()
	owner := compare(attribute("owner"), expr.Eq, textLiteral("o"))
	p := &model.Pattern{Name: model.Name{Text: "p"}, Operation: model.Query, Entities: []*model.Entity{r.entity},
		Where: &model.Condition{Cond: expr.All(owner, where)}}
	v := New(r.model).Pattern(p).Variants[0]
	if !v.Sound() {
		t.Fatalf("%s: %s", expr.String(where), v.Candidates[0].reasonText())
	}
	scope := v.scope(Call{})
	scope.seeking = true
	for _, x := range values {
		for _, id := range []string{"0", "z"} {
			item := model.Item{"owner": value.OfString("o"), "v": x, "id": value.OfString(id)}
			stored, err := encode.Item(r.model, r.entity, item, nil)
			if err != nil {
				t.Fatal(err)
			}
			item = encode.Normalise(r.entity, item)
			got := v.Read.lets(t, scope, stored) && holds(v.Read.Filter(), r.entity, item)
			if want := encode.Holds(p.Where.Cond, r.entity, item); got != want {
				t.Fatalf("%s: %s lets %s through: %t, want %t", expr.String(where), v.Text(), x, got, want)
			}
		}
	}
}

func holds(c expr.Cond, e *model.Entity, item model.Item) bool {
	return c == nil || encode.Holds(c, e, item)
}

// lets tells whether an item meets the key condition.
func (r *Read) lets(t *testing.T, s *scope, item Stored) bool {
	t.Helper()
	for _, k := range r.Key {
		var ends []value.Value
		for _, recipe := range k.Values {
			v, err := s.recipe(recipe)
			if err != nil {
				t.Fatal(err)
			}
			ends = append(ends, v)
		}
		key := item[k.Attribute.Name]
		c, ok := value.Compare(key, ends[0])
		if !ok {
			t.Fatalf("%s is compared with %s", key, ends[0])
		}
		met := map[model.KeyOp]bool{model.KeyEq: c == 0, model.KeyLt: c < 0, model.KeyLe: c <= 0, model.KeyGt: c > 0, model.KeyGe: c >= 0,
			model.KeyBeginsWith: strings.HasPrefix(key.Text(), ends[0].Text())}[k.Op]
		if k.Op == model.KeyBetween {
			d, _ := value.Compare(key, ends[1])
			met = c >= 0 && d <= 0
		}
		if !met {
			return false
		}
	}
	return true
}
