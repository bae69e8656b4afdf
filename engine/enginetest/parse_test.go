package enginetest

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	const text = `# a comment
fixture people
table pk S, sk N
gsi byOwner owner S + team S, at N INCLUDE a b
lsi local at N KEYS_ONLY
with {"TableClass":"STANDARD"}
item {"pk":{"S":"a"},
  "sk":{"N":"1"}}

case first
why because
  it is so
use people
table id B
> GetItem {"Key":{}}
! ValidationException: wrong: very wrong
+ {"Item":{}}
>? Scan {}
<+ {"Count":1}

case second
operation Query
why because
not dynamodb-local it is older
fatal aws it costs money
> Scan {}
<~ {}
`
	cases, err := Parse("topic", text)
	if err != nil {
		t.Fatal(err)
	}
	s := func(name string) Attribute { return Attribute{name, "S"} }
	n := func(name string) Attribute { return Attribute{name, "N"} }
	sk := n("sk")
	want := []Case{
		{
			Name: "topic/first", Operation: "GetItem", Reason: "because it is so",
			Tables: []Table{
				{
					Schema: Schema{
						Hash: s("pk"), Range: &sk,
						Indexes: []Index{
							{Name: "byOwner", Hash: []Attribute{s("owner"), s("team")}, Range: []Attribute{n("at")},
								Projection: "INCLUDE", NonKey: []string{"a", "b"}},
							{Name: "local", Local: true, Range: []Attribute{n("at")}, Projection: "KEYS_ONLY", NonKey: []string{}},
						},
						Extra: `{"TableClass":"STANDARD"}`,
					},
					Items: []string{`{"pk":{"S":"a"}, "sk":{"N":"1"}}`},
				},
				{Schema: Schema{Hash: Attribute{"id", "B"}}},
			},
			Steps: []Step{
				{Operation: "GetItem", Request: `{"Key":{}}`, end: 15,
					Want: Want{Code: "ValidationException", Message: "wrong: very wrong", Body: `{"Item":{}}`}},
				{Operation: "Scan", Request: `{}`, Eventually: true, end: 18, Want: Want{Body: `{"Count":1}`, Match: Including}},
			},
		},
		{
			Name: "topic/second", Operation: "Query", Reason: "because",
			NotOn: []Difference{{DynamoDBLocal, "it is older", false}, {AWS, "it costs money", true}},
			Steps: []Step{{Operation: "Scan", Request: `{}`, end: 26, Want: Want{Body: `{}`, Match: Unordered}}},
		},
	}
	for i := range want {
		if !reflect.DeepEqual(cases[i], want[i]) {
			t.Errorf("case %d:\nwant %+v\ngot  %+v", i, want[i], cases[i])
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"why x":                                  "why: belongs to a case",
		"case a\nwhy x":                          "a case without requests",
		"case a\n> Scan {}\n< {}":                "a case without a reason",
		"case a\n< {}":                           "an answer without a request",
		"case a\n> Scan {}\n< {}\n< {}":          "a second answer",
		"case a\n> Scan {}\n< {}\n+ {}":          "belongs after an exception",
		"case a\nuse nothing":                    `no fixture "nothing"`,
		"case a\ntable pk":                       "want a name and a type",
		"case a\ntable pk S + x S":               "a table key is one HASH",
		"case a\ngsi g x S ALL":                  "there is no table yet",
		"case a\ntable pk S\ngsi g x S":          "no projection",
		"item {}":                                "belongs to a fixture or a case",
		"case a\nwhy x\n> Scan {}\nnonsense yes": "unknown directive",
	} {
		_, err := Parse("topic", text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: want an error with %q, got %v", text, want, err)
		}
	}
}

