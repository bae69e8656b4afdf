package format

import (
	"strings"
	"unicode/utf8"
)

// Comments behind neighbouring lines of one indentation stand in one column, which is at most
// alignTo; those of wider lines stand right behind them.
const alignTo = 80

// beforeComment is the space between a line and its comment.
const beforeComment = 2

// render makes the text of the lines.
func render(lines []outLine) string {
	var b strings.Builder
	for start := 0; start < len(lines); {
		end := start + 1
		for end < len(lines) && lines[start].comment != "" && lines[end].comment != "" && margin(lines[start]) == margin(lines[end]) {
			end++
		}
		column := commentColumn(lines[start:end])
		for _, line := range lines[start:end] {
			b.WriteString(line.text)
			if line.comment != "" {
				space := max(beforeComment, column-utf8.RuneCountInString(line.text))
				b.WriteString(strings.Repeat(" ", space) + line.comment)
			}
			b.WriteByte('\n')
		}
		start = end
	}
	return b.String()
}

// commentColumn is the column of the comments behind a run of lines.
func commentColumn(lines []outLine) int {
	column := 0
	for _, line := range lines {
		if wide := utf8.RuneCountInString(line.text) + beforeComment; wide <= alignTo {
			column = max(column, wide)
		}
	}
	return column
}

// margin is the indentation of a line.
func margin(line outLine) int { return len(line.text) - len(strings.TrimLeft(line.text, " ")) }
