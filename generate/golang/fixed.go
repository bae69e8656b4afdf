package golang

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/generate"
)

// fixedFiles are the sources of what is the same in every generated package.
//
//go:embed store/table.go store/options.go store/errors.go store/text.go store/times.go store/ids.go store/number.go
//go:embed store/value.go store/reader.go store/condition.go store/expression.go store/read.go store/page.go
//go:embed store/batch.go store/write.go store/each.go store/shape.go store/domain.go
var fixedFiles embed.FS

// fixed is the fixed part of a generated package, as one file, and the names
// that it declares.
type fixed struct {
	imports []string
	body    string
	names   scope
}

// readFixed joins the sources of the fixed part.
func readFixed() (fixed, error) {
	out := fixed{names: scope{}}
	entries, err := fs.ReadDir(fixedFiles, "store")
	if err != nil {
		return out, err
	}
	for _, e := range entries {
		text, err := fs.ReadFile(fixedFiles, "store/"+e.Name())
		if err != nil {
			return out, err
		}
		if err := out.add(string(text)); err != nil {
			return out, err
		}
	}
	return out, nil
}

// add takes the declarations of a file and notes their names.
func (x *fixed) add(source string) error {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	end := files.Position(file.Name.End()).Offset
	for _, spec := range file.Imports {
		line := spec.Path.Value
		if spec.Name != nil {
			line = spec.Name.Name + " " + line
		}
		x.imports = append(x.imports, line)
	}
	for _, decl := range file.Decls {
		if gen, ok := decl.(*ast.GenDecl); ok && gen.Tok == token.IMPORT {
			end = files.Position(gen.End()).Offset
			continue
		}
		for _, name := range declared(decl) {
			x.names[name] = true
		}
	}
	x.body += strings.TrimSpace(source[end:]) + "\n\n"
	return nil
}

// declared are the package-level names that a declaration makes.
func declared(decl ast.Decl) []string {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
	case *ast.GenDecl:
		var names []string
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			}
		}
		return names
	}
	return nil
}

// file is the fixed part as a file.
func (x fixed) file(pkg string) (generate.File, error) {
	return finished("dynmodel.go", pkg, slices.Clone(x.imports), x.body)
}
