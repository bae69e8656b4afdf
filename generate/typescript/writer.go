package typescript

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/generate"
)

// writer writes a file of TypeScript, with an indentation that its lines open and close.
type writer struct {
	strings.Builder
	depth int
}

// line writes a line. One that begins by closing a bracket stands a step further out, what
// follows one that ends by opening a bracket a step further in.
func (w *writer) line(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if strings.HasPrefix(text, "}") || strings.HasPrefix(text, ")") || strings.HasPrefix(text, "]") {
		w.depth--
	}
	if text != "" {
		w.WriteString(strings.Repeat("  ", w.depth) + text)
	}
	w.WriteByte('\n')
	if strings.HasSuffix(text, "{") || strings.HasSuffix(text, "(") || strings.HasSuffix(text, "[") {
		w.depth++
	}
}

// commentWidth is how wide comments are, as far as their words let them.
const commentWidth = 110

// sink is the call that an action is handed to.
type sink struct{ before, after string }

// gathered is where the actions of batches and transactions go.
var gathered = sink{"actions.push(", ")"}

// action hands an action to a sink; wrapped is its kind and what its members are put into.
func (w *writer) action(to sink, wrapped string, members []string) {
	line := to.before + "{ " + wrapped + "(" + object(0, members...) + ") }" + to.after + ";"
	if len(line)+2*w.depth <= width && !strings.Contains(line, "\n") {
		w.line("%s", line)
		return
	}
	w.line("%s{", to.before)
	w.line("%s({", wrapped)
	for _, m := range members {
		w.line("%s,", m)
	}
	w.line("}),")
	w.line("}%s;", to.after)
}

// function opens a function, its arguments in lines of their own when they are too many for one.
func (w *writer) function(head string, arguments []string, result string) {
	line := head + "(" + strings.Join(arguments, ", ") + ")" + result + " {"
	if len(line) <= width {
		w.line("%s", line)
		return
	}
	w.line("%s(", head)
	for _, a := range arguments {
		w.line("%s,", a)
	}
	w.line(")%s {", result)
}

// comment writes a text as the comment of what follows.
func (w *writer) comment(text string) {
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "*/", "* /")
	if len(text)+7+2*w.depth <= commentWidth {
		w.line("/** %s */", text)
		return
	}
	w.line("/**")
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+len(word)+4+2*w.depth > commentWidth {
			w.line(" * %s", line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	w.line(" * %s", line)
	w.line(" */")
}

// file is the file with its mark and imports.
func (w *writer) file(path string, imports ...string) generate.File {
	head := "// Code " + generate.Mark + "\n\n"
	if len(imports) > 0 {
		head += strings.Join(imports, "\n") + "\n\n"
	}
	return generate.File{Path: path, Content: []byte(head + strings.TrimRight(w.String(), "\n") + "\n")}
}

// width is how long a line may be before its parts get lines of their own.
const width = 120

// object is an object literal of written members, in one line or in several.
func object(depth int, members ...string) string {
	line := "{ " + strings.Join(members, ", ") + " }"
	switch {
	case len(members) == 0:
		return "{}"
	case len(line)+2*depth <= width && !strings.Contains(line, "\n"):
		return line
	}
	in := strings.Repeat("  ", depth+1)
	return "{\n" + in + strings.Join(members, ",\n"+in) + ",\n" + strings.Repeat("  ", depth) + "}"
}

// array is an array literal of written members, in one line or in several.
func array(depth int, members ...string) string {
	line := "[" + strings.Join(members, ", ") + "]"
	if len(line)+2*depth <= width && !strings.Contains(line, "\n") || len(members) == 0 {
		return line
	}
	in := strings.Repeat("  ", depth+1)
	return "[\n" + in + strings.Join(members, ",\n"+in) + ",\n" + strings.Repeat("  ", depth) + "]"
}
