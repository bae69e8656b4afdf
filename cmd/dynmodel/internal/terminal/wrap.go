package terminal

import (
	"strings"

	"github.com/mattn/go-runewidth"
)

// UsualWidth is how wide prose is where no terminal says.
const UsualWidth = 110

// Wrap breaks a text between words into lines of a width; 0 is UsualWidth. What
// is indented by is taken off the width first.
func Wrap(text string, width, indent int) (lines []string) {
	if width <= 0 {
		width = UsualWidth
	}
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case runewidth.StringWidth(line)+1+runewidth.StringWidth(word) > width-indent:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}
