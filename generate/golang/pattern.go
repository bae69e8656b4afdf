package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
)

// pattern is an access pattern with its names in Go.
type pattern struct {
	*model.Pattern
	plan   *plan.Plan
	method string
	params *params // what a call brings; nil for nothing
	row    string  // the struct of selected attributes; "" for whole items
}

// params is a struct whose fields are parameters.
type params struct {
	name   string
	own    bool // declared for this pattern: neither an entity's struct nor a key's
	entity *entity
	fields []*paramField
}

// paramField is a parameter as a field.
type paramField struct {
	param   *model.Parameter
	name    string
	typ     *goType
	pointer bool    // may be left out
	list    *params // of the members of a list whose members have fields
}

// describeParams chooses what a call of the pattern brings: an entity, its key, or
// a struct of the pattern's own.
func (g *generator) describeParams(p *pattern) {
	if len(p.Parameters) == 0 {
		return
	}
	if e := g.whole(p.Pattern); e != nil {
		p.params = &params{name: e.name, entity: e}
		for _, f := range e.fields {
			p.params.fields = append(p.params.fields, &paramField{param: p.Parameter(f.attr.Name.Text), name: f.name, typ: f.typ,
				pointer: f.attr.Optional && f.typ.pointer()})
		}
		return
	}
	p.params = g.structOf(p.Parameters, p.method)
	if p.Step != nil {
		if e := g.of(p.Step.Entity); g.sameFields(p.params.fields, e.keys) {
			p.params.name = e.key
			return
		}
	}
	p.params.name, p.params.own = g.names.take(p.method+"Params"), true
}

// structOf are parameters as the fields of a struct, which is yet to be named.
func (g *generator) structOf(parameters []*model.Parameter, owner string) *params {
	names := scope{}
	out := &params{}
	for _, q := range parameters {
		f := &paramField{param: q, name: names.take(exported(q.Name))}
		if q.List && len(q.Fields) > 0 {
			g.listOf(f, owner)
		} else {
			f.typ = g.paramType(q, owner)
			f.pointer = (q.Optional || q.MayBeAbsent) && f.typ.pointer()
		}
		out.fields = append(out.fields, f)
	}
	return out
}

// listOf is a list parameter whose members have fields.
func (g *generator) listOf(f *paramField, owner string) {
	f.list = g.structOf(f.param.Fields, owner)
	for _, e := range g.entities {
		if g.sameFields(f.list.fields, e.keys) {
			f.list.name = e.key
		}
	}
	if f.list.name == "" {
		f.list.name, f.list.own = g.names.take(owner+exported(singular(f.param.Name))), true
	}
	f.typ = &goType{kind: kindList, name: "[]" + f.list.name, attr: &model.Attribute{Type: model.TypeList}}
}

// whole is the entity whose items a create or put takes as they are: nothing is
// renamed, fixed, given a default or kept by the tool.
func (g *generator) whole(p *model.Pattern) *entity {
	if p.Operation != model.Create && p.Operation != model.Put || p.Step == nil {
		return nil
	}
	e := g.of(p.Step.Entity)
	if len(p.Parameters) != len(e.Attributes) || len(p.Step.Inputs) != len(e.Attributes) {
		return nil
	}
	for _, in := range p.Step.Inputs {
		a := in.Attribute
		q, ok := in.Value.(*expr.Param)
		if !ok || q.Name != a.Name.Text || p.Parameter(q.Name) == nil || p.Parameter(q.Name).Declared != nil ||
			a.HasDefault() || a.Derive != nil || a.Version || a.OnWrite != nil {
			return nil
		}
	}
	return e
}

// sameFields tells whether parameters are just the attributes of a key.
func (g *generator) sameFields(fields []*paramField, keys []*field) bool {
	if len(fields) != len(keys) {
		return false
	}
	for _, k := range keys {
		if !slices.ContainsFunc(fields, func(f *paramField) bool {
			return f.name == k.name && f.param.Name == k.attr.Name.Text && f.typ != nil && f.typ.same(k.typ) && !f.pointer && f.param.Declared == nil
		}) {
			return false
		}
	}
	return true
}

// paramType is the Go type of a parameter.
func (g *generator) paramType(q *model.Parameter, owner string) *goType {
	t := g.valueType(q, owner)
	if !q.List || t.kind == kindList {
		return t
	}
	return &goType{kind: kindList, name: "[]" + t.name, attr: &model.Attribute{Type: model.TypeList}, elem: t}
}

// valueType is the type of a parameter, or of the members of one that is a list.
func (g *generator) valueType(q *model.Parameter, owner string) *goType {
	text := func(t model.Type) *goType {
		return &goType{kind: kindText, name: "string", attr: &model.Attribute{Name: model.Name{Text: q.Name}, Type: t}}
	}
	switch {
	case q.Declared != nil && q.Declared.Type == model.TypeEnum && q.Like != nil && q.Like.Type == model.TypeEnum:
		return g.typeOf(q.Like, owner)
	case q.Declared != nil && q.Declared.Type == model.TypeEnum:
		return text(model.TypeString)
	case q.Declared != nil:
		return g.typeOf(q.Declared, owner+exported(q.Name))
	case len(q.Funcs) > 0 && q.Funcs[len(q.Funcs)-1].Name == expr.Shard:
		return &goType{kind: kindInteger, name: "int64", attr: &model.Attribute{Name: model.Name{Text: q.Name}, Type: model.TypeInteger}}
	case len(q.Funcs) > 0:
		return text(model.TypeString)
	case q.Like != nil:
		return g.typeOf(q.Like, owner)
	}
	return &goType{kind: kindAny, name: "types.AttributeValue", attr: &model.Attribute{Name: model.Name{Text: q.Name}, Type: model.TypeAny}}
}

