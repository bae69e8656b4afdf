package report

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
)

// finding writes one finding: what and where, the source with a mark under it,
// the counterexample, why, and what to change.
func (t *textWriter) finding(f diag.Finding) {
	t.line(t.style.severity(f.Severity, f.Severity.String()+"["+f.Rule+"]") + " " + visible(place(f.Span)) + t.style.paint(bold, visible(f.Message)))
	gutter := t.excerpt(f)
	notes := findingNotes(f)
	if len(notes) > 0 && gutter > 0 {
		t.line(t.bar(gutter))
	}
	wide := 0
	for _, n := range notes {
		wide = max(wide, len(n.label))
	}
	for _, n := range notes {
		t.note(n, gutter, wide)
	}
	t.line("")
}

// note writes a note; what has several lines goes on below the first.
func (t *textWriter) note(n note, gutter, wide int) {
	lead, mark, label := strings.Repeat(" ", gutter), "=", n.label
	for line := range strings.Lines(visible(n.text)) {
		t.line(strings.TrimRight(lead+" "+t.style.paint(cyan, mark)+" "+
			t.style.paint(bold, fmt.Sprintf("%-*s", wide, label))+" "+strings.TrimSuffix(line, "\n"), " "))
		mark, label = " ", ""
	}
}

func place(s source.Span) string {
	if !s.Known() {
		return ""
	}
	at := s.From()
	return fmt.Sprintf("%s:%d:%d: ", s.File.Name(), at.Line, at.Column)
}

func (t *textWriter) bar(gutter int) string {
	return strings.Repeat(" ", gutter+1) + t.style.paint(cyan, "|")
}

func firstRequest(f diag.Finding) string {
	if f.Counterexample == nil || len(f.Counterexample.Request) == 0 {
		return ""
	}
	return " " + f.Counterexample.Request[0]
}

type note struct{ label, text string }

func findingNotes(f diag.Finding) []note {
	var notes []note
	add := func(label, text string) {
		if text != "" {
			notes = append(notes, note{label, text})
		}
	}
	if c := f.Counterexample; c != nil {
		for i, r := range c.Request {
			if i > 0 {
				add("then", r)
			}
		}
		for _, item := range c.Items {
			add(item.Role, itemText(item))
		}
		add("with", bindings(c.With, " = ", ", "))
	}
	for _, r := range f.Related {
		add("see", place(r.Span)+r.Text)
	}
	add("why", f.Why)
	add("fix", f.Fix)
	return notes
}

func itemText(i diag.CounterItem) string {
	var parts []string
	if i.Entity != "" {
		parts = append(parts, i.Entity+" {"+bindings(i.Attributes, ": ", ", ")+"}")
	} else if len(i.Attributes) > 0 {
		parts = append(parts, "{"+bindings(i.Attributes, ": ", ", ")+"}")
	}
	if len(i.Keys) > 0 {
		parts = append(parts, bindings(i.Keys, "=", " "))
	}
	return strings.Join(parts, "   ")
}

func bindings(bs []diag.Binding, between, sep string) string {
	return strings.Join(convert(bs, func(b diag.Binding) string { return b.Name + between + b.Value }), sep)
}
