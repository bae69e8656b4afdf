package golang

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
)

// putItem writes the statements that make the item of a put, and returns the variable
// of the item as it is stored.
func (x *mutator) putItem(fr *frame, a *plan.Action) (string, error) {
	w, e := x.methods.w, x.of(a.Entity)
	x.temp++
	variable, err := x.entityOf(fr, a, e)
	if err != nil {
		return "", err
	}
	w.line("f.set(%s.Validate())", variable)
	marshal := "MarshalItem()"
	if e.random {
		marshal = "marshal(t.draw)"
	}
	w.line("item, err := %s.%s", variable, marshal)
	w.line("f.set(err)")
	return "item", nil
}

// entityOf writes the statements that make the entity of a put, and returns its variable.
func (x *mutator) entityOf(fr *frame, a *plan.Action, e *entity) (string, error) {
	w := x.methods.w
	if ps := x.pattern.params; ps != nil && ps.entity != nil && x.pattern.Step != nil {
		return "p", nil
	}
	given := map[*model.Attribute]expr.Operand{}
	for _, in := range a.Inputs {
		given[in.Attribute] = in.Value
	}
	w.line("o := %s{", e.name)
	for _, f := range e.fields {
		code, err := x.fieldValue(fr, f, given)
		if err != nil {
			return "", fmt.Errorf("attribute %s: %w", f.attr.Name.Text, err)
		}
		if code != "" {
			w.line("%s: %s,", f.name, code)
		}
	}
	w.line("}")
	own := &frame{g: x.generator, item: "o", own: e}
	for _, f := range e.fields {
		if f.attr.Derive == nil {
			continue
		}
		if err := x.derive(own, f); err != nil {
			return "", fmt.Errorf("attribute %s: %w", f.attr.Name.Text, err)
		}
	}
	return "o", nil
}

// fieldValue is the value of a field of a put's entity: what the call brings, else
// its default; "" for none.
func (x *mutator) fieldValue(fr *frame, f *field, given map[*model.Attribute]expr.Operand) (string, error) {
	o := given[f.attr]
	if o == nil {
		return x.defaultOf(fr, f)
	}
	if p, ok := o.(*expr.Param); ok {
		if field, code := fr.field(p.Name); field != nil && (field.pointer || field.param.MayBeAbsent) {
			return x.fromOptional(fr, f, field, code)
		}
	}
	v, err := fr.operand(o, f.attr)
	if err != nil {
		return "", err
	}
	if p, ok := o.(*expr.Param); ok && f.attr.Minted && f.attr.Type.IsID() && x.pattern.Step != nil && f.typ.kind == kindText {
		if field, code := fr.field(p.Name); field != nil {
			return fmt.Sprintf("t.minted(f, %q, %s)", f.attr.Type, code), nil
		}
	}
	code, err := v.as(f.typ)
	return f.wrapped(code), err
}

// wrapped is a value as the field holds it.
func (f *field) wrapped(code string) string {
	if f.attr.Optional && f.typ.pointer() && code != "" {
		return "to[" + f.typ.name + "](" + code + ")"
	}
	return code
}

// defaultOf is the value of a field that the call does not bring; "" for none.
func (x *mutator) defaultOf(fr *frame, f *field) (string, error) {
	switch {
	case f.attr.Default.Exists():
		code, err := literalAs(f.attr.Default, f.typ)
		return f.wrapped(code), err
	case f.attr.DefaultNow != nil:
		v, err := fr.operand(f.attr.DefaultNow, f.attr)
		if err != nil {
			return "", err
		}
		code, err := v.as(f.typ)
		return f.wrapped(code), err
	}
	return "", nil
}

// fromOptional is the value of a field that the call may leave out.
func (x *mutator) fromOptional(fr *frame, f *field, from *paramField, code string) (string, error) {
	otherwise, err := x.defaultOf(fr, f)
	if err != nil {
		return "", err
	}
	if !from.pointer {
		switch {
		case !from.typ.same(f.typ):
			return "", fault("%s is a %s, and cannot be made of a %s", f.attr.Name.Text, f.typ.name, from.typ.name)
		case otherwise != "":
			return fmt.Sprintf("given(%s != nil, %s, %s)", code, code, otherwise), nil
		}
		return code, nil
	}
	switch same := from.typ.same(f.typ); {
	case otherwise != "" && f.attr.Optional && same:
		return fmt.Sprintf("orElse(%s, %s)", code, otherwise), nil
	case otherwise != "" && same:
		return fmt.Sprintf("or(%s, %s)", code, otherwise), nil
	case f.attr.Optional && same:
		return code, nil
	case !same && otherwise == "":
		v, err := val{code: "v", name: from.param.Name, typ: from.typ}.as(f.typ)
		if err != nil {
			return "", err
		}
		if f.attr.Optional {
			return fmt.Sprintf("mapped(%s, func(v %s) %s { return %s })", code, from.typ.name, f.typ.name, v), nil
		}
	}
	v, err := val{code: fmt.Sprintf("need(f, %q, %s)", from.param.Name, code), name: from.param.Name, typ: from.typ}.as(f.typ)
	return f.wrapped(v), err
}

// derive writes what computes a field from others.
func (x *mutator) derive(own *frame, f *field) error {
	w := x.methods.w
	v, err := own.operand(f.attr.Derive.Expr, f.attr)
	if err != nil {
		return err
	}
	code, err := v.as(f.typ)
	if err != nil {
		return err
	}
	var present []string
	for _, source := range expr.Attrs(f.attr.Derive.Expr) {
		if from := own.own.field(source.Path.Name); from != nil && from.attr.Optional && from.typ.pointer() {
			present = append(present, "o."+from.name+" != nil")
		}
	}
	if len(present) > 0 {
		w.line("if %s {", list(present...))
		defer w.line("}")
	}
	w.line("o.%s = %s", f.name, f.wrapped(code))
	return nil
}
