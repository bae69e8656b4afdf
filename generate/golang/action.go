package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/ddbexpr"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
)

// action writes the statements that an action's request needs, and returns its
// fields and what has to be known of it when it is refused.
func (x *mutator) action(fr *frame, a *plan.Action) (fields, about string, err error) {
	body := &writer{}
	body.line("TableName: &t.name,")
	expression := fr.expression(a.Entity)
	var update phrase
	if a.API == plan.PutItem {
		item, err := x.putItem(fr, a)
		if err != nil {
			return "", "", err
		}
		body.line("Item: %s,", item)
	} else {
		if a.API == plan.UpdateItem {
			x.checkChange(fr, a)
		}
		key, err := x.keyOf(fr, a)
		if err != nil {
			return "", "", err
		}
		body.line("Key: %s,", key)
	}
	condition, err := expression.condition(a.Condition)
	if err != nil {
		return "", "", err
	}
	if _, or := a.Condition.(*expr.Or); or && a.ReadFirst {
		condition = sentence("(", condition, ")")
	}
	dynamic := a.ReadFirst || slices.ContainsFunc(a.IndexKeys, func(k *plan.IndexKey) bool { return !k.Removed() && len(k.Members) > 0 })
	expression.dynamic = expression.dynamic || dynamic
	if a.API == plan.UpdateItem {
		if update, err = x.update(fr, a, expression, dynamic); err != nil {
			return "", "", err
		}
	} else {
		expression.declare(x.methods.w)
	}
	x.conditionField(body, a, expression, condition)
	if a.API == plan.UpdateItem && !update.isEmpty() {
		body.line("UpdateExpression: %s,", update.String())
	}
	if a.Condition != nil || a.ReadFirst {
		body.line("ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,")
	}
	expression.fields(body)
	about, err = x.aboutAction(fr, a)
	return body.String(), about, err
}

// keyOf is the key of an action's item: that of the item found, or made.
func (x *mutator) keyOf(fr *frame, a *plan.Action) (string, error) {
	if !a.Found {
		return fr.keyItem(a.Key)
	}
	var out []string
	for _, k := range x.table.Keys() {
		out = append(out, fmt.Sprintf("%q: old[%q]", k.Name, k.Name))
	}
	return "stored{" + strings.Join(out, ", ") + "}", nil
}

// conditionField writes the condition of a request; one that reads first adds that
// what it depends on is as it was.
func (x *mutator) conditionField(body *writer, a *plan.Action, expression *expression, condition phrase) {
	switch {
	case a.ReadFirst || a.Found && len(a.Unchanged) > 0:
		var names []string
		for _, attr := range a.Unchanged {
			names = append(names, attr.Name.Text)
		}
		key := x.table.PartitionKey.Name
		if a.API == plan.UpdateItem {
			key = "" // its own condition says whether there must be an item
		}
		body.line("ConditionExpression: all(%s),", list(condition.String(), fmt.Sprintf("x.unchanged(%s)", list("old", fmt.Sprintf("%q", key), quotedList(names)))))
	case !condition.isEmpty():
		body.line("ConditionExpression: ptr(%s),", condition.String())
	}
}

// aboutAction is what has to be known of an action when it is refused.
func (x *mutator) aboutAction(fr *frame, a *plan.Action) (string, error) {
	out := fmt.Sprintf("writing{pattern: %q, entity: %q, read: UnmarshalAny", x.pattern.Name.Text, a.Entity.Name.Text)
	if a.Step.Operation == model.Create {
		var names []string
		for _, part := range a.Entity.Identity {
			names = append(names, part.Attribute.Name.Text)
		}
		out += ", taken: []string{" + quotedList(names) + "}"
	}
	was, err := x.was(fr, a)
	if was != "" {
		out += ", was: " + was
	}
	return out + "}", err
}

