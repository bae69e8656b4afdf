package migration

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
)

// patternChanges are the access patterns that are new, gone, or served otherwise.
func (m *Migration) patternChanges() []Change {
	var out []Change
	for i, n := range m.New.Model.Patterns {
		subject := "pattern " + n.Name.Text
		old := m.Old.Model.Pattern(n.Name.Text)
		is := servedText(m.New.Plans[i])
		if old == nil {
			out = append(out, Change{KindCode, subject, "new: " + is})
			continue
		}
		if was := servedText(m.Old.planOf(old)); was != is {
			out = append(out, Change{KindCode, subject, fmt.Sprintf("was %s, is %s", was, is)})
		}
	}
	for _, o := range m.Old.Model.Patterns {
		if m.New.Model.Pattern(o.Name.Text) == nil {
			out = append(out, Change{KindCode, "pattern " + o.Name.Text, "gone"})
		}
	}
	return out
}

func (s Side) planOf(p *model.Pattern) *plan.Plan {
	i := slices.IndexFunc(s.Plans, func(q *plan.Plan) bool { return q.Pattern == p })
	return s.Plans[i]
}

// servedText says how a pattern is served: a read in the words of its plan, a
// write by what it does to the items of which entities under which keys.
func servedText(p *plan.Plan) string {
	v := p.Variants[0]
	if v.Write == nil {
		return orText(v.Text(), string(p.Pattern.Operation))
	}
	var does []string
	for _, a := range v.Write.Actions {
		text := fmt.Sprintf("%s %s", a.Step.Operation, a.Entity.Name.Text)
		if !slices.Contains(does, text) {
			does = append(does, text)
		}
	}
	return strings.Join(does, ", ")
}

// breaks are the old patterns that do not outlive the migration unharmed.
func (m *Migration) breaks() []Break {
	var out []Break
	for _, p := range m.Old.Plans {
		if b, ok := m.breakOf(p); ok {
			out = append(out, b)
		}
	}
	return out
}

// breakOf is the first thing that breaks an old pattern.
func (m *Migration) breakOf(p *plan.Plan) (Break, bool) {
	var first Break
	note := func(step int, format string, args ...any) {
		if step > 0 && (first.Step == 0 || step < first.Step) {
			first = Break{Pattern: p.Pattern, Reason: fmt.Sprintf(format, args...), Step: step}
		}
	}
	if m.Replaced {
		note(m.release(Readers), "the old table gets no writes any more")
		return first, first.Step > 0
	}
	for _, v := range p.Variants {
		for _, read := range []*plan.Read{v.Read, v.Then} {
			if read != nil {
				m.breaksOfRead(read, note)
			}
		}
		for _, write := range []*plan.Write{v.Write, v.Each} {
			if write != nil {
				m.breaksOfWrite(write, note)
			}
		}
	}
	return first, first.Step > 0
}

type noteBreak func(step int, format string, args ...any)

func (m *Migration) breaksOfRead(r *plan.Read, note noteBreak) {
	keys := m.Old.Model.Table.Keys()
	if r.Index != nil {
		keys = r.Index.Keys()
		note(m.stepDropping(r.Index.Name.Text), "index %s is deleted", r.Index.Name.Text)
	}
	for _, e := range r.Entities {
		p := m.Pair(e)
		if p == nil {
			note(m.stepRemoving(e), "its %s are deleted", e.Name.Text)
			continue
		}
		for _, k := range m.keyDiffs(p) {
			if slices.ContainsFunc(keys, func(key model.KeyAttribute) bool { return key.Name == k.attribute }) {
				note(m.release(Writers), "it looks for %s by %s %s, and new ones have %s", e.Name.Text, k.attribute, orNone(k.was), orNone(k.is))
			}
		}
		if len(r.Types) > 0 && p.Old.Type != p.New.Type {
			note(m.release(Writers), "it keeps items whose type is %s, and new ones carry %s", p.Old.Type, p.New.Type)
		}
		m.breaksOfAttributes(p, append(conditionAttributes(r.Filter()), returned(r, e)...), note)
	}
}

// breaksOfAttributes notes which of the attributes that old code reads are not
// what they were in items of the new form.
func (m *Migration) breaksOfAttributes(p *Pair, names []string, note noteBreak) {
	for _, name := range names {
		old := p.Old.Attribute(name)
		if old == nil {
			continue
		}
		is := p.New.Attribute(name)
		switch {
		case is == nil:
			note(m.release(Writers), "it reads %s.%s, which new items do not have", p.Old.Name.Text, name)
		case storedOtherwise(old, is):
			note(m.release(Writers), "it reads %s.%s, which was %s and is %s", p.Old.Name.Text, name, typeText(old), typeText(is))
		}
	}
}

// returned are the attributes of an entity that a read gives its caller and that
// the caller may rely on: those asked for, or all that every item has.
func returned(r *plan.Read, e *model.Entity) []string {
	if r.Count {
		return nil
	}
	var out []string
	for _, a := range e.Attributes {
		if r.Projection == nil && !a.Optional || slices.Contains(r.Projection, a.Name.Text) {
			out = append(out, a.Name.Text)
		}
	}
	return out
}

func conditionAttributes(c expr.Cond) []string {
	if c == nil {
		return nil
	}
	var out []string
	for _, a := range expr.Attrs(c) {
		out = append(out, a.Path.Name)
	}
	return out
}

// breaksOfWrite notes that old code addresses items by keys that are no longer theirs.
func (m *Migration) breaksOfWrite(w *plan.Write, note noteBreak) {
	for _, a := range w.Actions {
		p := m.Pair(a.Entity)
		if p == nil {
			continue
		}
		moved := m.movedKeys(p)
		if len(moved) > 0 {
			note(m.release(Writers), "it writes %s under %s, and new ones are elsewhere", a.Entity.Name.Text, strings.Join(moved, ", "))
		}
	}
}

// movedKeys are the table's key attributes that an entity makes otherwise now,
// with their old templates.
func (m *Migration) movedKeys(p *Pair) []string {
	var out []string
	for _, k := range m.keyDiffs(p) {
		if slices.ContainsFunc(m.Old.Model.Table.Keys(), func(t model.KeyAttribute) bool { return t.Name == k.attribute }) {
			out = append(out, k.attribute+" "+orNone(k.was))
		}
	}
	return out
}

// release is the step of a release, 0 when there is none.
func (m *Migration) release(phase Phase) int {
	return m.step(func(s *Step) bool { return s.Kind == Deploy && s.Phase == phase })
}

func (m *Migration) stepDropping(index string) int {
	return m.step(func(s *Step) bool {
		return slices.ContainsFunc(s.Requests, func(r Request) bool { return drops(r, index) })
	})
}

func (m *Migration) stepRemoving(e *model.Entity) int {
	return m.step(func(s *Step) bool { return s.Backfill != nil && s.Backfill.Form == Remove && s.Backfill.Entity == e })
}

func (m *Migration) step(is func(*Step) bool) int { return slices.IndexFunc(m.Steps, is) + 1 }
