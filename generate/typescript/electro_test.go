package typescript

import (
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/sdk"
	"github.com/dynmodel/dynmodel/model/source"
)

// TestElectroDB uses the shop's ElectroDB entities themselves, on items that are
// stored as the templates say.
func TestElectroDB(t *testing.T) {
	folder := nodeFolder(t)
	shop := generatedOf(t, filepath.FromSlash("../../examples/shop/access-patterns.yaml"))
	compile(t, folder, []*generated{shop})
	db := engine.New()
	defer db.Close()
	server := httptest.NewServer(db)
	defer server.Close()
	ctx := context.Background()
	if _, err := db.Client().CreateTable(ctx, sdk.Table(shop.model.Table)); err != nil {
		t.Fatal(err)
	}
	for _, s := range shop.model.Samples {
		item, err := encode.Item(shop.model, s.Entity, s.Item, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Client().PutItem(ctx, &dynamodb.PutItemInput{TableName: &shop.model.Table.Name.Text, Item: sdk.Item(item)}); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join("testdata", "shop.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(folder, "shop.mjs"), text)
	cmd := exec.Command("node", "--no-warnings", "shop.mjs", server.URL)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "ok\n" {
		t.Errorf("%v\n%s", err, out)
	}
}

const head = `version: 1
table:
  name: jobs
  partition_key: PK
  sort_key: SK
  indexes:
    Part: {partition_key: PartPK, sort_key: PartSK, projection: [id]}
    Pair: {partition_key: [team, state], sort_key: id}
entities:
  Job:
    attributes:
      team: {type: slug, length: 1..9}
      id: ulid
      rank: {type: integer, min: 0, max: 99}
      state: [open, done]
      note: string?
    keys: {PK: "T#{team}", SK: "J#{state}#{id}", PartPK: "R#{rank|pad(2)}", PartSK: "{id}"}
  Step:
    attributes: {id: ulid, n: {type: integer, min: 1, max: 99}, text: string, at: {type: datetime, immutable: true}}
    keys: {PK: "J#{id}", SK: "{n|pad(2)}"}
    unique: [[text]]
access_patterns:
`

// Which way a pattern goes: over ElectroDB when that sends the plan's request as it is.
func TestVia(t *testing.T) {
	for pattern, want := range map[string]string{
		"get: Job":                        "ElectroDB",
		"get: Job, filter: rank > 1":      "documents", // kept by the reader
		"query: Job, where: team = $team": "ElectroDB",
		"query: Job, where: team = $team, key: {PK: \"T#{$team}\"}":                   "documents", // no condition on the sort key, where ElectroDB has one of its own
		"query: Job, where: team = $team AND state = $state":                          "ElectroDB",
		"query: Job, where: team = $team AND state = $state, index: Pair":             "documents", // several attributes
		"query: Job, where: team = $team AND state = $state AND id = $id":             "ElectroDB",
		"query: Job, where: team = $team AND state = 'open' AND id < $id":             "documents", // its lower end is a text that ElectroDB does not write
		"query: Job, where: team = $team AND state = 'open' AND id BETWEEN $a AND $b": "ElectroDB",
		"query: Job, where: team = $team AND rank = $rank, allow_filter: true":        "documents",
		"query: Job, where: team = $team AND state IN $states":                        "documents", // several requests
		"query: Job, where: team = $team AND state = $state?":                         "documents",
		"query: Job, where: team = $team AND state = $state, select: [id]":            "documents",
		"query: Job, where: team = $team AND state = $state, count: true":             "documents",
		"query: Job, where: rank = $rank, select: [id], index: Part":                  "documents",
		"query: Step, where: id = $id":                                                "ElectroDB",
		"query: Step, where: id = $id AND n = $n":                                     "ElectroDB", // a computed key
		"query: Step, where: id = $id AND n > $n":                                     "ElectroDB",
		"create: Job":                                         "ElectroDB",
		"put: Job":                                            "ElectroDB",
		"create: Step":                                        "documents", // keeps a guard
		"update: Job, change: SET note = $note":               "ElectroDB",
		"update: Job, change: REMOVE note":                    "ElectroDB",
		"update: Job, change: SET rank = $rank":               "documents", // an index key
		"update: Job, change: SET note = $note, if: rank > 3": "documents",
		"update: Step, change: SET at = $at":                  "documents", // ElectroDB would refuse it
		"delete: Job":                                         "ElectroDB",
		"delete: Job, must_exist: true":                       "ElectroDB",
		"batch_get: Job":                                      "documents",
		"scan: Job":                                           "documents",
	} {
		m, found := parse.File(source.NewFile("m.yaml", head+"  - {name: p, "+quoted(pattern)+"}\n"), os.DirFS("."))
		if m == nil || len(m.Patterns) != 1 {
			t.Errorf("%s: %+v", pattern, found.All())
			continue
		}
		files, err := filesOf(m)
		if err != nil {
			t.Errorf("%s: %v", pattern, err)
			continue
		}
		got := "documents"
		if strings.Contains(string(files[3].Content), "p, over ElectroDB.") {
			got = "ElectroDB"
		}
		if got != want {
			t.Errorf("%s: over %s, not %s\n%s", pattern, got, want, files[3].Content)
		}
	}
}

var change = regexp.MustCompile(`(where|change|if|filter): ([^,\[]+)`)

// quoted puts the expressions of a pattern in quotes.
func quoted(pattern string) string { return change.ReplaceAllString(pattern, `$1: "$2"`) }
