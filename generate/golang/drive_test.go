package golang

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/model"
)

// TestAnswers calls the accessors of every example, and of the models in testdata,
// as the check calls the patterns, against the embedded engine: what they answer and
// leave has to be what the oracle says.
func TestAnswers(t *testing.T) {
	overlay := overlaid(t, models(t), nil)
	binary := filepath.Join(filepath.Dir(overlay), "drive.bin")
	if out, err := exec.Command("go", "build", "-overlay", overlay, "-o", binary, "./testdata/drive").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(binary).CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}

// TestGeneratedTests runs the tests that are generated on demand.
func TestGeneratedTests(t *testing.T) {
	files := []string{"testdata/writes.yaml", "testdata/types.yaml", "testdata/sharded.yaml"}
	overlay := overlaid(t, files, map[string]string{"test": "true"})
	for _, file := range files {
		pkg := packageOf(file)
		binary := filepath.Join(filepath.Dir(overlay), pkg+".test")
		build := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, drive+pkg)
		if out, err := build.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
			continue
		}
		if out, err := exec.Command(binary).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", pkg, err, out)
		}
	}
}

// drive is the path of the driver, below which the generated packages are seen.
const drive = "github.com/dynmodel/dynmodel/generate/golang/testdata/drive/"

// overlaid generates the packages of models and gives the file by which Go's
// tools see them in testdata/drive, and what the driver has to know of them.
func overlaid(t *testing.T, files []string, options map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	here, err := filepath.Abs(filepath.Join("testdata", "drive"))
	if err != nil {
		t.Fatal(err)
	}
	overlay := map[string]string{filepath.Join(here, "stores.go"): filepath.Join(dir, "stores.go")}
	imports, stores := "", ""
	for _, file := range files {
		pkg := packageOf(file)
		given := map[string]string{"package": pkg}
		maps.Copy(given, options)
		made := generatedWith(t, file, given)
		write(t, filepath.Join(dir, pkg), made)
		for _, f := range made {
			overlay[filepath.Join(here, pkg, f.Path)] = filepath.Join(dir, pkg, f.Path)
		}
		imports += fmt.Sprintf("\t%q\n", drive+pkg)
		stores += describe(t, file, pkg)
	}
	source := "package main\n\nimport (\n\t\"time\"\n\n\t\"github.com/aws/aws-sdk-go-v2/service/dynamodb\"\n" + imports + ")\n\nvar stores = []store{\n" + stores + "}\n"
	text, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, []generate.File{{Path: "stores.go", Content: []byte(source)}, {Path: "overlay.json", Content: text}})
	return filepath.Join(dir, "overlay.json")
}

// describe is what the driver has to know of a package, as a literal.
func describe(t *testing.T, file, pkg string) string {
	g, err := newGenerator(inputOf(modelOf(t, file), nil))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.write(); err != nil {
		t.Fatal(err)
	}
	b := &strings.Builder{}
	fmt.Fprintf(b, "{file: %q,\n", file)
	fmt.Fprintf(b, "open: func(c *dynamodb.Client, now func() time.Time, draw func(int) int) any { return %s.New(c, tableName, %s.WithClock(now), %s.WithShards(draw)) },\n", pkg, pkg, pkg)
	fmt.Fprintf(b, "pageSize: func(n int) any { return %s.PageSize(n) },\n", pkg)
	fmt.Fprintf(b, "after: func(c string) any { return %s.After(%s.Cursor(c)) },\n", pkg, pkg)
	fmt.Fprintln(b, "methods: map[string]method{")
	structs := map[string]map[string]string{}
	for _, e := range g.entities {
		structs[e.name] = fieldNames(e.fields)
		structs[e.key] = fieldNames(e.keys)
	}
	for _, o := range g.objects {
		structs[o.name] = fieldNames(o.fields)
	}
	for _, p := range g.patterns {
		fmt.Fprintf(b, "%q: {name: %q, kind: %q, row: %t},\n", p.Name.Text, p.method, kindOf(p), p.row != "")
		if p.params != nil {
			paramNames(structs, p.params)
		}
		if p.row != "" {
			structs[p.row] = rowNames(p)
		}
	}
	fmt.Fprintln(b, "},\nstructs: map[string]map[string]string{")
	for name, fields := range structs {
		fmt.Fprintf(b, "%q: %#v,\n", name, fields)
	}
	fmt.Fprintln(b, "}},")
	return b.String()
}

func fieldNames(fields []*field) map[string]string {
	out := map[string]string{}
	for _, f := range fields {
		out[f.attr.Name.Text] = f.name
	}
	return out
}

func paramNames(structs map[string]map[string]string, p *params) {
	out := map[string]string{}
	for _, f := range p.fields {
		out[f.param.Name] = f.name
		if f.list != nil {
			paramNames(structs, f.list)
		}
	}
	structs[p.name] = out
}

func rowNames(p *pattern) map[string]string {
	out, names := map[string]string{}, scope{}
	for _, n := range p.Select {
		out[n.Text] = names.take(exported(n.Text))
	}
	return out
}

// kindOf is what a pattern's method gives.
func kindOf(p *pattern) string {
	gets := p.plan.Variants[0].Read != nil && len(p.plan.Variants[0].Read.Gets) > 0
	switch {
	case p.Operation.WritesEach():
		return "number"
	case p.Count:
		return "count"
	case p.One, p.Operation == model.Get:
		return "one"
	case p.Then != nil:
		return "pairs"
	case p.Operation == model.PartiQL:
		return "list"
	case gets && p.plan.Variants[0].Read.Gets[0].List == "":
		return "steps"
	case gets:
		return "list"
	case p.Operation.IsRead():
		return "iterator"
	}
	return "write"
}
