package iam

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/tree"
)

// managedSize is how many characters a managed policy has at most, white space
// not counted (IAM's quotas); one that is written into a role may have 10,240.
const managedSize = 6144

// readme says what each policy is for and allows.
func readme(in generate.Input, policies []policy) string {
	var b strings.Builder
	t := in.Model.Table
	fmt.Fprintf(&b, "<!-- %s -->\n\n# Policies for the table %s\n\n", generate.Mark, t.Name.Text)
	if t.IsolateBy != nil {
		fmt.Fprintf(&b, "Keys that %s leads are bound to the principal's own value of it. A Scan cannot be bound, and a PartiQL statement is not.\n\n", t.IsolateBy.Text)
	}
	if t.Encryption.KMSKey != "" {
		b.WriteString("The policy of the KMS key must let DynamoDB use it for these principals (`kms:ViaService`).\n\n")
	}
	b.WriteString("| policy | for | allows |\n|---|---|---|\n")
	for _, p := range policies {
		var allows []string
		for _, s := range p.statements {
			allows = append(allows, s.summary())
		}
		note := ""
		if size := len(tree.Compact(p.document(resources(in)))); size > managedSize {
			note = fmt.Sprintf("<br>(%d characters: more than the %d of a managed policy)", size, managedSize)
		}
		fmt.Fprintf(&b, "| [%[1]s](%[1]s) | %s | %s%s |\n", p.file, p.what, strings.Join(allows, "<br>"), note)
	}
	var without []string
	for _, p := range in.Model.Patterns {
		served := false
		for _, made := range policies {
			served = served || len(made.patterns) == 1 && made.patterns[0] == p
		}
		if !served {
			without = append(without, p.Name.Text)
		}
	}
	if len(without) > 0 {
		fmt.Fprintf(&b, "\nThese need nothing of the table: %s.\n", strings.Join(without, ", "))
	}
	return b.String()
}

// summary says in a phrase what a statement allows.
func (s statement) summary() string {
	text := strings.Join(s.actions, ", ")
	if s.index != "" {
		text += " of " + s.index
	}
	for _, patterns := range s.leading {
		for i, p := range patterns {
			patterns := strings.ReplaceAll(p, "|", `\|`)
			if i == 0 {
				text += " where the key is `" + patterns + "`"
			} else {
				text += " or `" + patterns + "`"
			}
		}
	}
	if s.enclosing != "" {
		text += " in " + s.enclosing
	}
	if s.selects == "COUNT" {
		text += ", to count"
	}
	if s.attributes != nil {
		text += fmt.Sprintf(", %d attributes", len(s.attributes))
	}
	return text
}
