package report

import (
	"slices"

	"github.com/mattn/go-runewidth"
)

// The narrowest that columns are cut to on a terminal. A key condition with less
// room is left out.
const (
	leastName      = 16
	leastOperation = 10
	leastIndex     = 8
	leastCondition = 16
)

// fit makes rows, the first of which is the header, fit the terminal. First the
// key conditions are cut; then the reasons of verdicts are lines of their own,
// which are returned; then verdicts are words alone; then there are no key
// conditions, and names are cut.
func (t *textWriter) fit(rows [][]string, patterns []Pattern) (reasons []string) {
	if t.options.Width == 0 || t.cut(rows, conditionColumn, leastCondition) {
		return nil
	}
	for i, p := range patterns {
		if p.Verdict != Pass && p.Reason != "" {
			reasons = append(reasons, p.Name+" is "+verdictText(p))
			rows[i+1][verdictColumn] = string(p.Verdict)
		}
	}
	if t.cut(rows, conditionColumn, leastCondition) {
		return reasons
	}
	for i, p := range patterns {
		rows[i+1][verdictColumn] = string(p.Verdict)
	}
	if t.cut(rows, conditionColumn, leastCondition) {
		return reasons
	}
	for i := range rows {
		rows[i] = slices.Delete(slices.Clone(rows[i]), conditionColumn, conditionColumn+1)
	}
	_ = t.cut(rows, operationColumn, leastOperation) || t.cut(rows, nameColumn, leastName) || t.cut(rows, indexColumn, leastIndex)
	return reasons
}

// cut shortens a column, not below its least width, and tells whether the rows
// then fit the terminal.
func (t *textWriter) cut(rows [][]string, column, least int) bool {
	others := 0
	for i := range rows[0] {
		if i != column {
			others += widest(rows, i) + len("  ")
		}
	}
	room := t.options.Width - others
	for _, r := range rows[1:] {
		r[column] = runewidth.Truncate(r[column], max(least, room), "…")
	}
	return widest(rows, column) <= room
}

func widest(rows [][]string, column int) int {
	n := 0
	for _, r := range rows {
		n = max(n, runewidth.StringWidth(r[column]))
	}
	return n
}
