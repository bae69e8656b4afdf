package report

import (
	"strings"

	"github.com/dynmodel/dynmodel/model/diag"
)

// Key tells a finding from others by what does not change when lines move, data
// is generated otherwise, or the tool is run from another folder: its rule, the
// parts of the model it is about, and the text it points at.
type Key struct {
	Model   string `json:"model"`
	Rule    string `json:"rule"`
	Entity  string `json:"entity,omitempty"`
	Pattern string `json:"pattern,omitempty"`
	Index   string `json:"index,omitempty"`
	// Text is the first line of the place, its white space made one blank.
	Text string `json:"text,omitempty"`
}

// KeyOf is the key of one of the model's findings.
func (m Model) KeyOf(f diag.Finding) Key {
	line, _, _ := strings.Cut(f.Span.Text(), "\n")
	return Key{Model: m.Name, Rule: f.Rule, Entity: f.Entity, Pattern: f.Pattern, Index: f.Index,
		Text: strings.Join(strings.Fields(line), " ")}
}
