package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/cli"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/enginetest/witness"
)

// checked is what a check writes.
func checked(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	code := cli.Main(append([]string{"check"}, args...), &terminal.Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(string) string { return "" }})
	if code == 2 || errs.Len() > 0 {
		t.Fatalf("%v: exit code %d\n%s", args, code, errs.String())
	}
	return out.String()
}

func exampleModels(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"*/*.yaml", "*/*/*.yaml"} {
		found, err := filepath.Glob(filepath.Join("../../examples", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), "\ntable:") {
				out = append(out, path)
			}
		}
	}
	if len(out) < 10 {
		t.Fatalf("only %d models among the examples", len(out))
	}
	return out
}

// The proof on another endpoint says what it says on the embedded engine,
// finding by finding, and leaves nothing behind.
func TestCheckElsewhere(t *testing.T) {
	db := engine.New()
	defer db.Close()
	server := httptest.NewServer(http.HandlerFunc(db.ServeHTTP))
	defer server.Close()
	same(t, server.URL, filepath.Join("../../examples", "shop", "access-patterns.yaml"), filepath.Join("../../examples", "shop-broken", "access-patterns.yaml"))
}

// The same on DynamoDB Local, with every example.
func TestCheckOnDynamoDBLocal(t *testing.T) {
	same(t, witness.Start(t), exampleModels(t)...)
}

// comparable leaves out of both reports what the endpoint could not run: patterns
// on indexes whose keys have several attributes, which came after DynamoDB Local
// 1.25.
func comparable(here, there string) (string, string) {
	lacks := regexp.MustCompile(`(?m)^(\S+) .*skipped: the endpoint has no indexes with keys of several attributes.*$`)
	for _, skipped := range lacks.FindAllStringSubmatch(there, -1) {
		about := regexp.MustCompile(`(?m)^(` + regexp.QuoteMeta(skipped[1]) + ` .*|not checked: .*\n|\d+ access patterns, .*)\n`)
		here, there = about.ReplaceAllString(here, ""), about.ReplaceAllString(there, "")
	}
	return here, there
}

func same(t *testing.T, url string, models ...string) {
	t.Helper()
	for _, model := range models {
		t.Run(model, func(t *testing.T) {
			here, there := checked(t, "-v", model), checked(t, "-v", "--endpoint", url, model)
			here, there = comparable(here, there)
			if here != there {
				t.Errorf("embedded\n%s\nthere\n%s", here, there)
			}
		})
	}
	tables, err := witness.Client(url).ListTables(t.Context(), nil)
	if err != nil || len(tables.TableNames) > 0 {
		t.Errorf("tables are left: %v, %v", tables, err)
	}
}
