package parse

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// readTraffic reads what is said about a pattern beside what it does. What is
// broken of that is left out, and the pattern stays.
func (p *patternDraft) readTraffic() {
	m, n := p.pattern, &p.nodes
	p.optional(n.rate, func(n *yamltree.Node) { m.Rate = p.rate(n) })
	p.optional(n.peak, func(n *yamltree.Node) { m.Peak = p.rate(n) })
	p.optional(n.skew, func(n *yamltree.Node) { m.Skew = p.readSkew(n) })
	p.optional(n.daily, func(n *yamltree.Node) { m.Daily = p.readDaily(n) })
	p.optional(n.budget, func(n *yamltree.Node) { m.Budget = p.readBudget(n) })
	if m.Operation != "" {
		p.optional(n.examples, p.readExamples)
	}
	m.Ignores = p.ignores(n.ignore)
	if m.Rate != nil && m.Peak != nil && m.Rate.Each == m.Peak.Each && m.Peak.PerSecond < m.Rate.PerSecond {
		p.errorf(m.Peak.At, "the peak is below the rate")
		m.Peak = nil
	}
}

// readSkew reads `uniform`, `zipf` or {hottest: 10%}.
func (p *patternDraft) readSkew(n *yamltree.Node) *model.Skew {
	s := &model.Skew{At: n.At}
	ok := p.whole(func() {
		if n.Kind == yamltree.Scalar {
			s.Kind = p.word(n, "uniform", "zipf")
			return
		}
		s.Kind = "hottest"
		p.object(n, head(n), "a skew", []field{{"hottest", true, func(n *yamltree.Node) { s.Hottest = p.share(n) }}})
	})
	if !ok {
		return nil
	}
	return s
}

func (p *patternDraft) readBudget(n *yamltree.Node) *model.Budget {
	b := &model.Budget{At: n.At}
	figure := func(target **float64) func(*yamltree.Node) {
		return func(n *yamltree.Node) { f := p.number(n); *target = &f }
	}
	if !p.whole(func() {
		p.object(n, head(n), "a budget", []field{
			{"rcu", false, figure(&b.RCU)},
			{"wcu", false, figure(&b.WCU)},
			{"requests", false, figure(&b.Requests)},
			{"items_read", false, figure(&b.ItemsRead)},
		})
	}) {
		return nil
	}
	return b
}

// readExamples reads calls with what they must give on the samples.
func (p *patternDraft) readExamples(n *yamltree.Node) {
	for _, item := range p.items(n, "`examples` is a list of {with: , expect: }") {
		e := &model.Example{At: item.At, With: map[string]value.Value{}}
		if p.whole(func() {
			p.object(item, head(item), "an example", []field{
				{"with", false, func(n *yamltree.Node) { p.arguments(e, n) }},
				{"expect", true, func(n *yamltree.Node) { p.expected(e, n) }},
			})
			if item.Kind == yamltree.Mapping && !lost(item, "with") && !p.faulty {
				p.missingArguments(e, item)
			}
		}) {
			p.pattern.Examples = append(p.pattern.Examples, e)
		}
	}
}

// arguments reads the parameters of an example's call.
func (p *patternDraft) arguments(e *model.Example, n *yamltree.Node) {
	for _, entry := range p.entries(n, "`with` is a mapping from parameters to values") {
		if p.faulty {
			p.broken() // of which domain a value must be is not known
			continue
		}
		q := p.pattern.Parameter(entry.Key.Text)
		if q == nil {
			if p.params.suspect {
				p.broken()
				continue
			}
			p.unknownf(entry.Key.At, "the pattern has no parameter `$%s`%s", clip(entry.Key.Text), p.meant(entry.Key.Text, p.params.names(), "; its parameters are "))
			continue
		}
		if v, ok := p.argument(q, entry.Value); ok {
			e.With[q.Name] = v
		}
	}
}

// argument reads the value of a parameter.
func (p *patternDraft) argument(q *model.Parameter, n *yamltree.Node) (value.Value, bool) {
	if !q.List {
		return p.single(q, n)
	}
	var items []value.Value
	ok := p.whole(func() {
		for _, item := range p.items(n, "`$"+q.Name+"` is a list") {
			if q.Fields == nil {
				v, _ := p.single(q, item)
				items = append(items, v)
				continue
			}
			items = append(items, p.record(q, item))
		}
	})
	return value.OfList(items...), ok
}

