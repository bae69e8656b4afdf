package typescript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
)

// written writes the function of a create, put, update, delete, batch or transaction.
func (f *function) written() error {
	w := f.plan.Variants[0].Write
	if !slices.ContainsFunc(f.plan.Variants, func(v *plan.Variant) bool { return v.Write != nil }) {
		return fmt.Errorf("%s", unserved(f.plan.Variants[0]))
	}
	if call, ok := f.electroWrite(); ok {
		return f.overElectro(call)
	}
	if w == nil {
		return fmt.Errorf("%s", unserved(f.plan.Variants[0]))
	}
	way, _ := f.returned(w)
	if way == returnsOld && w.API == plan.TransactWriteItems {
		return fmt.Errorf("`returns: old` of a write that keeps guards is not supported: leave it out")
	}
	body := &writer{depth: 1}
	out := f.w
	f.w = body
	err := f.choose(func(v *plan.Variant) error {
		if v.Write == nil {
			body.line("throw new rt.UnfitError(%s);", quote(f.Name.Text+": "+unserved(v)))
			return nil
		}
		return f.sends(v.Write)
	})
	f.w = out
	if err != nil {
		return err
	}
	_, typ := f.returned(w)
	f.open(overDocuments, f.name, f.arguments(), typ)
	f.now(body.String())
	f.w.WriteString(body.String())
	f.w.line("}\n")
	return nil
}

// returning is what a write returns.
type returning int

const (
	returnsNothing returning = iota
	returnsItem              // of a put: the item that was made
	returnsNew               // of an update
	returnsOld
)

// returned is what a write returns, and its type.
func (f *function) returned(w *plan.Write) (returning, string) {
	if f.Step == nil {
		return returnsNothing, "void"
	}
	typ := "entities." + f.of(f.Step.Entity).name
	put := f.Step.Operation == model.Create || f.Step.Operation == model.Put
	switch {
	case w.Returns == "old":
		return returnsOld, typ + " | undefined"
	case w.Returns == "none":
		return returnsNothing, "void"
	case put:
		return returnsItem, typ
	case w.Returns == "new":
		return returnsNew, typ
	}
	return returnsNothing, "void"
}

// sends writes the code that makes the actions of a write and sends them.
func (f *function) sends(w *plan.Write) error {
	out := f.w
	returns, _ := f.returned(w)
	single := w.API != plan.BatchWriteItem && w.API != plan.TransactWriteItems
	switch {
	case !single:
		f.sink = gathered
		out.line("const actions: rt.Action[] = [];")
	case returns == returnsNew:
		f.sink = sink{"const changed = await rt.write(db, ", ", 'ALL_NEW')"}
	case returns == returnsOld:
		f.sink = sink{"const changed = await rt.write(db, ", ", 'ALL_OLD')"}
	default:
		f.sink = sink{"await rt.write(db, ", ")"}
	}
	if err := f.actions(f.scope(), w.Actions, 0); err != nil {
		return err
	}
	switch {
	case w.API == plan.BatchWriteItem:
		out.line("await rt.batchWrite(db, actions);")
	case w.API == plan.TransactWriteItems && w.Token != "":
		out.line("await rt.transactWrite(db, actions, %s);", f.scope().param(w.Token))
	case w.API == plan.TransactWriteItems:
		out.line("await rt.transactWrite(db, actions);")
	}
	if !single && returns == returnsNew {
		key, err := f.scope().key(w.Actions[0].Key, out.depth)
		if err != nil {
			return err
		}
		out.line("const changed = await rt.get(db, { Key: %s, ConsistentRead: true });", key)
	}
	f.result(returns)
	return nil
}

// result returns what a write returns.
func (f *function) result(returns returning) {
	switch returns {
	case returnsItem:
		f.w.line("return entities.read%s(stored);", f.of(f.Step.Entity).name)
	case returnsNew:
		f.w.line("return entities.read%s(rt.given(changed, 'the changed item'));", f.of(f.Step.Entity).name)
	case returnsOld:
		f.w.line("return changed && entities.read%s(changed);", f.of(f.Step.Entity).name)
	}
}

// actions writes the actions of a depth of lists, and loops for those further in.
func (f *function) actions(s scope, actions []*plan.Action, depth int) error {
	one := func(a *plan.Action) error {
		if f.Step != nil {
			return f.action(s, a)
		}
		f.w.line("{")
		defer f.w.line("}")
		return f.action(s, a)
	}
	return plan.Nested(actions, depth, one, func(loop *model.ForEach, actions []*plan.Action) error {
		m := fmt.Sprintf("m%d", depth+1)
		f.w.line("for (const %s of %s) {", m, s.param(loop.Param))
		defer f.w.line("}")
		return f.actions(s.member(m, s.listFields(loop.Param)), actions, depth+1)
	})
}

