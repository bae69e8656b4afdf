package simulate

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/simulation"
	"github.com/dynmodel/dynmodel/schemas"
)

const examples = "../../../../../examples"

func run(t *testing.T, args ...string) string {
	t.Helper()
	return runIn(t, 0, args...)
}

// runIn runs the command in a terminal of so many columns; 0: in none.
func runIn(t *testing.T, columns int, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := New(&terminal.Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Columns: columns, Env: func(string) string { return "" }})
	cmd.SetArgs(args)
	if err := cmd.Execute(); err != nil {
		t.Fatalf("%v: %v\n%s%s", args, err, out.String(), errs.String())
	}
	return out.String()
}

// Every sound example has a day of its traffic as a golden file; what declares
// no rate gets one.
func TestExamples(t *testing.T) {
	var models []string
	for _, pattern := range []string{"*/access-patterns.yaml", "*/*/access-patterns.yaml"} {
		found, err := filepath.Glob(filepath.Join(examples, pattern))
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, found...)
	}
	if len(models) < 12 {
		t.Fatalf("only %d examples", len(models))
	}
	for _, model := range models {
		folder, err := filepath.Rel(examples, filepath.Dir(model))
		if err != nil {
			t.Fatal(err)
		}
		name := strings.ReplaceAll(filepath.ToSlash(folder), "/", "-")
		if strings.HasSuffix(name, "-broken") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(model)
			if err != nil {
				t.Fatal(err)
			}
			args := []string{"-f", model}
			if !strings.Contains(string(text), "\n    rate: ") {
				args = append(args, "--assume-rate", "100")
			}
			got := run(t, args...)
			golden := filepath.Join("testdata", name+".golden")
			modeltest.Golden(t, golden, got)
		})
	}
}

// Whatever a terminal of the usual width shows fits into it, and the capacity of a
// place that has too little is used up in all that it is asked.
func TestTerminalWidth(t *testing.T) {
	for _, args := range [][]string{{"shop", "--days", "2"}, {"social-network", "--assume-rate", "900"}, {"github", "--assume-rate", "9"}} {
		model := filepath.Join(examples, args[0], "access-patterns.yaml")
		for line := range strings.Lines(runIn(t, 80, append(args[1:], "-f", model)...)) {
			if n := runewidth.StringWidth(strings.TrimRight(line, "\n")); n > 80 {
				t.Errorf("%v: %d columns: %s", args, n, line)
			}
		}
	}
}

func TestCapacityIsARow(t *testing.T) {
	slots := []simulation.Slot{
		{Asked: load.Units{Reads: 1, Writes: 9}, Capacity: load.Units{Reads: 100, Writes: 20}},
		{Asked: load.Units{Reads: 101}, Capacity: load.Units{Reads: 100}},
		{Asked: load.Units{Reads: 95, Writes: 10}, Capacity: load.Units{Reads: 100, Writes: 20}},
	}
	row, limited := wholePlace(simulation.Place{Slots: slots})
	if want := []float64{0.45, 1.01, 0.95}; !limited || !slices.Equal(row.Use, want) || !slices.Equal(row.Throttled, []bool{false, true, false}) {
		t.Errorf("got %v %v, want %v", row.Use, row.Throttled, want)
	}
	if _, limited := wholePlace(simulation.Place{Slots: []simulation.Slot{{Asked: load.Units{Reads: 1}}}}); limited {
		t.Error("what nothing limits has a row")
	}
}

func TestJSONFollowsItsSchema(t *testing.T) {
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemas.Simulate()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("simulate.schema.json", parsed); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("simulate.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"shop", "telemetry"} {
		got, err := jsonschema.UnmarshalJSON(strings.NewReader(run(t, "-f", filepath.Join(examples, name, "access-patterns.yaml"), "--format", "json", "--scale", "50")))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(got); err != nil {
			t.Error(err)
		}
	}
}

func TestSVGIsWellFormed(t *testing.T) {
	d := xml.NewDecoder(strings.NewReader(run(t, "-f", filepath.Join(examples, "shop", "access-patterns.yaml"), "--format", "svg")))
	cells := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "rect" {
			cells++
		}
	}
	if cells < 96 {
		t.Errorf("%d cells, want a row of 96 at least", cells)
	}
}

func TestFigures(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.04: "0", 7.25: "7.3", 950: "950", 12345: "12.3k", 4.5e6: "4.5M", 1e9: "1B", 2.5e13: "25T"} {
		if got := large(x); got != want {
			t.Errorf("%v: got %s, want %s", x, got, want)
		}
	}
	for x, want := range map[float64]string{0: "0%", 0.00001: "<0.01%", 0.005: "0.50%", 0.123: "12.3%", 1: "100.0%"} {
		if got := percent(x); got != want {
			t.Errorf("%v: got %s, want %s", x, got, want)
		}
	}
}
