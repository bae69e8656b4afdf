package golang

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// validate writes what holds the fields of a struct against their domains: a method
// Validate of an entity, or validate of a map's struct.
func (g *generator) validate(w *writer, name string, fields []*field, of string) {
	if of == "MarshalItem" {
		w.line("// Validate holds the values against what the model declares. Writes do so by")
		w.line("// themselves; the error is a *ValueError.")
		w.line("func (o %s) Validate() error {", name)
		w.line("f := &fault{}")
	} else {
		w.line("func (o %s) validate(f *fault) {", name)
	}
	for _, field := range fields {
		g.checkField(w, field)
	}
	if of == "MarshalItem" {
		w.line("return f.err")
	}
	w.line("}\n")
}

// checkField writes the checks of a field.
func (g *generator) checkField(w *writer, f *field) {
	code := "o." + f.name
	checks := &writer{}
	inner := code
	if f.attr.Optional && f.typ.pointer() {
		inner = "*" + code
	}
	g.checks(checks, f.typ, inner, f.attr.Name.Text, f.attr.Optional || g.mayBeAbsent(f))
	switch {
	case checks.Len() == 0:
	case f.attr.Optional && f.typ.kind != kindBytes && !f.typ.pointer(), f.attr.Optional:
		w.line("if %s != nil {", code)
		w.Write(checks.Bytes())
		w.line("}")
	case g.mayBeAbsent(f) && f.typ.kind == kindTime:
		w.line("if !%s.IsZero() {", code)
		w.Write(checks.Bytes())
		w.line("}")
	default:
		w.Write(checks.Bytes())
	}
	if other := f.attr.PresentWith; other != nil {
		w.line("if (%s == nil) != (o.%s == nil) {", code, exported(other.Name.Text))
		w.line("f.invalid(%q, \"is there exactly when %s is\")", f.attr.Name.Text, other.Name.Text)
		w.line("}")
	}
}

// checks writes what holds a value against its domain.
func (g *generator) checks(w *writer, t *goType, code, name string, absent bool) {
	a := t.attr
	switch t.kind {
	case kindText, kindEnum:
		g.checkText(w, t, code, name)
	case kindInteger:
		g.checkValues(w, a, code, name, func(v value.Value) string { return v.Text() })
		g.checkBounds(w, a, code, name, "least", "most")
	case kindNumber:
		w.line("f.number(%q, %s)", name, code)
		g.checkValues(w, a, "Number(f.number("+strconv.Quote(name)+", "+code+"))", name, func(v value.Value) string { return strconv.Quote(v.Text()) })
		g.checkBounds(w, a, code, name, "leastNumber", "mostNumber")
	case kindTime:
		g.checkTime(w, t, code, name)
	case kindBytes:
		if s := a.Domain.Size; s != nil {
			w.line("f.bytes(%q, len(%s), %d, %s)", name, code, s.Min, most(s.Max))
		}
	case kindAny, kindValues, kindValueMap:
		if m := a.Domain.Members; m != nil && t.kind != kindAny {
			w.line("f.members(%q, len(%s), %d, %s)", name, code, m.Min, most(m.Max))
		}
	case kindObject:
		if strings.HasPrefix(code, "*") {
			code = "(" + code + ")"
		}
		w.line("%s.validate(f)", code)
	default:
		g.checkMembers(w, t, code, name)
	}
}

// most is the greatest of a range, which may have none.
func most(n int64) string {
	if n > math.MaxInt32 {
		return "1<<31 - 1"
	}
	return strconv.FormatInt(n, 10)
}

func (g *generator) checkMembers(w *writer, t *goType, code, name string) {
	if m := t.attr.Domain.Members; m != nil {
		w.line("f.members(%q, len(%s), %d, %s)", name, code, m.Min, most(m.Max))
	}
	if t.elem == nil {
		return
	}
	inner := &writer{}
	g.checks(inner, t.elem, "v", name, false)
	if inner.Len() > 0 {
		w.line("for _, v := range %s {", code)
		w.Write(inner.Bytes())
		w.line("}")
	}
	if keys := t.attr.Domain.Keys; keys != nil && t.kind == kindMap {
		names := &writer{}
		g.checkText(names, &goType{kind: kindText, name: "string", attr: keys}, "k", name)
		if names.Len() > 0 {
			w.line("for k := range %s {", code)
			w.Write(names.Bytes())
			w.line("}")
		}
	}
}

