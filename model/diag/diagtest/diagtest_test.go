package diagtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
)

// recorder keeps what a check complains about.
type recorder struct {
	testing.TB
	complaints []string
}

func (r *recorder) Helper()           {}
func (r *recorder) Error(args ...any) { r.complaints = append(r.complaints, fmt.Sprint(args...)) }
func (r *recorder) Errorf(format string, args ...any) {
	r.complaints = append(r.complaints, fmt.Sprintf(format, args...))
}

func TestCheck(t *testing.T) {
	file := source.NewFile("m.yaml", strings.Join([]string{
		"a: 1 # want rule-a \"first\" rule-b `sec\"ond`",
		"b: 2",
		"# want-1 rule-a \"above\"",
	}, "\n"))
	find := func(line int, rule, message, fix string) diag.Finding {
		at := file.Offset(line, 1)
		return diag.Finding{Rule: rule, Message: message, Fix: fix, Span: source.Span{File: file, Start: at, End: at + 1}}
	}
	all := []diag.Finding{find(1, "rule-a", "the first", ""), find(1, "rule-b", "x", "sec\"ond"), find(2, "rule-a", "above", "")}
	tests := []struct {
		name     string
		findings []diag.Finding
		want     []string
	}{
		{"all met", all, nil},
		{"one missing", all[1:], []string{`missing finding m.yaml:1: rule-a "first"`}},
		{"one too many", append(slices.Clone(all), find(2, "rule-a", "above", "")), []string{"m.yaml:2:1: unwanted rule-a: above"}},
		{"nowhere", append(slices.Clone(all), diag.Finding{Rule: "r", Message: "m"}), []string{"nowhere: unwanted r: m"}},
	}
	for _, test := range tests {
		r := &recorder{}
		Check(r, test.findings, file)
		if !slices.Equal(r.complaints, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, r.complaints, test.want)
		}
	}
}

func TestCheckOfABadWant(t *testing.T) {
	r := &recorder{}
	Check(r, nil, source.NewFile("m.yaml", "a: 1 # want rule unquoted"))
	if len(r.complaints) != 1 || !strings.Contains(r.complaints[0], "a want is a rule and a quoted text") {
		t.Errorf("got %q", r.complaints)
	}
}
