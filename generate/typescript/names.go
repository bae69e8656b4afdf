package typescript

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/generate/tree"
)

// names hands out identifiers, each once.
type names map[string]bool

// take is the name itself, or with a number when it is taken or a word of the language.
func (s names) take(name string) string {
	out := name
	for n := 2; s[out] || reserved[out]; n++ {
		out = fmt.Sprintf("%s%d", name, n)
	}
	s[out] = true
	return out
}

// reserved are the words that no function, type or variable may be named, and the
// types and modules that generated code uses itself.
var reserved = wordSet(`any arguments as async await bigint boolean break case catch class const continue debugger default
delete do else enum eval export extends false finally for function if implements import in infer instanceof interface is
keyof let never new null number object package private protected public readonly return static string super switch symbol
this throw true try type typeof undefined unique unknown var void while with yield
AnyItem readAny Array AsyncIterable Entity Iterable Object Partial Promise Record Service Set Store String Number Uint8Array connect electro entities rt`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// camel is a name as an identifier: recentOrders of recent-orders. What an
// identifier cannot hold parts words; capital says how it begins.
func camel(name string, capital bool) string {
	var b strings.Builder
	for i, word := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		r, size := utf8.DecodeRuneInString(word)
		switch {
		case i > 0 || capital:
			r = unicode.ToUpper(r)
		default:
			r = unicode.ToLower(r)
		}
		b.WriteString(string(r) + word[size:])
	}
	out := b.String()
	if first, _ := utf8.DecodeRuneInString(out); !unicode.IsLetter(first) {
		out = "x" + out // begins with a digit, or is empty
		if capital {
			out = "X" + out[1:]
		}
	}
	return out
}

var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// property is a name as it stands in an object or interface.
func property(name string) string {
	if plainName.MatchString(name) {
		return name
	}
	return quote(name)
}

// member is an expression's property of that name.
func member(of, name string) string {
	if plainName.MatchString(name) {
		return of + "." + name
	}
	return of + "[" + quote(name) + "]"
}

// maybeMember is member of what may be absent.
func maybeMember(of, name string) string {
	if plainName.MatchString(name) {
		return of + "?." + name
	}
	return of + "?.[" + quote(name) + "]"
}

// quote writes a text in single quotes; one with something to escape as JSON
// does, which TypeScript reads alike.
func quote(s string) string {
	quoted := strings.TrimSuffix(string(tree.JSON(tree.Text(s))), "\n")
	if quoted == `"`+s+`"` && !strings.Contains(s, "'") {
		return "'" + s + "'"
	}
	return quoted
}

// inTemplate is a text as it stands in a template literal.
func inTemplate(s string) string {
	quoted := strings.TrimSuffix(string(tree.JSON(tree.Text(s))), "\n")
	quoted = strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
	return strings.NewReplacer("`", "\\`", "${", "\\${").Replace(quoted)
}

// quotedList is an array of texts.
func quotedList(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = quote(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
