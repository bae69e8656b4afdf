package check

import (
	"fmt"
	"time"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/buildinfo"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
	"github.com/dynmodel/dynmodel/validate/report"
	"github.com/dynmodel/dynmodel/validate/rules"
)

// formats are the names of the report formats.
var formats = []string{"text", "json", "sarif", "junit", "github", "markdown"}

func (o *Options) write(to *terminal.Streams, r report.Report, failOn diag.Severity, elapsed time.Duration) error {
	w := to.Out
	switch o.format {
	case "json":
		return report.JSON(w, r)
	case "sarif":
		return report.SARIF(w, r, report.SARIFOptions{Version: buildinfo.Read().Version, Rules: rulePages()})
	case "junit":
		return report.JUnit(w, r, failOn)
	case "github":
		return report.GitHub(w, r)
	case "markdown":
		return report.Markdown(w, r)
	}
	text := report.TextOptions{Color: to.Color(o.color), Width: to.Columns, Quiet: o.quiet, Verbose: o.verbose}
	if to.OutTerminal {
		text.Elapsed = elapsed
	}
	return report.Text(w, r, text)
}

// rulePages are the pages of all rules as SARIF shows them.
func rulePages() []report.RulePage {
	var pages []report.RulePage
	for _, r := range rules.All() {
		pages = append(pages, report.RulePage{Name: r.Name, Severity: r.Severity, Title: r.Title, Text: r.Text, Help: help(r), HelpMarkdown: helpMarkdown(r)})
	}
	return pages
}

func help(r *validate.Rule) string {
	return fmt.Sprintf("%s\n\nFix: %s.\n\nA model that fails:\n\n%s\nA model that passes:\n\n%s", r.Text, r.Fix, r.Bad, r.Good)
}

func helpMarkdown(r *validate.Rule) string {
	return fmt.Sprintf("%s\n\n**Fix**: %s.\n\nA model that fails:\n\n```yaml\n%s```\n\nA model that passes:\n\n```yaml\n%s```\n", r.Text, r.Fix, r.Bad, r.Good)
}
