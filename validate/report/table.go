package report

import (
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

var patternColumns = []string{"ACCESS PATTERN", "OPERATION", "INDEX", "KEY CONDITION", "ITEMS", "RCU", "WCU", "VERDICT"}

const conditionColumn = 3

// leastCondition is the narrowest the key condition is cut to on a terminal.
const leastCondition = 16

// patterns writes the table of access patterns.
func (t *textWriter) patterns(patterns []Pattern) {
	if len(patterns) == 0 {
		return
	}
	rows := convert(patterns, t.row)
	t.cut(rows)
	left, right := tw.AlignLeft, tw.AlignRight
	align := tw.CellAlignment{PerColumn: []tw.Align{left, left, left, left, right, right, right, left}}
	var drawn strings.Builder
	table := tablewriter.NewTable(&drawn,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleNone),
			Settings: tw.Settings{
				Lines:      tw.LinesNone,
				Separators: tw.SeparatorsNone,
			},
		})),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithHeaderAlignmentConfig(align),
		tablewriter.WithAlignment(align.PerColumn),
		tablewriter.WithPadding(tw.Padding{Left: "", Right: "  ", Overwrite: true}),
	)
	table.Header(patternColumns)
	err := table.Bulk(rows)
	if err == nil {
		err = table.Render()
	}
	if err != nil {
		t.line("the table of patterns could not be drawn: " + err.Error())
	}
	for row := range strings.Lines(drawn.String()) {
		t.line(strings.TrimRight(row, " \n"))
	}
	t.line("")
}

func (t *textWriter) row(p Pattern) []string {
	condition := p.KeyCondition
	if p.Filter != "" {
		condition = strings.TrimSpace(condition + " filter " + p.Filter)
	}
	cost := Cost{}
	if p.Cost != nil {
		cost = *p.Cost
	}
	return []string{p.Name, p.Operation, p.Index, oneLine(condition),
		figure(cost.Items), figure(cost.RCU), figure(cost.WCU), t.style.verdict(p.Verdict, verdictText(p))}
}

func verdictText(p Pattern) string {
	switch {
	case p.Verdict == Pass:
		return "pass, " + count(p.Cases, "case")
	case p.Reason != "":
		return string(p.Verdict) + ": " + oneLine(p.Reason)
	}
	return string(p.Verdict)
}

// cut shortens the key conditions so that a row fits the terminal.
func (t *textWriter) cut(rows [][]string) {
	if t.options.Width == 0 {
		return
	}
	others := 0
	for column := range patternColumns {
		if column == conditionColumn {
			continue
		}
		widest := runewidth.StringWidth(patternColumns[column])
		for _, r := range rows {
			widest = max(widest, runewidth.StringWidth(plain(r[column])))
		}
		others += widest + 2
	}
	room := max(leastCondition, t.options.Width-others-2)
	for _, r := range rows {
		r[conditionColumn] = runewidth.Truncate(r[conditionColumn], room, "…")
	}
}

// plain takes the colours out of a text.
func plain(s string) string {
	for {
		i := strings.Index(s, "\x1b[")
		if i < 0 {
			return s
		}
		j := strings.IndexByte(s[i:], 'm')
		if j < 0 {
			return s
		}
		s = s[:i] + s[i+j+1:]
	}
}

// figure writes an expected value: up to two decimals, nothing for none.
func figure(x float64) string {
	if x == 0 {
		return ""
	}
	return strconv.FormatFloat(round(x), 'f', -1, 64)
}
