package enginetest

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	variablePattern   = regexp.MustCompile(`\$[A-Za-z][A-Za-z0-9]*`)
	repetitionPattern = regexp.MustCompile(`\$\{((?:[^$]|\$[^{])*?)\*(\d+)\}`)
)

// expand fills in a text of a case. ${TEXT*N} is TEXT N times, so that long
// values and long lists stay readable; in TEXT, %d is the number of the copy,
// starting at 0, and a comma at the end separates copies; repetitions nest. $name is the value of
// a variable: $T, $T2… are the case's tables, $NEW and $NEW2 table names that
// are free, and answers can bind further ones. Unbound variables stay as they are.
func expand(text string, variables map[string]string) string {
	for repetitionPattern.MatchString(text) { // from the inside out
		text = repetitionPattern.ReplaceAllStringFunc(text, repeat)
	}
	return variablePattern.ReplaceAllStringFunc(text, func(name string) string {
		if value, ok := variables[name]; ok {
			return value
		}
		return name
	})
}

func repeat(match string) string {
	parts := repetitionPattern.FindStringSubmatch(match)
	count, err := strconv.Atoi(parts[2])
	if err != nil { // more digits than an int has
		return ""
	}
	unit, separator := parts[1], ""
	if trimmed, found := strings.CutSuffix(unit, ","); found {
		unit, separator = trimmed, ","
	}
	var text strings.Builder
	for i := range count {
		if i > 0 {
			text.WriteString(separator)
		}
		text.WriteString(strings.ReplaceAll(unit, "%d", strconv.Itoa(i)))
	}
	return text.String()
}
