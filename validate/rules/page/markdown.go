package page

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/dynmodel/dynmodel/validate"
	"github.com/dynmodel/dynmodel/validate/report"
)

// Markdown writes the reference of all rules.
func Markdown(w io.Writer, pages []Page) error {
	out := bufio.NewWriter(w)
	fmt.Fprint(out, head)
	fmt.Fprint(out, "| rule | severity | found by | says that |\n|---|---|---|---|\n")
	for _, p := range pages {
		fmt.Fprintf(out, "| [`%s`](#%s) | %s | %s | %s |\n", p.Rule.Name, p.Rule.Name, p.Rule.Severity, finder(p.Rule.FoundBy), p.Rule.Title)
	}
	for _, p := range pages {
		if err := section(out, p); err != nil {
			return err
		}
	}
	return out.Flush()
}

const head = `<!-- Written by ` + "`go test ./validate/rules -run TestDocs -update`" + ` from the rules themselves. -->

# Rules

What ` + "`dynmodel check`" + ` can find. ` + "`dynmodel explain RULE`" + ` shows the same page at the terminal. A rule is silenced on a
model, an entity, an index or a pattern by ` + "`ignore: [{rule: NAME, reason: \"…\"}]`" + `. The severity is the usual one; a
rule's text says when it is another. Each example is a whole model and a test of its rule: the first gives the finding
that is shown, the second gives none.

Where a rule and a run of the access patterns see the same fault, one finding is reported. An error that the model alone
shows is certain, and what the run shows is added to it; a warning is a suspicion, and is left out when the run has found
what it warns of.

`

func section(out *bufio.Writer, p Page) error {
	var found bytes.Buffer
	if err := report.Findings(&found, p.Found, report.TextOptions{}); err != nil {
		return err
	}
	fmt.Fprintf(out, "\n## %s\n\n", p.Rule.Name)
	fmt.Fprintf(out, "**%s**: %s.\n\n%s\n\n", p.Rule.Severity, p.Rule.Title, p.Rule.Text)
	fmt.Fprintf(out, "**Fix**: %s.\n\nA model that fails:\n\n```yaml\n%s```\n\n", p.Rule.Fix, p.Rule.Bad)
	fmt.Fprintf(out, "```text\n%s\n```\n\nA model that passes:\n\n```yaml\n%s```\n", bytes.TrimSpace(found.Bytes()), p.Rule.Good)
	return nil
}

// finder says who finds it.
func finder(s validate.Source) string {
	switch s {
	case validate.ByLanguage:
		return "reading the model"
	case validate.ByPlan:
		return "planning the pattern"
	case validate.ByProof:
		return "running the pattern"
	case validate.ByIgnore:
		return "going through `ignore`"
	}
	return "the model and its plans"
}
