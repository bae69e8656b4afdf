package verify

import (
	"context"
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// trial is the proof of one pattern.
type trial struct {
	config  Config
	model   *model.Model
	stage   *stage
	data    *data.Generator
	plan    *plan.Plan
	pattern *model.Pattern

	spent    spending
	failures []*failure             // the first of each sort
	clashes  []clash                // found by loading
	doubles  []clash                // one identity under two keys
	crowds   []crowd                // items that are many, and have one key
	suspects map[string]plan.Stored // keys of refused calls that are yet to be looked at
	unserved int                    // calls that no plan serves
	phase    phase
}

// phase is what a trial is doing.
type phase int

const (
	proving phase = iota
	shrinking
	confirming // that what was made smaller fails
)

// outcome is what a trial comes to.
type outcome struct {
	pattern  Pattern
	findings []finding
}

// finding is a finding of a trial. One that is about entities, and not about
// the pattern, says about what, so that it is reported once.
type finding struct {
	diag.Finding
	about    string
	entities []*model.Entity
}

// spending adds up what the judged calls took.
type spending struct {
	cases, requests, items int
	accepted               int // calls of a write
	read                   reply
}

// run proves the pattern.
func (t *trial) run(ctx context.Context) (outcome, error) {
	if reason := t.notRun(); reason != "" {
		return outcome{pattern: Pattern{Pattern: t.pattern, Verdict: Skipped, Reason: reason}}, nil
	}
	world := t.data.World(t.pattern)
	world.Instances = distinct(world.Instances)
	var err error
	if t.writes() {
		err = t.proveWrite(ctx, world)
	} else {
		err = t.proveRead(ctx, world)
	}
	if err == nil {
		err = t.proveExamples(ctx)
	}
	if err != nil {
		return outcome{}, fmt.Errorf("%s: %w", t.pattern.Name.Text, err)
	}
	judged := t.spent // what is run to make a failure smaller does not count
	findings, err := t.findings(ctx)
	if err != nil {
		return outcome{}, fmt.Errorf("%s: %w", t.pattern.Name.Text, err)
	}
	t.spent = judged
	return outcome{t.verdict(findings), findings}, nil
}

// withoutTable is the outcome where DynamoDB refuses the model's table.
func (t *trial) withoutTable(no *refusal) outcome {
	return outcome{
		pattern: Pattern{Pattern: t.pattern, Verdict: Error, Reason: "DynamoDB refuses the table: " + no.Message},
		findings: []finding{{about: "the table", Finding: diag.Finding{
			Rule: diag.InvalidModel, Severity: diag.Error, Span: t.model.Table.Name.At,
			Message: "no access pattern can be run, as DynamoDB refuses the table: " + no.Message,
			Fix:     "change the table or its indexes as the answer says",
		}}},
	}
}

// distinct leaves out items that share a minted id with another one of their
// entity: no application makes such a pair.
func distinct(instances []model.Instance) []model.Instance {
	var out []model.Instance
	for _, in := range instances {
		if !slices.ContainsFunc(out, func(other model.Instance) bool { return shareMinted(in, other) }) {
			out = append(out, in)
		}
	}
	return out
}

// writes tells whether the pattern changes anything.
func (t *trial) writes() bool {
	return !t.pattern.Operation.IsRead() && t.pattern.Operation != model.PartiQL
}

// notRun is why the pattern cannot be run at all, "" when it can.
func (t *trial) notRun() string {
	if reason := unproved(t.pattern); reason != "" {
		return reason
	}
	if name := t.unstorableKey(); name != "" {
		return "DynamoDB refuses " + name + ", as it is of another type than the table's"
	}
	served := slices.ContainsFunc(t.plan.Variants, (*plan.Variant).Served)
	switch {
	case !served:
		return "no index can serve it"
	case t.pattern.Operation == model.PartiQL && !isSelect(t.pattern.Statement.Text):
		return "a PartiQL statement that writes is not run, as nothing says what it must leave: as `create`, `update` or `delete` it can be"
	case t.pattern.Operation == model.PartiQL && (t.pattern.Where == nil || len(t.pattern.Statement.Returns) == 0):
		return "nothing says what the statement means: give `returns` and `where`"
	}
	for _, v := range t.plan.Variants {
		if v.Read != nil && v.Read.Index != nil {
			if reason := t.stage.missing[v.Read.Index.Name.Text]; reason != "" {
				return reason
			}
		}
	}
	return ""
}

// unstorableKey names a key of the table that an entity of the pattern makes of
// another type than the table's, so that no request can hold it; "" for none.
func (t *trial) unstorableKey() string {
	for _, e := range t.model.Entities {
		if !t.about(e) {
			continue
		}
		for _, k := range t.model.Table.Keys() {
			if template, made := t.templateOf(e, k.Name); made && makesAnother(template, k) {
				return k.Name + " of " + e.Name.Text
			}
		}
	}
	return ""
}

// makesAnother tells whether what a template makes is of another type than the key.
func makesAnother(template model.Template, k model.KeyAttribute) bool {
	if whole := template.Whole(); whole != nil {
		return encode.TypeOf(*whole).Kind() != k.Kind
	}
	return k.Kind != value.String
}

// verdict sums the trial up.
func (t *trial) verdict(findings []finding) Pattern {
	out := Pattern{Pattern: t.pattern, Verdict: Pass, Cases: t.spent.cases}
	if n := float64(t.spent.cases); n > 0 {
		r := t.spent.read
		out.Requests, out.Items, out.ItemsRead = float64(t.spent.requests)/n, float64(t.spent.items)/n, float64(r.scanned)/n
		out.RCU, out.WCU, out.Pages = r.rcu/n, r.wcu/n, float64(r.pages)/n
	}
	failed := slices.ContainsFunc(findings, t.concerns)
	switch {
	case failed:
		out.Verdict = Fail
	case t.spent.cases == 0:
		out.Verdict, out.Reason = Skipped, "there is no call to run it with"
	case t.writes() && t.spent.accepted == 0:
		out.Verdict, out.Reason = Skipped, "no generated call meets its conditions, so that nothing was written: give an example that does"
	case t.unserved > 0:
		out.Verdict, out.Reason = Fail, "some of its optional parameters cannot be left out: no index serves it then"
	}
	return out
}

// concerns tells whether a finding says that the pattern is wrong: it is about
// the pattern, or about an entity that the pattern reads or writes.
func (t *trial) concerns(f finding) bool {
	return f.Severity == diag.Error && (f.about == "" || slices.ContainsFunc(f.entities, t.about))
}

// about tells whether the pattern reads or writes items of an entity.
func (t *trial) about(e *model.Entity) bool {
	return t.pattern.All || slices.Contains(t.entities(), e) ||
		slices.ContainsFunc(t.pattern.AllSteps(), func(s *model.Step) bool { return s.Entity == e })
}

// note keeps the first failure of its sort.
func (t *trial) note(f *failure) {
	if f != nil && !slices.ContainsFunc(t.failures, f.same) {
		t.failures = append(t.failures, f)
	}
}

// settled tells whether enough is known of what is wrong with the pattern.
func (t *trial) settled() bool { return len(t.failures) >= mostFailures }

// mostFailures bounds the sorts of failures that are made smaller and explained.
const mostFailures = 4

// count adds a judged call to what was spent.
func (s *spending) count(requests, items int, read reply) {
	s.cases++
	s.requests += requests
	s.items += items
	read.items = nil
	s.read.add(read)
}

// attempt runs a scene from nothing: the world is stored, the call is made and
// judged. Nil when all is as it should be, or the scene is none.
func (t *trial) attempt(ctx context.Context, sc scene) (*failure, error) {
	if !t.sensible(sc) {
		return nil, nil
	}
	if err := t.stage.hold(ctx, sc.world); err != nil {
		return nil, err
	}
	if t.writes() {
		return t.attemptWrite(ctx, t.foreseen(sc), true)
	}
	return t.attemptRead(ctx, sc)
}

// encoded makes the records of a world for this pattern.
func (t *trial) encoded(instances []model.Instance) *set {
	draw := spread
	if t.writes() {
		draw = first
	}
	return encoded(instances, func(i int, in model.Instance) ([]*record, error) { return recordsOf(t.model, in, draw(i)) })
}

// next is the world that a write leaves, as it is stored.
func (t *trial) next(world *set, out oracle.Outcome) (*set, error) {
	return world.next(out, func(in model.Instance) ([]*record, error) { return recordsOf(t.model, in, first(0)) })
}
