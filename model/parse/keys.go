package parse

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// keyDraft is a key template as written: its syntax is known, the attributes in
// it are not looked up yet.
type keyDraft struct {
	name  model.Name
	node  *yamltree.Node // the template's scalar; nil when the long form leaves it out
	parts []expr.TemplatePart
	when  *yamltree.Node
	ok    bool
}

// declareKeys reads the syntax of an entity's key templates.
func (b *builder) declareKeys(d *draft, n *yamltree.Node) {
	for _, e := range b.entries(n, "`keys` is a mapping from key attributes to templates") {
		d.keys = append(d.keys, b.declareKey(e))
	}
	if n.Incomplete {
		b.broken()
	}
}

func (b *builder) declareKey(e *yamltree.Entry) *keyDraft {
	k := &keyDraft{name: model.Name{Text: e.Key.Text, At: e.Key.At}}
	k.ok = b.whole(func() {
		switch {
		case e.Value.Kind == yamltree.Null:
			b.noValue(e.Value, "`"+k.name.Text+"`")
		case e.Value.Kind == yamltree.Mapping && !unquotedTemplate(e.Value):
			b.object(e.Value, k.name.At, "a key", []field{
				{"template", false, func(n *yamltree.Node) { b.template(k, n) }},
				{"when", false, keep(&k.when)},
			})
		default:
			b.template(k, e.Value)
		}
	})
	return k
}

// unquotedTemplate tells a `{orderId}` that YAML made a mapping.
func unquotedTemplate(n *yamltree.Node) bool {
	return n.Flow && len(n.Entries) > 0 && n.Entries[0].Value.Kind == yamltree.Null && n.Entries[0].Key.Text != "template" && n.Entries[0].Key.Text != "when"
}

func (b *builder) template(k *keyDraft, n *yamltree.Node) {
	if _, ok := b.text(n); !ok {
		return
	}
	k.node = n
	if comment := n.Comment(); n.Style == yamltree.Plain && cutOff(comment) {
		b.cutOff(comment)
		return
	}
	parts, problem := expr.ParseTemplate(b.input(n))
	if problem != nil {
		b.problem(n, problem)
		return
	}
	if len(parts) == 0 {
		b.errorf(n.At, "the template is empty; a key value has at least one byte")
	}
	k.parts = parts
}

// readKeys reads the keys of all entities.
func (b *builder) readKeys() {
	for _, d := range b.drafts {
		b.guard(d, func() {
			written := map[string]*model.Key{}
			for _, k := range d.keys {
				if key := b.key(d, k); key != nil {
					written[k.name.Text] = key
				}
			}
			if b.model.Table != nil {
				b.keysOf(d, written)
			}
		})
	}
}

// key looks up the attributes of a key template. It is nil when it is broken.
func (b *builder) key(d *draft, k *keyDraft) *model.Key {
	key := &model.Key{At: k.name.At, Name: k.name}
	if k.node != nil {
		key.At = k.node.At
	}
	if !k.ok {
		return nil
	}
	ok := b.whole(func() {
		if k.node == nil {
			b.ownTemplate(d, k, key)
		} else {
			key.Template = b.bind(d, k.node, k.parts)
		}
		if k.when != nil {
			key.When = b.when(d, k.when)
		}
	})
	if !ok {
		return nil
	}
	return key
}

// ownTemplate is the template of a key attribute that is the entity's own
// attribute, where the long form gives only `when`.
func (b *builder) ownTemplate(d *draft, k *keyDraft, key *model.Key) {
	if d.attributes[k.name.Text] == nil {
		b.errorf(k.name.At, "`%s` needs a `template`, as it is no attribute of %s", k.name.Text, d.entity.Name.Text)
		return
	}
	if a := b.member(d, k.name.Text, k.name.At); a != nil {
		*key = *implied(a, k.name)
	}
}

// implied is the key of a key attribute that is an entity's own attribute.
func implied(a *model.Attribute, name model.Name) *model.Key {
	return &model.Key{
		At: a.Name.At, Name: model.Name{Text: name.Text, At: a.Name.At}, Implied: true,
		Template: model.Template{At: a.Name.At, Text: "{" + a.Name.Text + "}", Parts: []model.Part{
			{At: a.Name.At, Attribute: a, Path: expr.Path{Name: a.Name.Text}},
		}},
	}
}

// bind looks up the attributes of a template.
func (b *builder) bind(d *draft, n *yamltree.Node, parts []expr.TemplatePart) model.Template {
	t := model.Template{At: n.At, Text: n.Text}
	for _, p := range parts {
		part := model.Part{At: p.At, Literal: p.Literal, Funcs: p.Funcs, Random: p.Random}
		if p.Path.Name != "" {
			part.Path = p.Path
			part.Attribute = b.member(d, p.Path.Name, p.At)
			if part.Attribute == nil {
				continue
			}
			if slices.ContainsFunc(p.Path.Rest, func(s expr.Step) bool { return s.Param != "" }) {
				b.errorf(p.At, "a key is made of attributes, not parameters")
				continue
			}
			if leaf := b.walk(part.Attribute, p.Path, p.At); leaf != nil {
				b.checkFuncs(leaf, p, len(parts) > 1)
			}
		}
		t.Parts = append(t.Parts, part)
	}
	return t
}

