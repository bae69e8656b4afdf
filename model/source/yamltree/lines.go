package yamltree

import "strings"

// lineStarts gives the byte offset of every line by YAML's line breaks, which
// are more than the newline. A byte order mark is no part of the first line.
func lineStarts(text string) []int {
	starts := breaks(text)
	if strings.HasPrefix(text, bom) {
		starts[0] = len(bom)
	}
	return starts
}

func breaks(text string) []int {
	starts := make([]int, 1, 1+strings.Count(text, "\n"))
	for i := 0; i < len(text); {
		n := breakLength(text[i:])
		if n == 0 {
			i++
			continue
		}
		i += n
		starts = append(starts, i)
	}
	return starts
}

// breakLength is the length of the line break that s starts with, or 0.
func breakLength(s string) int {
	switch {
	case s[0] == '\n':
		return 1
	case s[0] == '\r':
		if strings.HasPrefix(s, "\r\n") {
			return 2
		}
		return 1
	case s[0] == 0xC2 && strings.HasPrefix(s, "\u0085"):
		return 2
	case s[0] == 0xE2 && (strings.HasPrefix(s, "\u2028") || strings.HasPrefix(s, "\u2029")):
		return 3
	}
	return 0
}

// entry is one member of a block: the lines from up to but not including to.
type entry struct {
	from, to int
	indent   int
	stray    bool // its indentation fits no other line of the block
}

// entries splits a block into its members: a member starts at each line that
// is indented as the first one, and has the deeper lines after it.
func (r *recovery) entries(from, to int) []entry {
	var out []entry
	indent, list := -1, false
	for i := from; i < to; i++ {
		line := r.lines[i]
		if blankOrComment(line) {
			continue
		}
		depth := indentation(line)
		if indent < 0 {
			indent, list = depth, dashed(line)
		}
		if last := len(out) - 1; last >= 0 {
			listUnderKey := depth == indent && !list && dashed(line)
			if depth > indent || listUnderKey || closesBracket(line) {
				continue
			}
			out[last].to = i
		}
		out = append(out, entry{from: i, to: to, indent: depth, stray: depth < indent})
	}
	return out
}

// cutKey splits a line into the key with its indentation and the value.
func cutKey(line string) (key, value string, found bool) {
	line = strings.TrimRight(line, " \t\r")
	item := line
	for dashed(item) {
		item = strings.TrimLeft(strings.TrimLeft(item, " ")[1:], " ")
	}
	for i := len(line) - len(item); i < len(line); i++ {
		switch c := line[i]; {
		case c == '{' || c == '[':
			return line, "", false
		case (c == '"' || c == '\'') && strings.TrimSpace(line[:i]) == "":
			i = quotedEnd(line, i, c) - 1
		case c == ':' && (i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t'):
			return line[:i], strings.TrimLeft(line[i+1:], " \t"), true
		}
	}
	return line, "", false
}

// keyed tells whether text is an entry of a mapping.
func keyed(text string) bool {
	_, _, found := cutKey(uncommented(text))
	return found
}

func dashed(line string) bool {
	line = strings.TrimLeft(strings.TrimRight(line, " \t\r"), " ")
	return line == "-" || strings.HasPrefix(line, "- ")
}

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

func blankOrComment(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || line[0] == '#'
}

func closesBracket(line string) bool {
	line = strings.TrimSpace(line)
	return line[0] == '}' || line[0] == ']'
}

func documentMark(line string) bool {
	return strings.HasPrefix(line, "---") || strings.HasPrefix(line, "...")
}
