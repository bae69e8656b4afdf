package typescript

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
)

// function is an access pattern with its names.
type function struct {
	*generator
	*model.Pattern
	w    *writer
	plan *plan.Plan
	name string
	// params is the type of what a call brings, "" for nothing.
	params string
	sink   sink
	row    string // the name of the type it gives, where it declares one; "" for none
}

// patternsFile has a function for every access pattern.
func (g *generator) patternsFile() (generate.File, error) {
	w := &writer{}
	var elsewhere []string
	for _, p := range g.Plans {
		if p.Pattern.Operation == model.External {
			elsewhere = append(elsewhere, fmt.Sprintf("// %s is served by %s.", p.Pattern.Name.Text, p.Pattern.Service))
			continue
		}
		if !slices.ContainsFunc(p.Variants, (*plan.Variant).Served) {
			elsewhere = append(elsewhere, fmt.Sprintf("// %s has no function: %s.", p.Pattern.Name.Text, unserved(p.Variants[0])))
			continue
		}
		f := &function{generator: g, Pattern: p.Pattern, w: w, plan: p, name: g.names.take(camel(p.Pattern.Name.Text, false))}
		f.declareParams()
		if err := f.write(); err != nil {
			return generate.File{}, refused(p.Pattern, err)
		}
	}
	for _, line := range elsewhere {
		w.line("%s", line)
	}
	if len(g.Plans) == len(elsewhere) {
		w.line("export {};")
		return w.file("patterns.ts"), nil
	}
	imports := []string{"import type { Store } from './electro.js';"}
	if strings.Contains(w.String(), "entities.") {
		imports = append(imports, "import * as entities from './entities.js';")
	}
	if strings.Contains(w.String(), "rt.") {
		imports = append(imports, "import * as rt from './runtime/index.js';")
	}
	return w.file("patterns.ts", imports...), nil
}

func (f *function) declareParams() {
	if len(f.Parameters) == 0 {
		return
	}
	f.params = f.names.take(camel(f.Name.Text, true) + "Params")
	f.w.line("export interface %s {", f.params)
	for _, q := range f.Parameters {
		if q.Description != "" {
			f.w.comment(q.Description)
		}
		f.w.line("%s;", field(q.Name, q.Optional || q.MayBeAbsent, paramType(q)))
	}
	f.w.line("}\n")
}

// write writes the function by what the plan is.
func (f *function) write() error {
	switch {
	case f.Operation == model.PartiQL:
		return f.statement()
	case f.Operation.WritesEach():
		return f.each()
	case f.Operation == model.Query, f.Operation == model.Scan:
		return f.queried()
	case f.Operation.IsRead():
		return f.gotten()
	}
	return f.written()
}

// open begins a function, whose comment says what the pattern is for and which way it goes.
func (f *function) open(way, name, arguments, result string) {
	about := f.Name.Text + ", " + way + "."
	if d := strings.TrimSpace(f.Description); d != "" {
		about += " " + d
	}
	f.w.comment(about)
	f.w.function("export async function "+name, strings.Split(arguments, ", "), ": Promise<"+result+">")
	f.require()
}

// require is the check of what callers have to see to.
func (f *function) require() {
	if f.Require == nil {
		return
	}
	code, err := f.scope().holds(f.Require.Cond)
	if err != nil {
		return // parse lets no such condition through
	}
	f.w.line("if (!(%s)) {", code)
	f.w.line("throw new rt.UnfitError(%s);", quote("the call does not meet what "+f.Name.Text+" requires: "+f.Require.Text))
	f.w.line("}")
}

// arguments are those of a function, with what is given besides.
func (f *function) arguments(more ...string) string {
	out := []string{"db: Store"}
	if f.params != "" {
		out = append(out, "p: "+f.params)
	}
	return strings.Join(append(out, more...), ", ")
}

// passed are the arguments handed on.
func (f *function) passed(more ...string) string {
	out := []string{"db"}
	if f.params != "" {
		out = append(out, "p")
	}
	return strings.Join(append(out, more...), ", ")
}

func (f *function) scope() scope {
	return scope{pattern: f.Pattern, levels: []level{{"p", f.Parameters}}, fans: map[*plan.Fan]string{}, random: "db.random"}
}

// seeking is the scope in which keys are made to look for items.
func (f *function) seeking() scope {
	s := f.scope()
	s.seeking = true
	return s
}

