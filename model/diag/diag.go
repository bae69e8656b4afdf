// Package diag holds what the tool has to say about a model: findings, their
// severity, and lists of them that sort and de-duplicate by themselves.
package diag

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model/source"
)

// Severity tells how bad a finding is. Larger is worse.
type Severity int

// The severities.
const (
	Info Severity = iota + 1
	Warning
	Error
)

// String is the word used in output and flags.
func (s Severity) String() string {
	switch s {
	case Info:
		return "info"
	case Warning:
		return "warning"
	case Error:
		return "error"
	}
	return fmt.Sprintf("Severity(%d)", int(s))
}

// ParseSeverity reads the word of a severity.
func ParseSeverity(word string) (Severity, bool) {
	for _, s := range []Severity{Error, Warning, Info} {
		if s.String() == word {
			return s, true
		}
	}
	return 0, false
}

// Finding is one thing found in a model.
type Finding struct {
	Rule     string // the rule's name, such as wrong-result
	Severity Severity
	Span     source.Span
	Message  string // one or two sentences, without a final stop

	// What it is about, where it is about such a thing; names, or "".
	Entity, Pattern, Index string

	// Counterexample is what an execution showed, for measured rules.
	Counterexample *Counterexample
	// Why says in terms of templates how it comes about; may be "".
	Why string
	// Fix says what to change; may be "".
	Fix string
	// Related are other places that belong to it.
	Related []Related
	// Cause is the part of the model at fault, such as a key template, where that
	// is known: findings of one cause are one fault seen in several ways.
	Cause source.Span
}

// Related is another place that a finding points to.
type Related struct {
	Span source.Span
	Text string
}

// Counterexample is a concrete failing execution, as small as it could be made.
type Counterexample struct {
	// Request is the request or requests as a person reads them, one a line:
	// `query table: PK = "C#a" AND begins_with(SK, "ORDER#")`.
	Request []string
	// With are the parameters of the call, in the pattern's order.
	With []Binding
	// Items are the items that matter, each with what became of it.
	Items []CounterItem
}

// Binding is a parameter and its value, written as in the model's language.
type Binding struct {
	Name, Value string
}

// CounterItem is an item of a counterexample.
type CounterItem struct {
	// Role says what it is: extra, missing, returned, stored, expected, …
	Role string
	// Entity is the entity's name, or "" when the item is of none.
	Entity string
	// Attributes are the attributes that matter, in the model's order.
	Attributes []Binding
	// Keys are the key attributes that matter, as stored.
	Keys []Binding
}

// List gathers findings. The zero List is ready to use.
type List struct {
	findings []Finding
}

// Add puts findings into the list.
func (l *List) Add(findings ...Finding) { l.findings = append(l.findings, findings...) }

// Addf adds a finding that is just a rule, a place and a message.
func (l *List) Addf(rule string, severity Severity, span source.Span, format string, args ...any) {
	l.Add(Finding{Rule: rule, Severity: severity, Span: span, Message: fmt.Sprintf(format, args...)})
}

// Len is the number of findings added, duplicates included.
func (l *List) Len() int { return len(l.findings) }

// All returns the findings in order of place, worst first at one place, each
// once: two findings of one rule with one message at one place are one.
func (l *List) All() []Finding {
	out := slices.Clone(l.findings)
	slices.SortStableFunc(out, Compare)
	return slices.CompactFunc(out, func(a, b Finding) bool {
		return a.Rule == b.Rule && a.Message == b.Message && a.Span == b.Span
	})
}

// Has tells whether any finding is of the given severity or worse.
func (l *List) Has(s Severity) bool {
	return slices.ContainsFunc(l.findings, func(f Finding) bool { return f.Severity >= s })
}

// Compare orders findings by place, then severity (worst first), rule and message.
func Compare(a, b Finding) int {
	return cmp.Or(
		a.Span.Compare(b.Span),
		cmp.Compare(b.Severity, a.Severity),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Message, b.Message),
	)
}
