// Package diagtest holds findings against what a test file wants of them.
//
// A line on which a finding starts says so in a comment:
//
//	hash_key: PK   # want invalid-model "partition_key"
//
// After the rule comes a part of the message or its fix, quoted as in Go with
// double quotes or backquotes; several pairs may follow each other. Where a
// comment cannot stand on the line itself, `# want+1` speaks of the line below,
// and `# want-2` of the second line above.
package diagtest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
)

// want is a finding that a file wants.
type want struct {
	file string
	line int
	rule string
	text string
	met  bool
}

func (w *want) String() string { return fmt.Sprintf("%s:%d: %s %q", w.file, w.line, w.rule, w.text) }

// Check reports every finding that no file wants, and every want that no
// finding meets.
func Check(t testing.TB, findings []diag.Finding, files ...*source.File) {
	t.Helper()
	var wants []*want
	for _, f := range files {
		ws, err := parse(f)
		if err != nil {
			t.Error(err)
		}
		wants = append(wants, ws...)
	}
	for _, f := range findings {
		if !meet(wants, f) {
			t.Errorf("%s: unwanted %s: %s", Place(f.Span), f.Rule, Message(f))
		}
	}
	for _, w := range wants {
		if !w.met {
			t.Errorf("missing finding %s", w)
		}
	}
}

// Place writes where a span starts: file:line:column.
func Place(at source.Span) string {
	if !at.Known() {
		return "nowhere"
	}
	from := at.From()
	return fmt.Sprintf("%s:%d:%d", at.File.Name(), from.Line, from.Column)
}

// Message is a finding's message with why it is so and its fix.
func Message(f diag.Finding) string {
	parts := slices.DeleteFunc([]string{f.Message, f.Why, f.Fix}, func(s string) bool { return s == "" })
	return strings.Join(parts, ": ")
}

func meet(wants []*want, f diag.Finding) bool {
	if !f.Span.Known() {
		return false
	}
	for _, w := range wants {
		if !w.met && w.file == f.Span.File.Name() && w.line == f.Span.From().Line && w.rule == f.Rule && strings.Contains(Message(f), w.text) {
			w.met = true
			return true
		}
	}
	return false
}

var comment = regexp.MustCompile(`# want([+-]\d+)? (.*)$`)

// parse reads the wants of a file.
func parse(f *source.File) ([]*want, error) {
	var out []*want
	for line := 1; line <= f.Lines(); line++ {
		m := comment.FindStringSubmatch(f.Line(line))
		if m == nil {
			continue
		}
		offset, _ := strconv.Atoi(m[1])
		rest := strings.TrimSpace(m[2])
		for rest != "" {
			rule, quoted, _ := strings.Cut(rest, " ")
			quoted = strings.TrimLeft(quoted, " ")
			prefix, err := strconv.QuotedPrefix(quoted)
			if err != nil {
				return out, fmt.Errorf("%s:%d: a want is a rule and a quoted text, not %q", f.Name(), line, rest)
			}
			text, _ := strconv.Unquote(prefix)
			out = append(out, &want{file: f.Name(), line: line + offset, rule: rule, text: text})
			rest = strings.TrimSpace(quoted[len(prefix):])
		}
	}
	return out, nil
}
