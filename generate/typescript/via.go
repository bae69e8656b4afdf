package typescript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// A function goes over ElectroDB when ElectroDB sends the very request of the plan:
//
//   - the table has an entity type attribute, by which ElectroDB knows items;
//   - there is one entity, which ElectroDB can hold, one variant and one request;
//   - a read brings whole items, with nothing to filter;
//   - each key of the plan is, part by part, the text that ElectroDB composes, or a
//     computed attribute, to which the text is given as it is;
//   - a write neither reads first, nor keeps guards or index keys, and has no other
//     condition than that the item does or does not exist.
//
// All others go over the document client.

// call is a function over ElectroDB.
type call struct {
	options string // further arguments
	result  string // its type
	chain   string // the call of ElectroDB, to which go belongs
	answer  string // what is returned of data
	before  string // the item of a create or put
	after   string // what is returned when it is not of data
}

// overElectro writes a function that goes over ElectroDB.
func (f *function) overElectro(c call) error {
	f.open("over ElectroDB", f.name, f.arguments(slices.DeleteFunc([]string{c.options}, func(s string) bool { return s == "" })...), c.result)
	f.now(c.chain + " " + c.before)
	f.w.WriteString(c.before)
	if c.answer == "" {
		f.w.line("await rt.sent(%s);", c.chain)
		if c.after != "" {
			f.w.line("return %s;", c.after)
		}
	} else {
		f.w.line("const { data%s } = await rt.sent(%s);", map[bool]string{true: ", cursor"}[strings.Contains(c.answer, "cursor")], c.chain)
		f.w.line("return %s;", c.answer)
	}
	f.w.line("}\n")
	return nil
}

// single is the pattern's only variant and its entity, when ElectroDB can hold it.
func (f *function) single(of []*model.Entity) (*plan.Variant, *entity, bool) {
	if len(f.plan.Variants) != 1 || len(of) != 1 || f.table.EntityType == "" {
		return nil, nil, false
	}
	e := f.of(of[0])
	return f.plan.Variants[0], e, e.unfit == ""
}

func (f *function) electroGet() (call, bool) {
	v, e, ok := f.single(f.Entities)
	if f.Step != nil {
		v, e, ok = f.single([]*model.Entity{f.Step.Entity})
	}
	if !ok || v.Read.API != plan.GetItem || v.Read.Projection != nil || v.Read.KeptByReader(e.Entity) != nil {
		return call{}, false
	}
	key, ok := f.electroKey(f.seeking(), e, v.Read.Gets[0].Key)
	if !ok {
		return call{}, false
	}
	options := ""
	if v.Read.Consistent {
		options = "{ consistent: true }"
	}
	return call{
		result: "entities." + e.name + " | undefined",
		chain:  fmt.Sprintf("db.electro.%s.get(%s).go(%s)", e.name, key, options),
		answer: "data ?? undefined",
	}, true
}

// electroKey are the attributes that ElectroDB makes an item's key of.
func (f *function) electroKey(s scope, e *entity, key []plan.KeyRecipe) (string, bool) {
	var given assignments
	for i, p := range e.indexes[0].parts() {
		if i >= len(key) || !given.whole(s, p, key[i].Value) {
			return "", false
		}
	}
	return given.object(), true
}

// assignments are the attributes that an ElectroDB call is given, in order.
type assignments struct{ names, values []string }

func (a *assignments) object() string {
	var members []string
	for i, n := range a.names {
		members = append(members, property(n)+": "+a.values[i])
	}
	return object(0, members...)
}

func (a *assignments) add(name, v string) bool {
	if i := slices.Index(a.names, name); i >= 0 {
		return a.values[i] == v
	}
	a.names, a.values = append(a.names, name), append(a.values, v)
	return true
}

// whole gives what a key is composed of when it is to be just what the recipe makes.
func (a *assignments) whole(s scope, p keyPart, r plan.Recipe) bool {
	if p.hidden {
		v, err := s.recipe(r)
		return err == nil && r.Kind == value.String && a.add(p.field, v)
	}
	return len(r.Parts) == len(p.template.Parts) && a.prefix(s, p, r)
}

// prefix gives the attributes of as much of a key as a recipe makes; false when the
// recipe is not, part by part, the beginning of the template.
func (a *assignments) prefix(s scope, p keyPart, r plan.Recipe) bool {
	if len(r.Parts) > len(p.template.Parts) || r.Kind != value.String {
		return false
	}
	for i, part := range r.Parts {
		of := p.template.Parts[i]
		if of.Attribute == nil {
			if part.Literal != of.Literal || part.Max || part.Source != nil || part.Fan != nil || part.Random > 0 {
				return false
			}
			continue
		}
		if part.Source == nil || len(part.Funcs) > 0 || len(part.Into) > 0 || part.Neighbour != 0 {
			return false
		}
		v, err := s.value(part.Source, part.Attribute)
		if err != nil || !a.add(of.Path.Name, v) {
			return false
		}
	}
	return true
}

