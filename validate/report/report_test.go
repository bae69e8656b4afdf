package report

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-runewidth"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/schemas"
)

// sample is a report with every part that a report can have.
func sample() Report {
	file := source.NewFile("access-patterns.yaml", strings.Join([]string{
		"version: 1",
		"access_patterns:",
		"\t- name: orders-of-customer",
		"    query: Größe   # ß",
		"",
	}, "\n"))
	at := func(text string) source.Span {
		i := strings.Index(file.Text(), text)
		return source.Span{File: file, Start: i, End: i + len(text)}
	}
	return Report{Models: []Model{{
		File: "access-patterns.yaml", Name: "shop", Seed: 1,
		Patterns: []Pattern{
			{Name: "orders-of-customer", Verdict: Fail, Operation: "Query", Index: "table",
				KeyCondition: `PK = "C#{customerId}" AND begins_with(SK, "ORDER#")`, Cases: 40, Requests: 1, Cost: &Cost{Items: 8.125, ItemsRead: 8.125, RCU: 0.5, Pages: 1}},
			{Name: "customer", Verdict: Pass, Operation: "GetItem", Index: "table", KeyCondition: `PK = "C#{customerId}"`, Cases: 1, Requests: 1, Cost: &Cost{Items: 1, ItemsRead: 1, RCU: 0.5, Pages: 1}},
			{Name: "search", Verdict: Skipped, Reason: "the endpoint has no\nmulti-attribute keys", Operation: "Query", Index: "GSI1", Filter: "a = $a"},
		},
		Findings: []diag.Finding{
			{Rule: diag.NoBackup, Severity: diag.Info, Message: "the table has no backup", Span: at("version: 1")},
			{Rule: diag.WrongResult, Severity: diag.Error, Span: at("name: orders-of-customer"), Pattern: "orders-of-customer", Index: "table",
				Message: "orders-of-customer returns 2 items, expected 1",
				Counterexample: &diag.Counterexample{
					Request: []string{`query table: PK = "C#a" AND begins_with(SK, "ORDER#")`, `query table: PK = "C#b"`},
					With:    []diag.Binding{{Name: "customerId", Value: `"a"`}},
					Items: []diag.CounterItem{{Role: "extra", Entity: "Order",
						Attributes: []diag.Binding{{Name: "customerId", Value: `"a#b"`}, {Name: "orderId", Value: `"1"`}},
						Keys:       []diag.Binding{{Name: "PK", Value: "C#a#b"}, {Name: "SK", Value: "ORDER#1"}}}},
				},
				Why:     "the customer a#b shares the prefix\nof the customer a",
				Fix:     "declare customerId as `slug`",
				Related: []diag.Related{{Span: at("version"), Text: "the table is declared here"}}},
			{Rule: diag.UnknownReference, Severity: diag.Error, Message: "no entity is named Größe", Span: at("Größe")},
			{Rule: diag.UnusedIndex, Severity: diag.Warning, Message: "no pattern uses the index"},
		},
		Accepted:   []Accepted{{Finding: diag.Finding{Rule: diag.FullScan, Severity: diag.Warning, Message: "all is read", Span: at("version: 1")}, Reason: "five items,\nno more"}},
		NotChecked: []string{"1 access pattern was not run"},
		Coverage: []Coverage{
			{Measure: "template parts", Reached: 4, Total: 4},
			{Measure: "bounds", Reached: 1, Total: 13, Missing: slices.Repeat([]string{"orders-of-customer: Order.placedAt at >= $since"}, 12)},
			{Measure: "variants"},
		},
	}}}
}

func TestText(t *testing.T) {
	tests := map[string]TextOptions{
		"full":    {},
		"narrow":  {Width: 90},
		"least":   {Width: 60},
		"quiet":   {Quiet: true},
		"verbose": {Verbose: true},
		"color":   {Color: true, Width: 120, Elapsed: 61 * time.Millisecond},
	}
	for name, options := range tests {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := Text(&out, sample(), options); err != nil {
				t.Fatal(err)
			}
			modeltest.Golden(t, filepath.Join("testdata", name+".txt"), out.String())
		})
	}
}

