package typescript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
)

// gotten writes the function of a get, batch_get or transact_get.
func (f *function) gotten() error {
	v := f.plan.Variants[0]
	switch {
	case len(f.plan.Variants) > 1:
		return fmt.Errorf("a read by keys with optional parameters is not supported: give them")
	case v.Read == nil:
		return fmt.Errorf("%s", unserved(v))
	}
	if call, ok := f.electroGet(); ok {
		return f.overElectro(call)
	}
	switch {
	case v.Read.API == plan.GetItem:
		return f.getOne(v.Read)
	case v.Read.Gets[0].List != "":
		return f.getList(v.Read)
	}
	return f.getSteps(v.Read)
}

// modes are the members of a read's input beside its key, by the Expression x.
func (f *function) modes(r *plan.Read) []string {
	var out []string
	if r.Projection != nil {
		names := slices.Clone(r.Projection)
		for _, k := range f.table.Keys() {
			if !slices.Contains(names, k.Name) {
				names = append(names, k.Name)
			}
		}
		if t := f.table.EntityType; t != "" && len(r.Entities) > 1 && !slices.Contains(names, t) {
			names = append(names, t)
		}
		out = append(out, "ProjectionExpression: x.projection("+quotedList(names)+")")
	}
	if r.Consistent && r.API != plan.TransactGetItems {
		out = append(out, "ConsistentRead: true")
	}
	return out
}

// input is a read's input, written with what it needs.
func (f *function) input(members []string, r *plan.Read) string {
	text := object(f.w.depth, append(members, f.modes(r)...)...)
	if strings.Contains(text, "x.") {
		f.w.line("const x = new rt.Expression();")
		return "x.in(" + text + ")"
	}
	return text
}

// kept is the condition on which the reader keeps an item after the read; "" for any.
func (f *function) kept(r *plan.Read, e *model.Entity, item string) (string, error) {
	cond := r.KeptByReader(e)
	if cond == nil {
		return "", nil
	}
	return f.scope().reading(e, item).holds(cond)
}

const overDocuments = "over the document client"

func (f *function) getOne(r *plan.Read) error {
	w := f.w
	decode, typ := f.reader(r.Entities, f.Select)
	key, err := f.seeking().key(r.Gets[0].Key, 1)
	if err != nil {
		return err
	}
	kept, err := f.kept(r, r.Gets[0].Entity, "item")
	if err != nil {
		return err
	}
	f.open(overDocuments, f.name, f.arguments(), typ+" | undefined")
	f.now(key + kept)
	w.line("const item = await rt.get(db, %s);", f.input([]string{"Key: " + key}, r))
	keep := "item"
	if kept != "" {
		keep = "item && " + parenthesised(kept)
	}
	w.line("return %s ? %s : undefined;", keep, decoded(decode, "item"))
	w.line("}\n")
	return nil
}

func parenthesised(code string) string {
	if strings.Contains(code, " || ") {
		return "(" + code + ")"
	}
	return code
}

// getList writes a read of the items of a list of keys.
func (f *function) getList(r *plan.Read) error {
	w := f.w
	g := r.Gets[0]
	decode, typ := f.reader(r.Entities, f.Select)
	s := f.seeking()
	key, err := s.member("m", s.listFields(g.List)).key(g.Key, 1)
	if err != nil {
		return err
	}
	kept, err := f.kept(r, g.Entity, "item")
	if err != nil {
		return err
	}
	f.open(overDocuments, f.name, f.arguments(), listOf(typ))
	f.now(key + kept)
	w.line("const keys = %s.map((m) => (%s));", s.param(g.List), key)
	keep := "rt.exists(item)"
	if kept != "" {
		keep = "rt.exists(item) && " + parenthesised(kept)
	}
	if r.API == plan.TransactGetItems {
		w.line("const found = (await rt.transactGet(db, rt.distinct(keys).map((Key) => %s))) as rt.Item[];", f.arrowInput(r))
	} else {
		w.line("const found = await rt.batchGet(db, keys, %s);", f.input(nil, r))
	}
	w.line("return found.filter((item) => %s).map(%s);", keep, decode)
	w.line("}\n")
	return nil
}

