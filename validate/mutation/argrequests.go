package mutation

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
)

// sameRequests tells whether each pattern is served from the same index by no
// more requests, with the same filter, apart from the text of keys.
func (c *comparison) sameRequests() bool { return c.requests(true) }

// filtered tells the same, where a filter may have come in for what the key
// said before, perhaps on another index. What it costs at the declared volume is for the rules to judge;
// one that looks for a single item is a fault.
func (c *comparison) filtered() bool { return c.requests(false) }

func (c *comparison) requests(sameFilter bool) bool {
	return c.pairs(func(p *model.Pattern, before, after *plan.Variant) bool {
		if before.Served() != after.Served() || !slices.Equal(before.Flaws, after.Flaws) {
			return false
		}
		switch {
		case before.Read != nil && after.Read != nil:
			a, b := before.Read, after.Read
			if a.API != b.API || a.Descending != b.Descending || after.Cost().Requests > before.Cost().Requests {
				return false
			}
			return !sameFilter && !p.One && after.Sound() || indexOf(a) == indexOf(b) && a.FilterText() == b.FilterText()
		case before.Write != nil && after.Write != nil:
			return before.Write.API == after.Write.API && len(before.Write.Actions) == len(after.Write.Actions)
		}
		return before.Statement == nil && after.Statement == nil && !after.Served()
	})
}

func indexOf(r *plan.Read) string {
	if r.Index == nil {
		return ""
	}
	return r.Index.Name.Text
}

// filteredInstead tells whether every query of an index for an entity's items
// has another filter than before, and all patterns are served as well.
func (c *comparison) filteredInstead() bool {
	key := c.mutant.part.key
	return c.filtered() && c.pairs(func(p *model.Pattern, before, after *plan.Variant) bool {
		r := before.Read
		if r == nil || r.Index == nil || !slices.ContainsFunc(r.Index.Keys(), func(k model.KeyAttribute) bool { return k.Name == key }) ||
			!slices.ContainsFunc(r.Entities, func(e *model.Entity) bool { return e.Name.Text == c.mutant.part.entity }) {
			return true
		}
		return r.FilterText() != after.Read.FilterText()
	})
}

// sameTexts tells whether each pattern is served by the very same requests.
func (c *comparison) sameTexts() bool {
	return c.pairs(func(_ *model.Pattern, before, after *plan.Variant) bool {
		return before.Text() == after.Text() && slices.Equal(before.Flaws, after.Flaws)
	})
}

// unprojected tells whether no pattern that reads the index needs the attribute.
func (c *comparison) unprojected() bool {
	if c.mutant.part.attribute == "" || !c.sameTexts() {
		return false
	}
	return c.pairs(func(p *model.Pattern, _, after *plan.Variant) bool {
		r := after.Read
		if r == nil || indexOf(r) != c.mutant.part.index {
			return true
		}
		return !slices.Contains(needed(p), c.mutant.part.attribute) && !wantsAll(p)
	})
}

// fetched tells whether the index is a local one, from which DynamoDB fetches
// what it lacks from the table, and every pattern is served as before.
func (c *comparison) fetched() bool {
	x := c.broken.Table.Index(c.mutant.part.index)
	return x != nil && x.Local && c.sameTexts()
}

// wantsAll tells whether a pattern returns whole items.
func wantsAll(p *model.Pattern) bool { return p.Select == nil && !p.Count }

// needed are the attributes that a pattern names.
func needed(p *model.Pattern) []string {
	var out []string
	for _, a := range p.Select {
		out = append(out, a.Text)
	}
	for _, o := range p.Order {
		out = append(out, o.Attribute)
	}
	for _, cond := range []*model.Condition{p.Where, p.Filter} {
		if cond != nil {
			out = append(out, names(cond.Cond)...)
		}
	}
	return out
}

// names are the attributes in an expression, those inside maps by their map.
func names(n expr.Node) []string {
	var out []string
	for _, a := range expr.Attrs(n) {
		out = append(out, a.Path.Name)
	}
	return out
}

// servedElsewhere tells whether every pattern is served with no more requests
// and no more of a filter than before, and those that read the index now read
// another one.
func (c *comparison) servedElsewhere() bool {
	return c.pairs(func(_ *model.Pattern, before, after *plan.Variant) bool {
		if before.Read == nil || indexOf(before.Read) != c.mutant.part.index {
			return before.Text() == after.Text() || after.Write != nil && slices.Equal(before.Flaws, after.Flaws)
		}
		if !after.Sound() || after.Read == nil || indexOf(after.Read) == c.mutant.part.index {
			return false
		}
		a, b := before.Read, after.Read
		return a.FilterText() == b.FilterText() && after.Cost().Requests <= before.Cost().Requests &&
			after.Cost().ItemsRead <= before.Cost().ItemsRead && a.Consistent == b.Consistent
	})
}
