package expr

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/dynmodel/dynmodel/engine/attr"
)

func attributes(names string, types ...attr.Type) []KeyAttribute {
	var keys []KeyAttribute
	for i, typ := range types {
		keys = append(keys, KeyAttribute{names[i : i+1], typ})
	}
	return keys
}

func TestMultiAttributeKeys(t *testing.T) {
	wide := KeySchema{Hash: attributes("abcd", attr.S, attr.N, attr.S, attr.S), Range: attributes("wxyz", attr.S, attr.N, attr.S, attr.B)}
	const hash = "a = :s AND b = :n AND c = :s AND d = :s"
	for _, tt := range []struct{ expression, want string }{
		{hash, ""},
		{"d = :s AND c = :s AND b = :n AND :s = a", ""},
		{hash + " AND w = :s", ""},
		{hash + " AND w = :s AND x = :n AND y = :s AND z = :bin", ""},
		{hash + " AND w = :s AND x = :n AND y = :s AND begins_with(z, :bin)", ""},
		{"x > :n AND w = :s AND " + hash, ""}, // the order of the text is free
		{hash + " AND begins_with(w, :s)", ""},
		{hash + " AND w BETWEEN :T AND :s", ""},
		{"a = :s AND b = :n AND c = :s", "Query condition missed key schema element: d"},
		{"w = :s AND x = :n", "Query condition missed key schema element: a"},
		{"a = :s AND b > :n AND c = :s AND d = :s", "Query key condition not supported"},
		{hash + " AND begins_with(d, :s)", "KeyConditionExpressions must only contain one condition per key"},
		{hash + " AND x = :n", "RANGE key attributes w must have equality conditions specified in the query because a condition is present on key attribute x"},
		{hash + " AND w = :s AND y = :s", "RANGE key attributes x must have equality conditions specified in the query because a condition is present on key attribute y"},
		{hash + " AND w > :s AND x = :n", "RANGE key attributes w must have equality conditions specified in the query because a condition is present on key attribute x"},
		{hash + " AND w = :s AND x BETWEEN :lo AND :hi AND y = :s", "RANGE key attributes x must have equality conditions specified in the query because a condition is present on key attribute y"},
		{hash + " AND n = :n", "Query key condition not supported"},
		{hash + " AND w = :n", "One or more parameter values were invalid: Condition parameter type does not match schema type"},
		{hash + " AND w = :es", "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: w"},
		{hash + " AND begins_with(w, :es)", ""},
	} {
		cond, err := keyCondition(context(t), tt.expression)
		if err == nil {
			_, err = wide.Resolve(cond)
		}
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.expression, got, tt.want)
		}
	}
	hashOnly := KeySchema{Hash: attributes("k", attr.S)}
	for expression, want := range map[string]string{
		"k = :k": "", "k = :k AND r = :r": "Query key condition not supported", "r = :r": "Query condition missed key schema element: k",
	} {
		cond, err := keyCondition(context(t), expression)
		if err != nil {
			t.Fatal(err)
		}
		_, err = hashOnly.Resolve(cond)
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s without a sort key: %v, want %q", expression, err, want)
		}
	}
}

// A key lies within the bounds of a range exactly when its attributes fulfil
// the clauses.
func TestBoundsAgreeWithClauses(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	schema := KeySchema{Hash: attributes("ab", attr.S, attr.N), Range: attributes("xy", attr.N, attr.S)}
	text := func() attr.Value {
		return attr.String([]string{"", "\x00", "a", "a\x00", "aa", "ab", "b", "\xff", "\xff\xff"}[r.IntN(9)])
	}
	number := func() attr.Value { return attr.Int([]int64{-100, -11, -10, -1, 0, 1, 2, 10, 100}[r.IntN(9)]) }
	ops := []KeyOp{KeyAny, KeyEqual, KeyLess, KeyLessOrEqual, KeyGreater, KeyGreaterOrEqual, KeyBetween, KeyBeginsWith}
	for range 20000 {
		cond := KeyCondition{{Name: "a", Op: KeyEqual, Value: attr.String("p")}, {Name: "b", Op: KeyEqual, Value: attr.Int(-1)}}
		last := KeyClause{Name: "x", Op: ops[r.IntN(7)], Value: number(), High: number()}
		if r.IntN(2) == 0 {
			cond = append(cond, KeyClause{Name: "x", Op: KeyEqual, Value: number()})
			last = KeyClause{Name: "y", Op: ops[r.IntN(8)], Value: text(), High: text()}
			if last.Op != KeyBeginsWith && last.Value == attr.String("") || last.Op == KeyBetween && last.High == attr.String("") {
				continue
			}
		}
		if last.Op != KeyAny {
			cond = append(cond, last)
		}
		rng, err := schema.Resolve(cond)
		if err != nil {
			t.Fatal(err)
		}
		low, high := rng.Bounds()
		it := attr.NewItem(attr.Entry{Name: "a", Value: attr.String("p")}, attr.Entry{Name: "b", Value: attr.Int(-1)},
			attr.Entry{Name: "x", Value: number()}, attr.Entry{Name: "y", Value: text()})
		var key []byte
		for _, v := range it.All() {
			key = attr.AppendKey(key, v)
		}
		want := true
		for _, c := range cond {
			v, _ := it.Get(c.Name)
			want = want && fulfils(c, v)
		}
		if got := bytes.Compare(low, key) <= 0 && (high == nil || bytes.Compare(key, high) < 0); got != want {
			t.Fatalf("%v: key of %s is in bounds: %v", cond, it.AppendJSON(nil), got)
		}
	}
}

func fulfils(c KeyClause, v attr.Value) bool {
	switch c.Op {
	case KeyBetween:
		return Between{Literal(v), Literal(c.Value), Literal(c.High)}.Holds(attr.Item{})
	case KeyBeginsWith:
		return BeginsWith{Literal(v), Literal(c.Value)}.Holds(attr.Item{})
	}
	return Comparator(c.Op).holds(v, c.Value)
}

// keyCondition reads a key condition expression.
func keyCondition(c *Context, text string) (KeyCondition, error) {
	cond, err := c.Condition(KeyConditionExpression, text)
	if err != nil {
		return nil, err
	}
	return KeyConditionOf(cond)
}
