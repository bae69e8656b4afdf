package plan

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/keytext"
)

// chain is an attribute's value as seen through functions: how it is stored,
// then the functions, without those that change nothing.
func chain(a *model.Attribute, funcs []expr.Func) []expr.Func {
	var out []expr.Func
	if a.Stored != "" {
		out = append(out, expr.Func{Name: a.Stored})
	}
	for _, f := range funcs {
		fold := f.Name == expr.Lower || f.Name == expr.Upper
		if fold && slices.Contains(out, f) {
			continue
		}
		out = append(out, f)
	}
	return out
}

// injective tells whether no two values become one under the functions.
func injective(funcs []expr.Func) bool {
	return !slices.ContainsFunc(funcs, func(f expr.Func) bool { return f.Name != expr.Pad && f.Name != expr.Invert })
}

// tellsApart tells whether no two values of an attribute become one under the
// functions: of an enumeration, whether those that there are do not.
func tellsApart(a *model.Attribute, funcs []expr.Func) bool {
	if injective(funcs) {
		return true
	}
	seen := map[string]bool{}
	for _, choice := range a.Domain.Values {
		v, err := encode.Apply(funcs, encode.Stored(a, choice.Value), a.Type)
		if err != nil || seen[v.String()] {
			return false
		}
		seen[v.String()] = true
	}
	return len(seen) > 0
}

// unitOf is the period that an attribute seen through a chain falls in; false
// when it is no period of time.
func unitOf(a *model.Attribute, chain []expr.Func) (expr.Func, bool) {
	switch {
	case len(chain) == 1 && chain[0].Name.IsPeriod():
		return chain[0], true
	case len(chain) == 0 && a.Type == model.TypeDate:
		return expr.Func{Name: expr.Day}, true
	case len(chain) == 0 && a.Type == model.TypeMonth:
		return expr.Func{Name: expr.Month}, true
	}
	return expr.Func{}, false
}

// direction tells how keys sort against an attribute's values.
type direction int

const (
	unsorted direction = iota
	ascending
	descending
	// coarse sorts as the values do, but takes several values for one.
	coarse
)

// sorts tells how the text of an attribute seen through functions sorts
// against the attribute itself seen through the first of them, given.
func sorts(a *model.Attribute, given, funcs []expr.Func) direction {
	rest := funcs[len(given):]
	switch {
	case len(rest) == 0:
		if len(given) == 0 || given[0].Name == a.Stored {
			return plainSorts(a)
		}
		return ascending // both are texts made by the same functions
	case len(rest) > 1:
		return unsorted
	}
	switch f := rest[0]; f.Name {
	case expr.Pad:
		return ascending
	case expr.Invert:
		return descending
	case expr.Year, expr.Month, expr.Week, expr.Day, expr.Hour, expr.Minute, expr.Bucket:
		if a.Type == model.TypeDatetime && plainSorts(a) == unsorted {
			return unsorted
		}
		return coarse
	case expr.Prefix:
		return coarse
	}
	return unsorted
}

// plainSorts tells how the plain text of an attribute sorts against its values.
func plainSorts(a *model.Attribute) direction {
	switch a.Type {
	case model.TypeInteger, model.TypeNumber, model.TypeEpoch, model.TypeEpochMS, model.TypeDatetime:
		if keytext.Of(a, nil).Width() == 0 {
			return unsorted
		}
	}
	return ascending
}
