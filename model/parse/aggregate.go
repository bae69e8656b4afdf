package parse

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// aggregate reads what `count_of` counts or `sum_of` sums up. Which items belong
// to which is known once all entities are read.
func (b *builder) aggregate(a *model.Attribute, o *options) {
	b.optional(o.countOf, func(n *yamltree.Node) {
		if source := b.entityNamed(n); source != nil {
			a.Aggregate = &model.Aggregate{At: n.At, Source: source.entity}
			a.Domain.Min = value.OfInt(0)
		}
	})
	b.optional(o.sumOf, func(n *yamltree.Node) {
		ref := b.source(n, "sum_of")
		switch {
		case ref == nil:
		case ref.Attribute.Type != model.TypeInteger && ref.Attribute.Type != model.TypeNumber:
			b.errorf(n.At, "a sum is made of numbers, and `%s` is %s", ref.Attribute.Name.Text, typeName(ref.Attribute.Type))
		default:
			a.Aggregate = &model.Aggregate{At: n.At, Source: ref.Entity, Sum: ref.Attribute}
		}
	})
}

// aggregateType is the type of a count or sum.
func aggregateType(a *model.Aggregate) model.Type {
	if a.Sum != nil {
		return a.Sum.Type
	}
	return model.TypeInteger
}

// readAggregates completes the counts and sums of an entity: their condition,
// and how the items belong to it.
func (b *builder) readAggregates(d *draft) {
	for _, draft := range d.order {
		a := draft.attribute
		if a == nil || a.Aggregate == nil {
			continue
		}
		source := b.byName[a.Aggregate.Source.Name.Text]
		b.optional(draft.options.where, func(n *yamltree.Node) {
			a.Aggregate.Where = b.when(source, n)
		})
		var by *model.Attribute
		if n := draft.options.by; n != nil {
			if by = b.memberNamed(source, n); by == nil {
				continue
			}
			if by.Ref == nil || by.Ref.Entity != d.entity {
				b.errorf(n.At, "`%s` of %s does not refer to %s", by.Name.Text, source.entity.Name.Text, d.entity.Name.Text)
				continue
			}
		} else if by = b.belongsBy(source, d, a); by == nil {
			continue
		}
		a.Aggregate.By = append([]model.RefPart{{Own: by, Target: by.Ref.Attribute}}, by.Ref.With...)
	}
}

// belongsBy is the attribute by which items of the source belong to an entity, the
// first one of several that refer together; nil, with a report, when none or several
// may be meant.
func (b *builder) belongsBy(source, d *draft, a *model.Attribute) *model.Attribute {
	var found *model.Attribute
	name, target := source.entity.Name.Text, d.entity.Name.Text
	for _, own := range source.entity.Attributes {
		switch {
		case own.Ref == nil || own.Ref.Entity != d.entity:
		case found == nil:
			found = own
		case slices.ContainsFunc(found.Ref.With, func(p model.RefPart) bool { return p.Own == own }):
		case (source.faulty || d.faulty) && own.Ref.Attribute != found.Ref.Attribute:
			b.broken() // what refers together may be what is broken
			return nil
		default:
			b.errorf(a.Aggregate.At, "`%s` and `%s` of %s both refer to %s; say which counts, as in `by: %s`", found.Name.Text, own.Name.Text, name, target, found.Name.Text)
			return nil
		}
	}
	switch {
	case found != nil:
	case source.faulty || source.incomplete:
		b.broken()
	default:
		b.errorf(a.Aggregate.At, "%s does not refer to %s, so none of its items belong to one; give it a `ref: %s`", name, target, target)
	}
	return found
}
