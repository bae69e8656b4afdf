// Command drive calls the accessors of generated packages against the embedded
// engine, and compares what they do with what the oracle says. The packages and
// what is known of them are in stores.go, which the test that builds it writes.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/sdk"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate/verify"
)

// store is a generated package.
type store struct {
	file     string // the model's
	open     func(client *dynamodb.Client, now func() time.Time, draw func(int) int) any
	methods  map[string]method            // by the names of the patterns
	structs  map[string]map[string]string // of Go structs: attribute or parameter → field
	pageSize func(int) any
	after    func(string) any
}

// method is the method of a pattern.
type method struct {
	name string // in Go
	kind string // what it gives: iterator, one, count, list, steps, pairs, write or number
	row  bool   // selected attributes, not whole items
}

const tableName = "driven"

func main() {
	failed := 0
	for _, s := range stores {
		d, err := newDriver(s)
		if err != nil {
			fmt.Println(s.file, err)
			os.Exit(2)
		}
		d.run()
		failed += d.failures
		fmt.Printf("%s: %d patterns, %d calls, %d of writes accepted, %d passed over\n", s.file, d.patterns, d.calls, d.accepted, d.skipped)
	}
	failed += runScenarios()
	if failed > 0 {
		os.Exit(1)
	}
}

// driver drives one package.
type driver struct {
	store
	model  *model.Model
	client *dynamodb.Client
	data   *data.Generator

	held                                         map[string]plan.Stored // what the table holds
	tokens                                       int
	patterns, calls, accepted, skipped, failures int
}

func newDriver(s store) (*driver, error) {
	text, err := os.ReadFile(s.file)
	if err != nil {
		return nil, err
	}
	m, _ := parse.File(source.NewFile(s.file, string(text)), os.DirFS(filepath.Dir(s.file)))
	db := engine.New()
	d := &driver{store: s, model: m, client: db.Client(), data: data.New(m, data.Options{Cases: 24, Items: 36}), held: map[string]plan.Stored{}}
	in := sdk.Table(m.Table)
	name := tableName
	in.TableName = &name
	_, err = d.client.CreateTable(context.Background(), in)
	return d, err
}

func (d *driver) run() {
	planner := plan.New(d.model)
	for _, p := range d.model.Patterns {
		m, ok := d.methods[p.Name.Text]
		if !ok {
			continue
		}
		plans := planner.Pattern(p)
		if !slices.ContainsFunc(plans.Variants, (*plan.Variant).Served) {
			continue
		}
		d.patterns++
		t := &trial{driver: d, pattern: p, plan: plans, method: m}
		if err := t.run(); err != nil {
			t.fail("%v", err)
		}
		if len(t.said) > 0 && d.passes(plans) {
			d.failures += len(t.said)
			fmt.Println(strings.Join(t.said[:min(3, len(t.said))], "\n"))
		}
	}
}

// passes tells whether the check finds nothing wrong with a pattern: only then its
// accessor has to be right, too.
func (d *driver) passes(p *plan.Plan) bool {
	other := engine.New()
	defer other.Close()
	result, err := verify.Run(context.Background(), verify.Config{Model: d.model, Plans: []*plan.Plan{p}, Endpoint: verify.Endpoint{
		Client: other.Client(), Table: func() string { return tableName },
	}})
	if err != nil {
		fmt.Println(err)
		return true
	}
	return result.Patterns[0].Verdict == verify.Pass
}
