package parse

import (
	"regexp"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// domain reads the options that say which values an attribute may have.
func (b *builder) domain(a *model.Attribute, o *options) {
	b.fits(o.precision, "precision", a, a.Type == model.TypeDatetime)
	b.fits(o.zone, "zone", a, a.Type == model.TypeDatetime)
	b.fits(o.pattern, "pattern", a, isText(a.Type))
	b.fits(o.items, "items", a, isCollection(a.Type) || a.Type == model.TypeMap)
	b.fits(o.keys, "keys", a, a.Type == model.TypeMap)
	b.fits(o.attributes, "attributes", a, a.Type == model.TypeMap)
	b.fits(o.min, "min", a, hasOrder(a.Type))
	b.fits(o.max, "max", a, hasOrder(a.Type))
	b.fits(o.length, "length", a, isText(a.Type) || isCollection(a.Type) || a.Type == model.TypeMap)
	b.fits(o.size, "size", a, !hasOrder(a.Type) && a.Type != model.TypeBoolean)
	d := &a.Domain
	b.optional(o.precision, func(n *yamltree.Node) {
		d.Precision = model.Precision(b.word(n, "minute", "s", "ms", "us", "ns", "variable"))
	})
	b.optional(o.zone, func(n *yamltree.Node) {
		zone := b.word(n, "utc", "none", "any")
		d.NoZone, d.AnyZone = zone == "none", zone == "any"
	})
	b.optional(o.pattern, func(n *yamltree.Node) { d.Pattern = b.pattern(n) })
	b.optional(o.items, func(n *yamltree.Node) {
		d.Items = b.nested(model.Name{At: n.At}, n)
		d.Items.Optional = d.Items.Optional || a.Type == model.TypeMap // under a name there may be nothing
	})
	b.optional(o.keys, func(n *yamltree.Node) { d.Keys = b.mapKeys(n) })
	b.optional(o.attributes, func(n *yamltree.Node) { d.Attributes = b.nestedAttributes(n) })
	if a.Type == model.TypeMap && o.attributes != nil && (o.items != nil || o.keys != nil) {
		b.errorf(a.Name.At, "the map `%s` has either `attributes`, which are named, or `items`, which are all alike", a.Name.Text)
	}
	if o.keys != nil && o.items == nil {
		b.errorf(head(o.keys), "`keys` says what the names in a map are, and needs `items`, which says what is under them")
	}
	b.optional(o.size, func(n *yamltree.Node) { size := b.rangeOf(n, sizeUnit()); d.Size = &size })
	b.optional(o.length, func(n *yamltree.Node) {
		length := b.rangeOf(n, countUnit())
		if isText(a.Type) {
			d.Length = &length
		} else {
			d.Members = &length
		}
	})
	b.bounds(a, o)
	b.optional(o.values, func(n *yamltree.Node) { b.choices(a, n) })
}

// fits refuses an option that an attribute of this type cannot have.
func (b *builder) fits(n *yamltree.Node, key string, a *model.Attribute, ok bool) {
	if n != nil && !ok {
		b.errorf(head(n), "`%s` does not apply to the type %s", key, typeName(a.Type))
	}
}

func isText(t model.Type) bool {
	return t.Kind() == value.String && !t.IsTime() && t != model.TypeEnum
}

func isCollection(t model.Type) bool {
	switch t {
	case model.TypeList, model.TypeStringSet, model.TypeNumberSet, model.TypeBinarySet:
		return true
	}
	return false
}

// hasOrder tells the types that bounds can be given for.
func hasOrder(t model.Type) bool { return t.Kind() == value.Number || t.IsTime() }

func typeName(t model.Type) string {
	if t == model.TypeEnum {
		return "enumeration"
	}
	return string(t)
}

func (b *builder) pattern(n *yamltree.Node) *regexp.Regexp {
	text, ok := b.text(n)
	if !ok {
		return nil
	}
	re, err := regexp.Compile(text)
	if err != nil {
		b.errorf(n.At, "this is no regular expression of RE2's syntax: %v", err)
		return nil
	}
	re.Longest()
	return re
}

// nested reads an attribute inside a map or list.
func (b *builder) nested(name model.Name, n *yamltree.Node) *model.Attribute {
	a := &model.Attribute{At: n.At, Name: name}
	var o options
	b.shape(nil, a, n, &o)
	return a
}

// mapKeys reads what the names in a map are, which are text.
func (b *builder) mapKeys(n *yamltree.Node) *model.Attribute {
	a := b.nested(model.Name{At: n.At}, n)
	if a.Type != "" && a.Type.Kind() != value.String {
		b.errorf(head(n), "the names in a map are text, not %s", typeName(a.Type))
	}
	return a
}

func (b *builder) nestedAttributes(n *yamltree.Node) []*model.Attribute {
	var out []*model.Attribute
	for _, e := range b.entries(n, "`attributes` is a mapping from names to types") {
		out = append(out, b.nested(model.Name{Text: e.Key.Text, At: e.Key.At}, e.Value))
	}
	return out
}

// bounds reads min and max.
func (b *builder) bounds(a *model.Attribute, o *options) {
	d := &a.Domain
	plain := &model.Attribute{Name: a.Name, Type: a.Type, Domain: model.Domain{Precision: d.Precision, AnyZone: d.AnyZone, NoZone: d.NoZone}}
	b.optional(o.min, func(n *yamltree.Node) { d.Min, _ = b.valueOf(plain, n) })
	b.optional(o.max, func(n *yamltree.Node) { d.Max, _ = b.valueOf(plain, n) })
	if c, ok := value.Compare(d.Min, d.Max); ok && c > 0 {
		b.errorf(o.max.At, "`max` is below `min`, so there is no value left")
	}
}

// choices reads a list of values, or a mapping from values to shares.
func (b *builder) choices(a *model.Attribute, n *yamltree.Node) {
	a.Domain.Values = nil
	plain := &model.Attribute{Name: a.Name, Type: a.Type, Domain: a.Domain}
	seen := map[string]bool{}
	add := func(n *yamltree.Node, share float64) {
		if a.Type == model.TypeEnum && n.Kind == yamltree.Scalar && n.Text == "" {
			b.errorf(n.At, "a word of an enumeration is not empty")
		}
		v, ok := b.valueOf(plain, n)
		if !ok {
			return
		}
		if seen[v.String()] {
			b.errorf(n.At, "`%s` is listed twice", clip(n.Text))
			return
		}
		seen[v.String()] = true
		a.Domain.Values = append(a.Domain.Values, model.Choice{At: n.At, Value: v, Share: share})
	}
	switch n.Kind {
	case yamltree.Sequence:
		for _, item := range n.Items {
			add(item, 0)
		}
		if len(n.Items) == 0 {
			b.errorf(n.At, "the list of values is empty")
		}
	case yamltree.Mapping:
		total := 0.0
		for _, e := range n.Entries {
			share := b.share(e.Value)
			total += share
			add(e.Key, share)
		}
		if total > 1.0001 {
			b.errorf(head(n), "the shares add up to %.4g%%", total*100)
		}
	default:
		b.wrongKind(n, "`values` is a list of values, or a mapping from values to shares such as {open: 5%, done: 95%}")
	}
	if n.Incomplete {
		b.broken()
	}
}
