package attr

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func strs(ss ...string) []Value {
	var vs []Value
	for _, s := range ss {
		vs = append(vs, String(s))
	}
	return vs
}

func TestEquality(t *testing.T) {
	a := NewItem(Entry{"x", Int(1)}, Entry{"y", String("s")})
	b := NewItem(Entry{"y", String("s")}, Entry{"x", num(t, "1.0")})
	for _, tt := range []struct {
		a, b Value
		want bool
	}{
		{Set(strs("b", "a")...), Set(strs("a", "b", "a")...), true},
		{Set(Int(10), Int(2)), Set(num(t, "2.0"), num(t, "1e1")), true},
		{Map(a), Map(b), true},
		{List(Int(1), Int(2)), List(Int(2), Int(1)), false},
		{String("1"), Int(1), false},
		{String(""), Binary(""), false},
		{String(""), Value{}, false},
		{Null(), Value{}, false},
		{Bool(true), Bool(false), false},
		{List(), Map(Item{}), false},
	} {
		if got := tt.a == tt.b; got != tt.want {
			t.Errorf("%s == %s is %v", tt.a.AppendJSON(nil), tt.b.AppendJSON(nil), got)
		}
	}
}

func TestItemEdits(t *testing.T) {
	it := NewItem(Entry{"b", Int(2)}, Entry{"a", Int(1)}, Entry{"b", Int(3)}, Entry{"gone", Value{}})
	check := func(name, want string, got Item) {
		t.Helper()
		if text := string(got.AppendJSON(nil)); text != want {
			t.Errorf("%s: %s, want %s", name, text, want)
		}
	}
	check("new", `{"a":{"N":"1"},"b":{"N":"3"}}`, it)
	check("insert", `{"":{"NULL":true},"a":{"N":"1"},"aa":{"BOOL":true},"b":{"N":"3"},"c":{"S":"x"}}`,
		it.With(Entry{"c", String("x")}, Entry{"", Null()}, Entry{"aa", Bool(true)}))
	check("replace", `{"a":{"L":[]},"b":{"N":"3"}}`, it.With(Entry{"a", List()}))
	check("remove", `{"b":{"N":"3"}}`, it.With(Entry{"a", Value{}}, Entry{"z", Value{}}))
	check("last wins", `{"a":{"N":"1"}}`, it.With(Entry{"b", Int(9)}, Entry{"b", Value{}}))
	check("nothing", `{"a":{"N":"1"},"b":{"N":"3"}}`, it.With())
	check("project", `{"b":{"N":"3"}}`, it.Project(func(n string) bool { return n == "b" }))
	for _, name := range []string{"", "0", "ab", "c"} {
		if v, ok := it.Get(name); ok {
			t.Errorf("Get(%q) = %v", name, v)
		}
	}
	if v, ok := it.Get("b"); !ok || v != Int(3) {
		t.Errorf(`Get("b") = %v, %v`, v, ok)
	}
	if it.Len() != 2 || it.IsEmpty() || !(Item{}).IsEmpty() {
		t.Error("Len or IsEmpty is wrong")
	}
}

func TestSets(t *testing.T) {
	abc := Set(strs("c", "a", "b")...)
	for _, tt := range []struct {
		name      string
		got, want Value
	}{
		{"union", abc.Union(Set(strs("d", "b", "")...)), Set(strs("", "a", "b", "c", "d")...)},
		{"union of numbers", Set(Int(-1)).Union(Set(Int(-2), Int(10))), Set(Int(-2), Int(-1), Int(10))},
		{"minus", abc.Minus(Set(strs("b", "x")...)), Set(strs("a", "c")...)},
		{"minus all", abc.Minus(abc), Value{}},
		{"empty member", Set(strs("", "a")...).Minus(Set(strs("a")...)), Set(strs("")...)},
		{"no members", Set(), Value{}},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, tt.got.AppendJSON(nil), tt.want.AppendJSON(nil))
		}
	}
	if !abc.Has(String("b")) || abc.Has(String("d")) || abc.Has(Binary("b")) {
		t.Error("Has is wrong")
	}
	if got := slices.Collect(abc.Elements()); !slices.Equal(got, strs("a", "b", "c")) {
		t.Errorf("Elements are %v", got)
	}
}

func TestLists(t *testing.T) {
	l := List(Int(1), String("x"), List())
	if v, ok := l.Index(2); !ok || v != List() {
		t.Errorf("Index(2) = %v, %v", v, ok)
	}
	for _, i := range []int{-1, 3} {
		if _, ok := l.Index(i); ok {
			t.Errorf("Index(%d) is there", i)
		}
	}
	if l.Len() != 3 || List().Len() != 0 || String("héé😀").Len() != 5 || Binary("héé").Len() != 5 || Map(NewItem(Entry{"a", Null()})).Len() != 1 {
		t.Error("Len is wrong")
	}
}

func TestSizes(t *testing.T) {
	shirt := NewItem(Entry{"shirt-color", String("R")}, Entry{"shirt-size", String("M")})
	if got := shirt.Size(); got != 23 { // the example of the developer guide
		t.Errorf("size of the shirt is %d", got)
	}
	for _, tt := range []struct {
		v    Value
		want int
	}{
		{String("é"), 2}, {Binary("\x00\xff"), 2}, {Bool(true), 1}, {Null(), 1}, {List(), 3}, {Map(Item{}), 3},
		{List(Int(1), String("ab")), 3 + 2 + 2 + 2},
		{Map(shirt), 3 + 2 + 23},
		{Set(strs("a", "bc")...), 3}, {Set(Int(1), Int(-100)), 5}, {Set(Binary("abc")), 3},
	} {
		if got := tt.v.Size(); got != tt.want {
			t.Errorf("size of %s is %d, want %d", tt.v.AppendJSON(nil), got, tt.want)
		}
	}
}