// action writes an action: what is read first, the action, its guards.
func (f *function) action(s scope, a *plan.Action) error {
	w := f.w
	if a.ReadFirst {
		key, err := s.key(a.Key, w.depth)
		if err != nil {
			return err
		}
		w.line("const old = await rt.get(db, { Key: %s, ConsistentRead: true });", key)
		s = s.reading(a.Entity, "before")
	}
	body := &writer{depth: w.depth}
	f.w = body
	err := f.act(s, a, a.ReadFirst)
	f.w = w
	if a.ReadFirst && mentions(body.String(), "before") {
		w.line("const before: rt.Item = old ?? {};")
	}
	w.WriteString(body.String())
	return err
}

// act writes the action itself and what becomes of its guards, where what was read
// first is in the variable before, and in old unless there was none.
func (f *function) act(s scope, a *plan.Action, readFirst bool) error {
	w := f.w
	x := expression{s, []*model.Entity{a.Entity}}
	condition, err := x.condition(a.Condition)
	if err != nil {
		return err
	}
	if a.API == plan.PutItem {
		if err := f.item(s, a); err != nil {
			return err
		}
		w.line("const stored = entities.store%s(item, db.random);", f.of(a.Entity).name)
	}
	update := a.API == plan.UpdateItem
	w.line("const x = new rt.Expression();")
	updated := "undefined"
	if update {
		if updated, err = f.clauses(x, a, readFirst); err != nil {
			return err
		}
	}
	members, err := f.members(s, a)
	if err != nil {
		return err
	}
	if updated != "undefined" {
		members = append(members, "UpdateExpression: "+updated)
	}
	if readFirst {
		condition = f.unchanged(a, condition)
	}
	if condition != "undefined" {
		members = append(members, "ConditionExpression: "+condition)
	}
	w.action(f.sink, kinds[a.API]+": x.in", members)
	return f.guards(s, a, readFirst)
}

var kinds = map[plan.API]string{plan.PutItem: "Put", plan.UpdateItem: "Update", plan.DeleteItem: "Delete", plan.ConditionCheck: "ConditionCheck"}

// members are the members of an action's input that say which item it is about.
func (f *function) members(s scope, a *plan.Action) ([]string, error) {
	if a.API == plan.PutItem {
		return []string{"Item: stored"}, nil
	}
	if a.Found {
		var key []string
		for _, k := range f.table.Keys() {
			key = append(key, property(k.Name)+": "+member(s.item, k.Name))
		}
		return []string{"Key: " + object(f.w.depth, key...)}, nil
	}
	key, err := s.key(a.Key, f.w.depth)
	return []string{"Key: " + key}, err
}

// unchanged is a condition with the one that what was read first is still so.
func (f *function) unchanged(a *plan.Action, condition string) string {
	var names []string
	for _, attr := range a.Unchanged {
		names = append(names, attr.Name.Text)
	}
	none := "[]"
	if a.API != plan.UpdateItem {
		none = "[`attribute_not_exists(" + name(f.table.PartitionKey.Name) + ")`]"
	}
	still := "[]"
	if len(names) > 0 {
		still = "x.unchanged(old, " + quotedList(names) + ")"
	}
	if none == still {
		return condition
	}
	if a.Found {
		return "rt.all(" + condition + ", ..." + still + ")"
	}
	return "rt.all(" + condition + ", ...(old ? " + still + " : " + none + "))"
}

// item writes the item of a put: what the call brings, defaults, and what is
// derived from them.
func (f *function) item(s scope, a *plan.Action) error {
	w := f.w
	e := f.of(a.Entity)
	given, brought := map[string]string{}, map[string]bool{}
	for _, in := range a.Inputs {
		if in.Value == nil {
			continue
		}
		v, err := f.assigned(s, in)
		if err != nil {
			return err
		}
		given[in.Attribute.Name.Text] = v
		_, brought[in.Attribute.Name.Text] = in.Value.(*expr.Param)
	}
	var members, derived []string
	for _, attr := range a.Entity.Attributes {
		v, ok := given[attr.Name.Text]
		if attr.HasDefault() {
			d, err := f.fallback(s, attr)
			if err != nil {
				return err
			}
			switch {
			case brought[attr.Name.Text]:
				v += " ?? " + d
			case !ok:
				v, ok = d, true
			}
		}
		if attr.Derive != nil {
			d, err := f.derived(s, attr, "item")
			if err != nil {
				return err
			}
			derived = append(derived, fmt.Sprintf("%s = %s;", member("item", attr.Name.Text), d))
			ok = false
		}
		if ok {
			members = append(members, property(attr.Name.Text)+": "+v)
		}
	}
	w.line("const item: any = %s;", object(w.depth, members...))
	if len(derived) > 0 {
		w.line("Object.assign(item, %s);", e.normal("entities.", "item"))
	}
	for _, line := range derived {
		w.line("%s", line)
	}
	return nil
}

