package verify

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/modeltest"
)

// TestFlawed runs models with one flaw each, and compares what is found, with
// its counterexample and explanation, with the golden file next to the model.
func TestFlawed(t *testing.T) {
	for _, path := range models(t, "testdata/flawed") {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".yaml"), func(t *testing.T) {
			got := proved(t, path, Config{})
			golden := strings.TrimSuffix(path, ".yaml") + ".golden"
			modeltest.Golden(t, golden, got)
		})
	}
}

// TestSound runs the corrected twins: all of them pass, and nothing is found.
func TestSound(t *testing.T) {
	for _, path := range models(t, "testdata/sound") {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".yaml"), func(t *testing.T) {
			got := proved(t, path, Config{})
			for _, line := range strings.Split(strings.TrimSpace(got), "\n") {
				if !strings.HasSuffix(line, ": pass") {
					t.Errorf("%s", got)
					break
				}
			}
		})
	}
}

func models(t *testing.T, folder string) []string {
	t.Helper()
	paths, err := filepath.Glob(folder + "/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no models in %s: %v", folder, err)
	}
	return paths
}

// proved runs a model and writes down the verdicts and what was found.
func proved(t *testing.T, path string, c Config) string {
	t.Helper()
	m, plans := load(t, path)
	if c.Model, c.Plans = m, plans; c.Endpoint.Client == nil {
		c.Endpoint = embedded()
	}
	r, err := Run(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, p := range r.Patterns {
		fmt.Fprintf(&b, "%s: %s", p.Pattern.Name.Text, p.Verdict)
		if p.Reason != "" {
			fmt.Fprintf(&b, ", %s", p.Reason)
		}
		b.WriteString("\n")
	}
	for _, f := range r.Findings {
		write(&b, f)
	}
	return b.String()
}

// write writes a finding as a golden file holds it.
func write(b *strings.Builder, f diag.Finding) {
	at := f.Span.From()
	fmt.Fprintf(b, "\n%s[%s] %d:%d %s\n", f.Severity, f.Rule, at.Line, at.Column, f.Message)
	about := []string{"entity " + f.Entity, "pattern " + f.Pattern, "index " + f.Index}
	for _, a := range about {
		if !strings.HasSuffix(a, " ") {
			fmt.Fprintf(b, "  about    %s\n", a)
		}
	}
	if c := f.Counterexample; c != nil {
		for _, r := range c.Request {
			fmt.Fprintf(b, "  request  %s\n", r)
		}
		for _, w := range c.With {
			fmt.Fprintf(b, "  with     %s = %s\n", w.Name, w.Value)
		}
		for _, i := range c.Items {
			fmt.Fprintf(b, "  %-8s %s {%s} %s\n", i.Role, i.Entity, pairs(i.Attributes, ": ", ", "), pairs(i.Keys, "=", " "))
		}
	}
	for _, n := range [][2]string{{"why", f.Why}, {"fix", f.Fix}} {
		if n[1] != "" {
			fmt.Fprintf(b, "  %-8s %s\n", n[0], n[1])
		}
	}
}

func pairs(bindings []diag.Binding, between, sep string) string {
	var out []string
	for _, b := range bindings {
		out = append(out, b.Name+between+b.Value)
	}
	return strings.Join(out, sep)
}

// TestSameBytes proves a flawed and a large model on one and on many
// processors, and expects the same findings and figures each time.
func TestSameBytes(t *testing.T) {
	for _, path := range []string{"testdata/flawed/lost-delimiter.yaml", "testdata/sound/everything.yaml"} {
		before := runtime.GOMAXPROCS(1)
		one := proved(t, path, Config{Seed: 7})
		runtime.GOMAXPROCS(8)
		many := proved(t, path, Config{Seed: 7})
		runtime.GOMAXPROCS(before)
		if one != many {
			t.Errorf("%s: on one processor\n%s\non eight\n%s", path, one, many)
		}
	}
}
