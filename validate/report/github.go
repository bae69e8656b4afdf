package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/dynmodel/dynmodel/model/diag"
)

// GitHub writes findings as workflow commands, which GitHub Actions shows as
// annotations of the lines they are about, and the totals as plain text.
func GitHub(w io.Writer, r Report) error {
	out := bufio.NewWriter(w)
	for _, m := range r.Models {
		for _, f := range m.Findings {
			fmt.Fprintf(out, "::%s %s::%s\n", command(f.Severity), properties(f), commandData.Replace(message(f)))
		}
	}
	fmt.Fprintln(out, totals(r))
	return out.Flush()
}

// command is the workflow command of a severity.
func command(severity diag.Severity) string {
	switch severity {
	case diag.Error:
		return "error"
	case diag.Warning:
		return "warning"
	}
	return "notice"
}

// What has a meaning in workflow commands is escaped as their own toolkit does it.
var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// properties are the place and the title of an annotation. Columns are only
// allowed within one line.
func properties(f diag.Finding) string {
	title := "title=" + commandProperty.Replace(f.Rule)
	if !f.Span.Known() || f.Span.File.Name() == "-" {
		return title
	}
	from, to := f.Span.From(), f.Span.To()
	place := fmt.Sprintf("file=%s,line=%d,endLine=%d", commandProperty.Replace(f.Span.File.Name()), from.Line, to.Line)
	if from.Line == to.Line {
		place += fmt.Sprintf(",col=%d,endColumn=%d", from.Column, to.Column)
	}
	return place + "," + title
}