// checkText writes the checks of a text.
func (g *generator) checkText(w *writer, t *goType, code, name string) {
	a := t.attr
	code = t.foldedText(code)
	text := code
	if t.kind == kindEnum {
		text = "string(" + code + ")"
	}
	switch a.Type {
	case model.TypeUUID, model.TypeUUID7, model.TypeULID, model.TypeKSUID, model.TypeSlug, model.TypeEmail, model.TypeURL:
		w.line("f.%s(%q, %s)", a.Type, name, text)
	case model.TypeDatetime:
		w.line("f.instant(%q, %s, %s)", name, text, varyingLayouts(a))
	}
	g.checkValues(w, a, text, name, func(v value.Value) string { return strconv.Quote(v.Text()) })
	if a.Domain.Pattern != nil {
		w.line("f.pattern(%q, %s, %s)", name, text, g.patternVar(a))
	}
	if l := a.Domain.Length; l != nil {
		w.line("f.length(%q, %s, %d, %s)", name, text, l.Min, most(l.Max))
	}
	if s := a.Domain.Size; s != nil {
		w.line("f.bytes(%q, len(%s), %d, %s)", name, text, s.Min, most(s.Max))
	}
	g.checkBounds(w, a, text, name, "leastText", "mostText")
}

// varyingLayouts are the layouts of a datetime whose form varies.
func varyingLayouts(a *model.Attribute) string {
	layouts := []string{strings.TrimSuffix(a.Layout(), "Z")}
	if a.Domain.Precision == model.PrecisionVariable {
		layouts = []string{"2006-01-02T15:04", "2006-01-02T15:04:05"}
	}
	for i := range layouts {
		switch {
		case a.Domain.AnyZone:
			layouts[i] += "Z07:00"
		case !a.Domain.NoZone:
			layouts[i] += "Z"
		}
		layouts[i] = strconv.Quote(layouts[i])
	}
	return strings.Join(layouts, ", ")
}

// checkValues writes the check of a value that is one of some.
func (g *generator) checkValues(w *writer, a *model.Attribute, code, name string, literal func(value.Value) string) {
	if len(a.Domain.Values) == 0 {
		return
	}
	var all []string
	for _, c := range a.Domain.Values {
		all = append(all, literal(c.Value))
	}
	w.line("oneOf(f, %q, %s, %s)", name, code, strings.Join(all, ", "))
}

// checkBounds writes the checks of the least and the greatest value.
func (g *generator) checkBounds(w *writer, a *model.Attribute, code, name, least, most string) {
	bound := func(v value.Value) string {
		if a.Type == model.TypeInteger {
			return v.Text()
		}
		return strconv.Quote(v.Text())
	}
	if a.Domain.Min.Exists() {
		w.line("f.%s(%q, %s, %s)", least, name, code, bound(a.Domain.Min))
	}
	if a.Domain.Max.Exists() {
		w.line("f.%s(%q, %s, %s)", most, name, code, bound(a.Domain.Max))
	}
}

// checkTime writes the checks of a time.
func (g *generator) checkTime(w *writer, t *goType, code, name string) {
	if !t.attr.Domain.Min.Exists() && !t.attr.Domain.Max.Exists() {
		w.line("f.given(%q, %s)", name, code)
		return
	}
	text := t.text(code, name)
	if t.epoch() {
		g.checkBounds(w, t.attr, "Number("+text+")", name, "leastNumber", "mostNumber")
		return
	}
	g.checkBounds(w, t.attr, text, name, "leastText", "mostText")
}

// patternVar is the variable of a pattern, which is declared once for equal ones.
func (g *generator) patternVar(a *model.Attribute) string {
	text := `\A(?:` + a.Domain.Pattern.String() + `)\z`
	for _, p := range g.regexps {
		if p.text == text {
			return p.name
		}
	}
	p := compiled{g.names.take("pattern" + exported(a.Name.Text)), text}
	g.regexps = append(g.regexps, p)
	return p.name
}

// compiled is a pattern that generated code compiles once.
type compiled struct{ name, text string }

func (g *generator) declarePatterns(w *writer) {
	for _, p := range g.regexps {
		w.line("var %s = regexp.MustCompile(%s)", p.name, quoted(p.text))
	}
}

// quoted is a text in backquotes where that is possible.
func quoted(text string) string {
	if strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return fmt.Sprintf("%q", text)
}
