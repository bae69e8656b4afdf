package parse

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// checkAttributeName checks the name of an attribute of an entity.
func (b *builder) checkAttributeName(a *attributeDraft) {
	switch name := a.name.Text; {
	case name == "":
		b.errorf(a.name.At, "an attribute needs a name")
	case len(name) > maxKeyName:
		b.errorf(a.name.At, "the name of an attribute has at most %d bytes", maxKeyName)
	case b.model.Table != nil && name == b.model.Table.EntityType:
		b.errorf(a.name.At, "`%s` carries the entity's type; name the attribute otherwise, or set the table's `entity_type`", name)
	}
}

// references reads `ref`: an entity or an attribute of one, or a list of those
// that are possible.
func (b *builder) references(d *draft, a *model.Attribute, n *yamltree.Node) {
	if n.Kind != yamltree.Sequence {
		a.Ref = b.reference(d, a, n)
		return
	}
	if len(n.Items) < 2 {
		b.errorf(n.At, "a list under `ref` names two entities or more, of which any may be referred to")
	}
	for _, item := range b.members(n) {
		ref := b.reference(d, a, item)
		if ref == nil {
			continue
		}
		if len(a.Refs) > 0 && a.Refs[0].Attribute.Type.Kind() != ref.Attribute.Type.Kind() {
			b.errorf(item.At, "`%s.%s` is %s and `%s.%s` is %s; one attribute cannot refer to both", a.Refs[0].Entity.Name.Text, a.Refs[0].Attribute.Name.Text,
				kindName(a.Refs[0].Attribute.Type.Kind()), ref.Entity.Name.Text, ref.Attribute.Name.Text, kindName(ref.Attribute.Type.Kind()))
			continue
		}
		a.Refs = append(a.Refs, ref)
	}
}

// reference reads `Entity` or `Entity.attribute` under ref.
func (b *builder) reference(d *draft, a *model.Attribute, n *yamltree.Node) *model.Ref {
	text, ok := b.text(n)
	if !ok {
		return nil
	}
	entity, attribute, qualified := strings.Cut(text, ".")
	target := b.lookup(entity, n.Sub(0, len(entity)))
	if target == nil {
		return nil
	}
	ref := &model.Ref{At: n.At, Entity: target.entity}
	if qualified {
		ref.Attribute = b.member(target, attribute, n.Sub(len(entity)+1, len(text)))
	} else if name := b.referredTo(d, a, target, n.At); name != "" {
		ref.Attribute = b.member(target, name, n.At)
	}
	if ref.Attribute == nil {
		return nil
	}
	return ref
}

// referredTo is the attribute of the target that a plain `ref: Entity` means:
// the one of the same name, else the one that identifies the target. Of several
// it is the one that this entity does not have itself, and that is no reference
// on to another entity.
func (b *builder) referredTo(d *draft, a *model.Attribute, target *draft, at source.Span) string {
	if target != d && target.attributes[a.Name.Text] != nil {
		return a.Name.Text
	}
	identity := b.identityNames(target)
	candidates := identity
	if target != d {
		candidates = narrowed(candidates, func(name string) bool { return d.attributes[name] == nil })
	}
	candidates = narrowed(candidates, func(name string) bool { return !has(target.attributes[name].node, "ref") })
	name := target.entity.Name.Text
	switch {
	case len(candidates) == 1:
		return candidates[0]
	case len(identity) == 0 && (target.faulty || !b.usableTable):
		b.broken()
	case len(identity) == 0:
		b.errorf(at, "no attribute identifies %s; write `ref: %s.` and the attribute", name, name)
	case slices.ContainsFunc(candidates, func(name string) bool { return target.attributes[name].node.Kind == yamltree.Broken }):
		b.broken() // it may refer on to another entity
	default:
		b.errorf(at, "%s is identified by %s; say which one, as in `ref: %s.%s`", name, enumerate(identity, "and"), name, candidates[len(candidates)-1])
	}
	return ""
}

