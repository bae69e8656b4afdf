package parse

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// readEach reads a delete_each or update_each: the entities that are looked for,
// and what is done to each item found.
func (p *patternDraft) readEach(n *yamltree.Node) {
	m := p.pattern
	p.readCollection(n)
	if m.Operation == model.UpdateEach && len(p.drafts) > 1 {
		p.errorf(n.At, "an update_each changes the items of one entity; write a pattern for each")
	}
	s := &stepper{builder: p.builder, params: p.params, pattern: m}
	for _, d := range p.drafts {
		step := &model.Step{At: p.node.At, Operation: model.Delete, OperationAt: m.OperationAt, Entity: d.entity}
		if m.Operation == model.UpdateEach {
			step.Operation = model.UpdateItem
		}
		nodes := &p.nodes.step
		s.optional(nodes.unversioned, s.flag(&step.Unversioned))
		s.optional(nodes.condition, func(n *yamltree.Node) {
			step.If = s.condition(n, &scope{builder: s.builder, use: useIf, drafts: []*draft{d}, params: s.params})
		})
		s.optional(nodes.change, func(n *yamltree.Node) { step.Change = s.change(d, n) })
		m.Steps = append(m.Steps, step)
	}
	if m.Operation == model.UpdateEach && !has(p.node, "change") && !p.node.Incomplete {
		p.errorf(m.OperationAt, "an update_each needs `change`, as in `change: SET status = 'paid'`")
	}
}

// readThen reads {batch_get: Movie, by: {movieId: favourite}}: a batch_get of
// what the items found refer to.
func (p *patternDraft) readThen(n *yamltree.Node) {
	var target *draft
	var by *yamltree.Node
	if !p.object(n, head(n), "a `then`", []field{
		{"batch_get", true, func(n *yamltree.Node) { target = p.entityNamed(n) }},
		{"by", false, keep(&by)},
	}) || target == nil {
		return
	}
	if len(p.drafts) != 1 {
		if len(p.drafts) > 1 {
			p.errorf(head(n), "`then` follows a query of one entity")
		}
		return
	}
	found := p.drafts[0]
	then := &model.Then{At: n.At, Entity: target.entity}
	keys := addressing(target.entity, p.model.Table)
	given := p.thenBy(found, target, keys, by)
	for _, a := range keys {
		own := given[a]
		if own == nil {
			own = holderOf(found.entity, target.entity, a)
		}
		if own == nil && given != nil && !found.faulty && !target.faulty {
			p.errorf(head(n), "nothing in %s says what `%s` of %s is; name the attribute, as in `by: {%s: …}`", found.entity.Name.Text, a.Name.Text, target.entity.Name.Text, a.Name.Text)
		}
		if own != nil {
			then.Keys = append(then.Keys, model.RefPart{Own: own, Target: a})
		}
	}
	p.pattern.Then = then
}

// thenBy reads which attributes of what is found hold the keys of what is read
// then; nil when that is broken.
func (p *patternDraft) thenBy(found, target *draft, keys []*model.Attribute, n *yamltree.Node) map[*model.Attribute]*model.Attribute {
	out := map[*model.Attribute]*model.Attribute{}
	if n == nil {
		return out
	}
	ok := p.whole(func() {
		for _, e := range p.entries(n, "`by` is a mapping from the key's attributes to attributes of what is found") {
			a := p.member(target, e.Key.Text, e.Key.At)
			own := p.memberNamed(found, e.Value)
			switch {
			case a == nil || own == nil:
			case !slices.Contains(keys, a):
				p.errorf(e.Key.At, "`%s` is not part of the key of %s", a.Name.Text, target.entity.Name.Text)
			case own.Type.Kind() != a.Type.Kind():
				p.errorf(e.Value.At, "`%s` is %s, and `%s` is %s", own.Name.Text, kindName(own.Type.Kind()), a.Name.Text, kindName(a.Type.Kind()))
			default:
				out[a] = own
			}
		}
	})
	if !ok {
		return nil
	}
	return out
}

// holderOf is the attribute of an entity that holds what an attribute of another
// one is: one that refers to it, or together with another that does, or one of
// its name.
func holderOf(e, target *model.Entity, attribute *model.Attribute) *model.Attribute {
	for _, a := range e.Attributes {
		refs := a.Refs
		if a.Ref != nil {
			refs = []*model.Ref{a.Ref}
		}
		for _, ref := range refs {
			if ref.Entity != target {
				continue
			}
			if ref.Attribute == attribute {
				return a
			}
			for _, part := range ref.With {
				if part.Target == attribute {
					return part.Own
				}
			}
		}
	}
	return e.Attribute(attribute.Name.Text)
}
