package workbench

import (
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// schema reads the entity schemas of the browser modeler, which are those of
// OneTable with little in them: attributes, all of type String, and templates.
func schema(d *draft.Draft, n *yamltree.Node) {
	if n == nil || len(d.Entities) > 0 {
		return
	}
	models := d.Object(n, "models")
	if models == nil {
		return
	}
	for _, m := range models.Entries {
		if m.Key.Text == "~new~" || m.Value.Kind != yamltree.Mapping {
			continue // the form for a new entity
		}
		e := &draft.Entity{At: m.Key.At, Name: m.Key.Text, Type: m.Key.Text}
		for _, a := range m.Value.Entries {
			if text := d.Scalar(a.Value, "value"); isKey(d, a.Key.Text) && text != "" {
				e.Keys = append(e.Keys, &draft.Key{At: a.Value.At, Attribute: a.Key.Text, Alias: strings.ReplaceAll(text, "${", "{")})
			} else if !isKey(d, a.Key.Text) && a.Key.Text != "type" {
				e.Attributes = append(e.Attributes, &draft.Attribute{At: a.Key.At, Name: a.Key.Text, Optional: true})
			}
		}
		d.Entities = append(d.Entities, e)
	}
}

// savedQueries reads the queries that were kept with a table: key conditions with
// the values that were tried.
func savedQueries(d *draft.Draft, n *yamltree.Node) {
	saved := d.Object(n, "SavedQuery")
	if saved == nil {
		return
	}
	for _, q := range saved.Entries {
		if q.Value.Kind != yamltree.Mapping {
			continue
		}
		r := &draft.Request{At: q.Key.At, Name: q.Key.Text, Description: q.Key.Text, Operation: "Query"}
		view := d.Scalar(q.Value, "view")
		if d.Table.Index(view) != nil {
			r.Index = view
		}
		for _, k := range keysOf(d, r.Index) {
			if test, ok := keyTest(d, q.Value, k); ok {
				r.Key = append(r.Key, test)
			}
		}
		d.Requests = append(d.Requests, r)
	}
}

func keysOf(d *draft.Draft, index string) []model.KeyAttribute {
	if x := d.Table.Index(index); x != nil {
		return x.Keys()
	}
	return d.Table.Keys()
}

// keyTest reads the condition on one key: a text that it is equal to, or an
// operator with values.
func keyTest(d *draft.Draft, n *yamltree.Node, k model.KeyAttribute) (draft.KeyTest, bool) {
	v := n.Get(k.Name)
	switch {
	case v == nil:
		return draft.KeyTest{}, false
	case v.Kind == yamltree.Scalar:
		return draft.KeyTest{Attribute: k.Name, Op: "=", Values: []string{v.Text}}, v.Text != ""
	}
	test := draft.KeyTest{Attribute: k.Name, Op: d.Scalar(v, "condition")}
	for _, x := range d.List(v, "values") {
		test.Values = append(test.Values, x.Text)
	}
	return test, test.Op != "" && len(test.Values) > 0
}
