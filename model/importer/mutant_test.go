package importer_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/model/importer"
	"github.com/dynmodel/dynmodel/model/source"
)

// TestMutants: documents with slips in them (signs added, lost, doubled and
// swapped) are read as far as they go, and what comes out is a model without a
// fault.
func TestMutants(t *testing.T) {
	const each = 60
	names := []string{}
	for name := range documents() {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			format, _ := importer.Find(documents()[name])
			random := rand.New(rand.NewPCG(1, uint64(len(name))))
			text := read(t, filepath.Join("testdata", name))
			for range each {
				file := source.NewFile(name, mutant(random, text))
				if importer.Sound(file) != nil {
					continue
				}
				drafts, err := format.Read(file, nil)
				if err != nil && strings.Contains(err.Error(), "\n") {
					t.Errorf("the error has several lines: %v", err)
				}
				for _, d := range drafts {
					modelOf(t, d, name)
				}
				if t.Failed() {
					t.Fatalf("of\n%s", file.Text())
				}
			}
		})
	}
}

// mutant is a text with up to four slips.
func mutant(random *rand.Rand, text string) string {
	const signs = "{}[]\"',:#0aA\n \\$<>"
	b := []byte(text)
	for range 1 + random.IntN(4) {
		i, j := random.IntN(len(b)), random.IntN(len(b))
		piece := slices.Clone(b[j : j+min(random.IntN(30), len(b)-j)])
		switch random.IntN(5) {
		case 0:
			b[i] = signs[random.IntN(len(signs))]
		case 1:
			b = slices.Delete(b, i, i+1)
		case 2:
			b = slices.Insert(b, i, piece...)
		case 3:
			b = slices.Delete(b, j, j+len(piece))
		case 4:
			b[i], b[j] = b[j], b[i]
		}
	}
	return string(b)
}

// TestHuge: what is large, deep or many comes to an end soon, and gives a model
// or an error.
func TestHuge(t *testing.T) {
	const soon = 30 * time.Second // on a machine that is busy
	table := `{"DataModel": [{"TableName": "many", "KeyAttributes": {"PartitionKey": {"AttributeName": "PK", "AttributeType": "S"}, "SortKey": {"AttributeName": "SK", "AttributeType": "S"}}, %s}]}`
	items := func(n int, item func(i int) string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = item(i)
		}
		return fmt.Sprintf(table, `"TableData": [`+strings.Join(list, ",")+`]`)
	}
	wide := func(i int) string {
		fields := []string{fmt.Sprintf(`"PK": {"S": "A#%d#1"}, "SK": {"S": "1#1#1#1#1#1"}`, i)}
		for j := range 60 {
			fields = append(fields, fmt.Sprintf(`"a%d": {"S": "1"}`, j))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	for name, c := range map[string]struct{ format, text string }{
		"many items":               {"workbench", items(6_000, func(i int) string { return fmt.Sprintf(`{"PK": {"S": "U#%d"}, "SK": {"S": "O#%d"}}`, i%100, i) })},
		"many names for one value": {"workbench", items(150, wide)},
		"many kinds": {"workbench", items(1000, func(i int) string {
			return fmt.Sprintf(`{"PK": {"S": "K%c%c#1"}, "SK": {"S": "X"}}`, 'A'+i%26, 'A'+i/26)
		})},
		"many facets": {"workbench", fmt.Sprintf(table, `"TableFacets": [`+strings.TrimSuffix(strings.Repeat(`{"FacetName": "f", "KeyAttributeAlias": {"PartitionKeyAlias": "A#<id>"}},`, 400), ",")+`]`)},
		"deep values": {"workbench", items(1, func(int) string {
			return `{"PK": {"S": "a"}, "SK": {"S": "b"}, "x": ` + strings.Repeat(`{"M": {"x": `, 40) + `{"S": ""}` + strings.Repeat("}}", 40) + "}"
		})},
		"deep JSON":        {"describe-table", strings.Repeat(`{"a":`, 1_000_000)},
		"deep HCL":         {"terraform", "x = " + strings.Repeat("[", 500_000)},
		"deep YAML":        {"cloudformation", "a: " + strings.Repeat("[", 100_000)},
		"deep JavaScript":  {"onetable", "x = " + strings.Repeat("{a:", 500_000)},
		"an open comment":  {"onetable", "x = {" + strings.Repeat("/*", 500_000)},
		"billion laughs":   {"cloudformation", "a: &a [x,x,x,x,x,x,x,x]\n" + laughs() + "Resources: {T: {Type: AWS::DynamoDB::Table, Properties: {TableName: *j}}}\n"},
		"a long word":      {"terraform", "x = " + strings.Repeat("!", 500_000) + "true"},
		"a long condition": {"terraform", "x = " + strings.Repeat("a ? b : ", 50_000) + "c"},
	} {
		t.Run(name, func(t *testing.T) {
			format, _ := importer.Find(c.format)
			start := time.Now()
			drafts, err := format.Read(source.NewFile("huge", c.text), nil)
			for _, d := range drafts {
				modelOf(t, d, "huge")
			}
			if took := time.Since(start); took > soon {
				t.Errorf("it took %s", took)
			}
			if err != nil && len(err.Error()) > 500 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
}

// laughs are anchors of which each holds the one before eight times.
func laughs() string {
	out := ""
	for c := 'b'; c <= 'j'; c++ {
		out += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c,", c-1), 8), ","))
	}
	return out
}
