// Package rehearsal plays a migration on a DynamoDB: it loads items of the old
// model, takes every step, and after each one runs the access patterns that
// must work then, those of the old model and those of the new one. At the end
// the table must hold what the new model would have stored.
package rehearsal

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/migration"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/validate/verify"
)

// Config says what to rehearse, and on what.
type Config struct {
	Migration *migration.Migration
	// Client is a DynamoDB in which the tables of both models can be made; they
	// are deleted again.
	Client *dynamodb.Client
	Seed   uint64 // of the data; 0: 1
	// Cases is how many calls of one pattern are run on one world at most; 0: eight.
	Cases int
}

const defaultCases = 8

// now is $now in a rehearsal.
var now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// Result is what came of a rehearsal.
type Result struct {
	// Steps has an entry for what was before the first step, and one for each step.
	Steps []StepResult
	// Worlds is how many sets of items the migration was played on.
	Worlds int
	// Left is how many items were left out, since a value of theirs is outside of
	// what the new model declares.
	Left int
}

// StepResult is what was run after a step.
type StepResult struct {
	Step     *migration.Step // nil before the first one
	Calls    int             // calls of access patterns that were judged
	Written  int             // items that a backfill wrote
	Findings []Finding       // those that were not there after the step before
}

// Finding is something that is not as it must be after a step.
type Finding struct {
	diag.Finding
	// Side is the model whose pattern, or whose form of an item, it is about: old or new.
	Side string
}

// Failed tells whether a step made anything wrong. What was wrong before the
// first one is the old model's own fault, and no migration's.
func (r *Result) Failed() bool {
	return slices.ContainsFunc(r.Steps[1:], func(s StepResult) bool { return len(s.Findings) > 0 })
}

// Run plays the migration on several sets of items. The error says that it
// could not be played.
func Run(ctx context.Context, c Config) (*Result, error) {
	if c.Seed == 0 {
		c.Seed = 1
	}
	if c.Cases == 0 {
		c.Cases = defaultCases
	}
	r := &Result{Steps: make([]StepResult, len(c.Migration.Steps)+1)}
	for i, s := range c.Migration.Steps {
		r.Steps[i+1].Step = s
	}
	for _, w := range worlds(c) {
		p := &play{Config: c, result: r, items: w.Instances}
		if err := p.run(ctx); err != nil {
			return nil, err
		}
		r.Worlds++
	}
	return r, nil
}

// worlds are sets of old items in which, all together, every entity has items:
// those of the patterns that bring the most of them.
func worlds(c Config) []*data.World {
	generator := data.New(c.Migration.Old.Model, data.Options{Seed: c.Seed, Cases: c.Cases, Now: now})
	var all []*data.World
	for _, p := range c.Migration.Old.Model.Patterns {
		all = append(all, generator.World(p))
	}
	var out []*data.World
	covered := map[*model.Entity]bool{}
	for len(all) > 0 {
		best := slices.MaxFunc(all, func(a, b *data.World) int { return len(fresh(a, covered)) - len(fresh(b, covered)) })
		added := fresh(best, covered)
		if len(added) == 0 {
			break
		}
		for _, e := range added {
			covered[e] = true
		}
		out = append(out, best)
	}
	return out
}

// fresh are the entities that a world has items of and others have not.
func fresh(w *data.World, covered map[*model.Entity]bool) []*model.Entity {
	var out []*model.Entity
	for _, in := range w.Instances {
		if !covered[in.Entity] && !slices.Contains(out, in.Entity) {
			out = append(out, in.Entity)
		}
	}
	return out
}

// active are the plans of a side's reads that must work after a number of steps
// and whose entities have items: what has none is another world's concern.
func (p *play) active(side migration.Side, works func(*model.Pattern) bool, there func(*model.Entity) bool) []*plan.Plan {
	var out []*plan.Plan
	for _, pl := range side.Plans {
		if pl.Pattern.Operation.IsRead() && works(pl.Pattern) && slices.ContainsFunc(pl.Pattern.Entities, there) {
			out = append(out, pl)
		}
	}
	return out
}

// look runs what must work after a step.
func (p *play) look(ctx context.Context, number int) error {
	m := p.Migration
	oldWorks := func(pattern *model.Pattern) bool {
		i := slices.IndexFunc(m.Breaks, func(b migration.Break) bool { return b.Pattern == pattern })
		return i < 0 || number < m.Breaks[i].Step
	}
	newWorks := func(*model.Pattern) bool { return number >= p.newFrom() }
	for _, side := range []struct {
		name  string
		of    migration.Side
		works func(*model.Pattern) bool
		table string
		items []verify.StandingItem
	}{
		{"old", m.Old, oldWorks, p.oldTable, p.standing(true)},
		{"new", m.New, newWorks, p.newTable, p.standing(false)},
	} {
		if side.table == "" {
			continue
		}
		there := func(e *model.Entity) bool {
			return slices.ContainsFunc(side.items, func(it verify.StandingItem) bool { return it.Entity == e })
		}
		plans := p.active(side.of, side.works, there)
		found, calls, err := verify.Reads(ctx, verify.Config{Model: side.of.Model, Plans: plans, Endpoint: verify.Endpoint{Client: p.Client}, Seed: p.Seed, Cases: p.Cases, Now: now},
			verify.Standing{Table: side.table, Items: side.items})
		if err != nil {
			return fmt.Errorf("after step %d: %w", number, err)
		}
		p.note(number, side.name, calls, found)
	}
	return nil
}

// note adds what was found after a step: each fault once for all worlds, and
// where it is first seen.
func (p *play) note(number int, side string, calls int, found []diag.Finding) {
	at := &p.result.Steps[number]
	at.Calls += calls
	for _, f := range found {
		same := func(g Finding) bool {
			return g.Side == side && g.Rule == f.Rule && g.Pattern == f.Pattern && g.Entity == f.Entity
		}
		known := func(s StepResult) bool { return slices.ContainsFunc(s.Findings, same) }
		if !slices.ContainsFunc(p.result.Steps[:number+1], known) {
			at.Findings = append(at.Findings, Finding{f, side})
		}
	}
}

// newFrom is the step after which the new patterns must work.
func (p *play) newFrom() int {
	last := 0
	for _, s := range p.Migration.Steps {
		if s.Kind == migration.Deploy {
			last = s.Number
		}
	}
	return last
}