func (p *patternDraft) single(q *model.Parameter, n *yamltree.Node) (value.Value, bool) {
	a := q.Domain()
	if a == nil {
		return value.Value{}, false
	}
	named := &model.Attribute{Name: model.Name{Text: q.Name}, Type: a.Type, Domain: a.Domain}
	if len(q.Funcs) > 0 && q.Declared == nil {
		named = &model.Attribute{Name: named.Name, Type: model.TypeString}
	}
	return p.valueOf(named, n)
}

// record reads one member of the list of a for_each or of a batch's keys.
func (p *patternDraft) record(q *model.Parameter, n *yamltree.Node) value.Value {
	var fields []value.Field
	for _, e := range p.entries(n, "the members of `$"+q.Name+"` are mappings") {
		var names []string
		var found *model.Parameter
		for _, f := range q.Fields {
			if names = append(names, f.Name); f.Name == e.Key.Text {
				found = f
			}
		}
		if found == nil {
			p.unknownf(e.Key.At, "`$%s` has no field `%s`%s", q.Name, clip(e.Key.Text), p.meant(e.Key.Text, names, "; its fields are "))
			continue
		}
		if v, ok := p.argument(found, e.Value); ok {
			fields = append(fields, value.Field{Name: found.Name, Value: v})
		}
	}
	return value.OfMap(fields...)
}

// missingArguments reports parameters that an example's call lacks.
func (p *patternDraft) missingArguments(e *model.Example, n *yamltree.Node) {
	var missing []string
	for _, q := range p.pattern.Parameters {
		if _, given := e.With[q.Name]; !given && !q.Optional && !q.MayBeAbsent && n.Get("with").Get(q.Name) == nil {
			missing = append(missing, "$"+q.Name)
		}
	}
	if len(missing) > 0 {
		p.errorf(head(n), "the example gives no value for %s", enumerate(missing, "and"))
	}
}

// expected reads the items that an example expects, partly stated: their
// attributes, or {Entity: attributes}.
func (p *patternDraft) expected(e *model.Example, n *yamltree.Node) {
	e.Expect = []model.ExpectedItem{}
	for _, item := range p.items(n, "`expect` is a list of items") {
		x := model.ExpectedItem{At: item.At}
		if p.whole(func() { p.expectedItem(&x, item) }) {
			e.Expect = append(e.Expect, x)
		}
	}
}

func (p *patternDraft) expectedItem(x *model.ExpectedItem, n *yamltree.Node) {
	drafts := p.drafts
	if len(drafts) == 0 && p.pattern.Step != nil {
		drafts = []*draft{p.byName[p.pattern.Step.Entity.Name.Text]}
	}
	if entries := n.Entries; len(entries) == 1 && p.byName[entries[0].Key.Text] != nil {
		d := p.byName[entries[0].Key.Text]
		x.Entity = d.entity
		drafts, n = []*draft{d}, entries[0].Value
		if n.Kind == yamltree.Null {
			return
		}
	}
	if len(drafts) == 1 {
		x.Entity = drafts[0].entity
	}
	x.Item = p.attributeValues(drafts, n)
}

// attributeValues reads attributes with their values; each is one of the first
// of some entities that has it.
func (b *builder) attributeValues(drafts []*draft, n *yamltree.Node) model.Item {
	item := model.Item{}
	if n.Incomplete {
		b.broken()
	}
	for _, e := range b.entries(n, "an item is a mapping from attributes to values") {
		var d *draft
		for _, other := range drafts {
			if d == nil || other.attributes[e.Key.Text] != nil && d.attributes[e.Key.Text] == nil {
				d = other
			}
		}
		if d == nil {
			b.broken()
			continue
		}
		a := b.member(d, e.Key.Text, e.Key.At)
		switch {
		case a == nil:
		case e.Value.Kind == yamltree.Null:
			b.noValue(e.Value, "`"+a.Name.Text+"`")
		default:
			if v, ok := b.valueOf(a, e.Value); ok {
				item[a.Name.Text] = v
			}
		}
	}
	return item
}
