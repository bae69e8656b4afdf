package diff

import (
	"fmt"
	"io"
	"strings"

	"github.com/dynmodel/dynmodel/model/sdk"
)

// writeMarkdown writes the migration for a review or a ticket.
func writeMarkdown(w io.Writer, m outcome, _ style) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Migration of %s\n", inline(m.New.Model.Name))
	if m.Same() {
		b.WriteString("\nNothing changes in the table or in the code that uses it.\n")
	}
	if len(m.Changes) > 0 {
		b.WriteString("\n## Changes\n\n| kind | of | what |\n|---|---|---|\n")
		for _, c := range m.Changes {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", c.Kind, inline(c.Subject), inline(c.Text))
		}
	}
	if len(m.Breaks) > 0 {
		b.WriteString("\n## What breaks for code that follows the old model\n\n| access pattern | from step | why |\n|---|---|---|\n")
		for _, x := range m.Breaks {
			fmt.Fprintf(&b, "| %s | %d | %s |\n", inline(x.Pattern.Name.Text), x.Step, inline(x.Reason))
		}
	}
	if len(m.Steps) > 0 {
		b.WriteString("\n## Steps\n")
	}
	for _, s := range m.Steps {
		fmt.Fprintf(&b, "\n### %d. %s\n", s.Number, inline(s.Title))
		if s.Text != "" {
			fmt.Fprintf(&b, "\n%s\n", inline(s.Text))
		}
		if s.Backfill != nil {
			fmt.Fprintf(&b, "\nEffort: %s.\n", inline(amount(s.Backfill)))
		}
		for _, r := range s.Requests {
			input, err := sdk.JSON(r.Input)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "\n`%s`\n\n```json\n%s\n```\n", r.Operation, input)
		}
	}
	if m.rehearsal != nil {
		b.WriteString("\n## Played on the embedded engine\n\n| when | what was run | what was wrong |\n|---|---|---|\n")
		for _, s := range m.rehearsal.Steps {
			var faults []string
			for _, f := range s.Findings {
				faults = append(faults, inline(f.Side+" model: "+f.Message))
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", after(s.Step), ran(s), strings.Join(faults, "<br>"))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// inline is a text in which Markdown finds nothing to format.
func inline(text string) string {
	return strings.NewReplacer(`\`, `\\`, "|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`, "#", `\#`, "\n", " ").Replace(text)
}