// declareParams writes the structs that a pattern declares.
func (g *generator) declareParams(w *writer, name, about string, p *params) {
	for _, f := range p.fields {
		if f.list != nil && f.list.own {
			g.declareParams(w, f.list.name, "a member of "+f.name, f.list)
		}
	}
	if !p.own {
		return
	}
	w.line("// %s is %s.", name, about)
	w.line("type %s struct {", name)
	for _, f := range p.fields {
		typ := f.typ.name
		if f.pointer {
			typ = "*" + typ
		}
		w.line("%s %s%s", f.name, typ, paramComment(f))
	}
	w.line("}\n")
}

func paramComment(f *paramField) string {
	var notes []string
	if d := strings.Join(strings.Fields(f.param.Description), " "); d != "" {
		notes = append(notes, d)
	}
	switch {
	case f.param.Optional:
		notes = append(notes, "nil: without the condition or change that it stands in")
	case f.pointer && f.param.Like != nil && f.param.Like.HasDefault():
		notes = append(notes, "nil: the default")
	}
	if len(notes) == 0 {
		return ""
	}
	return " // " + strings.Join(notes, "; ")
}

// argument is the parameter of a method that brings the parameters; "" for none.
func (p *pattern) argument() string {
	if p.params == nil {
		return ""
	}
	return "p " + p.params.name
}

// passed is the argument handed on.
func (p *pattern) passed() string {
	if p.params == nil {
		return ""
	}
	return "p"
}

// list joins the parts of a list of parameters that are there.
func list(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// frame is the frame of the pattern's code.
func (g *generator) frame(p *pattern) *frame {
	fr := &frame{g: g, fans: map[*plan.Fan]val{}}
	if p.params != nil {
		fr.params, fr.vars = []*params{p.params}, []string{"p"}
	}
	return fr
}

// pattern writes the methods of a pattern and returns their signatures.
func (g *generator) pattern(w *writer, p *pattern) ([]string, error) {
	if p.params != nil {
		g.declareParams(w, p.params.name, "what "+p.method+" is called with", p.params)
	}
	m := &methods{w: w, p: p}
	switch {
	case p.Operation == model.Query, p.Operation == model.Scan:
		return m.done(g.query(m, p))
	case p.Operation == model.PartiQL:
		return m.done(g.statement(m, p))
	case p.Operation.IsRead():
		return m.done(g.get(m, p))
	case p.Operation.WritesEach():
		return m.done(g.writeEach(m, p))
	}
	return m.done(g.writes(m, p))
}

// methods writes the exported methods of one pattern and keeps their signatures.
type methods struct {
	w          *writer
	p          *pattern
	signatures []string
}

func (m *methods) done(err error) ([]string, error) { return m.signatures, err }

// open begins a method; its comment says what it does.
func (m *methods) open(name, about, signature string) {
	m.w.comment(name + " " + about)
	m.w.line("func (t *Table) %s%s {", name, signature)
	m.signatures = append(m.signatures, name+signature)
}

// auxiliary is the name of a further method of the pattern: RecentOrdersPage.
func (g *generator) auxiliary(p *pattern, suffix string) string {
	return g.methods.take(p.method + suffix)
}

// about is the comment of the pattern's main method, after its name.
func (p *pattern) about(what string) string {
	out := what
	if d := sentenceOf(p.Description); d != "" {
		out += "\n" + d
	}
	return out
}

// choose writes a switch over the variants of a pattern with optional parameters,
// each of which has a function of its own; call gives the statement for one.
func (g *generator) choose(w *writer, p *pattern, call func(i int) string) {
	if len(p.plan.Variants) == 1 {
		w.line("%s", call(0))
		return
	}
	absent := func(i int) string {
		var all []string
		for _, name := range p.plan.Variants[i].Absent {
			all = append(all, p.absent(name))
		}
		return strings.Join(all, " && ")
	}
	if len(p.plan.Variants) == 2 {
		w.line("if %s {", absent(1))
		w.line("%s", call(1))
		w.line("}")
		w.line("%s", call(0))
		return
	}
	w.line("switch {")
	for i := len(p.plan.Variants) - 1; i > 0; i-- {
		w.line("case %s:", absent(i))
		w.line("%s", call(i))
	}
	w.line("}")
	w.line("%s", call(0))
}

// absent is the condition on which an optional parameter is left out.
func (p *pattern) absent(name string) string {
	for _, f := range p.params.fields {
		if f.param.Name == name {
			return "p." + f.name + " == nil"
		}
	}
	return "false"
}

// required writes the check of what callers have to see to.
func (g *generator) required(w *writer, p *pattern, otherwise string) error {
	if p.Require == nil {
		return nil
	}
	code, err := g.frame(p).holds(p.Require.Cond)
	if err != nil {
		return err
	}
	w.line("if %s {", negated(code))
	w.line("f.invalid(\"the call\", %q)", "does not meet what the pattern requires: "+p.Require.Text)
	w.line("%s", otherwise)
	w.line("}")
	return nil
}

// unserved is the message for a combination of parameters that no plan serves.
func unserved(v *plan.Variant) string {
	if len(v.Absent) == 0 {
		return "is served by no index"
	}
	return "is served by no index without " + strings.Join(v.Absent, " and ")
}

// suffix tells the functions of variants apart.
func suffix(i int) string {
	if i == 0 {
		return ""
	}
	return fmt.Sprintf("_%d", i)
}