func (f *function) electroQuery() (call, bool) {
	v, e, ok := f.single(f.Entities)
	if !ok || v.Read == nil || v.Then != nil || f.Count || f.All {
		return call{}, false
	}
	r := v.Read
	if r.API != plan.Query || len(r.Fan) > 0 || r.Filter() != nil || r.Projection != nil || len(f.Select) > 0 || len(r.Fetches) > 0 {
		return call{}, false
	}
	if r.Index != nil && r.Index.Projection.Type != model.ProjectAll && r.Index.Projection.Type != "" {
		return call{}, false
	}
	i := slices.IndexFunc(e.indexes, func(a *access) bool { return a.index == r.Index })
	if i < 0 {
		return call{}, false
	}
	chain, ok := f.electroKeys(e.indexes[i], r)
	if !ok {
		return call{}, false
	}
	return f.electroResult(e, r, fmt.Sprintf("db.electro.%s.%s", e.name, chain)), true
}

// electroKeys is the key condition of a query as ElectroDB is told it.
func (f *function) electroKeys(a *access, r *plan.Read) (string, bool) {
	s := f.seeking()
	var given assignments
	if len(r.Key) == 0 || r.Key[0].Op != model.KeyEq || !given.whole(s, a.pk, r.Key[0].Values[0]) {
		return "", false
	}
	query := member("query", a.name)
	if len(r.Key) == 1 {
		bare := a.sk == nil || a.sk.hidden || a.sk.template.Parts[0].Attribute != nil
		return fmt.Sprintf("%s(%s)", query, given.object()), bare
	}
	k, sk := r.Key[1], *a.sk
	if k.Op == model.KeyEq {
		ok := given.whole(s, sk, k.Values[0])
		return fmt.Sprintf("%s(%s)", query, given.object()), ok
	}
	if begins, ok := f.electroBegins(s, given, sk, k); ok {
		return fmt.Sprintf("%s(%s)", query, begins), true
	}
	word, ok := map[model.KeyOp]string{model.KeyBeginsWith: "begins", model.KeyGe: "gte", model.KeyLe: "lte", model.KeyGt: "gt", model.KeyLt: "lt", model.KeyBetween: "between"}[k.Op]
	var ends []string
	for _, v := range k.Values {
		var end assignments
		n := len(v.Parts)
		switch {
		case sk.hidden:
			ok = ok && end.whole(s, sk, v)
		default: // up to and with an attribute: what ElectroDB writes of an end
			ok = ok && n > 0 && n <= len(sk.template.Parts) && sk.template.Parts[n-1].Attribute != nil && end.prefix(s, sk, v)
		}
		ends = append(ends, end.object())
	}
	return fmt.Sprintf("%s(%s).%s(%s)", query, given.object(), word, strings.Join(ends, ", ")), ok
}

// electroBegins is a begins_with that ElectroDB makes by itself of the attributes
// that it is given: of the text before the first that is not.
func (f *function) electroBegins(s scope, given assignments, sk keyPart, k plan.KeyCondition) (string, bool) {
	n := len(k.Values[0].Parts)
	if k.Op != model.KeyBeginsWith || sk.hidden || n == 0 || n >= len(sk.template.Parts) || sk.template.Parts[n-1].Attribute != nil {
		return "", false
	}
	all := assignments{slices.Clone(given.names), slices.Clone(given.values)}
	ok := all.prefix(s, sk, k.Values[0])
	return all.object(), ok
}

// electroResult is a query with what its answer becomes.
func (f *function) electroResult(e *entity, r *plan.Read, chain string) call {
	var options []string
	if r.Descending {
		options = append(options, "order: 'desc'")
	}
	if r.Consistent {
		options = append(options, "consistent: true")
	}
	run := func(more ...string) string {
		return fmt.Sprintf("%s.go(%s)", chain, object(0, append(more, options...)...))
	}
	typ := "entities." + e.name
	switch {
	case r.One:
		return call{result: typ + " | undefined", chain: run("pages: 'all'"), answer: "rt.only(data)"}
	case f.paged():
		return call{options: "options: rt.PageOptions = {}", result: "rt.Page<" + typ + ">",
			chain:  run("cursor: options.cursor ?? null", fmt.Sprintf("limit: options.size ?? %d", f.Page)),
			answer: "cursor === null ? { items: data } : { items: data, cursor }"}
	case r.Limit > 0:
		return call{result: typ + "[]", chain: run("pages: 'all'", fmt.Sprintf("count: %d", r.Limit), fmt.Sprintf("limit: %d", r.Limit)),
			answer: fmt.Sprintf("data.slice(0, %d)", r.Limit)}
	}
	return call{result: typ + "[]", chain: run("pages: 'all'"), answer: "data"}
}

