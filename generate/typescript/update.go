package typescript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/ddbexpr"
	"github.com/dynmodel/dynmodel/model/plan"
)

// clauses is the update expression; where it depends on values, its clauses are
// written into the variable of that name first.
func (f *function) clauses(x expression, a *plan.Action, readFirst bool) (string, error) {
	w := f.w
	change, err := x.writer().Update(a.Change)
	if err != nil {
		return "", err
	}
	written, err := ddbexpr.Render(change, x.render)
	if err != nil {
		return "", err
	}
	sure := func(k *plan.IndexKey) bool { return !readFirst && (k.Removed() || len(k.Members) == 0) }
	for _, k := range a.IndexKeys {
		switch {
		case sure(k) && k.Removed():
			written.Remove = append(written.Remove, name(k.Attribute.Name))
		case sure(k):
			v, err := x.recipe(k.Value)
			if err != nil {
				return "", err
			}
			written.Set = append(written.Set, name(k.Attribute.Name)+" = "+put(v))
		}
	}
	if !slices.ContainsFunc(a.IndexKeys, func(k *plan.IndexKey) bool { return !sure(k) }) {
		return updateText(written), nil
	}
	w.line("const clauses = {")
	for _, c := range written.All() {
		var actions []string
		for _, action := range c.Actions {
			actions = append(actions, "`"+action+"`")
		}
		w.line("%s: %s as string[],", c.Word, array(w.depth, actions...))
	}
	w.line("};")
	return "rt.update(clauses)", f.doubtful(x, a, readFirst, sure)
}

// updateText is an update expression that does not depend on anything; undefined
// for none.
func updateText(clauses ddbexpr.Clauses[string]) string {
	text := ddbexpr.Joined(clauses)
	if text == "" {
		return "undefined"
	}
	return "`" + text + "`"
}

// doubtful writes the index keys of which it depends on values whether they are
// written: those of an item read first only when there is one, or one is made.
func (f *function) doubtful(x expression, a *plan.Action, readFirst bool, sure func(*plan.IndexKey) bool) error {
	w := f.w
	guarded := readFirst && !a.Found
	if guarded {
		if a.Step.Upsert {
			return fmt.Errorf("an update that reads first and makes the item when there is none cannot keep its index keys here: take `upsert` away")
		}
		w.line("if (old) {")
	}
	for _, k := range a.IndexKeys {
		if sure(k) {
			continue
		}
		if err := f.indexKey(x, a.Entity, k); err != nil {
			return err
		}
	}
	if guarded {
		w.line("}")
	}
	return nil
}

func (f *function) indexKey(x expression, e *model.Entity, k *plan.IndexKey) error {
	w := f.w
	target := "`" + name(k.Attribute.Name) + "`"
	if k.Removed() {
		w.line("clauses.REMOVE.push(%s);", target)
		return nil
	}
	v, err := x.recipe(k.Value)
	if err != nil {
		return err
	}
	set := fmt.Sprintf("clauses.SET.push(`%s = %s`);", name(k.Attribute.Name), put(v))
	if len(k.Members) == 0 {
		w.line("%s", set)
		return nil
	}
	var any []string
	w.line("{")
	for i, m := range k.Members {
		known, err := f.known(x.scope, m.Known)
		if err != nil {
			return err
		}
		item := fmt.Sprintf("after%d", i+1)
		w.line("const %s: rt.Item = %s;", item, f.of(e).normal("entities.", known))
		in, err := holdsOf(m, e, item)
		if err != nil {
			return err
		}
		any = append(any, in)
	}
	w.line("if (%s) {", strings.Join(any, " || "))
	w.line("%s", set)
	w.line("} else {")
	w.line("clauses.REMOVE.push(%s);", target)
	w.line("}")
	w.line("}")
	return nil
}

// holdsOf is the condition that an item is in an index after an update.
func holdsOf(m plan.Membership, e *model.Entity, item string) (string, error) {
	s := scope{}.reading(e, item)
	var terms []string
	for _, when := range m.When {
		text, err := s.holds(when.Cond)
		if err != nil {
			return "", err
		}
		terms = append(terms, "("+text+")")
	}
	for _, p := range m.Present {
		terms = append(terms, "rt.exists("+s.path(item, p)+")")
	}
	if len(terms) == 0 {
		return "true", nil
	}
	return strings.Join(terms, " && "), nil
}

// actOnFound writes the write of an item that was found. One of which no write can be
// made, such as one whose new key has no room for a number, is passed over where it is
// not as the write requires it. A condition that only DynamoDB can evaluate decides
// nothing here.
func (f *function) actOnFound(v *plan.Variant, a *plan.Action) error {
	s := f.scope().reading(a.Entity, "old")
	cond := v.Decides(a)
	if cond == nil {
		return f.act(s, a, true)
	}
	holds, err := s.holds(cond)
	if err != nil {
		return f.act(s, a, true)
	}
	f.w.line("try {")
	if err := f.act(s, a, true); err != nil {
		return err
	}
	f.w.line("} catch (err) {")
	f.w.line("if (!(err instanceof rt.UnfitError) || %s) {", holds)
	f.w.line("throw err;")
	f.w.line("}")
	f.w.line("continue;")
	f.w.line("}")
	return nil
}

// each writes the function of a delete_each or update_each.
func (f *function) each() error {
	w := f.w
	v := f.plan.Variants[0]
	switch {
	case len(f.plan.Variants) > 1:
		return fmt.Errorf("optional parameters of %s are not supported: make a pattern of each", f.Operation)
	case v.Read == nil || v.Each == nil:
		return fmt.Errorf("%s", unserved(v))
	}
	if err := f.requests(); err != nil {
		return err
	}
	body := &writer{depth: 2}
	f.w, f.sink = body, gathered
	for _, a := range v.Each.Actions {
		if len(v.Each.Actions) > 1 {
			body.line("if (entities.readAny(old)?.entity === %s) {", quote(a.Entity.Name.Text))
		}
		if err := f.actOnFound(v, a); err != nil {
			return err
		}
		if len(v.Each.Actions) > 1 {
			body.line("}")
		}
	}
	f.w = w
	f.open(overDocuments+", item by item and not as a whole; returns how many it has written", f.name, f.arguments(), "number")
	f.now(body.String())
	w.line("let n = 0;")
	w.line("for await (const old of rt.read(db, rt.requests(%sRequests(%s)), %s)) {", f.name, f.passed(), f.merging(v.Read))
	w.line("const actions: rt.Action[] = [];")
	w.WriteString(body.String())
	w.line("n += await rt.writeFound(db, actions);")
	w.line("}")
	w.line("return n;")
	w.line("}\n")
	return nil
}
