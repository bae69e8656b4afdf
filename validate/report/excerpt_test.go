package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/mattn/go-runewidth"
)

// TestExcerpt marks spans in lines that a terminal would not show as they are.
func TestExcerpt(t *testing.T) {
	long := strings.Repeat("a", 1000)
	for _, test := range []struct {
		name, text, marked string
		want               []string // the source, and the mark
	}{
		{"plain", "key: value", "value", []string{"1 | key: value", "  |      ^^^^^"}},
		{"tab", "\tkey: value", "value", []string{"1 |   key: value", "  |        ^^^^^"}},
		{"wide", "日本: value", "value", []string{"1 | 日本: value", "  |       ^^^^^"}},
		{"control characters", "k\x1b[31m\rx\x7f: value", "value", []string{"1 | k␛[31m␍x␡: value", "  |            ^^^^^"}},
		{"direction of writing", "k\u202e\u0085: value", "value", []string{"1 | k\ufffd\ufffd: value", "  |      ^^^^^"}},
		{"no text", "k\xff: value", "value", []string{"1 | k\ufffd: value", "  |     ^^^^^"}},
		{"mark at the end of a long line", long + " value", "value",
			[]string{"1 | …" + strings.Repeat("a", 58) + " value", "  | " + strings.Repeat(" ", 60) + "^^^^^"}},
		{"mark at the start of a long line", "value " + long, "value",
			[]string{"1 | value " + strings.Repeat("a", 233) + "…", "  | ^^^^^"}},
		{"long mark", "k: " + long, long,
			[]string{"1 | k: " + strings.Repeat("a", 119) + "…", "  |    " + strings.Repeat("^", 120)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := source.NewFile("m.yaml", test.text)
			start := strings.Index(test.text, test.marked)
			f := diag.Finding{Rule: diag.InvalidModel, Severity: diag.Error, Message: "m", Span: source.Span{File: file, Start: start, End: start + len(test.marked)}}
			var out strings.Builder
			if err := Findings(&out, []diag.Finding{f}, TextOptions{}); err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(out.String(), "\n")
			if got := lines[2:4]; got[0] != test.want[0] || got[1] != test.want[1] {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// TestNothingSteersTheTerminal writes names, messages and notes with control
// characters in them.
func TestNothingSteersTheTerminal(t *testing.T) {
	const hostile = "a\x1b]0;title\x07b\rc\u202ed"
	f := diag.Finding{Rule: diag.InvalidModel, Severity: diag.Error, Message: hostile, Why: hostile + "\nnext", Fix: hostile,
		Related: []diag.Related{{Text: hostile}}, Counterexample: &diag.Counterexample{Request: []string{hostile, hostile},
			With: []diag.Binding{{Name: "p", Value: hostile}}, Items: []diag.CounterItem{{Role: "extra", Entity: hostile}}}}
	var out strings.Builder
	err := Text(&out, Report{Models: []Model{{Name: hostile, File: hostile, Findings: []diag.Finding{f}, Accepted: []Accepted{{Finding: f, Reason: hostile}}}}}, TextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexAny(out.String(), "\x1b\x07\r\u202e"); i >= 0 {
		t.Errorf("the terminal gets %q", out.String()[max(0, i-20):i+1])
	}
}

func TestWindowIsNarrow(t *testing.T) {
	for _, part := range []string{strings.Repeat("a", 5000), strings.Repeat("日", 5000), strings.Repeat("\t", 5000)} {
		b, m, a := window(part, part, part)
		if wide := runewidth.StringWidth(b + m + a); wide > maxLine {
			t.Errorf("%d columns of %.3q", wide, part)
		}
	}
}

// TestNoExcerpt holds that nothing is shown of files that are empty or in UTF-16.
func TestNoExcerpt(t *testing.T) {
	for _, text := range []string{"", "\xff\xfev\x00e\x00r\x00"} {
		f := diag.Finding{Rule: diag.InvalidModel, Severity: diag.Error, Message: "it cannot be read", Span: source.Span{File: source.NewFile("model.yaml", text)}}
		var out bytes.Buffer
		if err := Findings(&out, []diag.Finding{f}, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if want := "error[invalid-model] model.yaml:1:1: it cannot be read\n\n"; out.String() != want {
			t.Errorf("%q: got %q, want %q", text, out.String(), want)
		}
	}
}
