package diff

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/schemas"
)

// The shop, and the shop with most kinds of changes in it.
func shops(t *testing.T) (old, new string) {
	t.Helper()
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	shop := modeltest.Shop()
	changed := strings.NewReplacer(
		"  capacity: on_demand\n", "  capacity: {provisioned: {read: 100, write: 50, autoscaling: {min: 50, max: 500, target: 70}}}\n  deletion_protection: true\n",
		"    OpenOrders:", "    ByName: {partition_key: name, projection: keys_only}\n    OpenOrders:",
		"SK: ITEM#{line|pad(3)}", "SK: LINE#{line|pad(3)}",
	).Replace(shop)
	return write("old.yaml", shop), write("new.yaml", changed)
}

func run(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := New(&terminal.Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(string) string { return "" }})
	cmd.SetArgs(args)
	if err := cmd.Execute(); err != nil {
		t.Fatalf("%v\n%s%s", err, out.String(), errs.String())
	}
	return out.String()
}

func TestJSONFollowsItsSchema(t *testing.T) {
	old, new := shops(t)
	for _, args := range [][]string{{old, new}, {old, new, "--verify"}, {old, old}} {
		parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemas.Diff()))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("diff.schema.json", parsed); err != nil {
			t.Fatal(err)
		}
		s, err := c.Compile("diff.schema.json")
		if err != nil {
			t.Fatal(err)
		}
		got, err := jsonschema.UnmarshalJSON(strings.NewReader(run(t, append(args, "--format", "json")...)))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(got); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func TestShellQuoting(t *testing.T) {
	for text, want := range map[string]string{"plain": "'plain'", "it's": `'it'\''s'`, "$(rm)": "'$(rm)'"} {
		if got := quoted(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	for operation, want := range map[string]string{"UpdateTable": "update-table", "UpdateTimeToLive": "update-time-to-live"} {
		if got := kebab(operation); got != want {
			t.Errorf("%s: got %s, want %s", operation, got, want)
		}
	}
}