// was are the attributes that have to be as the caller knows them, or as they were read.
func (x *mutator) was(fr *frame, a *plan.Action) (string, error) {
	var out []string
	if v := a.Step.Version; v != nil {
		value, err := fr.operand(v.Value, v.Attribute)
		if err != nil {
			return "", err
		}
		out = append(out, fmt.Sprintf("%q: %s", v.Attribute.Name.Text, value.written()))
	}
	if a.ReadFirst || a.Found {
		for _, attr := range a.Unchanged {
			name := attr.Name.Text
			out = append(out, fmt.Sprintf("%q: old[%q]", name, name))
		}
	}
	if len(out) == 0 {
		return "", nil
	}
	return "stored{" + strings.Join(out, ", ") + "}", nil
}

// checkChange writes what holds the parameters of an update against their domains.
func (x *mutator) checkChange(fr *frame, a *plan.Action) {
	if a.Change == nil {
		return
	}
	var names []string
	for _, p := range expr.Params(a.Change) {
		names = append(names, p.Name)
	}
	if a.Step.Upsert {
		for _, in := range a.Step.Inputs {
			if p, ok := in.Value.(*expr.Param); ok {
				names = append(names, p.Name)
			}
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		field, code := fr.field(name)
		if field == nil || field.list != nil {
			continue
		}
		checks := &writer{}
		if field.pointer {
			x.checks(checks, field.typ, "*"+code, name, false)
		} else {
			x.checks(checks, field.typ, code, name, false)
		}
		if checks.Len() == 0 {
			continue
		}
		w := x.methods.w
		if field.pointer {
			w.line("if %s != nil {", code)
			defer w.line("}")
		}
		w.Write(checks.Bytes())
	}
}

// update writes what the update expression is made of where only the call knows
// it, and returns the expression of a pointer to it.
func (x *mutator) update(fr *frame, a *plan.Action, e *expression, dynamic bool) (phrase, error) {
	var out phrase
	change, err := e.writer().Update(a.Change)
	if err != nil {
		return out, err
	}
	written, err := ddbexpr.Render(change, e.render)
	if err != nil {
		return out, err
	}
	if dynamic {
		return out, x.dynamicUpdate(fr, a, e, written, &out)
	}
	for _, k := range a.IndexKeys {
		name := sentence(e.name(k.Attribute.Name))
		if k.Removed() {
			written.Remove = append(written.Remove, name)
			continue
		}
		code, err := fr.indexKey(k)
		if err != nil {
			return out, err
		}
		written.Set = append(written.Set, sentence(name, " = ", e.value(code)))
	}
	e.declare(x.methods.w)
	if text := updateText(written); !text.isEmpty() {
		out.code("ptr(" + text.String() + ")")
	}
	return out, nil
}

// indexKey is the value of an index key that is rewritten.
func (fr *frame) indexKey(k *plan.IndexKey) (string, error) { return fr.recipe(k.Value) }

// dynamicUpdate writes an update whose index keys depend on what the call knows.
func (x *mutator) dynamicUpdate(fr *frame, a *plan.Action, e *expression, written clauses, out *phrase) error {
	w := x.methods.w
	e.declare(w)
	w.line("u := update{%s}", updateFields(written))
	if a.ReadFirst && !a.Step.Upsert && len(a.IndexKeys) > 0 {
		w.line("if old != nil {") // the condition refuses the update of an item that is missing
		defer w.line("}")
	}
	for _, k := range a.IndexKeys {
		if err := x.dynamicKey(fr, a, e, k); err != nil {
			return err
		}
	}
	out.code("u.text()")
	return nil
}

// dynamicKey writes or removes an index key, as the item is in an index afterwards.
func (x *mutator) dynamicKey(fr *frame, a *plan.Action, e *expression, k *plan.IndexKey) error {
	w := x.methods.w
	remove := fmt.Sprintf("u.remove = append(u.remove, x.name(%q))", k.Attribute.Name)
	if k.Removed() {
		w.line("%s", remove)
		return nil
	}
	if len(k.Members) > 0 {
		condition, err := x.memberships(fr, a, k)
		if err != nil {
			return err
		}
		w.line("if %s {", condition)
	}
	code, err := fr.indexKey(k)
	if err != nil {
		return err
	}
	set := "u.set = append(u.set, x.name(%q)+\" = \"+x.value(%s))"
	if a.ReadFirst && a.Step.Upsert {
		w.line("if key, ok := f.try(old == nil, func(f *fault) types.AttributeValue { return %s }); ok {", code)
		w.line(set, k.Attribute.Name, "key")
		w.line("}")
	} else {
		w.line(set, k.Attribute.Name, code)
	}
	if len(k.Members) > 0 {
		w.line("} else {")
		w.line("%s", remove)
		w.line("}")
	}
	return nil
}

// memberships is the condition on which an item is in one of the indexes that have
// a key attribute.
func (x *mutator) memberships(fr *frame, a *plan.Action, k *plan.IndexKey) (string, error) {
	var any []string
	for _, m := range k.Members {
		known, err := x.known(fr, m.Known)
		if err != nil {
			return "", err
		}
		x.temp++
		variable := fmt.Sprintf("after%d", x.temp)
		x.methods.w.line("%s := %s", variable, known)
		after := fr.reading(a.Entity, variable)
		var all []string
		for _, when := range m.When {
			text, err := after.holds(when.Cond)
			if err != nil {
				return "", err
			}
			all = append(all, "("+text+")")
		}
		for _, p := range m.Present {
			code, err := after.at(variable, p)
			if err != nil {
				return "", err
			}
			all = append(all, code+" != nil")
		}
		any = append(any, strings.Join(all, " && "))
	}
	return strings.Join(any, " || "), nil
}

// known are attributes with their values, as they are stored.
func (x *mutator) known(fr *frame, all []*model.Assignment) (string, error) {
	var out []string
	for _, as := range all {
		if as.Value == nil {
			continue
		}
		v, err := fr.operand(as.Value, as.Attribute)
		if err != nil {
			return "", err
		}
		code := v.folded(as.Attribute).written()
		if v.raw && as.Attribute.Stored != "" {
			code = fmt.Sprintf("through(%s, func(v types.AttributeValue) types.AttributeValue { return str(%s(f.textOf(%q, v))) })", code, as.Attribute.Stored, as.Attribute.Name.Text)
		}
		out = append(out, fmt.Sprintf("%q: %s", as.Attribute.Name.Text, code))
	}
	return "known(stored{" + strings.Join(out, ", ") + "})", nil
}

// guards writes what becomes of the guards of an action's unique attributes.
func (x *mutator) guards(fr *frame, a *plan.Action) error {
	w := x.methods.w
	for _, guard := range a.Guards {
		i := slices.Index(a.Entity.Unique, guard.Unique)
		name := x.guardName(x.of(a.Entity), i)
		key := func(values []*model.Assignment, item string) (string, error) {
			switch {
			case values == nil:
				return "nil", nil
			case item != "":
				return fmt.Sprintf("%s(f, %s)", name, item), nil
			}
			known, err := x.known(fr, values)
			code := fmt.Sprintf("%s(f, %s)", name, known)
			if a.ReadFirst {
				code = "f.guardOf(old, func() stored { return " + code + " })"
			}
			return code, err
		}
		old, err := key(guard.Old, "")
		if err != nil {
			return err
		}
		item := ""
		if a.API == plan.PutItem {
			item = "item"
		}
		fresh, err := key(guard.New, item)
		if err != nil {
			return err
		}
		var names []string
		for _, attr := range guard.Unique.Of {
			names = append(names, attr.Name.Text)
		}
		w.line("tx.guard(t, %s, %s, about, %s)", old, fresh, quotedList(append([]string{x.table.PartitionKey.Name}, names...)))
	}
	return nil
}
