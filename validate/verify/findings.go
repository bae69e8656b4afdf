package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// explanation is what is known of the cause of a failure.
type explanation struct {
	// cause tells causes apart: failures of one cause give one finding.
	cause string
	why   string
	fix   string
	// at is the part of the model at fault, as in diag.Finding; may be nowhere.
	at source.Span
}

// findings are the failures of the trial, each made smaller and explained, of
// each cause the first.
func (t *trial) findings(ctx context.Context) ([]finding, error) {
	out := t.worldFindings()
	causes := map[string]bool{}
	for _, f := range t.failures {
		if f.kind != unstated {
			smaller, err := t.shrink(ctx, f)
			if err != nil {
				return nil, err
			}
			f = smaller
		}
		e := t.explain(f)
		if e.cause != "" && causes[e.cause] {
			continue
		}
		causes[e.cause] = true
		out = append(out, t.finding(f, e))
	}
	return append(out, t.overBudget()...), nil
}

func (t *trial) explain(f *failure) explanation {
	if f.kind == unstated {
		return explanation{} // what is stated is wrong, or everything else is
	}
	explained := t.explainRead
	if t.writes() {
		explained = t.explainWrite
	}
	out := explained(f)
	if at := t.clashBehind(f); at.Known() {
		out.at = at
	}
	return out
}

// finding writes a failure as a finding. Where planning has seen the same
// fault, or one for which DynamoDB must refuse the request, its words are kept
// and the counterexample is added.
func (t *trial) finding(f *failure, e explanation) finding {
	out := diag.Finding{Severity: diag.Error, Span: t.pattern.Name.At, Pattern: t.pattern.Name.Text, Index: f.indexName(),
		Why: e.why, Fix: e.fix, Cause: e.at}
	if t.writes() && f.kind != unstated {
		out.Rule, out.Message = t.describeWrite(f)
		out.Counterexample = t.counterexample(f, t.writeItems(f)...)
	} else {
		out.Rule, out.Message = t.describeRead(f)
		out.Counterexample = t.counterexample(f, t.readItems(f)...)
	}
	if f.kind == unstated {
		out.Span = f.example.At
	}
	if out.Rule == diag.KeyCollision || out.Rule == diag.DuplicateIdentity {
		return t.entityFinding(out, f)
	}
	if i := slices.IndexFunc(t.plan.Findings, func(p diag.Finding) bool {
		return p.Rule == out.Rule || f.turnedDown() && refuses(p.Rule)
	}); i >= 0 {
		planned := t.plan.Findings[i]
		planned.Counterexample, planned.Cause = out.Counterexample, out.Cause
		if out.Why != "" {
			planned.Why = out.Why
		}
		out = planned
	}
	return finding{Finding: out}
}

// refuses tells whether DynamoDB refuses the requests of a plan with a finding
// of the rule.
func refuses(rule string) bool {
	return rule == diag.MissingProjection || rule == diag.InconsistentIndexRead || rule == diag.LimitExceeded
}

// describeRead is the rule a failure breaks, and what happened in a sentence.
func (t *trial) describeRead(f *failure) (rule, message string) {
	name := t.pattern.Name.Text
	switch f.kind {
	case refused:
		return diag.WrongResult, fmt.Sprintf("%s is refused by DynamoDB: %s", name, f.refusal.Message)
	case objected:
		return diag.WrongResult, objectionText(name, f)
	case ambiguous:
		return diag.WrongResult, fmt.Sprintf("%s matches %d items, and promises at most one", name, len(f.culprits))
	case lacking:
		return diag.MissingProjection, fmt.Sprintf("%s returns its items without %s", name, f.attribute)
	case disorder:
		return diag.WrongOrder, fmt.Sprintf("%s returns its items in another order than %s", name, orderText(t.pattern.Order))
	case leak:
		return diag.IsolationLeak, fmt.Sprintf("one call of %s returns items of two values of %s", name, f.attribute)
	case unstated:
		return diag.ExampleMismatch, fmt.Sprintf("an example of %s %s %s", name, t.gives(), t.exampleText(f))
	case miscount:
		return diag.WrongResult, fmt.Sprintf("%s counts %s, expected %d", name, plural(f.counted, "item"), f.want)
	}
	message = fmt.Sprintf("%s returns %s, expected %d", name, plural(len(f.got), "item"), f.want)
	if len(f.got) == f.want {
		message = fmt.Sprintf("%s returns %s that %s not match", name, plural(len(f.culprits), "item"), does(len(f.culprits)))
	}
	if f.scene.paged > 0 {
		message += fmt.Sprintf(", when read in pages of %d", f.scene.paged)
	}
	return diag.WrongResult, message
}

