package expr

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/engine/attr"
)

const testItem = `{"k":{"S":"a"},"n":{"N":"5"},"s":{"S":"hello"},"l":{"L":[{"N":"1"},{"N":"2"},{"N":"3"}]},"m":{"M":{"x":{"N":"1"}}},
	"ss":{"SS":["a","b","h"]},"ns":{"NS":["1","2"]},"bin":{"B":"YWJj"},"b":{"BOOL":true},"nul":{"NULL":true},"a.b":{"S":"dot"},
	"lm":{"L":[{"M":{"q":{"N":"1"},"w":{"N":"2"}}},{"S":"z"},{"S":"y"}]}}`

func TestConditions(t *testing.T) {
	for expression, want := range map[string]bool{
		// What is not there is never equal and always unequal, even to itself.
		"nope = :n": false, "nope <> :n": true, "nope = nope2": false, "nope <> nope2": true, "NOT nope = :n": true,
		"nope < :n": false, "nope >= :n": false, "NOT nope < :n": true, "nope IN (:n, nope2)": false,
		"nope BETWEEN :lo AND :hi": false, "NOT nope BETWEEN :lo AND :hi": true, "n BETWEEN nope AND :hi": false,
		"size(nope) = :n": false, "size(nope) <> :n": true, "contains(nope, :s)": false, "NOT contains(nope, :s)": true,
		"begins_with(nope, :s)": false, "attribute_type(nope, :T)": false, "attribute_exists(nope)": false,
		"attribute_not_exists(nope)": true, "attribute_not_exists(nope.x)": true, "contains(l, nope)": false,
		// Two types are unequal and have no order.
		"n = :s": false, "n <> :s": true, "n < :s": false, "n >= :s": false, "s = :bin": false,
		"b = :b": true, "b <> :b": false, "nul = :nul": true, "m = :m": false, "ss = :ss": false, "n > nul": false,
		"n = :n": true, "n <> :n": false, "n < :hi": true, "n <= :n": true, "n > :lo": true, "n >= :hi": false, ":n = n": true, ":s = :s": true,
		"n BETWEEN :lo AND :hi": true, "n BETWEEN :n AND :n": true, "s BETWEEN :T AND :s": false, "s BETWEEN :s AND s2": false, ":n BETWEEN :lo AND n": true,
		"n IN (:lo, :n)": true, "n IN (:lo)": false, "n in (s, nope, :n)": true, "l[0] IN (:lo)": true,
		"size(s) = :n": true, "size(bin) > :lo": true, "size(l) BETWEEN :lo AND :n": true, "size(ss) = size(l)": true, "size(m) = :lo": true,
		"size(n) = :n": false, "size(b) <> :n": true, "size(:s) < size(s)": true,
		"begins_with(s, :s)": true, "begins_with(bin, :bin)": true, "begins_with(s, :bin)": false, "begins_with(n, s)": false, "begins_with(s, nul)": false,
		"contains(s, :s)": true, "contains(s, :n)": false, "contains(ss, :s)": true, "contains(ns, :lo)": true, "contains(ns, :hi)": false,
		"contains(l, :lo)": true, "contains(l, :n)": false, "contains(bin, :bin)": true, "contains(ss, :bin)": false, "contains(:s, :s)": true, "contains(m, :s)": false,
		"attribute_type(s, :T)": true, "attribute_type(n, :T)": false, "attribute_type(:s, :T)": true,
		"m.x = :lo": true, "m . x = :lo": true, "l[ 0 ] = :lo": true, "l[3] = :lo": false, "lm[0].q = :lo": true, "n[0] = :n": false, "n.x <> :n": true,
		"#dot = :n": false, "size(#dot) < :n": true, "attribute_exists(a.b)": false, "attribute_exists(#dot)": true, "attribute_exists(#n)": true,
		// NOT binds before AND, AND before OR.
		"n = :n OR s = :s AND s = :s": true, "(n = :n OR s = :s) AND s = :s": false, "NOT n = :n AND s = :s": false, "NOT (n = :n AND s = :s)": true,
		"not not n = :n": true, "n = :n AND (s = :s OR (n = :n AND attribute_exists (s)))": true, "(n) = (:n)": true,
	} {
		c, err := context(t).Condition(FilterExpression, expression)
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		if got := c.Holds(item(t, testItem)); got != want {
			t.Errorf("%s is %v", expression, got)
		}
	}
}

func TestPaths(t *testing.T) {
	c, err := context(t).Condition(ConditionExpression, "size(l) = n AND (NOT begins_with(m.x, #dot) OR lm[1].q IN (:n, s)) AND attribute_exists(b) AND contains(ss, k) AND attribute_type(nul, :T) AND bin BETWEEN :n AND a")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for p := range Paths(c) {
		got = append(got, p.String())
	}
	want := "[l] [n] [m, x] [a.b] [lm, [1], q] [s] [b] [ss] [k] [nul] [bin] [a]"
	if strings.Join(got, " ") != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	for range Paths(c) {
		break // stopping early is allowed
	}
}

