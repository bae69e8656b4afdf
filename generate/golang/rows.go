package golang

import "github.com/dynmodel/dynmodel/model"

// rows is what a read gives, item by item.
type rows struct {
	typ    string // Order, Entity, OpenOrdersRow
	reader string // the function that reads one
}

// rowsOf is what a pattern's items are read as.
func (g *generator) rowsOf(p *pattern, entities []*model.Entity) rows {
	switch {
	case p.row != "":
		return rows{p.row, "read" + p.row}
	case len(entities) == 1 && !p.All:
		e := g.of(entities[0])
		return rows{e.name, "Unmarshal" + e.name}
	}
	return rows{"Entity", "UnmarshalAny"}
}

// declareRow writes the struct of the attributes that a pattern selects.
func (g *generator) declareRow(w *writer, p *pattern, entities []*model.Entity) {
	if p.Select == nil || p.Count {
		return
	}
	p.row = g.names.take(p.method + "Row")
	names := scope{}
	var fields []*field
	for _, name := range p.Select {
		f := g.selected(name.Text, entities)
		if f == nil {
			continue
		}
		f.name = names.take(exported(name.Text))
		fields = append(fields, f)
	}
	w.line("// %s are the attributes that %s asks for.", p.row, p.method)
	g.structType(w, p.row, fields)
	w.line("func read%s(item stored) (%s, error) {", p.row, p.row)
	w.line("r := reader{item: item, entity: %q}", p.row)
	w.line("row := %s{", p.row)
	for _, f := range fields {
		w.line("%s: %s,", f.name, g.readField(f, "&r"))
	}
	w.line("}")
	w.line("return row, r.err")
	w.line("}\n")
}

// selected is a selected attribute as a field: optional unless all entities have it.
func (g *generator) selected(name string, entities []*model.Entity) *field {
	var out *field
	all := true
	for _, e := range entities {
		f := g.of(e).field(name)
		if f == nil {
			all = false
			continue
		}
		if out == nil {
			out = &field{attr: f.attr, typ: f.typ}
		}
		all = all && !f.attr.Optional
	}
	if out != nil && !all && !out.attr.Optional {
		a := *out.attr
		a.Optional, a.PresentWith = true, nil
		out.attr = &a
	}
	return out
}
