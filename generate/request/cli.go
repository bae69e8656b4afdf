package request

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/dynmodel/dynmodel/generate/tree"
	"github.com/dynmodel/dynmodel/model/plan"
)

// CLI is a request as a command of the AWS CLI, quoted for a POSIX shell, an
// option a line.
func CLI(table string, r plan.Request) string {
	words := []string{"aws dynamodb " + kebab(string(r.API))}
	for _, f := range Input(table, r) {
		words = append(words, option(f))
	}
	return strings.Join(words, " \\\n  ")
}

// JSON is a request as the API takes it, in lines.
func JSON(table string, r plan.Request) string { return visible(string(tree.JSON(Input(table, r)))) }

// visible writes the last character of all, which closes ranges, so that it can
// be seen and copied.
func visible(json string) string { return strings.ReplaceAll(json, plan.Max, `\udbff\udfff`) }

// option is a member of the input as an option: a word, a flag, or JSON.
func option(f tree.Field) string {
	name := "--" + kebab(f.Key)
	switch v := f.Value.(type) {
	case tree.Bool:
		if v {
			return name
		}
		return "--no-" + kebab(f.Key)
	case tree.Text:
		return name + " " + Quote(string(v))
	case tree.Number:
		return fmt.Sprintf("%s %d", name, v)
	}
	return name + " " + Quote(visible(tree.Compact(f.Value)))
}

// kebab writes a name of the API as the AWS CLI does: KeyConditionExpression is
// key-condition-expression.
func kebab(name string) string {
	var out strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			out.WriteByte('-')
		}
		out.WriteRune(unicode.ToLower(r))
	}
	return out.String()
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_.:/@%+=,-]+$`)

// Quote makes one word of a text for a POSIX shell.
func Quote(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