// assigned is what an attribute is given; sets stay lists until they are stored.
func (f *function) assigned(s scope, in *model.Assignment) (string, error) {
	if p, ok := in.Value.(*expr.Param); ok {
		return s.param(p.Name), nil
	}
	return s.value(in.Value, in.Attribute)
}

func (f *function) fallback(s scope, a *model.Attribute) (string, error) {
	if a.DefaultNow != nil {
		return s.value(a.DefaultNow, a)
	}
	return literal(a.Default), nil
}

// derived is what is derived from an item's other attributes; undefined when one of
// them is absent.
func (f *function) derived(s scope, a *model.Attribute, item string) (string, error) {
	s = s.reading(f.entityWith(a), item)
	v, err := s.value(a.Derive.Expr, a)
	if err != nil {
		return "", err
	}
	var there []string
	for _, source := range expr.Attrs(a.Derive.Expr) {
		there = append(there, "rt.exists("+s.path(item, source.Path)+")")
	}
	if len(there) == 0 {
		return v, nil
	}
	return strings.Join(there, " && ") + " ? " + v + " : undefined", nil
}

func (f *function) entityWith(a *model.Attribute) *model.Entity {
	for _, e := range f.entities {
		if slices.Contains(e.Attributes, a) {
			return e.Entity
		}
	}
	return nil
}

// guards writes what becomes of the guards of unique attributes.
func (f *function) guards(s scope, a *plan.Action, readFirst bool) error {
	for i, g := range a.Guards {
		n := ""
		if len(a.Guards) > 1 {
			n = fmt.Sprint(i + 1)
		}
		old, err := f.guardKey(s, a, g, g.Old, readFirst, false)
		if err != nil {
			return err
		}
		key, err := f.guardKey(s, a, g, g.New, readFirst, a.API == plan.PutItem)
		if err != nil {
			return err
		}
		f.moveGuard(n, old, key)
	}
	return nil
}

// moveGuard writes the actions that free what a guard held and take what it holds
// then; nothing when these are the same.
func (f *function) moveGuard(n, old, key string) {
	w := f.w
	freed, taken := "freed"+n, "taken"+n
	moved := old != "undefined" && key != "undefined"
	if old != "undefined" {
		w.line("const %s = %s;", freed, old)
	}
	if key != "undefined" {
		w.line("const %s = %s;", taken, key)
	}
	if moved {
		w.line("if (!rt.equal(%s, %s)) {", freed, taken)
	}
	if old != "undefined" {
		w.line("if (%s) {", freed)
		w.line("actions.push({ Delete: { Key: %s } });", freed)
		w.line("}")
	}
	if key != "undefined" {
		w.line("if (%s) {", taken)
		w.line("const g = new rt.Expression();")
		w.line("const free = `attribute_not_exists(${g.name(%s)})`;", quote(f.table.PartitionKey.Name))
		w.line("actions.push({ Put: g.in({ Item: %s, ConditionExpression: free }) });", taken)
		w.line("}")
	}
	if moved {
		w.line("}")
	}
}

// guardKey is the key of a guard for the values, those of the item of a put.
func (f *function) guardKey(s scope, a *plan.Action, g *plan.Guard, values []*model.Assignment, readFirst, ofItem bool) (string, error) {
	if values == nil {
		return "undefined", nil
	}
	i := slices.Index(a.Entity.Unique, g.Unique)
	function := "entities." + guardName(f.of(a.Entity), i)
	if ofItem {
		return function + "(item)", nil
	}
	item, err := f.known(s, values)
	if err != nil {
		return "", err
	}
	if readFirst && !a.Found {
		return "old && " + function + "(" + item + ")", nil
	}
	return function + "(" + item + ")", nil
}

// known are values of attributes as an object.
func (f *function) known(s scope, values []*model.Assignment) (string, error) {
	var members []string
	for _, as := range values {
		if as.Value == nil {
			continue
		}
		v, err := s.value(as.Value, as.Attribute)
		if err != nil {
			return "", err
		}
		members = append(members, property(as.Attribute.Name.Text)+": "+v)
	}
	return object(f.w.depth, members...), nil
}
