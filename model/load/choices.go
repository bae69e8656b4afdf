package load

import (
	"math"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/value"
)

// Choices is how many values a part of a key can have by what is declared
// (infinite when nothing bounds it), the share of the items that have the most
// frequent one, and whether it is an enumeration or a boolean. Of enumerations
// those values count that the conditions admit.
func Choices(e *model.Entity, p model.Part, whens []expr.Cond) (n, top float64, named bool) {
	if p.Random > 0 {
		return float64(p.Random), 1 / float64(p.Random), false
	}
	a := keytext.Leaf(p)
	for _, f := range p.Funcs {
		if f.Name == expr.Shard {
			return float64(f.N), 1 / float64(f.N), false
		}
		if !keepsApart(f) {
			return math.Inf(1), 0, false
		}
	}
	if shares := Shares(e, a, whens); len(shares) > 0 {
		return float64(len(shares)), slices.Max(shares), true
	}
	low, lok := a.Domain.Min.Int()
	high, hok := a.Domain.Max.Int()
	if a.Type == model.TypeInteger && lok && hok && high >= low {
		n := float64(high-low) + 1
		return n, 1 / n, false
	}
	return math.Inf(1), 0, false
}

// keepsApart tells whether a function gives different words different texts.
func keepsApart(f expr.Func) bool {
	switch f.Name {
	case expr.Lower, expr.Upper, expr.Pad, expr.Invert:
		return true
	}
	return false
}

// Shares are the shares of an enumeration's or a boolean's values, of those
// that the conditions admit; none of anything else.
func Shares(e *model.Entity, a *model.Attribute, whens []expr.Cond) (shares []float64) {
	choices := choicesOf(a)
	for _, c := range choices {
		item := model.Item{a.Name.Text: c.Value}
		admitted := !slices.ContainsFunc(whens, func(w expr.Cond) bool { return About(w, a) && !encode.Holds(w, e, item) })
		if admitted {
			shares = append(shares, shareOf(choices, c))
		}
	}
	return shares
}

// choicesOf are the values of an enumeration or a boolean.
func choicesOf(a *model.Attribute) []model.Choice {
	if a.Type == model.TypeBoolean && len(a.Domain.Values) == 0 {
		return []model.Choice{{Value: value.OfBool(false)}, {Value: value.OfBool(true)}}
	}
	return a.Domain.Values
}

// shareOf is the share of a choice: as declared, else an equal part.
func shareOf(all []model.Choice, c model.Choice) float64 {
	if c.Share > 0 || slices.ContainsFunc(all, func(c model.Choice) bool { return c.Share > 0 }) {
		return c.Share
	}
	return 1 / float64(len(all))
}

// About tells whether a condition is about nothing but one attribute.
func About(c expr.Cond, a *model.Attribute) bool {
	return !slices.ContainsFunc(expr.Attrs(c), func(b *expr.Attr) bool { return b.Path.String() != a.Name.Text })
}

// Whens are the conditions on which an entity is in an index, and the optional
// attributes that must be there, as conditions.
func Whens(e *model.Entity, x *model.Index) (out []expr.Cond) {
	if x == nil {
		return nil
	}
	for _, k := range x.Keys() {
		key := e.Key(k.Name)
		if key == nil {
			continue
		}
		if key.When != nil {
			out = append(out, key.When.Cond)
		}
		for _, p := range key.Template.Parts {
			if p.Attribute != nil && p.Attribute.Optional {
				out = append(out, &expr.Test{At: p.At, Name: expr.AttributeExists, X: &expr.Attr{At: p.At, Path: p.Path}})
			}
		}
	}
	return out
}
