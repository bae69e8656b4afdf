package report

import (
	"strconv"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

var patternColumns = []string{"ACCESS PATTERN", "OPERATION", "INDEX", "KEY CONDITION", "ITEMS", "RCU", "WCU", "VERDICT"}

const (
	nameColumn = iota
	operationColumn
	indexColumn
	conditionColumn
	verdictColumn = 7
)

// patterns writes the table of access patterns.
func (t *textWriter) patterns(patterns []Pattern) {
	if len(patterns) == 0 {
		return
	}
	columns := append([][]string{patternColumns}, convert(patterns, row)...)
	reasons := t.fit(columns, patterns)
	header, rows := columns[0], columns[1:]
	left, right := tw.AlignLeft, tw.AlignRight
	perColumn := []tw.Align{left, left, left, left, right, right, right, left}
	align := tw.CellAlignment{PerColumn: perColumn[len(perColumn)-len(header):]} // the key condition may be left out
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
	table.Header(header)
	err := table.Bulk(rows)
	if err == nil {
		err = table.Render()
	}
	if err != nil {
		t.line("the table of patterns could not be drawn: " + err.Error())
	}
	for i, row := range strings.Split(strings.TrimSuffix(drawn.String(), "\n"), "\n") {
		row = strings.TrimRight(row, " ")
		if 0 < i && i <= len(rows) {
			p, verdict := patterns[i-1], rows[i-1][len(header)-1]
			row = strings.TrimSuffix(row, verdict) + t.style.verdict(p.Verdict, verdict)
		}
		t.line(row)
	}
	for _, r := range reasons {
		t.line(r)
	}
	t.line("")
}

func row(p Pattern) []string {
	condition := p.KeyCondition
	if p.Filter != "" {
		condition = strings.TrimSpace(condition + " filter " + p.Filter)
	}
	cost := Cost{}
	if p.Cost != nil {
		cost = *p.Cost
	}
	return []string{p.Name, p.Operation, p.Index, oneLine(condition),
		figure(cost.Items), figure(cost.RCU), figure(cost.WCU), verdictText(p)}
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

// figure writes an expected value: up to two decimals, nothing for none.
func figure(x float64) string {
	if x == 0 {
		return ""
	}
	return strconv.FormatFloat(round(x), 'f', -1, 64)
}
