package verify

import (
	"context"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// Standing is a table that stands already, with all that it holds.
type Standing struct {
	Table string
	Items []StandingItem
}

// StandingItem is an item as it is stored, with what it stands for in the
// model. Guards of unique attributes are left out.
type StandingItem struct {
	model.Instance
	Stored plan.Stored
}

// Reads runs the access patterns of c that read on a table that stands already.
// Of each pattern the first wrong answer is a finding; nothing is made smaller,
// since nothing is written. It also tells how many calls were judged.
func Reads(ctx context.Context, c Config, on Standing) (found []diag.Finding, calls int, err error) {
	c = c.withDefaults()
	world := on.set(c.Model)
	s := &stage{conn: conn{client: c.Endpoint.Client, table: on.Table, modelTable: c.Model.Table.Name.Text}, model: c.Model, patience: patience{lag: c.Endpoint.Lag}}
	generator := data.New(c.Model, data.Options{Seed: c.Seed, Cases: c.Cases, Items: c.Items, Now: c.Now})
	for _, p := range c.Plans {
		t := &trial{config: c, model: c.Model, stage: s, data: generator, plan: p, pattern: p.Pattern}
		if t.writes() || t.notRun() != "" {
			continue
		}
		f, err := t.firstWrong(ctx, world)
		if err != nil {
			return nil, calls, err
		}
		calls += t.spent.cases
		if f != nil {
			found = append(found, t.finding(f, explanation{}).Finding)
		}
	}
	return found, calls, nil
}

// firstWrong is the first wrong answer of a pattern on a world that is stored.
func (t *trial) firstWrong(ctx context.Context, world *set) (*failure, error) {
	for _, b := range t.data.Bindings(t.pattern, &data.World{Instances: world.stored}) {
		sc := scene{world: world, args: b.Args, now: b.Now}
		if !t.sensible(sc) {
			continue
		}
		if f, err := t.attemptRead(ctx, sc); f != nil || err != nil {
			return f, err
		}
	}
	return nil, nil
}

// set are the records of what the table holds.
func (on Standing) set(m *model.Model) *set {
	s := &set{byKey: make(map[string]int, len(on.Items))}
	for _, it := range on.Items {
		r := &record{in: it.Instance, item: it.Stored, key: keyText(m.Table, it.Stored), id: oracle.Identity(it.Instance)}
		s.byKey[r.key] = len(s.records)
		s.records = append(s.records, r)
		s.stored = append(s.stored, it.Instance)
	}
	s.world = oracle.NewWorld(s.stored)
	return s
}
