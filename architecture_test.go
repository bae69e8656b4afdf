package dynmodel_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/dynmodel/dynmodel/"

// rule says what packages below a folder may import of this module.
type rule struct {
	folder string   // the packages at and below it
	may    []string // packages of this module they may import; "x/..." is x and what lies below it
	why    string
}

// rules are the directions of imports, the most special folder first. What a
// package may import is what the first rule that covers it says.
var rules = []rule{
	{"model/source/yamltree", []string{"model/source", "model/diag"}, "the only importer of the YAML library sees no domain"},
	{"model/source/jsontree", []string{"model/source", "model/source/yamltree"}, "a reader of trees sees no domain"},
	{"model/source", nil, "the ground floor"},
	{"model/diag", []string{"model/source", "model/diag/..."}, "the ground floor"},
	{"model/value", nil, "values know of nothing else"},
	{"model/expr", []string{"model/source", "model/diag", "model/value"}, "expressions know of no entities"},
	{"model/encode", []string{"model", "model/source", "model/value", "model/expr"}, "encoding follows the model and nothing else"},
	{"model/data", []string{"model", "model/source", "model/value", "model/expr", "model/encode"}, "data is made from what is declared and from how templates write it, never from plans"},
	{"model/keytext", []string{"model", "model/source", "model/value", "model/expr", "model/encode"}, "texts of keys follow from templates alone"},
	{"model/plan", []string{"model", "model/source", "model/diag", "model/value", "model/expr", "model/encode", "model/keytext"}, "the plan never sees the oracle or data"},
	{"model/load", []string{"model", "model/value", "model/expr", "model/encode", "model/keytext", "model/plan"}, "load is arithmetic on plans and volumes"},
	{"model/cost", []string{"model", "model/diag", "model/plan", "model/load"}, "costs follow from load and prices"},
	{"model/migration", []string{"model", "model/source", "model/value", "model/expr", "model/encode", "model/plan", "model/sdk"}, "a migration follows from two models and their plans; it is played elsewhere"},
	{"model/seed", []string{"model", "model/value", "model/encode", "model/data", "model/plan"}, "realistic items follow from what is declared"},
	{"model/simulation", []string{"model", "model/encode", "model/load", "model/plan"}, "a simulation plays load and nothing else"},
	{"model/parse", []string{"model", "model/source", "model/source/yamltree", "model/diag/...", "model/value", "model/expr", "model/encode", "schemas", "model/modeltest"}, "reading knows no plan"},
	{"model/importer", []string{"model", "model/source/...", "model/diag", "model/value", "model/expr", "model/encode", "model/format", "model/parse", "model/sdk", "model/importer/..."}, "what is imported follows from the input alone, never from plans"},
	{"model/format", []string{"model/source", "model/source/yamltree", "model/diag"}, "layout is a matter of the text: a model need not be sound to be laid out"},
	{"model", []string{"model/..."}, "model knows neither validate, generate nor engine"},
	{"engine", []string{"engine/..."}, "the engine is a DynamoDB and never sees a model"},
	{"validate/oracle", []string{"model", "model/source", "model/value", "model/expr"}, "the oracle never sees plan or encode: that they share nothing is what makes agreement mean something"},
	{"validate/verify", []string{"model/...", "validate/oracle"}, "the proof talks to DynamoDB only through an SDK client"},
	{"validate/rehearsal", []string{"model/...", "validate/oracle", "validate/verify"}, "a rehearsal talks to DynamoDB only through an SDK client"},
	{"validate/report", []string{"model/diag", "model/source", "model/plan"}, "reports are made from findings alone"},
	{"validate", []string{"model/...", "validate/..."}, "validate never sees the engine"},
	{"generate/golang/store", nil, "it becomes part of packages that have nothing but the SDK"},
	{"generate", []string{"model/...", "generate/..."}, "generators see neither validate nor engine"},
	{"schemas", nil, "schemas are files"},
	{"cmd", []string{"..."}, "only the command line sees everything"},
	{"", []string{"..."}, "the root holds tests only"},
}

func TestImports(t *testing.T) {
	imports := importsByPackage(t)
	for pkg, imported := range imports {
		r := ruleFor(pkg)
		for _, imp := range imported {
			if imp != pkg && !allowed(r, imp) {
				t.Errorf("%s imports %s; it may not: %s", pkg, imp, r.why)
			}
		}
	}
}

func ruleFor(pkg string) rule {
	i := slices.IndexFunc(rules, func(r rule) bool { return within(pkg, r.folder) })
	return rules[i]
}

func within(pkg, folder string) bool {
	return folder == "" || pkg == folder || strings.HasPrefix(pkg, folder+"/")
}

func allowed(r rule, imp string) bool {
	return slices.ContainsFunc(r.may, func(may string) bool {
		below, tree := strings.CutSuffix(may, "...")
		return may == imp || tree && within(imp, strings.TrimSuffix(below, "/"))
	})
}

// importsByPackage reads the imports of all files that are no tests; a test may
// bring parts together that the program keeps apart.
func importsByPackage(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		out[pkg] = append(out[pkg], nil...)
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if local, ok := strings.CutPrefix(name, module); ok {
				out[pkg] = append(out[pkg], local)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 10 {
		t.Fatalf("found only %d packages; is the test run at the root of the module?", len(out))
	}
	return out
}

// TestOneImporter holds each library that is to have one importer to it.
func TestOneImporter(t *testing.T) {
	only := map[string][]string{
		"gopkg.in/yaml.v3":           {"model/source/yamltree"},
		"github.com/spf13/cobra":     {"cmd"},
		"github.com/cockroachdb/apd": {"model/value", "engine/attr"},
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		for _, spec := range file.Imports {
			for library, folders := range only {
				if strings.Contains(spec.Path.Value, library) && !slices.ContainsFunc(folders, func(f string) bool { return within(pkg, f) }) {
					t.Errorf("%s imports %s; only %s may", path, library, strings.Join(folders, ", "))
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
