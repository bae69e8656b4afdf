package mutation

import (
	"regexp"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// keysStand tells whether the mutant's keys can be told apart by those who read
// them, wherever the changed template takes part: see place.stands.
func (c *comparison) keysStand() bool {
	e := c.broken.Entity(c.mutant.part.entity)
	if e == nil || c.mutant.part.guard || e.Key(c.mutant.part.key) == nil {
		return false
	}
	return c.stand(e, c.mutant.part.key)
}

// stand looks at the table and at each index that a key attribute is in. A key of
// an index that lacks another one of its keys is none.
func (c *comparison) stand(e *model.Entity, key string) bool {
	return !slices.ContainsFunc(c.places(e), func(p place) bool { return p.has(key) && !p.stands(c) })
}

// place is an entity's keys in the table or in an index.
type place struct {
	entity     *model.Entity
	index      string // "": the table
	partition  []*model.Key
	sort       []*model.Key
	attributes [2][]model.KeyAttribute
}

// places are where the items of an entity stand.
func (c *comparison) places(e *model.Entity) []place {
	t := c.broken.Table
	var sortKey []model.KeyAttribute
	if t.SortKey != nil {
		sortKey = []model.KeyAttribute{*t.SortKey}
	}
	var out []place
	add := func(index string, partition, sort []model.KeyAttribute) {
		p := place{entity: e, index: index, attributes: [2][]model.KeyAttribute{partition, sort}}
		for _, k := range partition {
			p.partition = append(p.partition, e.Key(k.Name))
		}
		for _, k := range sort {
			p.sort = append(p.sort, e.Key(k.Name))
		}
		if !slices.Contains(p.partition, nil) && !slices.Contains(p.sort, nil) {
			out = append(out, p)
		}
	}
	add("", []model.KeyAttribute{t.PartitionKey}, sortKey)
	for _, x := range t.Indexes {
		add(x.Name.Text, x.PartitionKey, x.SortKey)
	}
	return out
}

func (p place) keys() []*model.Key { return slices.Concat(p.partition, p.sort) }

func (p place) has(key string) bool {
	return slices.ContainsFunc(p.keys(), func(k *model.Key) bool { return k.Name.Text == key })
}

// stands tells whether, in this place,
//   - every key can be read in one way only, by what its attributes declare;
//   - in the table, the keys hold what identifies an item;
//   - no beginning of a sort key, up to the end of a part, is one of another
//     value's: a key condition on the first parts catches no one else's; or
//     there is none, beside the literal that keys begin with;
//   - the parts that a pattern has a range over, or an order by, are of a fixed
//     width or the last of their sort key; those before them it fixes;
//   - no request can catch other entities' items: see apart.
//
// Then a request that is made from the templates means one set of attribute
// values, or one range of them, and nothing else can be in it.
func (p place) stands(c *comparison) bool {
	compared := c.compared(p.entity)
	for _, k := range p.keys() {
		if !readable(k.Template) {
			return false
		}
	}
	if p.index == "" && !p.holdIdentity() {
		return false
	}
	literal := c.literalRanges(p)
	for _, k := range p.sort {
		if !literal && !beginnings(k.Template) || !sorts(k.Template, compared) {
			return false
		}
	}
	for _, other := range c.broken.Entities {
		if other != p.entity && !c.apart(p, other) {
			return false
		}
	}
	return true
}

// text is an attribute whose values are any text.
var text = model.Attribute{Type: model.TypeString}

// followed is a template with any text after it.
func followed(parts ...model.Part) model.Template {
	return model.Template{Parts: append(slices.Clone(parts), model.Part{Attribute: &text, Path: expr.Path{Name: "text"}})}
}

// readable tells whether a template's texts can be read in one way only. Where
// keytext has too much to look at to find out, they are taken not to be: it
// would find that any text after any text can be read in two ways.
func readable(t model.Template) bool {
	if t.Whole() != nil {
		return true
	}
	if _, _, _, looked := keytext.Ambiguous(followed(followed(t.Parts...).Parts...)); !looked {
		return false
	}
	_, _, _, ambiguous := keytext.Ambiguous(t)
	return !ambiguous
}

// beginnings tells whether no beginning of a template's texts, up to the end of
// a part and the literal after it, is one that other values make.
func beginnings(t model.Template) bool {
	for i, p := range t.Parts[:max(0, len(t.Parts)-1)] {
		if p.Attribute == nil {
			continue
		}
		first := t.Parts[i : i+1]
		if t.Parts[i+1].Literal != "" {
			first = t.Parts[i : i+2]
		}
		if _, _, _, ambiguous := keytext.Ambiguous(followed(first...)); ambiguous {
			return false
		}
	}
	return true
}

// sorts tells whether the parts that a test accepts sort as their values do: the
// last one, and those of a fixed width.
func sorts(t model.Template, compared func(string) bool) bool {
	for _, p := range t.Parts[:max(0, len(t.Parts)-1)] {
		if p.Attribute != nil && compared(p.Attribute.Name.Text) && !fixedWidth(p) {
			return false
		}
	}
	return true
}

func fixedWidth(p model.Part) bool {
	for _, f := range p.Funcs {
		if f.Name == expr.Pad || f.Name == expr.Invert || f.Name.IsPeriod() {
			return true
		}
	}
	a := keytext.Leaf(p)
	switch a.Type {
	case model.TypeDatetime:
		return !a.Domain.AnyZone && a.Domain.Precision != model.PrecisionVariable
	case model.TypeULID, model.TypeKSUID, model.TypeUUID, model.TypeUUID7, model.TypeDate, model.TypeMonth:
		return true
	}
	return keytext.Width(a) > 0
}

// holdIdentity tells whether the keys hold all attributes of the identity, in
// forms that tell different values apart; or one that is never shared.
func (p place) holdIdentity() bool {
	all := true
	for _, id := range p.entity.Identity {
		held := slices.ContainsFunc(p.keys(), func(k *model.Key) bool {
			return slices.ContainsFunc(k.Template.Parts, func(part model.Part) bool {
				return part.Attribute == id.Attribute && len(part.Path.Rest) == 0 && faithful(part.Funcs, id)
			})
		})
		if held && id.Attribute.Minted {
			return true
		}
		all = all && held
	}
	return all
}

// faithful tells whether functions keep different values of an identity apart.
func faithful(funcs []expr.Func, id model.IdentityPart) bool {
	for _, f := range funcs {
		switch f.Name {
		case expr.Pad, expr.Invert:
		case expr.Lower, expr.Upper:
			if id.Attribute.Stored != f.Name && !slices.Contains(id.Funcs, f) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// apart tells whether no request for items of the one entity can catch one of
// the other: their partition keys differ, or their sort keys do and each is out
// of the other's way. In an index, where items may share their keys, it is enough
// that requests tell them apart by something else.
func (c *comparison) apart(p place, other *model.Entity) bool {
	for i, k := range p.attributes[0] {
		theirs := other.Key(k.Name)
		if theirs == nil {
			return true // not in this place
		}
		if k.Kind == value.String && !keytext.Meet(p.partition[i].Template, theirs.Template) {
			return true
		}
	}
	if p.index != "" && c.toldApart(p.index, p.entity, other) && c.toldApart(p.index, other, p.entity) {
		return true
	}
	if len(p.sort) == 0 {
		return false
	}
	theirs := other.Key(p.attributes[1][0].Name)
	switch {
	case theirs == nil:
		return true
	case p.attributes[1][0].Kind != value.String:
		return false
	}
	mine := p.sort[0].Template
	return !keytext.Meet(mine, theirs.Template) &&
		c.outOfTheWay(p.index, mine, other, theirs.Template, p.entity) &&
		c.outOfTheWay(p.index, theirs.Template, p.entity, mine, other)
}

// outOfTheWay tells whether sort keys of a template are never in a range that
// is read for an entity with another template:
//   - they do not begin with the literal that all of its ranges begin with;
//   - or its ranges have both ends and lie among the texts that begin with a
//     digit, and they do not;
//   - or every query for it has a filter on the entity type, or asks for the
//     items in its way too.
func (c *comparison) outOfTheWay(index string, t model.Template, e *model.Entity, of model.Template, inTheWay *model.Entity) bool {
	if !begins(t, prefix(of)) {
		return true
	}
	if !keytext.Meet(of, pattern(`[^0-9](?s:.*)`)) && !keytext.Meet(t, pattern(`[0-9](?s:.*)`)) && c.closed(index, e) {
		return true
	}
	return c.toldApart(index, e, inTheWay)
}

// toldApart tells whether every query of a place for an entity's items has a
// filter on the entity type, or asks for the items of the other one too.
func (c *comparison) toldApart(index string, e, other *model.Entity) bool {
	return c.queries(index, e, func(r *plan.Read) bool { return len(r.Types) > 0 || slices.Contains(r.Entities, other) })
}

// pattern is a template of the texts that match an expression.
func pattern(re string) model.Template {
	a := &model.Attribute{Type: model.TypeString, Domain: model.Domain{Pattern: regexp.MustCompile(re)}}
	return model.Template{Parts: []model.Part{{Attribute: a, Path: expr.Path{Name: "text"}}}}
}

// begins tells whether a text of a template can begin with a literal.
func begins(t model.Template, literal string) bool {
	if literal == "" {
		return true
	}
	exact := model.Part{Literal: literal}
	return keytext.Meet(t, model.Template{Parts: []model.Part{exact}}) || keytext.Meet(t, followed(exact))
}

// prefix is the literal text that a template begins with.
func prefix(t model.Template) string {
	if len(t.Parts) == 0 {
		return ""
	}
	return t.Parts[0].Literal
}

// queries tells whether all queries of an index for an entity's items pass a test.
func (c *comparison) queries(index string, e *model.Entity, pass func(*plan.Read) bool) bool {
	return c.pairs(func(_ *model.Pattern, _, after *plan.Variant) bool {
		r := after.Read
		return r == nil || r.API != plan.Query || indexOf(r) != index || !slices.Contains(r.Entities, e) || pass(r)
	})
}

// closed tells whether all queries for an entity's items have both ends of a
// range of the sort key, or one value of it.
func (c *comparison) closed(index string, e *model.Entity) bool {
	return c.queries(index, e, func(r *plan.Read) bool {
		last := r.Key[len(r.Key)-1]
		closed := last.Op == model.KeyEq || last.Op == model.KeyBetween && !endsOpen(last.Values[1])
		return closed && len(r.Key) > partitionKeys(r, c.broken.Table)
	})
}

// endsOpen tells whether the upper end of a range is no value, but what sorts
// after everything.
func endsOpen(r plan.Recipe) bool { return len(r.Parts) > 0 && r.Parts[0].Max }

func partitionKeys(r *plan.Read, t *model.Table) int {
	if r.Index == nil {
		return 1
	}
	return len(r.Index.PartitionKey)
}

// literalRanges tells whether all queries of a place for its entity's items give
// nothing of the sort key but the literal it begins with, or all of it.
func (c *comparison) literalRanges(p place) bool {
	return c.queries(p.index, p.entity, func(r *plan.Read) bool {
		for _, k := range r.Key[min(len(r.Key), partitionKeys(r, c.broken.Table)):] {
			for _, v := range k.Values {
				if k.Op != model.KeyEq && slices.ContainsFunc(v.Parts, func(x plan.Part) bool { return x.Literal == "" && !x.Max }) {
					return false
				}
			}
		}
		return true
	})
}

// compared tells which attributes of an entity some pattern orders by, or
// compares other than for equality.
func (c *comparison) compared(e *model.Entity) func(string) bool {
	var out []string
	for _, p := range c.broken.Patterns {
		if !slices.Contains(p.Entities, e) {
			continue
		}
		for _, o := range p.Order {
			out = append(out, o.Attribute)
		}
		if p.Where == nil {
			continue
		}
		expr.Walk(p.Where.Cond, func(n expr.Node) {
			switch n := n.(type) {
			case *expr.Compare:
				if n.Op != expr.Eq {
					out = append(out, names(n)...)
				}
			case *expr.Between:
				out = append(out, names(n)...)
			case *expr.Test:
				if !beginsWithWord(e, n) {
					out = append(out, names(n)...)
				}
			}
		})
	}
	return func(name string) bool { return slices.Contains(out, name) }
}

// beginsWithWord tells whether a condition is that an enumeration begins with a
// text that none of its values ends within: what follows the value in a key then
// plays no part.
func beginsWithWord(e *model.Entity, t *expr.Test) bool {
	attr, isAttr := t.X.(*expr.Attr)
	word, isLiteral := t.Arg.(*expr.Literal)
	if t.Name != expr.BeginsWith || !isAttr || !isLiteral {
		return false
	}
	a := e.Attribute(attr.Path.Name)
	return a != nil && len(a.Domain.Values) > 0 && !slices.ContainsFunc(a.Domain.Values, func(c model.Choice) bool {
		return c.Value.Text() != word.Value.Text() && strings.HasPrefix(word.Value.Text(), c.Value.Text())
	})
}