func does(n int) string {
	if n == 1 {
		return "does"
	}
	return "do"
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

func orderText(order []model.OrderBy) string {
	var parts []string
	for _, o := range order {
		switch {
		case o.Attribute == "":
			parts = append(parts, o.Subject())
		case o.Desc:
			parts = append(parts, o.Subject()+" desc")
		default:
			parts = append(parts, o.Subject()+" asc")
		}
	}
	return strings.Join(parts, ", ")
}

// readItems are the items of a counterexample of a read: those that came back,
// in their order, and those that did not.
func (t *trial) readItems(f *failure) []diag.CounterItem {
	var items []diag.CounterItem
	culprit := func(in model.Instance) bool {
		return slices.ContainsFunc(f.culprits, func(c model.Instance) bool { return oracle.Identity(c) == oracle.Identity(in) })
	}
	for _, g := range f.got {
		switch {
		case g.record == nil:
			items = append(items, t.rawItem(f, "returned", g))
		case f.kind == extra && g.record.guard != nil:
			items = append(items, diag.CounterItem{Role: "extra", Keys: t.keysShown(f, g.record.item)})
		case f.kind == extra && culprit(g.record.in):
			items = append(items, t.shown(f, "extra", g.record.in))
		default:
			items = append(items, t.shown(f, map[bool]string{true: "left", false: "returned"}[t.writes()], g.record.in))
		}
	}
	switch f.kind {
	case missing, ambiguous:
		role := map[kind]string{missing: "missing", ambiguous: "matches"}[f.kind]
		for _, in := range f.culprits {
			items = append(items, t.shown(f, role, in))
		}
	case miscount:
		for _, m := range miscounted(f) {
			items = append(items, t.shown(f, map[bool]string{true: "extra", false: "missing"}[m.read], m.record.in))
		}
	}
	return items
}

// rawItem is an item that came back and is none of the world's.
func (t *trial) rawItem(f *failure, role string, g returnedItem) diag.CounterItem {
	if in, ok := t.decoded(g.item); ok {
		item := diag.CounterItem{Role: role, Entity: in.Entity.Name.Text, Keys: t.keysShown(f, g.item)}
		for _, a := range in.Entity.Attributes {
			if v := in.Item[a.Name.Text]; v.Exists() && t.matters(f, in.Entity, a) {
				item.Attributes = append(item.Attributes, diag.Binding{Name: a.Name.Text, Value: v.String()})
			}
		}
		return item
	}
	return diag.CounterItem{Role: role, Keys: t.keysShown(f, g.item)}
}

// gives is the verb for what comes of a call.
func (t *trial) gives() string {
	if t.writes() {
		return "leaves"
	}
	return "returns"
}

// exampleText says how what an example gives differs from what it states.
func (t *trial) exampleText(f *failure) string {
	if len(f.got) != len(f.example.Expect) {
		return fmt.Sprintf("%s, stated: %d", plural(len(f.got), "item"), len(f.example.Expect))
	}
	if t.anyOrder() {
		return "other items than stated"
	}
	for i, want := range f.example.Expect {
		if !f.got[i].is(want) {
			return fmt.Sprintf("another item than stated in place %d", i+1)
		}
	}
	return "what is stated"
}
