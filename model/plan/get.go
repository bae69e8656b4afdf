package plan

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
)

// get plans a read by primary keys.
func (b *builder) get() {
	p := b.pattern
	r := &Read{API: getAPI(p.Operation), Entities: p.Entities, Projection: selected(p), Consistent: p.Consistent,
		One: p.Operation == model.Get, Merge: MergeNone, typeAttribute: b.model.Table.EntityType}
	r.UserFilter = b.given(p.Filter)
	for _, g := range b.keyReads() {
		if g.Key = b.keyRecipes(g.Entity, g.source); g.Key == nil {
			return
		}
		g.Live = condOf(p.LiveOf(g.Entity))
		r.Gets = append(r.Gets, g.Get)
	}
	if len(r.Entities) == 0 {
		for _, g := range r.Gets {
			r.Entities = append(r.Entities, g.Entity)
		}
	}
	b.projectTests(r)
	b.variant.Read = r
	b.checkGetLimits(r)
}

// projectTests asks also for what the reader needs to test what comes back: what
// the filter names and what tells whether items are live, with what tells the
// entity of an item.
func (b *builder) projectTests(r *Read) {
	if r.Projection == nil {
		return
	}
	r.Projection = append(r.Projection, namesIn(r.UserFilter)...)
	var live []string
	for _, g := range r.Gets {
		live = append(live, namesIn(g.Live)...)
	}
	if len(live) > 0 && r.typeAttribute != "" {
		live = append(live, r.typeAttribute)
	} else if len(live) > 0 {
		for _, k := range b.model.Table.Keys() {
			live = append(live, k.Name)
		}
	}
	r.Projection = distinct(append(r.Projection, live...))
}

// namesIn are the attributes that a condition names, nil for none.
func namesIn(c expr.Cond) []string {
	var names []string
	for _, a := range expr.Attrs(c) {
		names = append(names, a.Path.Name)
	}
	return names
}

func getAPI(op model.Operation) API {
	switch op {
	case model.BatchGet:
		return BatchGetItem
	case model.TransactGet:
		return TransactGetItems
	}
	return GetItem
}

// keyRead is a key to read, in the making.
type keyRead struct {
	*Get
	source valueSource
}

// valueSource gives the operand of an attribute's value; nil where there is none.
type valueSource func(attribute string) expr.Operand

// keyReads are the keys that the pattern reads: one for each step, one for each
// entity, or a list of them.
func (b *builder) keyReads() []keyRead {
	var out []keyRead
	for _, s := range b.pattern.AllSteps() {
		out = append(out, keyRead{&Get{Entity: s.Entity}, inputs(s)})
	}
	if len(out) > 0 {
		return out
	}
	list := ""
	for _, q := range b.pattern.Parameters {
		if q.List && list == "" && b.pattern.Operation != model.Get {
			list = q.Name
		}
	}
	for _, e := range b.pattern.Entities {
		out = append(out, keyRead{&Get{Entity: e, List: list}, func(name string) expr.Operand { return &expr.Param{Name: name} }})
	}
	return out
}

// inputs gives what a step's call brings.
func inputs(s *model.Step) valueSource {
	return func(name string) expr.Operand {
		for _, in := range s.Inputs {
			if in.Attribute.Name.Text == name && in.Value != nil {
				return in.Value
			}
		}
		return nil
	}
}

// keyRecipes make the table's key of an entity's item. A key with a drawn shard
// cannot be made again: that is reported, and nil returned.
func (b *builder) keyRecipes(e *model.Entity, from valueSource) []KeyRecipe {
	var out []KeyRecipe
	keys, _ := b.spaces[0].templates(e)
	for _, k := range keys {
		recipe := Recipe{Kind: recipeKind(k.attribute, k.Template)}
		for _, p := range k.Parts {
			if p.Random > 0 {
				b.report(randomKey(e, k.attribute.Name))
				return nil
			}
			recipe.Parts = append(recipe.Parts, keyPartFrom(p, from))
		}
		out = append(out, KeyRecipe{Attribute: k.attribute, Value: recipe})
	}
	return out
}

// keyPartFrom is a part of a template with its value taken from a source.
func keyPartFrom(p model.Part, from valueSource) Part {
	if p.Attribute == nil {
		return Part{Literal: p.Literal, Random: p.Random}
	}
	a, c := seen(p)
	return Part{Source: from(p.Path.Name), Into: p.Path.Rest, Attribute: a, Funcs: c, chain: c}
}

func randomKey(e *model.Entity, key string) diag.Finding {
	return diag.Finding{Rule: diag.NoIndex, Entity: e.Name.Text,
		Message: "no single " + e.Name.Text + " can be addressed: " + key + " holds a shard drawn at random",
		Fix:     "use `shard(n)` of an attribute instead of `random(n)`, or query"}
}
