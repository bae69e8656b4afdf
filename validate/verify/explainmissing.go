package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// explainMissing explains a matching item that did not come back.
func (t *trial) explainMissing(f *failure) explanation {
	if len(f.culprits) == 0 {
		return explanation{}
	}
	in := f.culprits[0]
	r := f.recordOf(in)
	if r == nil {
		return explanation{}
	}
	if e := t.notInIndex(f, in, r); e.cause != "" {
		return e
	}
	tests := testsOf(f.requests)
	if readBy(tests, r.item) == nil {
		return t.outOfRange(f, in, r, tests)
	}
	return t.dropped(f, in)
}

// notInIndex explains an item that the index read does not hold.
func (t *trial) notInIndex(f *failure, in model.Instance, r *record) explanation {
	x := f.index()
	if x == nil {
		return explanation{}
	}
	for _, k := range x.Keys() {
		if r.item[k.Name].Exists() {
			continue
		}
		e := explanation{cause: "sparse " + x.Name.Text,
			fix: fmt.Sprintf("Say in `where` what makes an item a member of %s, or read from an index that holds every %s.", x.Name.Text, in.Entity.Name.Text)}
		template, made := t.templateOf(in.Entity, k.Name)
		if !made {
			e.why = fmt.Sprintf("It is not in the index %s: %s has no key %s.", x.Name.Text, in.Entity.Name.Text, k.Name)
			return e
		}
		e.why = fmt.Sprintf("It is not in the index %s, which is sparse for %s: %s.", x.Name.Text, in.Entity.Name.Text, t.withheld(in, x, k.Name, template))
		return e
	}
	return explanation{}
}

// withheld says why the keys of an index are not written for an item.
func (t *trial) withheld(in model.Instance, x *model.Index, missing string, template model.Template) string {
	for _, k := range x.Keys() {
		other, _ := t.templateOf(in.Entity, k.Name)
		for _, p := range other.Parts {
			if p.Attribute != nil && !encode.Lookup(in.Item, p.Path).Exists() {
				return fmt.Sprintf("%s needs %s, which it does not have", quoted(k.Name, other), p.Path)
			}
		}
	}
	for _, k := range x.Keys() {
		if key := in.Entity.Key(k.Name); key != nil && key.When != nil && !encode.Holds(key.When.Cond, in.Entity, in.Item) {
			return fmt.Sprintf("`when: %s` of %s does not hold for it", key.When.Text, k.Name)
		}
	}
	return quoted(missing, template) + " is not written"
}

// outOfRange explains an item whose keys no request reads.
func (t *trial) outOfRange(f *failure, in model.Instance, r *record, tests [][]keyTest) explanation {
	best := nearest(tests, r.item)
	if best == nil {
		return explanation{}
	}
	k, _ := failing(best, r.item)
	template, _ := t.templateOf(in.Entity, k.attribute)
	head := fmt.Sprintf("It is stored with %s (%s), and the request reads %s.", lie(r.item, k), quoted(k.attribute, template), k)
	if n := len(tests); n > 1 {
		head = fmt.Sprintf("It is stored with %s (%s), and none of the %d requests reads that; the nearest reads %s.", lie(r.item, k), quoted(k.attribute, template), n, k)
	}
	for _, p := range template.Parts {
		if p.Attribute == nil {
			continue
		}
		switch ranged := t.ranges(p.Attribute); {
		case ranged && plainNumber(p, template):
			return unpadded(p.Attribute, k.attribute, template)
		case ranged && !sortable(p.Attribute):
			return unsorted(p.Attribute, k.attribute)
		case len(p.Funcs) > 0 && k.op == model.KeyEq && t.pattern.Key != nil:
			return explanation{cause: "bucket " + p.Attribute.Name.Text,
				why: head + fmt.Sprintf(" The item's key is made with {%s|%s}; what the request asks for is made otherwise.", p.Path, funcsText(p.Funcs)),
				fix: fmt.Sprintf("Make %s in the pinned `key` as the entity does, from every value that `where` allows, or leave `key` out and let the planner make the requests.", k.attribute)}
		}
	}
	e := explanation{cause: "out of range " + k.attribute, why: head}
	if t.pattern.Key != nil {
		e.fix = fmt.Sprintf("Make %s in the pinned `key` so that it covers everything `where` asks for, or leave `key` out and let the planner make the requests.", k.attribute)
	}
	return e
}