func (f *function) electroWrite() (call, bool) {
	if f.Step == nil {
		return call{}, false
	}
	v, e, ok := f.single([]*model.Entity{f.Step.Entity})
	if !ok || v.Write == nil || len(v.Write.Actions) != 1 {
		return call{}, false
	}
	a := v.Write.Actions[0]
	if len(a.ForEach) > 0 || a.ReadFirst || len(a.Guards) > 0 || len(a.IndexKeys) > 0 || v.Write.Returns == "old" {
		return call{}, false
	}
	pk := f.table.PartitionKey.Name
	fresh := isTest(a.Condition, expr.AttributeNotExists, pk)
	present := isTest(a.Condition, expr.AttributeExists, pk)
	electro := "db.electro." + e.name
	if a.API == plan.PutItem {
		if a.Condition != nil && !fresh {
			return call{}, false
		}
		return f.electroPut(e, a, electro+map[bool]string{true: ".create", false: ".put"}[fresh])
	}
	key, ok := f.electroKey(f.scope(), e, a.Key)
	if !ok || hidesKey(e) {
		return call{}, false
	}
	switch {
	case a.API == plan.DeleteItem && a.Condition == nil:
		return call{result: "void", chain: fmt.Sprintf("%s.delete(%s).go()", electro, key)}, true
	case a.API == plan.DeleteItem && present:
		return call{result: "void", chain: fmt.Sprintf("%s.remove(%s).go()", electro, key)}, true
	case a.API == plan.UpdateItem && present:
		changes, ok := f.electroChange(a)
		c := call{result: "void", chain: fmt.Sprintf("%s.patch(%s)%s.go()", electro, key, changes)}
		if v.Write.Returns == "new" {
			c = call{result: "entities." + e.name, chain: fmt.Sprintf("%s.patch(%s)%s.go({ response: 'all_new' })", electro, key, changes), answer: "data"}
		}
		return c, ok
	}
	return call{}, false
}

// hidesKey tells whether a key of the table is a computed attribute, which ElectroDB
// would write into the item that an update is about.
func hidesKey(e *entity) bool {
	return slices.ContainsFunc(e.indexes[0].parts(), func(p keyPart) bool { return p.hidden })
}

// isTest tells whether a condition is just that an attribute does or does not exist.
func isTest(c expr.Cond, test expr.TestName, attribute string) bool {
	t, ok := c.(*expr.Test)
	if !ok || t.Name != test {
		return false
	}
	a, ok := t.X.(*expr.Attr)
	return ok && a.Path.Top() && a.Path.Name == attribute
}

// electroPut is a create or put of an item.
func (f *function) electroPut(e *entity, a *plan.Action, chain string) (call, bool) {
	w := f.w
	body := &writer{depth: 1}
	f.w = body
	err := f.item(f.scope(), a)
	f.w = w
	if err != nil {
		return call{}, false
	}
	there := e.normal("entities.", "item")
	if sets := setsOf(e.Entity); len(sets) > 0 {
		there += ", " + quotedList(sets)
	}
	body.line("const whole = entities.read%s(rt.attributes(%s));", e.name, there)
	members := []string{"...whole"}
	for _, p := range e.indexes[0].parts() {
		if p.hidden {
			members = append(members, property(p.field)+": "+member("stored", p.field))
		}
	}
	item := "whole"
	if len(members) > 1 {
		item = object(0, members...)
		body.line("const stored = entities.store%s(whole, db.random);", e.name)
	}
	c := call{result: "void", chain: chain + "(" + item + ").go()", before: body.String()}
	if returns, typ := f.returned(f.plan.Variants[0].Write); returns == returnsItem {
		c.result, c.after = typ, "whole"
	}
	return c, true
}

// electroChange are the changes of an update: attributes set to what the call
// brings, attributes that are removed, numbers that are added to.
func (f *function) electroChange(a *plan.Action) (string, bool) {
	if a.Change == nil || len(a.Change.Delete) > 0 {
		return "", false
	}
	var set, add assignments
	var remove []string
	take := func(to *assignments, target *expr.Attr, v expr.Operand) bool {
		attr := a.Entity.Attribute(target.Path.Name)
		if !target.Path.Top() || len(expr.Attrs(v)) > 0 || attr == nil || attr.Immutable || isSet(attr) {
			return false
		}
		code, err := f.scope().value(v, attr)
		return err == nil && to.add(target.Path.Name, code)
	}
	for _, s := range a.Change.Set {
		if !take(&set, s.Target, s.Value) {
			return "", false
		}
	}
	for _, s := range a.Change.Add {
		if !take(&add, s.Target, s.Value) {
			return "", false
		}
	}
	for _, r := range a.Change.Remove {
		attr := a.Entity.Attribute(r.Path.Name)
		if !r.Path.Top() || attr == nil || !attr.Optional || attr.Immutable {
			return "", false
		}
		remove = append(remove, r.Path.Name)
	}
	out := ""
	if len(set.names) > 0 {
		out += ".set(" + set.object() + ")"
	}
	if len(add.names) > 0 {
		out += ".add(" + add.object() + ")"
	}
	if len(remove) > 0 {
		out += ".remove(" + quotedList(remove) + ")"
	}
	return out, out != ""
}