// now declares the current time, if the text that follows needs it.
func (f *function) now(text string) {
	if mentions(text, "now") {
		f.w.line("const now = db.now();")
	}
}

// mentions tells whether code uses the variable of that name.
func mentions(code, name string) bool {
	for at := 0; ; {
		i := strings.Index(code[at:], name)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(name)
		before := start > 0 && (isWord(code[start-1]) || code[start-1] == '.' || code[start-1] == '\'')
		if !before && (end == len(code) || !isWord(code[end])) {
			return true
		}
		at = end
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// absent is the condition that just these optional parameters are left out.
func (f *function) absent(v *plan.Variant) string {
	var terms []string
	for _, q := range f.Parameters {
		if !q.Optional {
			continue
		}
		op := "!=="
		for _, name := range v.Absent {
			if name == q.Name {
				op = "==="
			}
		}
		terms = append(terms, member("p", q.Name)+" "+op+" undefined")
	}
	return strings.Join(terms, " && ")
}

// choose writes the code of each variant for the calls that it is for.
func (f *function) choose(write func(*plan.Variant) error) error {
	if len(f.plan.Variants) == 1 {
		return write(f.plan.Variants[0])
	}
	for i, v := range f.plan.Variants {
		switch {
		case i == 0:
			f.w.line("if (%s) {", f.absent(v))
		case i < len(f.plan.Variants)-1:
			f.w.line("} else if (%s) {", f.absent(v))
		default:
			f.w.line("} else {")
		}
		if err := write(v); err != nil {
			return err
		}
	}
	f.w.line("}")
	return nil
}

// reader is the function that makes what the caller gets of a stored item, and its type.
func (f *function) reader(of []*model.Entity, chosen []model.Name) (code, typ string) {
	if len(chosen) > 0 {
		return f.rowReader(of, chosen)
	}
	if len(of) == 1 {
		e := f.of(of[0])
		return "entities.read" + e.name, "entities." + e.name
	}
	var all []string
	for _, e := range of {
		all = append(all, quote(e.Name.Text))
	}
	typ = f.alias("Item", "Extract<entities.AnyItem, { entity: "+strings.Join(all, " | ")+" }>")
	return "(item) => entities.readAny(item) as " + typ, typ
}

// alias declares what a function gives, where that has no name of its own.
func (f *function) alias(suffix, typ string) string {
	if f.row == "" {
		f.row = f.names.take(camel(f.Name.Text, true) + suffix)
		f.w.line("export type %s = %s;\n", f.row, typ)
	}
	return f.row
}

// rowReader is the reader of the attributes that are selected.
func (f *function) rowReader(of []*model.Entity, chosen []model.Name) (code, typ string) {
	var names []string
	var members []string
	for _, n := range chosen {
		names = append(names, n.Text)
		t, everywhere := "any", true
		for _, e := range of {
			a := e.Attribute(n.Text)
			if a == nil {
				everywhere = false
				continue
			}
			t = typeOf(a, false)
			everywhere = everywhere && !a.Optional
		}
		if len(of) > 1 {
			t = "any"
		}
		members = append(members, field(n.Text, !everywhere, t))
	}
	typ = f.alias("Row", "{ "+strings.Join(members, "; ")+" }")
	return fmt.Sprintf("(item) => rt.selected<%s>(item, %s)", typ, quotedList(names)), typ
}

// statement writes the function of a PartiQL statement.
func (f *function) statement() error {
	v := f.plan.Variants[0]
	if v.Statement == nil {
		return fmt.Errorf("%s", unserved(v))
	}
	var params []string
	for _, o := range v.Statement.Params {
		p, err := f.scope().value(o, f.scope().domain(o))
		if err != nil {
			return err
		}
		params = append(params, fmt.Sprintf("rt.given(%s, %s)", p, quote(expr.String(o))))
	}
	const mark = "\x00"
	var text strings.Builder
	for i, piece := range strings.Split(plan.RenameTable(v.Statement.Text, f.table.Name.Text, mark), mark) {
		if i > 0 {
			text.WriteString("${db.table}")
		}
		text.WriteString(inTemplate(piece))
	}
	f.open("by a PartiQL statement", f.name, f.arguments(), "rt.Item[]")
	f.now(strings.Join(params, " "))
	f.w.line("return rt.execute(db, `%s`, %s);", text.String(), array(f.w.depth, params...))
	f.w.line("}\n")
	return nil
}
