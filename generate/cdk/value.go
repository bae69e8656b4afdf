package cdk

import (
	"regexp"
	"strings"

	"github.com/dynmodel/dynmodel/generate/tree"
)

// expression is one of TypeScript.
type expression interface {
	// write writes it; lines after the first are indented for depth.
	write(depth int) string
}

// code is an expression as it is written.
type code string

// array is an array literal.
type array []expression

// list is an object literal, in order.
type list []property

type property struct {
	name  string
	value expression
}

func (c code) write(int) string { return string(c) }

func (a array) write(depth int) string {
	var b strings.Builder
	b.WriteString("[\n")
	for _, v := range a {
		b.WriteString(indent(depth+1) + v.write(depth+1) + ",\n")
	}
	return b.String() + indent(depth) + "]"
}

// short is how long an object of plain members may be to stand in one line.
const short = 100

func (l list) write(depth int) string {
	var parts []string
	for _, p := range l {
		parts = append(parts, p.name+": "+p.value.write(depth+1))
	}
	if line := "{ " + strings.Join(parts, ", ") + " }"; len(line) <= short && !strings.Contains(line, "\n") {
		return line
	}
	return "{\n" + indent(depth+1) + strings.Join(parts, ",\n"+indent(depth+1)) + ",\n" + indent(depth) + "}"
}

func indent(depth int) string { return strings.Repeat("  ", depth) }

// text is a string literal.
func text(s string) code { return code(quote(s)) }

// quote writes a text in single quotes; one with something to escape as JSON
// does, which TypeScript reads alike.
func quote(s string) string {
	quoted := strings.TrimSuffix(string(tree.JSON(tree.Text(s))), "\n")
	if quoted == `"`+s+`"` && !strings.Contains(s, "'") {
		return "'" + s + "'"
	}
	return quoted
}

// texts is an array of strings in one line.
func texts(list []string) code {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = quote(s)
	}
	return code("[" + strings.Join(quoted, ", ") + "]")
}

// taken are the names that the file uses, and those words of the language that
// would otherwise pass as the name of a class.
var taken = []string{
	"Construct", "RemovalPolicy", "Stack", "dynamodb", "kms",
	"any", "await", "boolean", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete",
	"do", "else", "enum", "export", "extends", "false", "finally", "for", "function", "if", "implements", "import", "in",
	"instanceof", "interface", "let", "never", "new", "null", "number", "object", "package", "private", "protected",
	"public", "return", "static", "string", "super", "switch", "symbol", "this", "throw", "true", "try", "typeof",
	"undefined", "unknown", "var", "void", "while", "with", "yield",
}

var (
	identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)
	separator  = regexp.MustCompile(`[^A-Za-z0-9]+`)
)

// className is the name of a model as that of a class: ShopTable of shop.
func className(name string) string {
	var b strings.Builder
	for _, word := range separator.Split(name, -1) {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	class := strings.TrimSuffix(b.String(), "Table") + "Table"
	if !identifier.MatchString(class) {
		class = "Model" + class
	}
	return class
}
