// Package verify proves a model by running it: every access pattern is executed
// on a DynamoDB with data made to break it, and what comes back, or is stored,
// is compared with what the model says.
//
// A pattern's trial loads a small world of items (package data) as they are
// encoded by the templates (package encode), sends the plan's requests (package
// plan) through the SDK's client, and compares the answer with that of the
// oracle, which knows nothing of keys. A contradiction is made as small as it
// can be, explained in terms of templates, and reported as a finding with its
// counterexample.
//
// Everything is a function of the model, the plans, the seed and $now: the same
// bytes come out on any machine and at any GOMAXPROCS.
package verify

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/plan"
)

// Config says what to prove, on what, and how thoroughly.
type Config struct {
	Model *model.Model
	// Plans are the plans of the patterns to prove, in the model's order.
	Plans    []*plan.Plan
	Endpoint Endpoint

	Seed uint64 // of the data; 0: 1
	// Cases is how many calls of one pattern are run at most, 0: DefaultCases.
	Cases int
	// Items is how many items one world has at most, 0: the default of package data.
	Items int
	// Now is $now in most calls; zero: 2026-01-01T00:00:00Z, where every time bucket begins.
	Now time.Time
	// Progress, if set, is called in the beginning and after every pattern, by one
	// goroutine at a time.
	Progress func(done, total int)
}

// DefaultCases is how many calls of a pattern are run when Config does not say.
const DefaultCases = 24

// Result is the outcome of a proof.
type Result struct {
	Patterns []Pattern // one for each plan, in their order
	// Findings are in order of place. Where planning has found the same fault,
	// they repeat its message and place and add the counterexample: put before
	// the plan's own in a diag.List, they take its place.
	Findings []diag.Finding
}

// Verdict is what the proof says of a pattern.
type Verdict string

// The verdicts.
const (
	Pass    Verdict = "pass"    // run, and every case was as it should be
	Fail    Verdict = "fail"    // run, and some case was not
	Error   Verdict = "error"   // it could not be run, though it should
	Skipped Verdict = "skipped" // not run
)

// Pattern is the outcome of one pattern's trial.
type Pattern struct {
	Pattern *model.Pattern
	Verdict Verdict
	// Reason says why it is not Pass or Fail.
	Reason string
	// Cases is the number of calls run and judged.
	Cases int
	// Averages of the calls: requests sent, items returned (or written), items
	// read before filters, capacity units and pages.
	Requests, Items, ItemsRead, RCU, WCU, Pages float64
}

// Run proves the patterns. The error says that the job could not be done: the
// endpoint cannot be used, or ctx has ended.
func Run(ctx context.Context, c Config) (*Result, error) {
	c = c.withDefaults()
	r := &running{Config: c, outcomes: make([]outcome, len(c.Plans))}
	group, shared := errgroup.WithContext(ctx)
	r.data = data.New(c.Model, data.Options{Seed: c.Seed, Cases: c.Cases, Items: c.Items, Now: c.Now, Done: shared.Done()})
	r.progress(0)
	for range c.Endpoint.tables(len(c.Plans)) {
		table := c.Endpoint.Table()
		group.Go(func() error {
			return c.onStage(shared, table, func(s *stage, no *refusal) error { return r.play(shared, s, no) })
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err // the calls of some patterns were not made up any more
	}
	return gather(r.outcomes), nil
}

// running is a proof under way: its trials are shared out among several stages.
type running struct {
	Config
	data     *data.Generator
	outcomes []outcome
	next     atomic.Int64 // the plan to take next

	mu   sync.Mutex // guards done, and calls of Progress
	done int
}

// play runs one trial after another, until there are none left. Without a stage
// it says of each why there is none.
func (r *running) play(ctx context.Context, s *stage, no *refusal) error {
	for i := int(r.next.Add(1)) - 1; i < len(r.Plans); i = int(r.next.Add(1)) - 1 {
		t := &trial{config: r.Config, model: r.Model, stage: s, data: r.data, plan: r.Plans[i], pattern: r.Plans[i].Pattern}
		if no != nil {
			r.outcomes[i] = t.withoutTable(no)
		} else if err := r.settle(ctx, t, i); err != nil {
			return err
		}
		r.progress(1)
	}
	return nil
}

// settle runs a trial. What a trial says that was broken off is no outcome.
func (r *running) settle(ctx context.Context, t *trial, i int) (err error) {
	if r.outcomes[i], err = t.run(ctx); err != nil {
		return err
	}
	return ctx.Err()
}

// progress tells that so many more patterns are done.
func (r *running) progress(more int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done += more
	if r.Progress != nil {
		r.Progress(r.done, len(r.Plans))
	}
}

func (c Config) withDefaults() Config {
	if c.Seed == 0 {
		c.Seed = 1
	}
	if c.Cases <= 0 {
		c.Cases = DefaultCases
	}
	if c.Now.IsZero() {
		c.Now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return c
}

// onStage makes the table, and deletes it afterwards in any case. Where the
// model's table is refused, there is nothing to play on.
func (c Config) onStage(ctx context.Context, table string, play func(*stage, *refusal) error) (err error) {
	missing, err := c.Endpoint.create(ctx, table, c.Model.Table)
	var refused *refusal
	if errors.As(err, &refused) {
		return play(nil, refused)
	}
	defer func() {
		if dropped := c.Endpoint.drop(ctx, table); err == nil {
			err = dropped
		}
	}()
	if err != nil {
		return err // the table may have been made all the same
	}
	return play(&stage{
		conn:     conn{client: c.Endpoint.Client, table: table, modelTable: c.Model.Table.Name.Text},
		patience: patience{lag: c.Endpoint.Lag},
		model:    c.Model, missing: missing, strays: map[string]*stray{},
	}, nil)
}

// gather joins the outcomes, in order. What is about an entity, and not about
// a pattern, is found again and again: the first one stays.
func gather(outcomes []outcome) *Result {
	out := &Result{Patterns: make([]Pattern, len(outcomes))}
	var list diag.List
	seen := map[string]bool{}
	for i, o := range outcomes {
		out.Patterns[i] = o.pattern
		for _, f := range o.findings {
			if f.about != "" && seen[f.about] {
				continue
			}
			seen[f.about] = true
			list.Add(f.Finding)
		}
	}
	out.Findings = slices.Clip(list.All())
	return out
}