// arrowInput is the input of a read whose key is the variable Key.
func (f *function) arrowInput(r *plan.Read) string {
	text := f.input([]string{"Key"}, r)
	if strings.HasPrefix(text, "{") {
		return "(" + text + ")"
	}
	return text
}

// getSteps writes a read of several items, each by its own key.
func (f *function) getSteps(r *plan.Read) error {
	w := f.w
	var keys, types, reads []string
	for i, g := range r.Gets {
		key, err := f.seeking().key(g.Key, 2)
		if err != nil {
			return err
		}
		kept, err := f.kept(r, g.Entity, fmt.Sprintf("item%d", i+1))
		if err != nil {
			return err
		}
		decode, typ := f.reader([]*model.Entity{g.Entity}, f.Select)
		item := fmt.Sprintf("item%d", i+1)
		if kept != "" {
			kept = " && " + parenthesised(kept)
		}
		keys = append(keys, key)
		types = append(types, typ+" | undefined")
		reads = append(reads, fmt.Sprintf("%s%s ? %s : undefined", item, kept, decoded(decode, item)))
	}
	f.open(overDocuments, f.name, f.arguments(), "["+strings.Join(types, ", ")+"]")
	f.now(strings.Join(append(keys, reads...), " "))
	w.line("const keys: rt.Item[] = %s;", array(w.depth, keys...))
	if r.API == plan.TransactGetItems {
		w.line("const found = await rt.transactGet(db, keys.map((Key) => %s));", f.arrowInput(r))
	} else {
		w.line("const all = await rt.batchGet(db, keys, %s);", f.input(nil, r))
		w.line("const found = keys.map((key) => all.find((item) => Object.keys(key).every((n) => rt.equal(item[n], key[n]))));")
	}
	var items []string
	for i := range r.Gets {
		items = append(items, fmt.Sprintf("item%d", i+1))
	}
	w.line("const [%s] = found;", strings.Join(items, ", "))
	w.line("return %s;", array(w.depth, reads...))
	w.line("}\n")
	return nil
}

// then writes a query whose items lead to others, which are read in batches.
func (f *function) then(found string) error {
	w := f.w
	v := f.plan.Variants[0]
	g := v.Then.Gets[0]
	decode, typ := f.reader(v.Read.Entities, f.Select)
	target := f.of(f.Then.Entity)
	key, err := f.scope().reading(f.Entities[0], "item").key(g.Key, 1)
	if err != nil {
		return err
	}
	kept, err := f.kept(v.Then, g.Entity, "other")
	if err != nil {
		return err
	}
	var there []string
	for _, part := range f.Then.Keys {
		there = append(there, "rt.exists("+member("item", part.Own.Name.Text)+")")
	}
	f.open(overDocuments, f.name, f.arguments(), "{ found: "+typ+"; other?: entities."+target.name+" }[]")
	f.now(key + kept)
	w.line("%s", found)
	w.line("const items = await rt.collect(found);")
	w.line("const keyOf = (item: rt.Item) => (%s ? %s : undefined);", strings.Join(there, " && "), key)
	w.line("const keys = items.map(keyOf).filter((key) => key !== undefined);")
	w.line("const others = await rt.batchGet(db, keys, %s);", f.input(nil, v.Then))
	w.line("return items.map((item) => {")
	w.line("const key: rt.Item | undefined = keyOf(item);")
	w.line("const other = key && others.find((o) => Object.keys(key).every((n) => rt.equal(o[n], key[n])));")
	keep := "other"
	if kept != "" {
		keep += " && " + parenthesised(kept)
	}
	w.line("const row = { found: %s };", decoded(decode, "item"))
	w.line("return %s ? { ...row, other: entities.read%s(other) } : row;", keep, target.name)
	w.line("});")
	w.line("}\n")
	return nil
}
