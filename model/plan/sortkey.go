package plan

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/value"
)

// fixSort takes the longest run of the sort key that is fixed, and then at
// most one range. Of several sort key attributes, those that are wholly fixed
// get an equality each.
func (f *fit) fixSort() {
	for i, attribute := range f.space.sort {
		parts := f.keys[len(f.space.partition)+i].Parts
		if len(f.rest) > 0 {
			f.follow(attribute, parts)
			continue
		}
		f.prefix = nil
		for j, p := range parts {
			part, ok := f.fix(p, &f.sort, false)
			if !ok {
				f.follow(attribute, parts[j:])
				f.narrow(attribute, f.rest[0])
				break
			}
			f.prefix = append(f.prefix, part)
		}
		if len(f.rest) == 0 {
			recipe := Recipe{Kind: recipeKind(attribute, model.Template{Parts: parts}), Parts: f.prefix}
			f.sort.conditions = append(f.sort.conditions,
				KeyCondition{Attribute: attribute, Op: model.KeyEq, Values: []Recipe{recipe}})
		}
	}
}

// follow adds parts of the sort key that are not fixed, or come after one that is not.
func (f *fit) follow(attribute model.KeyAttribute, parts []model.Part) {
	for i, p := range parts {
		f.rest = append(f.rest, sortPart{Part: p, key: attribute, following: parts[i+1:]})
	}
}

// narrow makes the condition on a sort key attribute of which the prefix is
// fixed and p, what follows, is not.
func (f *fit) narrow(attribute model.KeyAttribute, p sortPart) {
	if p.Attribute != nil && (f.narrowByRange(attribute, p) || f.narrowByBeginning(attribute, p)) {
		return
	}
	if len(f.prefix) > 0 {
		f.sortCondition(attribute, model.KeyBeginsWith, textRecipe(f.prefix...))
	}
}

func (f *fit) sortCondition(attribute model.KeyAttribute, op model.KeyOp, values ...Recipe) {
	f.sort.conditions = append(f.sort.conditions, KeyCondition{Attribute: attribute, Op: op, Values: values})
}

func (f *fit) narrowByRange(attribute model.KeyAttribute, p sortPart) bool {
	a, c := seen(p.Part)
	i := slices.IndexFunc(f.terms.ranges, func(r *spread) bool { return r.leadsTo(p.Part, c) })
	if i < 0 {
		return false
	}
	r := f.terms.ranges[i]
	if kind := recipeKind(attribute, model.Template{Parts: append([]model.Part{p.Part}, p.following...)}); kind != value.String {
		return f.typedRange(attribute, kind, r)
	}
	way := sorts(a, r.chain, c)
	if way == unsorted && len(p.following) == 0 && len(c) == len(r.chain) {
		way = ascending // what one would write; that it does not sort is a finding of its own
	}
	if way == unsorted || !p.separate() {
		return false
	}
	ends := textEnds{fit: f, part: p, chain: c, spread: r, way: way}
	ends.condition(attribute)
	f.sort.ranged = true
	return true
}

// narrowByBeginning serves begins_with on the part.
func (f *fit) narrowByBeginning(attribute model.KeyAttribute, p sortPart) bool {
	_, c := seen(p.Part)
	for _, b := range f.terms.begins {
		if b.path.String() != p.Path.String() || !slices.Equal(b.chain, c) {
			continue
		}
		recipe := textRecipe(append(slices.Clone(f.prefix), b.subject.value(b.value, c))...)
		recipe.Kind = recipeKind(attribute, model.Template{Parts: append([]model.Part{p.Part}, p.following...)})
		f.sortCondition(attribute, model.KeyBeginsWith, recipe)
		if p.closed() {
			f.sort.exact = append(f.sort.exact, b.term)
		}
		f.sort.ranged = true
		return true
	}
	return false
}

// separate tells whether keys sort by the part's value whatever follows it: it
// is last, of fixed width, or followed by a text that sorts before all it can hold.
func (p sortPart) separate() bool {
	t := keytext.Of(seen(p.Part))
	if len(p.following) == 0 || t.Width() > 0 {
		return true
	}
	next := p.following[0].Literal
	return next != "" && next[0] < t.Least()
}

// closed tells whether what follows the part cannot be taken for a piece of its value.
func (p sortPart) closed() bool {
	t := keytext.Of(seen(p.Part))
	if len(p.following) == 0 || t.Width() > 0 {
		return true
	}
	next := p.following[0].Literal
	return next != "" && !t.Has(next[0])
}

// textEnds makes the ends of a range on a part of a text key.
type textEnds struct {
	fit    *fit
	part   sortPart
	chain  []expr.Func
	spread *spread
	way    direction
}