// TestTextOfMany holds that people who have read many findings are told how many
// there are of each rule.
func TestTextOfMany(t *testing.T) {
	r := sample()
	r.Models[0].Findings = slices.Repeat(r.Models[0].Findings, 3)
	var out bytes.Buffer
	if err := Text(&out, r, TextOptions{Elapsed: time.Millisecond, Quiet: true}); err != nil {
		t.Fatal(err)
	}
	const want = "\n\nby rule: 3 unknown-reference, 3 unused-index, 3 wrong-result\nmore about a rule: dynmodel explain wrong-result\n\n3 access patterns, "
	if !strings.Contains(out.String(), want) {
		t.Errorf("got\n%s\nwant%s", out.String(), want)
	}
}

func TestTextOfNothing(t *testing.T) {
	var out bytes.Buffer
	if err := Text(&out, Report{Models: []Model{{File: "a.yaml"}}}, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	want := "(unnamed)  a.yaml\n\n0 access patterns, 0 verified: 0 errors, 0 warnings, 0 infos\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestJSON(t *testing.T) {
	var out bytes.Buffer
	if err := JSON(&out, sample()); err != nil {
		t.Fatal(err)
	}
	validates(t, schemas.Check(), out.Bytes())
	modeltest.Golden(t, filepath.Join("testdata", "report.json"), out.String())
}

// TestJSONOfNothing holds that what is empty is an empty list, not null.
func TestJSONOfNothing(t *testing.T) {
	for name, r := range map[string]Report{"no model": {}, "unreadable model": {Models: []Model{{File: "a.yaml"}}}} {
		var out bytes.Buffer
		if err := JSON(&out, r); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { validates(t, schemas.Check(), out.Bytes()) })
	}
}

func validates(t *testing.T, schema, document []byte) {
	t.Helper()
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("check.schema.json", parsed); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("check.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(value); err != nil {
		t.Error(err)
	}
}

func TestSummary(t *testing.T) {
	got := sample().Summary()
	want := Summary{Errors: 2, Warnings: 1, Infos: 1, Patterns: 3, Verified: 1}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if w := sample().Worst(); w != diag.Error {
		t.Errorf("worst is %v, want error", w)
	}
}

// The table of patterns fits a terminal of the usual width, whatever is in it.
func TestTableFits(t *testing.T) {
	long := func(word string, n int) string { return strings.Repeat(word, n)[:n] }
	patterns := []Pattern{
		{Name: "a", Operation: "TransactWriteItems", Index: "table", Verdict: Fail},
		{Name: long("name-", 60), Operation: "Query", Index: long("Index", 30), KeyCondition: long("PK = x AND ", 200), Verdict: Pass, Cases: 1000, Cost: &Cost{Items: 1234.56, RCU: 999.99, WCU: 12345}},
		{Name: "b", Operation: "GetItem", Index: "table", KeyCondition: "größer", Verdict: Skipped, Reason: "short"},
	}
	for _, width := range []int{80, 100, 132} {
		for n := range patterns {
			var out bytes.Buffer
			m := Model{File: "a.yaml", Patterns: patterns[:n+1]}
			if err := Text(&out, Report{Models: []Model{m}}, TextOptions{Width: width, Color: true}); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(out.String()) {
				if wide := runewidth.StringWidth(colours.ReplaceAllString(strings.TrimRight(line, "\n"), "")); wide > width && !strings.Contains(line, " is ") && !strings.Contains(line, " verified ") {
					t.Errorf("%d columns of %d: %s", wide, width, line)
				}
			}
		}
	}
}

var colours = regexp.MustCompile("\x1b\\[[0-9;]*m")
