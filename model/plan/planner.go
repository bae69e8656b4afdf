package plan

import (
	"cmp"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
)

// Planner plans the patterns of one model. It is safe for concurrent use.
type Planner struct {
	model  *model.Model
	spaces []keyspace
	sizes  *sizer
	census *census
}

// New makes a planner.
func New(m *model.Model) *Planner { return After(m, 0) }

// After makes a planner that expects as many items as there are once the
// declared growth has gone on for some time. Its plans are the same.
func After(m *model.Model, age time.Duration) *Planner {
	return &Planner{model: m, spaces: keyspaces(m.Table), sizes: newSizer(m), census: newCensus(m, age)}
}

// Pattern plans one pattern of the model.
func (p *Planner) Pattern(pattern *model.Pattern) *Plan {
	plan := &Plan{Pattern: pattern}
	var found reports
	for _, absent := range combinations(pattern) {
		b := builder{Planner: p, pattern: pattern, found: &found, variant: &Variant{Pattern: pattern, Absent: absent, planner: p}}
		b.build()
		plan.Variants = append(plan.Variants, b.variant)
	}
	plan.Findings = found.all()
	return plan
}

// All plans all patterns, in the order of the model.
func (p *Planner) All() []*Plan {
	plans := make([]*Plan, len(p.model.Patterns))
	for i, pattern := range p.model.Patterns {
		plans[i] = p.Pattern(pattern)
	}
	return plans
}

// For is the variant for a call: the one that leaves out exactly the optional
// parameters that args leave out.
func (p *Plan) For(args model.Args) *Variant {
	absent := optional(p.Pattern)
	absent = slices.DeleteFunc(absent, func(name string) bool { return args[name].Exists() })
	for _, v := range p.Variants {
		if slices.Equal(v.Absent, absent) {
			return v
		}
	}
	return p.Variants[0]
}

// optional are the names of the parameters that may be left out.
func optional(p *model.Pattern) []string {
	var names []string
	for _, q := range p.Parameters {
		if q.Optional {
			names = append(names, q.Name)
		}
	}
	return names
}

// combinations are the sets of optional parameters that a call may leave out:
// none first, then by how many.
func combinations(p *model.Pattern) [][]string {
	sets := [][]string{nil}
	for _, name := range optional(p) {
		for _, set := range slices.Clone(sets) {
			sets = append(sets, append(slices.Clone(set), name))
		}
	}
	slices.SortStableFunc(sets, func(a, b []string) int { return cmp.Compare(len(a), len(b)) })
	return sets
}

// builder builds one variant and reports what is wrong with it.
type builder struct {
	*Planner
	pattern *model.Pattern
	variant *Variant
	found   *reports // of all variants
}

// build plans the pattern. What parsing had to leave out of it leaves it unserved.
func (b *builder) build() {
	switch p := b.pattern; p.Operation {
	case model.Query:
		if len(p.Entities) > 0 {
			b.query()
			b.then()
		}
	case model.DeleteEach, model.UpdateEach:
		if len(p.Entities) > 0 && p.Where != nil {
			b.each()
		}
	case model.Scan:
		if len(p.Entities) > 0 || p.All {
			b.scan()
		}
	case model.Get, model.BatchGet, model.TransactGet:
		b.get()
	case model.PartiQL:
		if p.Statement != nil {
			b.statement()
		}
	case model.External:
	default:
		b.write()
	}
}

// report adds a finding about the pattern; the variant is no longer sound.
func (b *builder) report(f diag.Finding) {
	f.Severity = diag.Error
	f.Pattern = b.pattern.Name.Text
	if !f.Span.Known() {
		f.Span = b.pattern.Name.At
	}
	if !slices.Contains(b.variant.Flaws, f.Rule) {
		b.variant.Flaws = append(b.variant.Flaws, f.Rule)
	}
	b.found.add(f, b.variant.Absent)
}

// given is a condition as this variant has it, without what optional parameters
// take with them; nil when nothing is left.
func (b *builder) given(c *model.Condition) expr.Cond {
	if c == nil {
		return nil
	}
	return expr.WithoutParams(c.Cond, b.left)
}

// left tells whether an optional parameter is left out.
func (b *builder) left(name string) bool { return slices.Contains(b.variant.Absent, name) }

// entityName is the name of the pattern's only entity, or "".
func (b *builder) entityName() string {
	if len(b.pattern.Entities) == 1 {
		return b.pattern.Entities[0].Name.Text
	}
	return ""
}
