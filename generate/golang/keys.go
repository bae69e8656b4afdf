package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/value"
)

// keyFuncs writes the struct of an entity's key, the functions that make its key
// attributes, and those of its guards.
func (g *generator) keyFuncs(w *writer, e *entity) error {
	w.line("// %s is what one %s is found by.", e.key, e.name)
	g.structType(w, e.key, e.keys)
	if e.field("Key") == nil && !slices.ContainsFunc(e.fields, func(f *field) bool { return f.name == "Key" }) {
		w.line("// Key is what the item is found by.")
		w.line("func (o %s) Key() %s {", e.name, e.key)
		var all []string
		for _, f := range e.keys {
			all = append(all, f.name+": o."+f.name)
		}
		w.line("return %s{%s}", e.key, strings.Join(all, ", "))
		w.line("}\n")
	}
	for _, s := range g.slots() {
		k := e.Entity.Key(s.attribute.Name)
		if k == nil || k.Template.Whole() != nil {
			continue
		}
		if err := g.keyFunc(w, e, s, k.Template); err != nil {
			return err
		}
	}
	for i, u := range e.Unique {
		if err := g.guardFunc(w, e, i, u); err != nil {
			return err
		}
	}
	return nil
}

// keyFunc writes the function that makes one key attribute of the attributes in it.
func (g *generator) keyFunc(w *writer, e *entity, s *slot, t model.Template) error {
	names := scope{}
	known := map[string]val{}
	var signature []string
	var out phrase
	for i, p := range t.Parts {
		switch {
		case p.Random > 0:
			name := names.take("shardNumber")
			signature = append(signature, name+" int")
			out.code("strconv.Itoa(" + name + ")")
			continue
		case p.Attribute == nil:
			out.literal(p.Literal)
			continue
		}
		v, ok := known[p.Path.String()]
		if !ok {
			leaf := p.Attribute.Member(p.Path.Rest)
			if leaf == nil {
				return nil // nothing says what stands there
			}
			typ := g.typeOf(leaf, e.name)
			v = val{code: names.take(local(p.Path.String())), name: p.Path.String(), typ: typ}
			signature = append(signature, v.code+" "+typ.name)
			known[p.Path.String()] = v
		}
		out.code(guarded(v.folded(v.typ.attr).through(p.Funcs, false), t, i))
	}
	name := g.names.take(e.name + exported(s.attribute.Name))
	verb := "makes"
	if len(signature) == 0 {
		verb = "is"
	}
	w.comment(fmt.Sprintf("%s %s the %s of %s: %s", name, verb, s.attribute.Name, e.name, t.Text))
	if len(signature) == 0 {
		w.line("const %s = %s\n", name, out.String())
		return nil
	}
	w.line("func %s(%s) (string, error) {", name, strings.Join(signature, ", "))
	w.line("f := &fault{}")
	w.line("key := f.key(%q, %s, %s)", s.attribute.Name, out.String(), s.limit)
	w.line("return key, f.err")
	w.line("}\n")
	return nil
}

// guarded is the text of a template's part, held against what would make a key of
// no use: nothing where there has to be something, and what ends it in a key that
// could then be read in two ways.
func guarded(v val, t model.Template, i int) string {
	text := v.text()
	p := t.Parts[i]
	leaf := keytext.Leaf(p)
	if len(p.Funcs) > 0 && !onlyFolds(p.Funcs) || leaf == nil || !isTextual(leaf) {
		return text
	}
	if neverEmpty(leaf) {
		text = fmt.Sprintf("f.some(%q, %s)", v.name, text)
	}
	if i+1 >= len(t.Parts) || t.Parts[i+1].Literal == "" {
		return text
	}
	delimiter := t.Parts[i+1].Literal
	if _, _, _, two := keytext.Ambiguous(t); two && keytext.Of(leaf, p.Funcs).Has(delimiter[0]) {
		text = fmt.Sprintf("f.apart(%q, %s, %q)", v.name, text, delimiter)
	}
	return text
}

func onlyFolds(funcs []expr.Func) bool {
	return !slices.ContainsFunc(funcs, func(f expr.Func) bool { return f.Name != expr.Lower && f.Name != expr.Upper })
}

// guardFunc writes the function that makes the key of the guard of an item's
// unique values, nil when it has none.
func (g *generator) guardFunc(w *writer, e *entity, i int, u *model.Unique) error {
	fr := &frame{g: g, item: "item", entity: e.Entity}
	var all []string
	for _, a := range u.Of {
		all = append(all, fmt.Sprintf("item[%q] == nil", a.Name.Text))
	}
	if u.When != nil {
		when, err := fr.holds(u.When.Cond)
		if err != nil {
			return err
		}
		all = append(all, negated(when))
	}
	var names []string
	for _, a := range u.Of {
		names = append(names, a.Name.Text)
	}
	w.comment(fmt.Sprintf("%s is the key of the item that keeps %s for one %s.", g.guardName(e, i), strings.Join(names, ", "), e.name))
	w.line("func %s(f *fault, item stored) stored {", g.guardName(e, i))
	w.line("if %s {", strings.Join(all, " || "))
	w.line("return nil")
	w.line("}")
	w.line("return stored{")
	for position, key := range g.table.Keys() {
		for _, k := range u.Keys {
			if k.Name.Text != key.Name {
				continue
			}
			code, err := g.guardKey(fr, k.Template, key, limitName(position))
			if err != nil {
				return err
			}
			w.line("%q: %s,", key.Name, code)
		}
	}
	w.line("}")
	w.line("}\n")
	return nil
}

func (g *generator) guardKey(fr *frame, t model.Template, key model.KeyAttribute, limit string) (string, error) {
	part := func(p model.Part) (val, error) {
		code, err := fr.at("item", p.Path)
		return rawVal(code, p.Path.String(), keytext.Leaf(p)).through(p.Funcs, false), err
	}
	if whole := t.Whole(); whole != nil && key.Kind != value.String {
		v, err := part(*whole)
		return v.written(), err
	}
	var out phrase
	for _, p := range t.Parts {
		switch {
		case p.Random > 0:
			out.literal("0") // it has to be found again
		case p.Attribute == nil:
			out.literal(p.Literal)
		default:
			v, err := part(p)
			if err != nil {
				return "", err
			}
			out.code(v.text())
		}
	}
	return keyCode(key.Name, out.String(), limit), nil
}

// guardName is the function of an entity's guard.
func (g *generator) guardName(e *entity, i int) string {
	out := "guardOf" + e.name
	for _, a := range e.Unique[i].Of {
		out += exported(a.Name.Text)
	}
	for j := range i { // the same attributes again
		if g.guardName(e, j) == out {
			return fmt.Sprintf("%s%d", out, i+1)
		}
	}
	return out
}
