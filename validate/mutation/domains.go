package mutation

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// loosened are the options of a type that narrow it.
var loosened = [...]string{"length", "pattern", "min", "max", "size", "stored"}

// wider are the types that another one is a part of.
func wider(t model.Type) model.Type {
	switch t {
	case model.TypeInteger:
		return model.TypeNumber
	case model.TypeSlug, model.TypeEmail, model.TypeURL, model.TypeUUID, model.TypeUUID7, model.TypeULID, model.TypeKSUID:
		return model.TypeString
	}
	return ""
}

// domains loosens the domains of attributes and of declared parameters.
func (b *breaker) domains() {
	for _, e := range b.model.Entities {
		declared := b.entity(e).Get("attributes")
		for _, a := range e.Attributes {
			b.loosen(a, declared.Get(a.Name.Text), part{entity: e.Name.Text, attribute: a.Name.Text})
		}
	}
	for _, p := range b.model.Patterns {
		params := b.pattern(p).Get("params")
		for _, q := range p.Parameters {
			if q.Declared != nil {
				b.loosen(q.Declared, params.Get(q.Name), part{pattern: p.Name.Text, attribute: q.Name})
			}
		}
	}
}

func (b *breaker) loosen(a *model.Attribute, n *yamltree.Node, p part) {
	if n == nil {
		return
	}
	w := wider(a.Type)
	if n.Kind == yamltree.Scalar {
		if w != "" && (n.Text == string(a.Type) || n.Text == string(a.Type)+"?") {
			b.add(LooserDomain, p, edit{n.At.Start, n.At.Start + len(a.Type), string(w)})
		}
		return
	}
	for i, entry := range n.Entries {
		switch {
		case entry.Key.Text == "type" && w != "" && entry.Value.Text == string(a.Type):
			b.add(LooserDomain, p, replace(entry.Value.At, string(w)))
		case slices.Contains(loosened[:], entry.Key.Text):
			if e, ok := without(n, i); ok {
				b.add(LooserDomain, p, e)
			}
		case entry.Key.Text == "version":
			if e, ok := without(n, i); ok {
				b.add(LostVersion, p, e)
			}
		}
	}
}
