package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// explainClash says how two different things come to one primary key.
func (t *trial) explainClash(c clash) explanation {
	a, b := c.first, c.second
	switch {
	case a.in.Entity != b.in.Entity || a.guard != b.guard:
	case a.guard == nil:
		return t.explainTwins(a, b)
	default:
		if e := t.explainJoint(a, b); e.why != "" {
			return e
		}
	}
	var texts []string
	for _, k := range t.model.Table.Keys() {
		texts = append(texts, fmt.Sprintf("%s of the one and %s of the other can be the same text", quoted(k.Name, t.templateFor(a, k.Name)), quoted(k.Name, t.templateFor(b, k.Name))))
	}
	return explanation{why: strings.Join(texts, ", and ") + ".",
		fix: "Let one of their keys begin with a literal that the other cannot begin with."}
}

// clashAt is the part of the model at fault when two different things come to one
// primary key: a template that explains it, or the last key of the later entity.
func (t *trial) clashAt(c clash) source.Span {
	if e := t.explainClash(c); e.at.Known() {
		return e.at
	}
	last := max(slices.Index(t.model.Entities, c.first.in.Entity), slices.Index(t.model.Entities, c.second.in.Entity))
	return keySpan(t.model.Table, t.model.Entities[last])
}

// clashBehind is the part of the model at fault when a call has gone wrong because
// something else has the key that it names; nowhere when nothing has.
func (t *trial) clashBehind(f *failure) (at source.Span) {
	for _, key := range t.stage.keysIn(f.requests) {
		i, here := f.scene.world.byKey[keyText(t.model.Table, key)]
		if !here || !f.strange(f.scene.world.records[i]) {
			continue
		}
		held := f.scene.world.records[i]
		for _, c := range t.clashes {
			if like(c.first, held) && t.about(c.second.in.Entity) || like(c.second, held) && t.about(c.first.in.Entity) {
				return t.clashAt(c)
			}
		}
	}
	return at
}

// like tells whether two records are of one kind: items of one entity, or guards
// of one rule.
func like(a, b *record) bool { return a.guard == b.guard && a.in.Entity == b.in.Entity }

// strange tells whether a record is none that the call is about.
func (f *failure) strange(r *record) bool {
	if f.kind == extra {
		return slices.ContainsFunc(f.culprits, r.is)
	}
	found := f.outcome.Found
	return !f.changes(r.id) && (found == nil || !r.is(*found))
}

// explainTwins explains two items of one entity on one key: an attribute of the
// identity that no key holds whole, or texts that run together.
func (t *trial) explainTwins(a, b *record) explanation {
	e := a.in.Entity
	for _, part := range e.Identity {
		name := part.Attribute.Name.Text
		if value.Equal(a.in.Item[name], b.in.Item[name]) {
			continue
		}
		held, p := t.heldBy(e, part.Attribute)
		switch {
		case held == "":
			return explanation{why: fmt.Sprintf("%s is part of what identifies %s and is in no key of the table, so that items that differ in it only overwrite each other.", name, e.Name.Text),
				fix: fmt.Sprintf("Add {%s} to a key of the table.", name)}
		case len(p.Funcs) > 0 && sameText(p, a.in.Item[name], b.in.Item[name]):
			return explanation{why: fmt.Sprintf("%s holds only %s of %s, which is the same for %s and %s.", held, funcsText(p.Funcs), name, a.in.Item[name], b.in.Item[name]),
				fix: fmt.Sprintf("Add the whole {%s} to a key of the table.", name)}
		}
	}
	return t.explainJoint(a, b)
}

// explainJoint explains two items of one entity, or two guards of one rule, by
// texts that run together in a template.
func (t *trial) explainJoint(a, b *record) explanation {
	for _, k := range t.model.Table.Keys() {
		template := t.templateFor(a, k.Name)
		for i, p := range template.Parts {
			d := delimiter(template, i)
			if p.Attribute == nil || d == "" || i+2 >= len(template.Parts) {
				continue
			}
			x, _ := encode.Text(a.in.Item[p.Attribute.Name.Text])
			y, _ := encode.Text(b.in.Item[p.Attribute.Name.Text])
			if x != y && (strings.Contains(x, d) || strings.Contains(y, d)) {
				return explanation{why: fmt.Sprintf("%s can contain %q, the delimiter that ends it in %s, so that different pairs of values make one text.", p.Attribute.Name.Text, d, quoted(k.Name, template)),
					fix: tight(p.Attribute, d), at: template.At}
			}
		}
		if left, right := joint(template); left != nil {
			return explanation{why: fmt.Sprintf("%s puts %s and %s side by side with nothing in between, so that different pairs of values make one text.", quoted(k.Name, template), left.Name.Text, right.Name.Text),
				fix: fmt.Sprintf("Put a delimiter between {%s} and {%s} that %s cannot contain.", left.Name.Text, right.Name.Text, left.Name.Text),
				at:  template.At}
		}
	}
	return explanation{}
}

// heldBy is the table key attribute whose template holds an attribute, and its part.
func (t *trial) heldBy(e *model.Entity, a *model.Attribute) (string, model.Part) {
	for _, k := range t.model.Table.Keys() {
		template, _ := t.templateOf(e, k.Name)
		for _, p := range template.Parts {
			if p.Attribute == a {
				return k.Name, p
			}
		}
	}
	return "", model.Part{}
}
