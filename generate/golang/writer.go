package golang

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/generate"
)

// writer writes the declarations of one file.
type writer struct {
	bytes.Buffer
	path string
}

// line writes a line, formatted as by package fmt.
func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

// commentWidth is how wide comments are, as far as their words let them.
const commentWidth = 100

// comment writes a text as a comment, each of its lines wrapped and after slashes.
func (w *writer) comment(text string) {
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		out := "//"
		for _, word := range strings.Fields(line) {
			if len(out)+1+len(word) > commentWidth && out != "//" {
				w.line("%s", out)
				out = "//"
			}
			out += " " + word
		}
		w.line("%s", out)
	}
}

// packages are those that generated code may use, by their names there.
var packages = map[string]string{
	"context":  "context",
	"errors":   "errors",
	"testing":  "testing",
	"engine":   "github.com/dynmodel/dynmodel/engine",
	"iter":     "iter",
	"rand":     "math/rand/v2",
	"slices":   "slices",
	"regexp":   "regexp",
	"strconv":  "strconv",
	"time":     "time",
	"dynamodb": "github.com/aws/aws-sdk-go-v2/service/dynamodb",
	"types":    "github.com/aws/aws-sdk-go-v2/service/dynamodb/types",
}

// file is the file with its mark, its imports and in gofmt's layout.
func (w *writer) file(pkg string) (generate.File, error) {
	body := "package " + pkg + "\n\n" + w.String()
	used, err := packagesIn(body)
	if err != nil {
		return generate.File{}, fmt.Errorf("%s: %w", w.path, err)
	}
	return finished(w.path, pkg, used, w.String())
}

// finished puts a file together; the imports are as they are written.
func finished(path, pkg string, imports []string, body string) (generate.File, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "// Code %s\n\npackage %s\n\n", generate.Mark, pkg)
	if len(imports) > 0 {
		b.WriteString("import (\n")
		for i, group := range grouped(imports) {
			if i > 0 {
				b.WriteByte('\n')
			}
			for _, name := range group {
				b.WriteString("\t" + name + "\n")
			}
		}
		b.WriteString(")\n\n")
	}
	b.WriteString(body)
	out, err := format.Source(b.Bytes())
	if err != nil {
		return generate.File{}, fmt.Errorf("%s: %w", path, err)
	}
	return generate.File{Path: path, Content: out}, nil
}

// grouped are the imports of the standard library, then the others.
func grouped(imports []string) [][]string {
	var own, others []string
	for _, name := range slices.Compact(slices.Sorted(slices.Values(imports))) {
		if strings.Contains(name, ".") {
			others = append(others, name)
		} else {
			own = append(own, name)
		}
	}
	return slices.DeleteFunc([][]string{own, others}, func(g []string) bool { return len(g) == 0 })
}

// packagesIn are the packages that a source without imports uses.
func packagesIn(source string) ([]string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var used []string
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && packages[x.Name] != "" {
				used = append(used, strconv.Quote(packages[x.Name]))
			}
		}
		return true
	})
	return used, nil
}