// narrowed keeps the names for which a test holds, if there are any.
func narrowed(names []string, keep func(string) bool) []string {
	if len(names) < 2 {
		return names
	}
	var out []string
	for _, name := range names {
		if keep(name) {
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		return names
	}
	return out
}

// source reads `Entity.attribute` under copy_of or snapshot_of.
func (b *builder) source(n *yamltree.Node, option string) *model.Ref {
	text, ok := b.text(n)
	if !ok {
		return nil
	}
	entity, attribute, qualified := strings.Cut(text, ".")
	if !qualified {
		b.errorf(n.At, "`%s` takes `Entity.attribute`, as in `%s: Customer.name`", option, option)
		return nil
	}
	target := b.lookup(entity, n.Sub(0, len(entity)))
	if target == nil {
		return nil
	}
	member := b.member(target, attribute, n.Sub(len(entity)+1, len(text)))
	if member == nil {
		return nil
	}
	return &model.Ref{At: n.At, Entity: target.entity, Attribute: member}
}

// relate reads the options that name other attributes of the same entity.
func (b *builder) relate(d *draft, a *attributeDraft) {
	o := &a.options
	b.optional(o.presentWith, func(n *yamltree.Node) {
		other := b.memberNamed(d, n)
		switch {
		case other == nil:
		case other == a.attribute:
			b.errorf(n.At, "`present_with` names another attribute")
		case !a.attribute.Optional || !other.Optional:
			b.errorf(n.At, "`%s` and `%s` are there together or not at all, so both are optional", a.name.Text, other.Name.Text)
		default:
			a.attribute.PresentWith = other
		}
	})
	b.optional(o.derive, func(n *yamltree.Node) { b.derive(d, a.attribute, n) })
}

// derive reads an expression over the entity's other attributes.
func (b *builder) derive(d *draft, a *model.Attribute, n *yamltree.Node) {
	if _, ok := b.text(n); !ok {
		return
	}
	operand, problem := expr.ParseOperand(b.input(n))
	if problem != nil {
		b.problem(n, problem)
		return
	}
	if a.HasDefault() {
		b.errorf(n.At, "`%s` is computed on every write, so it has no default", a.Name.Text)
	}
	s := &scope{builder: b, use: useDerive, drafts: []*draft{d}}
	t := s.operand(operand)
	s.assignable(a, t, operand)
	a.Derive = &model.Derivation{At: n.At, Expr: operand}
}

// referTogether completes references to entities that several attributes
// identify, where this entity has all of them.
func (b *builder) referTogether(d *draft) {
	for _, a := range d.entity.Attributes {
		if a.Ref == nil {
			continue
		}
		target := a.Ref.Entity
		var with []model.RefPart
		found, all := false, true
		for _, part := range target.Identity {
			if part.Attribute == a.Ref.Attribute {
				found = true
				continue
			}
			own := counterpart(d.entity, target, part.Attribute)
			all = all && own != nil && own != a
			with = append(with, model.RefPart{Own: own, Target: part.Attribute})
		}
		if found && all && target != d.entity {
			a.Ref.With = with
		}
	}
}

// counterpart is the attribute of e that holds what attribute holds in target:
// one that refers to it, or one of its name.
func counterpart(e, target *model.Entity, attribute *model.Attribute) *model.Attribute {
	for _, a := range e.Attributes {
		if a.Ref != nil && a.Ref.Entity == target && a.Ref.Attribute == attribute {
			return a
		}
	}
	return e.Attribute(attribute.Name.Text)
}

// mint decides which attributes are minted ids.
func (b *builder) mint(d *draft) {
	for _, part := range d.entity.Identity {
		a := part.Attribute
		o := d.attributes[a.Name.Text].options
		if a.Type.IsID() && !a.Refers() && a.CopyOf == nil && a.SnapshotOf == nil {
			a.Minted = o.minted == nil || o.minted.Text == "true"
		}
	}
	for _, a := range d.entity.Attributes {
		o := d.attributes[a.Name.Text].options
		if o.minted == nil || o.minted.Text != "true" || a.Refers() {
			continue
		}
		a.Minted = true
		if !a.Type.IsID() && b.knowsIdentity(d) && !slices.ContainsFunc(d.entity.Identity, func(p model.IdentityPart) bool { return p.Attribute == a }) {
			b.errorf(o.minted.At, "`%s` does not identify an item, so it is not minted; what no two items share otherwise is `unique`", a.Name.Text)
		}
	}
}

// knowsIdentity tells whether all could be read that says what identifies an
// item of an entity.
func (b *builder) knowsIdentity(d *draft) bool {
	t := b.model.Table
	return d.identity != nil || t != nil && b.usableTable &&
		!slices.ContainsFunc(t.Keys(), func(k model.KeyAttribute) bool { return d.entity.Key(k.Name) == nil })
}