// ranges tells whether the pattern ranges over the attribute or orders by it.
func (t *trial) ranges(a *model.Attribute) bool {
	if slices.ContainsFunc(t.pattern.Order, func(o model.OrderBy) bool { return o.Attribute == a.Name.Text }) {
		return true
	}
	return t.pattern.Where != nil && within(t.pattern.Where.Cond, func(n expr.Node) bool {
		c, ok := n.(expr.Cond)
		return ok && isRange(c) && within(c, func(n expr.Node) bool {
			attr, ok := n.(*expr.Attr)
			return ok && attr.Path.Name == a.Name.Text
		})
	})
}

// nearest is the key condition of which an item passes the most tests before
// it fails one, and is then nearest to passing that.
func nearest(tests [][]keyTest, item plan.Stored) []keyTest {
	var best []keyTest
	most := [2]int{-1, -1}
	for _, all := range tests {
		passed := [2]int{len(all), 0}
		for i, k := range all {
			if !k.holds(item) {
				passed = [2]int{i, commonBeginning(item[k.attribute].Text(), k.values[0].Text())}
				break
			}
		}
		if passed[0] > most[0] || passed[0] == most[0] && passed[1] > most[1] {
			best, most = all, passed
		}
	}
	return best
}

func commonBeginning(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// dropped explains an item that the request reads and does not return.
func (t *trial) dropped(f *failure, in model.Instance) explanation {
	read := f.variant.Read
	if read == nil {
		return explanation{cause: "statement", why: "The statement, as it is written, does not return it."}
	}
	if len(read.Types) > 0 && !slices.Contains(read.Types, in.Entity) {
		return explanation{cause: "type filter", why: "The filter on the entity type drops it."}
	}
	call := f.scene.call(t.pattern)
	for _, filter := range []expr.Cond{read.UserFilter, read.Residual, read.Boundary} {
		if filter == nil {
			continue
		}
		for _, term := range call.Unmet(&model.Condition{Cond: filter}, in) {
			return t.filteredOut(in, term)
		}
	}
	if f.kind == surplus {
		return explanation{cause: "surplus", why: fmt.Sprintf("The limit of %d is not kept.", t.pattern.Limit)}
	}
	if t.pattern.Limit > 0 {
		return explanation{cause: "cut", why: "The requests read it, and stop before they return it: a `limit` counts what is read before filters and merges."}
	}
	return explanation{cause: "lost"}
}

// filteredOut explains an item that a filter drops.
func (t *trial) filteredOut(in model.Instance, term expr.Cond) explanation {
	e := explanation{cause: "filter " + expr.String(term), why: fmt.Sprintf("The filter `%s` drops it.", expr.String(term))}
	var absent []string
	expr.Walk(term, func(n expr.Node) {
		if attr, ok := n.(*expr.Attr); ok && !value.Value(encode.Lookup(in.Item, attr.Path)).Exists() && !slices.Contains(absent, attr.Path.String()) {
			absent = append(absent, attr.Path.String())
		}
	})
	if len(absent) > 0 {
		e.cause = "optional " + absent[0]
		e.why = fmt.Sprintf("The filter `%s` drops it: it has no %s, and a comparison with an attribute that is absent does not hold.", expr.String(term), strings.Join(absent, " and no "))
		e.fix = fmt.Sprintf("Let the filter keep items without it: `attribute_not_exists(%s) OR %s`.", absent[0], expr.String(term))
	}
	return e
}