// condition adds the range as a condition on the sort key.
func (t textEnds) condition(attribute model.KeyAttribute) {
	r, sort := t.spread, &t.fit.sort
	low, high, lowTerm, highTerm := r.low, r.high, r.lowTerm, r.highTerm
	switch t.way {
	case descending:
		low, high, lowTerm, highTerm = high, low, highTerm, lowTerm
	case coarse:
		low.Excluded, high.Excluded = false, false
	}
	if t.way != coarse {
		sort.exact = append(sort.exact, r.terms()...)
	}
	bare := len(t.fit.prefix) == 0
	switch {
	case bare && high.Value == nil:
		t.fit.sortCondition(attribute, openOp(low, model.KeyGe, model.KeyGt), t.bareEnd(low, low.Excluded))
	case bare && low.Value == nil:
		t.fit.sortCondition(attribute, openOp(high, model.KeyLe, model.KeyLt), t.bareEnd(high, !high.Excluded))
	default:
		t.fit.sortCondition(attribute, model.KeyBetween, t.start(low, lowTerm), t.end(high, highTerm))
	}
}

func openOp(b Bound, included, excluded model.KeyOp) model.KeyOp {
	if b.Excluded {
		return excluded
	}
	return included
}

// bareEnd is the only end of a range in a key that begins with the part; past
// tells that it lies behind all keys with that value.
func (t textEnds) bareEnd(b Bound, past bool) Recipe {
	if past {
		return t.recipe(t.past(b)...)
	}
	return t.recipe(t.value(b))
}

func (t textEnds) value(b Bound) Part { return t.spread.value(b.Value, t.chain) }

func (t textEnds) recipe(parts ...Part) Recipe {
	return textRecipe(append(slices.Clone(t.fit.prefix), parts...)...)
}

// past is behind every key with the bound's value, and before every greater one.
func (t textEnds) past(b Bound) []Part {
	if len(t.part.following) == 0 {
		return []Part{t.value(b)}
	}
	parts := []Part{t.value(b)}
	if next := t.part.following[0].Literal; next != "" {
		parts = append(parts, Part{Literal: next})
	}
	return append(parts, Part{Max: true})
}

// start is the lower end, which belongs to the range.
func (t textEnds) start(b Bound, term expr.Cond) Recipe {
	switch {
	case b.Value == nil:
		return t.recipe()
	case !b.Excluded:
		return t.recipe(t.value(b))
	case len(t.part.following) > 0:
		return t.recipe(t.past(b)...)
	}
	return t.recipe(t.neighbour(b, +1, term))
}

// end is the upper end, which belongs to the range.
func (t textEnds) end(b Bound, term expr.Cond) Recipe {
	switch {
	case b.Value == nil:
		return t.recipe(Part{Max: true})
	case !b.Excluded:
		return t.recipe(t.past(b)...)
	case len(t.part.following) > 0:
		return t.recipe(t.value(b))
	}
	return t.recipe(t.neighbour(b, -1, term))
}

// neighbour is the value next to an excluded end. Where values differ in width
// there is none, and a filter takes the end out of the range, unless the
// attribute is the key itself, which no filter may name.
func (t textEnds) neighbour(b Bound, step int, term expr.Cond) Part {
	part := t.value(b)
	name := t.part.Attribute.Name.Text
	if keytext.Of(seen(t.part.Part)).Width() == 0 && !t.fit.space.isKey(name) {
		t.fit.sort.boundary = append(t.fit.sort.boundary, term)
		return part
	}
	part.Neighbour = step
	return part
}

// typedRange is a range on a key that is a number or binary attribute.
func (f *fit) typedRange(attribute model.KeyAttribute, kind value.Kind, r *spread) bool {
	end := func(b Bound, step int, term expr.Cond) Recipe {
		part := r.value(b.Value, r.chain)
		switch {
		case !b.Excluded:
		case kind == value.Number || step > 0 || f.space.isKey(r.attribute.Name.Text):
			part.Neighbour = step
		default:
			f.sort.boundary = append(f.sort.boundary, term)
		}
		return Recipe{Kind: kind, Parts: []Part{part}}
	}
	one := func(b Bound) Recipe { return Recipe{Kind: kind, Parts: []Part{r.value(b.Value, r.chain)}} }
	switch {
	case r.high.Value == nil:
		f.sortCondition(attribute, openOp(r.low, model.KeyGe, model.KeyGt), one(r.low))
	case r.low.Value == nil:
		f.sortCondition(attribute, openOp(r.high, model.KeyLe, model.KeyLt), one(r.high))
	default:
		f.sortCondition(attribute, model.KeyBetween, end(r.low, +1, r.lowTerm), end(r.high, -1, r.highTerm))
	}
	f.sort.exact = append(f.sort.exact, r.terms()...)
	f.sort.ranged = true
	return true
}

func textRecipe(parts ...Part) Recipe { return Recipe{Kind: value.String, Parts: parts} }

// recipeKind is the type of the values a template makes for a key attribute: a
// typed attribute keeps its type, anything else is text.
func recipeKind(k model.KeyAttribute, t model.Template) value.Kind {
	if k.Kind != value.None && t.Whole() != nil {
		return k.Kind
	}
	return value.String
}
