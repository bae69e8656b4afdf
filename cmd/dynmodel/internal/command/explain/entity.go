package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/generate/document/example"
	"github.com/dynmodel/dynmodel/generate/request"
	"github.com/dynmodel/dynmodel/generate/tree"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/cost"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/plan"
)

// explainEntity writes the page of an entity.
func explainEntity(w *writer, m *model.Model, e *model.Entity) {
	planner := plan.New(m)
	w.heading("%s", e.Name.Text)
	if e.Description != "" {
		w.line("%s", e.Description)
	}
	var identity []string
	for _, part := range e.Identity {
		identity = append(identity, part.Attribute.Name.Text)
	}
	w.line("Identified by %s.", strings.Join(identity, ", "))
	entityKeys(w, m, e)
	entitySizes(w, m, e, planner)
	entityPatterns(w, m, e, planner)
	for _, i := range example.New(m).Items {
		if i.Entity == e && i.Guard == nil {
			w.heading("An item as it is stored")
			w.block(string(tree.JSON(request.Item(i.Stored))))
			break
		}
	}
}

// entityKeys are the keys in the table and every index.
func entityKeys(w *writer, m *model.Model, e *model.Entity) {
	w.heading("Keys")
	wide := len("table")
	for _, x := range m.Table.Indexes {
		wide = max(wide, len(x.Name.Text))
	}
	w.point(wide, "table", keysText(m.Table, e, m.Table.Keys()))
	for _, x := range m.Table.Indexes {
		w.point(wide, x.Name.Text, keysText(m.Table, e, x.Keys()))
	}
	for _, u := range e.Unique {
		var of []string
		for _, a := range u.Of {
			of = append(of, a.Name.Text)
		}
		w.line("%s is unique, kept by a guard item at %s.", strings.Join(of, " with "), templatesText(u.Keys))
	}
}

// keysText is how an entity makes the keys of a place, and when it is there.
func keysText(t *model.Table, e *model.Entity, keys []model.KeyAttribute) string {
	var out, whens, missing []string
	for _, k := range keys {
		template, ok := encode.KeyTemplate(t, e, k.Name)
		if !ok {
			missing = append(missing, k.Name)
			continue
		}
		out = append(out, fmt.Sprintf("%s = %q", k.Name, template.Text))
		if key := e.Key(k.Name); key != nil && key.When != nil && !slices.Contains(whens, key.When.Text) {
			whens = append(whens, key.When.Text)
		}
		for _, p := range template.Parts {
			if p.Attribute != nil && p.Attribute.Optional {
				whens = append(whens, p.Attribute.Name.Text+" is there")
			}
		}
	}
	if len(missing) > 0 {
		return "not in it: no " + strings.Join(missing, ", no ")
	}
	text := strings.Join(out, ", ")
	if len(whens) > 0 {
		text += ", when " + strings.Join(whens, " and ")
	}
	return text
}

func templatesText(keys []*model.Key) string {
	var out []string
	for _, k := range keys {
		out = append(out, fmt.Sprintf("%s = %q", k.Name.Text, k.Template.Text))
	}
	return strings.Join(out, ", ")
}

// entitySizes is how large items are and how many there are.
func entitySizes(w *writer, m *model.Model, e *model.Entity, planner *plan.Planner) {
	w.heading("Sizes and numbers")
	size := planner.ItemSize(e)
	most, largest := planner.Most(e)
	w.line("An item has about %s: %s to read it alone, consistently, and %s to write it, without indexes.",
		cost.Bytes(size), counted(plan.ReadUnits(size, true), "read unit"), counted(plan.WriteUnits(size), "write unit"))
	w.line("By what is declared it can have %s, most of that in %s; DynamoDB takes 400 KB.", cost.Bytes(most), largest.Name.Text)
	for _, x := range m.Table.Indexes {
		if n, _ := planner.EntryCount(e, x); n > 0 {
			w.line("Its entry in %s has about %s.", x.Name.Text, cost.Bytes(planner.EntrySize(e, x)))
		}
	}
	n, known := planner.Count(e)
	if !known {
		w.line("How many there are, no volume says.")
		return
	}
	w.line("There are about %s.", cost.Count(n))
	for _, v := range e.Volumes {
		if v.Growth != nil {
			w.line("They grow by %g%% every %s.", v.Growth.Percent, v.Growth.Per)
		}
	}
}

// entityPatterns are the access patterns that read or write it.
func entityPatterns(w *writer, m *model.Model, e *model.Entity, planner *plan.Planner) {
	w.heading("Access patterns")
	wide, found := 0, []*model.Pattern{}
	for _, p := range m.Patterns {
		if p.All || slices.Contains(touched(p), e) {
			found = append(found, p)
			wide = max(wide, len(p.Name.Text))
		}
	}
	if len(found) == 0 {
		w.line("None reads or writes it.")
	}
	for _, p := range found {
		w.point(wide, p.Name.Text, planner.Pattern(p).Variants[0].Text())
	}
}
