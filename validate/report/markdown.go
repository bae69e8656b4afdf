package report

import (
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/dynmodel/dynmodel/model/diag"
)

// MarkdownLimit is the size of the largest comment that GitHub takes, in
// characters. It is kept in bytes, which are never fewer.
const MarkdownLimit = 65536

// markdownMark is an invisible first line by which a later comment finds the one
// it replaces.
const markdownMark = "<!-- dynmodel check -->\n"

// Markdown writes the report as a comment for a pull request: what was found,
// worst first, each finding behind a line that opens, and the table of access
// patterns. It is never longer than MarkdownLimit: what does not fit is counted.
func Markdown(w io.Writer, r Report) error {
	text := markdownMark + "### " + verdictLine(r) + "\n\n"
	left := MarkdownLimit - len(text) - markdownReserve
	var body strings.Builder
	omitted := 0
	for _, part := range markdownParts(r) {
		if len(part) > left {
			omitted++
			continue
		}
		left -= len(part)
		body.WriteString(part)
	}
	if omitted > 0 {
		fmt.Fprintf(&body, "*%s more did not fit into this comment; the log of the check has all.*\n\n", count(omitted, "part"))
	}
	_, err := io.WriteString(w, text+body.String()+"<sub>"+inert(totals(r))+"</sub>\n")
	return err
}

// markdownReserve is kept free for the last lines.
const markdownReserve = 1024

func verdictLine(r Report) string {
	s := r.Summary()
	found := s.Errors + s.Warnings + s.Infos
	switch {
	case found == 0 && s.Verified == s.Patterns:
		return fmt.Sprintf("dynmodel: every access pattern holds (%d)", s.Patterns)
	case found == 0:
		return fmt.Sprintf("dynmodel: nothing found, %d of %s verified", s.Verified, count(s.Patterns, "access pattern"))
	}
	return fmt.Sprintf("dynmodel: %s, %s, %s", count(s.Errors, "error"), count(s.Warnings, "warning"), count(s.Infos, "info"))
}

// markdownParts are the parts of the comment, the most important first.
func markdownParts(r Report) []string {
	var parts []string
	for _, m := range r.Models {
		if len(m.Findings) == 0 && len(m.NotChecked) == 0 {
			continue
		}
		parts = append(parts, "**"+inert(m.title())+"** "+inert(m.File)+"\n\n")
		for _, f := range bySeverity(m.Findings) {
			parts = append(parts, markdownFinding(f))
		}
		for _, s := range m.NotChecked {
			parts = append(parts, "Not checked: "+inert(s)+"\n\n")
		}
	}
	for _, m := range r.Models {
		parts = append(parts, markdownPatterns(m))
	}
	return parts
}

func markdownFinding(f diag.Finding) string {
	var text strings.Builder
	if err := Findings(&text, []diag.Finding{f}, TextOptions{}); err != nil {
		panic(err) // a Builder takes everything
	}
	return fmt.Sprintf("<details><summary><b>%s</b> %s</summary>\n\n%s\n</details>\n\n",
		f.Severity, inert(fmt.Sprintf("%s: %s", f.Rule, clipped(oneLine(f.Message)))), fenced(text.String()))
}

// clippedTo is the longest message in a line that opens, in characters.
const clippedTo = 300

func clipped(s string) string {
	if runes := []rune(s); len(runes) > clippedTo {
		return string(runes[:clippedTo]) + "…"
	}
	return s
}

// fenced is text as a block of code, whatever backquotes it has.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "text\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n"
}

// inert is text on one line in which nothing means anything to Markdown or HTML,
// and which mentions nobody.
func inert(s string) string {
	return "<code>" + markdownSigns.Replace(html.EscapeString(visible(oneLine(s)))) + "</code>"
}

var markdownSigns = strings.NewReplacer("|", "&#124;", "*", "&#42;", "_", "&#95;", "`", "&#96;", "[", "&#91;", "]", "&#93;",
	"~", "&#126;", "\\", "&#92;", "@", "&#64;", "$", "&#36;")

// markdownPatterns is the table of a model's access patterns, behind a line that opens.
func markdownPatterns(m Model) string {
	if len(m.Patterns) == 0 {
		return ""
	}
	s := m.Summary()
	var b strings.Builder
	fmt.Fprintf(&b, "<details><summary>%s: %d of %s verified</summary>\n\n", inert(m.title()), s.Verified, count(s.Patterns, "access pattern"))
	b.WriteString("| access pattern | operation | index | key condition | verdict |\n|---|---|---|---|---|\n")
	for _, p := range m.Patterns {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", inert(p.Name), p.Operation, cell(p.Index), cell(p.KeyCondition), cell(verdictText(p)))
	}
	return b.String() + "\n</details>\n\n"
}

// cell is inert text of a table; nothing for an empty one.
func cell(s string) string {
	if s == "" {
		return ""
	}
	return inert(s)
}