// repeat joins n copies of an expression.
func repeat(expression string, n int, sep string) string {
	return strings.Join(slices.Repeat([]string{expression}, n), sep)
}

func TestLimits(t *testing.T) {
	values := func(n int) string {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf(":v%d", i)
		}
		return strings.Join(names, ",")
	}
	var entries []attr.Entry
	for i := range 101 {
		entries = append(entries, attr.Entry{Name: fmt.Sprintf(":v%d", i), Value: attr.Int(int64(i))})
	}
	entries = append(entries, attr.Entry{Name: ":n", Value: attr.Int(5)})
	const tooMany = "The expression contains too many operators; operator count: 301"
	for _, tt := range []struct {
		name       string
		kind       Kind
		expression string
		want       string
	}{
		{"size", FilterExpression, "n=:n" + strings.Repeat(" ", 4092), ""},
		{"size + 1", FilterExpression, "n=:n" + strings.Repeat(" ", 4093), "Expression size has exceeded the maximum allowed size; expression size: 4097"},
		{"size before syntax", FilterExpression, "n=(" + strings.Repeat(" ", 4094), "Expression size has exceeded the maximum allowed size; expression size: 4097"},
		{"size in bytes", UpdateExpression, strings.Repeat("é", 2049), "Expression size has exceeded the maximum allowed size; expression size: 4098"},
		{"empty", ConditionExpression, "", "The expression can not be empty;"},
		{"blank", ConditionExpression, " \t\n", `Syntax error; token: "<EOF>", near: "` + " \t\n" + `"`},
		{"operators", FilterExpression, repeat("n=:n", 150, " AND "), ""},
		{"operators + 1", FilterExpression, repeat("n=:n", 151, " AND "), tooMany},
		{"functions do not count", FilterExpression, repeat("contains(n,:n)", 200, " OR "), ""},
		{"NOT counts", FilterExpression, repeat("NOT n=:n", 101, " OR "), tooMany},
		{"arithmetic counts", UpdateExpression, "SET " + numbered(300), ""},
		{"arithmetic counts + 1", UpdateExpression, "SET " + numbered(301), tooMany},
		{"IN", FilterExpression, "n IN (" + values(100) + ")", ""},
		{"IN + 1", FilterExpression, "n IN (" + values(101) + ")", "The IN operator is provided with too many operands; number of operands: 101"},
		{"path", FilterExpression, "n" + strings.Repeat("[0]", 31) + "=:n", ""},
		{"path + 1", FilterExpression, "n" + strings.Repeat("[0]", 32) + "=:n", "The document path has too many nesting levels; nesting levels: 33"},
		{"parentheses", FilterExpression, strings.Repeat("(", 4000), `Syntax error; token: "<EOF>", near: "("`},
		{"closed parentheses", FilterExpression, strings.Repeat("(", 2000) + "n=:n" + strings.Repeat(")", 2000), "The expression has redundant parentheses;"},
		{"nested groups", FilterExpression, strings.Repeat("(n=:n OR ", 140) + "n=:n" + strings.Repeat(")", 140), ""},
		{"NOTs", FilterExpression, strings.Repeat("NOT ", 299) + "n=:n", ""},
		{"calls", UpdateExpression, "SET n=" + strings.Repeat("if_not_exists(n,", 230) + ":n" + strings.Repeat(")", 230), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := NewContext(testNames, attr.NewItem(entries...))
			if err != nil {
				t.Fatal(err)
			}
			err = parseKind(c, tt.kind, tt.expression)
			got := ""
			if err != nil {
				got = strings.TrimPrefix(err.Error(), "Invalid "+string(tt.kind)+": ")
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// numbered is n assignments of sums.
func numbered(n int) string {
	var parts []string
	for i := range n {
		parts = append(parts, fmt.Sprintf("a%d=n+n", i))
	}
	return strings.Join(parts, ",")
}

// Text that is too long is refused before it is read, and text that is not is
// read in time that its length bounds.
func TestHostileExpressions(t *testing.T) {
	many := make(map[string]string)
	var values []attr.Entry
	var all []string
	for i := range 100_000 {
		values = append(values, attr.Entry{Name: fmt.Sprintf(":v%d", i), Value: attr.Int(int64(i))})
		many[fmt.Sprintf("#v%d", i)] = "x"
	}
	for i := range 580 {
		all = append(all, fmt.Sprintf(":v%d", i*100))
	}
	start := time.Now()
	c, err := NewContext(many, attr.NewItem(values...))
	if err != nil {
		t.Fatal(err)
	}
	for _, expression := range []string{
		"n IN (" + strings.Repeat(":v1,", 1_000_000) + ":v1)",
		strings.Repeat("(", 16<<20),
		"a IN (" + strings.Join(all, ",") + ")",
		strings.Repeat("a,", 2047) + "a",
		"SET " + strings.Repeat("a=:v1,", 680) + "b=:v1",
	} {
		for _, kind := range []Kind{FilterExpression, UpdateExpression, ProjectionExpression, KeyConditionExpression} {
			if parseKind(c, kind, expression) == nil {
				t.Errorf("%s %.20s… is accepted", kind, expression)
			}
		}
	}
	if c.Unused() == nil {
		t.Error("unused names are accepted")
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
}

func TestContext(t *testing.T) {
	for _, tt := range []struct {
		names  map[string]string
		values string
		want   string
	}{
		{map[string]string{"n": "a"}, `{}`, `ExpressionAttributeNames contains invalid key: Syntax error; key: "n"`},
		{map[string]string{"#": "a"}, `{}`, `ExpressionAttributeNames contains invalid key: Syntax error; key: "#"`},
		{map[string]string{"#a-b": "a"}, `{}`, `ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"`},
		{map[string]string{"#n": ""}, `{}`, `ExpressionAttributeNames contains invalid value: Empty attribute name for key #n`},
		{map[string]string{"#n": strings.Repeat("x", 65536)}, `{}`, `ExpressionAttributeNames contains invalid value: Attribute name is too large, must be less than 65536 bytes for key #n`},
		{nil, `{"k":{"S":"a"}}`, `ExpressionAttributeValues contains invalid key: Syntax error; key: "k"`},
		{nil, `{":":{"S":"a"}}`, `ExpressionAttributeValues contains invalid key: Syntax error; key: ":"`},
		{nil, `{":k-1":{"S":"a"}}`, `ExpressionAttributeValues contains invalid key: Syntax error; key: ":k-1"`},
		{map[string]string{"#1": "a.b", "#_": "x"}, `{":1":{"S":"a"}}`, ""},
	} {
		_, err := NewContext(tt.names, item(t, tt.values))
		if got := fmt.Sprint(err); got != tt.want && (err != nil || tt.want != "") {
			t.Errorf("%v %s: %s, want %s", tt.names, tt.values, got, tt.want)
		}
	}
}

// Names and values count as used when any expression of the request uses them.
func TestUnused(t *testing.T) {
	c, err := NewContext(map[string]string{"#a": "a", "#z": "z", "#y": "y"}, item(t, `{":1":{"N":"1"},":2":{"N":"2"},":3":{"N":"3"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Condition(ConditionExpression, "#a = :2 OR #a = :1"); err != nil {
		t.Fatal(err)
	}
	check := func(want string) {
		t.Helper()
		if got := fmt.Sprint(c.Unused()); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	check("Value provided in ExpressionAttributeNames unused in expressions: keys: {#y, #z}")
	if _, err := c.Projection("#z, #y, a.#z"); err != nil {
		t.Fatal(err)
	}
	check("Value provided in ExpressionAttributeValues unused in expressions: keys: {:3}")
	if _, err := c.Update("SET x = :3"); err != nil {
		t.Fatal(err)
	}
	check("<nil>")
}

func TestReserved(t *testing.T) {
	for word, want := range map[string]bool{"ABORT": true, "zone": true, "Status": true, "localtimestamp": true, "pk": false, "": false, "begins_with": false, "LOCALTIMESTAMPS": false} {
		if IsReserved(word) != want {
			t.Errorf("IsReserved(%q) is %v", word, !want)
		}
	}
	if n := len(reserved()); n != 573 {
		t.Errorf("%d reserved words", n)
	}
}

func BenchmarkCondition(b *testing.B) {
	values := item(b, `{":v":{"N":"5"},":s":{"S":"h"}}`)
	it := item(b, testItem)
	for _, expression := range []string{"attribute_not_exists(k)", "n = :v", "attribute_exists(k) AND n = :v AND begins_with(s, :s)"} {
		b.Run(expression, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c, err := NewContext(nil, values)
				if err != nil {
					b.Fatal(err)
				}
				cond, err := c.Condition(ConditionExpression, expression)
				if err != nil {
					b.Fatal(err)
				}
				cond.Holds(it)
			}
		})
	}
}

func FuzzCondition(f *testing.F) {
	for _, s := range []string{"n = :n AND (s = :s OR NOT begins_with(s, :s))", "size(l) BETWEEN :lo AND :hi", "#n.x[1] IN (:n, l[0])", "attribute_type(n, :T)", "((n = :n))", "contains(", "n = :n )"} {
		f.Add(s)
	}
	it := item(f, testItem)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := context(t).Condition(FilterExpression, text)
		if (err == nil) != (c != nil) {
			t.Fatalf("%q: %v, %v", text, c, err)
		}
		if err != nil {
			return
		}
		if c.Holds(it) == (Not{c}).Holds(it) {
			t.Fatalf("%q equals its negation", text)
		}
		for p := range Paths(c) {
			p.In(it)
		}
	})
}

func FuzzKeyCondition(f *testing.F) {
	for _, s := range []string{"k = :k", "k = :k AND r BETWEEN :r AND :r2", ":k = k AND :r < r", "#k = :k AND begins_with(r, :s)", "k = :k AND r = :r AND n = :n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cond, err := keyCondition(context(t), text)
		if err != nil {
			return
		}
		if r, err := tableSchema.Resolve(cond); err == nil {
			r.Bounds()
		}
	})
}