func TestDepth(t *testing.T) {
	for want, v := range []Value{1: Null(), 2: List(Null()), 3: List(Null(), Map(NewItem(Entry{"a", Set(Int(1))}))), 4: List(List(Map(Item{})))} {
		if v.Exists() && v.Depth() != want {
			t.Errorf("depth of %s is %d, want %d", v.AppendJSON(nil), v.Depth(), want)
		}
	}
}

func TestCompareTypes(t *testing.T) {
	for _, pair := range [][2]Value{{String("a"), Binary("a")}, {Int(1), String("1")}, {Bool(true), Bool(true)}, {List(), List()}, {{}, {}}} {
		if _, ok := Compare(pair[0], pair[1]); ok {
			t.Errorf("%v and %v compare", pair[0].Type(), pair[1].Type())
		}
	}
}

func randomKey(r *rand.Rand, typ Type) Value {
	if typ == N {
		var d decimal
		parseDecimal(&d, randomNumber(r))
		return d.value()
	}
	b := make([]byte, r.IntN(4))
	for i := range b {
		b[i] = []byte{0, 1, 'a', 0xfe, 0xff}[r.IntN(5)]
	}
	return Value{typ: typ, data: string(b)}
}

// A tuple's key orders like the tuple, whatever bytes the parts hold.
func TestKeysOfTuples(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 50000 {
		var a, b []byte
		want := 0
		for range 1 + r.IntN(4) {
			typ := []Type{S, N, B}[r.IntN(3)]
			x, y := randomKey(r, typ), randomKey(r, typ)
			if want == 0 {
				want, _ = Compare(x, y)
			}
			a, b = AppendKey(a, x), AppendKey(b, y)
		}
		if got := bytes.Compare(a, b); got != want {
			t.Fatalf("%x and %x compare %d, want %d", a, b, got, want)
		}
	}
}

func TestStoredForm(t *testing.T) {
	big := strings.Repeat("x", 40000)
	it := NewItem(Entry{"s", String(big)}, Entry{"l", List(String(big), List(Int(-5)))}, Entry{"m", Map(NewItem(Entry{"", Null()}))},
		Entry{"set", Set(Binary("a"), Binary(""))}, Entry{"b", Bool(false)})
	enc := it.AppendBinary(nil)
	if got, ok := DecodeItem(enc); !ok || got != it {
		t.Errorf("DecodeItem: %v", ok)
	}
	if len(enc) > it.Size()+100 {
		t.Errorf("an item of %d bytes takes %d", it.Size(), len(enc))
	}
	for cut := 1; cut < 9; cut++ { // nine bytes are the whole last attribute
		if _, ok := DecodeItem(enc[:len(enc)-cut]); ok {
			t.Errorf("an item without its last %d bytes is accepted", cut)
		}
	}
	v := Map(it)
	got, rest, ok := DecodeValue(append(v.AppendBinary(nil), "rest"...))
	if !ok || got != v || string(rest) != "rest" {
		t.Errorf("DecodeValue: %v, rest %q", ok, rest)
	}
}

// Only the canonical form is accepted, so that == stays right.
func TestStoredFormIsCanonical(t *testing.T) {
	for name, enc := range map[string]string{
		"names out of order":    "\x01b\x05\x00\x01a\x05\x00",
		"name twice":            "\x01a\x05\x00\x01a\x05\x00",
		"long length":           "\x81\x00a\x05\x00",
		"unknown type":          "\x01a\x0b\x00",
		"no type":               "\x01a\x00\x00",
		"bool 2":                "\x01a\x04\x01\x02",
		"null with payload":     "\x01a\x05\x01x",
		"empty set":             "\x01a\x08\x00",
		"members out of order":  "\x01a\x08\x04\x01b\x01a",
		"number, trailing zero": "\x01a\x02\x05\x03\x82\x0b\x01\x00",
		"number, leading zero":  "\x01a\x02\x04\x03\x82\x02\x00",
		"number, negative zero": "\x01a\x02\x01\x01",
		"length past the end":   "\xff\xff\xff\xff\x7fa",
	} {
		if _, ok := DecodeItem([]byte(enc)); ok {
			t.Errorf("%s: accepted", name)
		}
	}
}

func FuzzDecodeItem(f *testing.F) {
	f.Add(NewItem(Entry{"a", Int(-12)}, Entry{"l", List(Null(), Bool(true))}, Entry{"s", Set(Int(1), Int(2))}).AppendBinary(nil))
	f.Add([]byte("\x01a\x07\x04\x01b\x05\x00"))
	f.Add([]byte("\xff\xff\xff\xff\x7f"))
	f.Fuzz(func(t *testing.T, b []byte) {
		it, ok := DecodeItem(b)
		if !ok {
			return
		}
		if size, depth := it.Size(), it.Depth(); size < 0 || depth > MaxDepth {
			t.Fatalf("%x: %d bytes, %d levels", b, size, depth)
		}
		back, err := ParseItem(it.AppendJSON(nil))
		if err == nil && back != it && !strings.Contains(string(it.AppendJSON(nil)), "\uFFFD") {
			t.Fatalf("%x came back from JSON as %x", it.enc, back.enc)
		}
	})
}
