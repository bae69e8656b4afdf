package load

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/plan"
)

// Group is the partition key values of one shape, in the table or an index: the
// items of all entities that can share one.
type Group struct {
	Index *model.Index // nil: the table, and its local indexes
	// Key is how the first entity writes the partition key: STATUS#{status}.
	Key string
	// Entities are those that traffic falls on, in order of their first pattern.
	Entities []*model.Entity
	Loads    []Part

	shape string
}

// Part is what one pattern puts on a group.
type Part struct {
	Traffic *Traffic
	Entity  *model.Entity
	Share
	// All are the units a second on all values together, at the pattern's peak.
	All Units
}

// Busiest are the units a second on the busiest value, at the pattern's peak.
func (p Part) Busiest() Units { return p.All.Times(p.Top) }

// Busiest are the units a second that the group's busiest value gets when every
// pattern is at its peak, and the busiest value is the same for all.
func (g *Group) Busiest() (u Units) {
	for _, p := range g.Loads {
		u = u.Plus(p.Busiest())
	}
	return u
}

// Use is the part of what a partition serves that the units are: the greater of
// reads and writes, 1 for all of it.
func (u Units) Use() float64 { return max(u.Reads/PartitionReads, u.Writes/PartitionWrites) }

// grouper gathers the groups of a model.
type grouper struct {
	model   *model.Model
	planner *plan.Planner
	groups  []*Group
}

func groups(m *model.Model, planner *plan.Planner, traffic []*Traffic) []*Group {
	g := &grouper{model: m, planner: planner}
	for _, t := range traffic {
		if t.Declared {
			g.add(t)
		}
	}
	order := func(x *model.Index) int { return slices.Index(m.Table.Indexes, x) } // -1: the table
	slices.SortStableFunc(g.groups, func(a, b *Group) int { return order(a.Index) - order(b.Index) })
	return g.groups
}

// add adds what a pattern's calls take, charge by charge. A scan goes to all
// partitions alike.
func (g *grouper) add(t *Traffic) {
	v := t.Plan.Variants[0]
	for _, c := range v.Cost().Charges {
		if c.Guard || c.Action == nil && c.Read.API == plan.Scan {
			continue
		}
		e := c.Entity
		if e == nil {
			e = c.Read.Entities[0]
		}
		x := Place(c.Index)
		templates, ok := partitionTemplates(g.model.Table, e, x)
		if !ok {
			continue
		}
		s := &spreader{planner: g.planner, entity: e, skew: t.Plan.Pattern.Skew, whens: Whens(e, x)}
		part := Part{Traffic: t, Entity: e, Share: s.share(c, templates), All: Units{c.RCU, c.WCU}.Times(t.Peak)}
		into := g.group(x, e, templates)
		into.Loads = append(into.Loads, part)
	}
}

// group is the group of an entity's items in a place, new or known.
func (g *grouper) group(x *model.Index, e *model.Entity, templates []model.Template) *Group {
	shape := shapeOf(templates)
	i := slices.IndexFunc(g.groups, func(h *Group) bool { return h.Index == x && h.shape == shape })
	if i < 0 {
		var texts []string
		for _, t := range templates {
			texts = append(texts, t.Text)
		}
		g.groups = append(g.groups, &Group{Index: x, Key: strings.Join(texts, " "), shape: shape})
		i = len(g.groups) - 1
	}
	if into := g.groups[i]; !slices.Contains(into.Entities, e) {
		into.Entities = append(into.Entities, e)
	}
	return g.groups[i]
}

// Group is the group that an entity's items in a place belong to; nil when no
// traffic falls on it.
func (l *Load) Group(e *model.Entity, x *model.Index) *Group {
	for _, g := range l.Groups {
		if g.Index == Place(x) && slices.Contains(g.Entities, e) {
			return g
		}
	}
	return nil
}

// partitionTemplates are how an entity makes the partition key of a place; false
// when its items are never there.
func partitionTemplates(t *model.Table, e *model.Entity, x *model.Index) ([]model.Template, bool) {
	keys := []model.KeyAttribute{t.PartitionKey}
	if x != nil {
		keys = x.PartitionKey
	}
	var out []model.Template
	for _, k := range keys {
		template, ok := encode.KeyTemplate(t, e, k.Name)
		if !ok {
			return nil, false
		}
		out = append(out, template)
	}
	return out, true
}

// shapeOf is what templates of one shape have in common: literal text, and that
// there is something between.
func shapeOf(templates []model.Template) string {
	var text strings.Builder
	for _, t := range templates {
		for _, p := range t.Parts {
			if p.Attribute == nil && p.Random == 0 {
				text.WriteString(p.Literal)
			} else {
				text.WriteString("{}")
			}
		}
		text.WriteByte(0)
	}
	return text.String()
}
