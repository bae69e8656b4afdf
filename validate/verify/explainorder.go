package verify

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// explainDisorder explains items that came in another order than asked for.
func (t *trial) explainDisorder(f *failure) explanation {
	x, y, by, ok := t.outOfOrder(f)
	if !ok {
		return explanation{cause: "order"}
	}
	a := x.in.Entity.Attribute(by.Attribute)
	keys := t.sortKeys(f)
	what := fmt.Sprintf("%s = %s comes before %s = %s.", by.Attribute, x.in.Item[by.Attribute], by.Attribute, y.in.Item[by.Attribute])
	if len(keys) == 0 {
		return explanation{cause: "order", why: what + " What is read has no sort key."}
	}
	key := keys[len(keys)-1]
	template, _ := t.templateOf(x.in.Entity, key)
	for _, p := range template.Parts {
		if p.Attribute == nil {
			continue
		}
		switch {
		case p.Attribute != a:
			return explanation{cause: "order " + by.Attribute, why: what + fmt.Sprintf(" The results come in the order of %s, which %s leads.", quoted(key, template), p.Path),
				fix: fmt.Sprintf("Let {%s} be the first part of a sort key that `where` does not fix.", by.Attribute)}
		case plainNumber(p, template):
			e := unpadded(a, key, template)
			e.why = what + " " + e.why
			return e
		case !sortable(a):
			e := unsorted(a, key)
			e.why = what + " " + e.why
			return e
		}
		if t.fixedByWhere(p.Attribute) {
			continue
		}
		break
	}
	direction := "ascending"
	if f.variant.Read != nil && f.variant.Read.Descending {
		direction = "descending"
	}
	return explanation{cause: "direction", why: what + fmt.Sprintf(" The results come in %s order of %s.", direction, quoted(key, template)),
		fix: fmt.Sprintf("Ask for the order that %s gives, or let the sort key hold %s so that it sorts the way that is wanted.", key, by.Attribute)}
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
		for _, by := range t.pattern.Order {
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

// fixedByWhere tells whether `where` names the attribute in an equality.
func (t *trial) fixedByWhere(a *model.Attribute) bool {
	return t.pattern.Where != nil && strings.Contains(t.pattern.Where.Text, a.Name.Text+" = ")
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