// walk follows a path into maps and lists. A member that is not declared is of
// any type; nil means that the path leads nowhere.
func (b *builder) walk(a *model.Attribute, path expr.Path, at source.Span) *model.Attribute {
	for _, step := range path.Rest {
		switch {
		case a.Type == model.TypeAny:
			return &model.Attribute{At: a.At, Name: a.Name, Type: model.TypeAny, Optional: true}
		case step.InMap() && a.Type == model.TypeMap:
			a = b.stepInto(a, step, at)
		case !step.InMap() && a.Type == model.TypeList:
			items := a.Domain.Items
			if items == nil {
				items = &model.Attribute{Type: model.TypeAny}
			}
			a = items
		case step.InMap():
			b.errorf(at, "`%s` is %s and has no members; `%s` goes into a map", a.Name.Text, typeName(a.Type), expr.Path{Rest: []expr.Step{step}})
			return nil
		default:
			b.errorf(at, "`%s` is %s; [%d] goes into a list", a.Name.Text, typeName(a.Type), step.Index)
			return nil
		}
		if a == nil {
			return nil
		}
	}
	return a
}

func (b *builder) stepInto(a *model.Attribute, step expr.Step, at source.Span) *model.Attribute {
	name := step.Name
	if items := a.Domain.Items; items != nil {
		member := *items
		member.Name, member.Optional = a.Name, true
		return &member
	}
	if step.Param != "" && len(a.Domain.Attributes) > 0 {
		b.errorf(at, "the members of the map `%s` are named one by one; a parameter goes into a map whose values are all alike, declared with `items`", a.Name.Text)
		return nil
	}
	if len(a.Domain.Attributes) == 0 {
		return &model.Attribute{At: a.At, Name: model.Name{Text: name, At: a.At}, Type: model.TypeAny, Optional: true}
	}
	var names []string
	for _, m := range a.Domain.Attributes {
		if m.Name.Text == name {
			return m
		}
		names = append(names, m.Name.Text)
	}
	b.unknownf(at, "the map `%s` has no attribute `%s`%s", a.Name.Text, clip(name), b.meant(name, names, "; its attributes are "))
	return nil
}

// insteadOf says what a key can hold in place of an attribute that it cannot.
func insteadOf(a *model.Attribute) string {
	switch a.Type {
	case model.TypeBoolean:
		return fmt.Sprintf("; declare %s as one of two words, or give a key a constant text `when: %s = true`", a.Name.Text, a.Name.Text)
	case model.TypeList, model.TypeStringSet, model.TypeNumberSet, model.TypeBinarySet:
		return "; what is looked for by its members has an item for each of them"
	}
	return ""
}

// checkFuncs checks that a template can hold an attribute with its functions,
// alone or among other parts.
func (b *builder) checkFuncs(a *model.Attribute, p expr.TemplatePart, among bool) {
	kind := a.Type.Kind()
	switch {
	case len(p.Funcs) == 0 && kind != value.None && !kind.IsKey():
		b.errorf(p.At, "`%s` is %s; a key holds text, numbers and binary%s", a.Name.Text, typeName(a.Type), insteadOf(a))
		return
	case len(p.Funcs) == 0 && kind == value.Binary && among:
		b.errorf(p.At, "`%s` is binary, which has no text; it can only be a key as a whole, of type binary", a.Name.Text)
		return
	}
	from := *a
	for _, f := range p.Funcs {
		next, complaint := apply(f, from)
		if complaint != "" {
			b.errorf(p.At, "%s", complaint)
			return
		}
		from = next
	}
}

// withinDay tells the functions that need a time of day.
func withinDay(f expr.FuncName) bool {
	return f == expr.Hour || f == expr.Minute || f == expr.Bucket
}

// apply is the type of a template function's result, or a complaint about what
// it is applied to.
func apply(f expr.Func, a model.Attribute) (model.Attribute, string) {
	kind := a.Type.Kind()
	text := model.Attribute{Name: a.Name, Type: model.TypeString}
	complain := func(want string) (model.Attribute, string) {
		return text, string(f.Name) + " applies to " + want + ", and `" + a.Name.Text + "` is " + typeName(a.Type)
	}
	switch f.Name {
	case expr.Lower, expr.Upper, expr.Prefix:
		if kind != value.String && kind != value.None {
			return complain("text")
		}
	case expr.Pad, expr.Invert:
		if kind != value.Number && kind != value.None {
			return complain("whole numbers")
		}
	case expr.Year, expr.Month, expr.Week, expr.Day, expr.Hour, expr.Minute, expr.Bucket:
		if !a.Type.HasTime() && kind != value.None {
			return complain("times")
		}
		if a.Type == model.TypeMonth && f.Name != expr.Year && f.Name != expr.Month || a.Type == model.TypeDate && withinDay(f.Name) {
			return complain("times that state it")
		}
	case expr.Shard:
		if kind != value.None && !kind.IsKey() {
			return complain("text and numbers")
		}
	}
	return text, ""
}
