package verify

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// explainDisorder explains items that came in another order than asked for.
func (t *trial) explainDisorder(f *failure) explanation {
	x, y, by, ok := t.outOfOrder(f)
	if !ok {
		return explanation{cause: "order"}
	}
	if by.Attribute == "" {
		return t.explainPlaces(f, x, y)
	}
	a := x.in.Entity.Attribute(by.Attribute)
	keys := t.sortKeys(f)
	what := fmt.Sprintf("%s = %s comes before %s = %s.", by.Attribute, x.in.Item[by.Attribute], by.Attribute, y.in.Item[by.Attribute])
	if len(keys) == 0 {
		return explanation{cause: "order", why: what + " What is read has no sort key."}
	}
	key := keys[len(keys)-1]
	template, _ := t.templateOf(x.in.Entity, key)
	p, ok := deciding(template, x.in, y.in)
	switch {
	case ok && p.Attribute != a:
		return explanation{cause: "order " + by.Attribute, why: what + fmt.Sprintf(" The results come in the order of %s, in which %s comes first.", quoted(key, template), p.Path),
			fix: fmt.Sprintf("Let {%s} be the first part of a sort key that `where` does not fix.", by.Attribute)}
	case ok && plainNumber(p, template):
		e := unpadded(a, key, template)
		e.why = what + " " + e.why
		return e
	case ok && !sortable(a):
		e := unsorted(a, key)
		e.why = what + " " + e.why
		return e
	}
	return explanation{cause: "direction", why: what + fmt.Sprintf(" All of %s is read in %s order.", quoted(key, template), t.direction(f)),
		fix: fmt.Sprintf("Ask for all of `order` in one direction, or let %s hold %s in the form that sorts the other way, as `invert(n)` does for numbers.", key, by.Attribute)}
}

// explainPlaces explains items of one entity that came before those of another.
func (t *trial) explainPlaces(f *failure, x, y *record) explanation {
	first, second := x.in.Entity.Name.Text, y.in.Entity.Name.Text
	e := explanation{cause: "order of types", why: fmt.Sprintf("An item of %s comes before one of %s.", first, second),
		fix: fmt.Sprintf("Let the sort keys of %s and %s begin with literals that are in the order asked for, seen in the direction of reading.", second, first)}
	if keys := t.sortKeys(f); len(keys) > 0 {
		key := keys[0]
		e.why += fmt.Sprintf(" %s = %s and %s are read in %s order.", key, x.item[key], y.item[key], t.direction(f))
	}
	return e
}

func (t *trial) direction(f *failure) string {
	if f.variant.Read != nil && f.variant.Read.Descending {
		return "descending"
	}
	return "ascending"
}

// deciding is the first part of a template in which two items differ.
func deciding(template model.Template, x, y model.Instance) (model.Part, bool) {
	for _, p := range template.Parts {
		if p.Attribute != nil && !value.Equal(encode.Lookup(x.Item, p.Path), encode.Lookup(y.Item, p.Path)) {
			return p, true
		}
	}
	return model.Part{}, false
}

// outOfOrder is the first pair of neighbours that are in the wrong order, and
// by which attribute.
func (t *trial) outOfOrder(f *failure) (x, y *record, by model.OrderBy, ok bool) {
	answer := oracle.NewWorld(f.culprits).Read(f.scene.call(t.pattern))
	for i := 0; i+1 < len(f.got); i++ {
		x, y = f.got[i].record, f.got[i+1].record
		if x == nil || y == nil || answer.Compare(x.in, y.in) <= 0 {
			continue
		}
		if x.in.Entity != y.in.Entity && model.OverTypes(t.pattern.Order) {
			return x, y, model.OrderBy{Entity: x.in.Entity}, true
		}
		for _, by := range model.OrderWithin(t.pattern.Order, x.in.Entity) {
			if !value.Equal(x.in.Item[by.Attribute], y.in.Item[by.Attribute]) {
				return x, y, by, true
			}
		}
	}
	return nil, nil, model.OrderBy{}, false
}

// sortKeys are the sort key attributes of what was read.
func (t *trial) sortKeys(f *failure) []string {
	if x := f.index(); x != nil {
		return keyNames(x.SortKey)
	}
	return keyNames(t.model.Table.Keys()[1:])
}

// explainLacking explains an attribute that did not come with its item.
func (t *trial) explainLacking(f *failure) explanation {
	x := f.index()
	if x == nil {
		return explanation{cause: "lacking " + f.attribute}
	}
	held := "only the keys of the table and of the index"
	if names := included(x); len(names) > 0 {
		held = "the keys and " + strings.Join(names, ", ")
	}
	return explanation{cause: "lacking",
		why: fmt.Sprintf("The index %s projects %s, and not %s.", x.Name.Text, held, f.attribute),
		fix: fmt.Sprintf("Add %s to the projection of %s, or `select` only what it holds.", f.attribute, x.Name.Text)}
}

// explainAmbiguous explains several matches of a pattern that promises one.
func (t *trial) explainAmbiguous(f *failure) explanation {
	where := "Nothing"
	if t.pattern.Where != nil {
		where = fmt.Sprintf("Nothing in the model keeps two items from satisfying `%s`, so nothing", t.pattern.Where.Text)
	}
	return explanation{cause: "ambiguous",
		why: where + " makes sure that there is only one.",
		fix: "Declare the attributes that `where` compares as `unique`, or take `one: true` away."}
}

// explainLeak explains a call that returns what belongs to two owners.
func (t *trial) explainLeak(f *failure) explanation {
	return explanation{cause: "leak",
		why: fmt.Sprintf("`where` does not fix %s, and nothing else that it fixes belongs to one value of %s only.", f.attribute, f.attribute),
		fix: fmt.Sprintf("Add `%s = $%s` to `where`, with %s in the partition key that is read, or accept it with `across: true`.", f.attribute, f.attribute, f.attribute)}
}