func TestExpand(t *testing.T) {
	variables := map[string]string{"$T": "table", "$T2": "other"}
	for text, want := range map[string]string{
		`{"TableName":"$T"}`:                    `{"TableName":"table"}`,
		`$T $T2 $T3 $`:                          `table other $T3 $`,
		`"${x*5}"`:                              `"xxxxx"`,
		`[${{"N":"%d"},*3}]`:                    `[{"N":"0"},{"N":"1"},{"N":"2"}]`,
		`${{"L":[*2}1${]}*2}`:                   `{"L":[{"L":[1]}]}`,
		`${{"v":"${x*2}"},*2}`:                  `{"v":"xx"},{"v":"xx"}`,
		`${x*0}${x*99999999999999999999999999}`: ``,
	} {
		if got := expand(text, variables); got != want {
			t.Errorf("%s: want %s, got %s", text, want, got)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		mode      Match
		want, got string
		problem   string // empty if it matches
	}{
		{Exact, `{"a":1}`, `{"a":1.0}`, ""},
		{Exact, `{"a":1}`, `{"a":1,"b":2}`, `answer: unexpected "b"`},
		{Exact, `{"a":1}`, `{}`, `answer: no "a"`},
		{Exact, `{"a":null}`, `{}`, `answer: no "a"`},
		{Exact, `[1,2]`, `[2,1]`, "answer[0]: want 1, got 2"},
		{Exact, `[1]`, `[1,2]`, "want 1 elements, got 2"},
		{Exact, `{"SS":["a","b"]}`, `{"SS":["b","a"]}`, ""},
		{Exact, `{"x":{"NS":["1"]}}`, `{"x":{"NS":["2"]}}`, "answer.x.NS: no element like"},
		{Exact, `{"a":"$_"}`, `{"a":[1]}`, ""},
		{Exact, `{"a":"$bound"}`, `{"a":"x"}`, ""},
		{Exact, `"a"`, `1`, `want "a", got 1`},
		{Unordered, `[1,2,2]`, `[2,1,2]`, ""},
		{Unordered, `[1,1,2]`, `[2,1,2]`, "no element like 1"},
		{Unordered, `[{"a":1}]`, `[{"a":1,"b":1}]`, "no element like"},
		{Including, `{"a":[{"b":1}]}`, `{"a":[{"b":1,"c":2}],"d":3}`, ""},
		{Including, `{"a":null}`, `{"b":1}`, ""},
		{Including, `{"a":null}`, `{"a":1}`, "answer.a: want null, got 1"},
	} {
		var want, got any
		mustDecode(t, test.want, &want)
		mustDecode(t, test.got, &got)
		variables := map[string]string{}
		err := matcher{test.mode, variables}.match("answer", want, got)
		if test.problem == "" && err != nil || test.problem != "" && (err == nil || !strings.Contains(err.Error(), test.problem)) {
			t.Errorf("%v %s %s: want %q, got %v", test.mode, test.want, test.got, test.problem, err)
		}
		if strings.Contains(test.want, "$bound") && variables["$bound"] != "x" {
			t.Errorf("$bound is %q", variables["$bound"])
		}
	}
}

func TestMatchMessage(t *testing.T) {
	for _, test := range []struct {
		want, got string
		match     bool
	}{
		{"abc", "abc", true}, {"abc", "abcd", false}, {"abc...", "abcd", true}, {"...bc", "abc", true},
		{"...b...", "abc", true}, {"...x...", "abc", false}, {"...", "abc", true}, {"b...", "abc", false},
	} {
		if got := matchMessage(test.want, test.got); got != test.match {
			t.Errorf("%q, %q: %v", test.want, test.got, got)
		}
	}
}

// TestCases holds what every case promises: a name of its own, a reason with
// its source, and an answer to every request.
func TestCases(t *testing.T) {
	source := regexp.MustCompile(` \[(api|guide|observed|field|witness|rfc \d+)\]$`)
	seen := map[string]bool{}
	for _, c := range Cases() {
		if seen[c.Name] {
			t.Errorf("%s: twice", c.Name)
		}
		seen[c.Name] = true
		if !source.MatchString(c.Reason) {
			t.Errorf("%s: no source at the end of %q", c.Name, c.Reason)
		}
		for _, step := range c.Steps {
			if step.unanswered() {
				t.Errorf("%s: %s %s has no answer", c.Name, step.Operation, shorten(step.Request))
			}
		}
		for _, difference := range c.NotOn {
			if difference.Reason == "" {
				t.Errorf("%s: no reason why not on %s", c.Name, difference.Kind)
			}
		}
	}
	if len(seen) < 400 {
		t.Errorf("only %d cases", len(seen))
	}
}

func TestSchema(t *testing.T) {
	const text = "table pk S, sk N\ngsi byOwner owner S + team B, at N INCLUDE a b\nlsi local at N KEYS_ONLY\n"
	cases, err := Parse("topic", "case a\nwhy x\n"+text+"> Scan {}\n< {}")
	if err != nil {
		t.Fatal(err)
	}
	schema := cases[0].Tables[0].Schema
	if got := schema.String(); got != text {
		t.Errorf("printed as\n%s", got)
	}
	request, err := schema.CreateTable("t")
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"},` +
		`{"AttributeName":"owner","AttributeType":"S"},{"AttributeName":"team","AttributeType":"B"},{"AttributeName":"at","AttributeType":"N"}],` +
		`"BillingMode":"PAY_PER_REQUEST","GlobalSecondaryIndexes":[{"IndexName":"byOwner","KeySchema":[{"AttributeName":"owner","KeyType":"HASH"},` +
		`{"AttributeName":"team","KeyType":"HASH"},{"AttributeName":"at","KeyType":"RANGE"}],"Projection":{"NonKeyAttributes":["a","b"],"ProjectionType":"INCLUDE"}}],` +
		`"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}],` +
		`"LocalSecondaryIndexes":[{"IndexName":"local","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"at","KeyType":"RANGE"}],` +
		`"Projection":{"ProjectionType":"KEYS_ONLY"}}],"TableName":"t"}`
	if request != want {
		t.Errorf("want %s\ngot  %s", want, request)
	}
}

func mustDecode(t *testing.T, text string, value *any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), value); err != nil {
		t.Fatal(err)
	}
}
