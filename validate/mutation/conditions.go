package mutation

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// conditions weakens what patterns ask for and insist on, and what decides
// whether an item is in an index.
func (b *breaker) conditions() {
	for _, p := range b.model.Patterns {
		at := part{pattern: p.Name.Text}
		b.weaken(p.Where, at, false)
		b.weaken(p.Filter, at, true)
		for _, s := range p.AllSteps() {
			at.step = s
			b.weaken(s.If, at, true)
		}
	}
	for _, e := range b.model.Entities {
		for _, k := range e.Keys {
			if k.When != nil && b.here(k.When.At) {
				b.remove(LostWhen, part{entity: e.Name.Text, key: k.Name.Text, condition: k.When.Cond}, valueAt(k.When.At))
				b.bounds(k.When, part{entity: e.Name.Text, key: k.Name.Text})
			}
		}
	}
}

// weaken drops a condition (where it may be missing), each of the conditions
// that it joins by AND, and lets bounds in.
func (b *breaker) weaken(c *model.Condition, p part, optional bool) {
	if c == nil || !b.here(c.At) {
		return
	}
	terms := expr.Conjuncts(c.Cond)
	if optional {
		p.condition = c.Cond
		b.remove(LostCondition, p, valueAt(c.At))
	}
	if len(terms) > 1 {
		for i, t := range terms {
			p.condition = t
			rest := expr.All(slices.Delete(slices.Clone(terms), i, i+1)...)
			b.add(LostCondition, p, scalar(c.At, expr.String(rest)))
		}
	}
	b.bounds(c, p)
}

// bounds makes each < a <= and each > a >=.
func (b *breaker) bounds(c *model.Condition, p part) {
	expr.Walk(c.Cond, func(n expr.Node) {
		x, ok := n.(*expr.Compare)
		if !ok || x.Op != expr.Lt && x.Op != expr.Gt {
			return
		}
		between := b.file.Text()[x.Left.Span().End:max(x.Left.Span().End, x.Right.Span().Start)]
		if i := strings.Index(between, string(x.Op)); i >= 0 {
			at := x.Left.Span().End + i + 1
			p.condition = x
			b.add(WeakerBound, p, edit{at, at, "="})
		}
	})
}
