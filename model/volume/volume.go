// Package volume works out from what a model declares how many items there are,
// how often something happens, and how large an item is.
//
// Figures are expected values: averages where they are given, else the middle
// of the range. What cannot be known from the declarations is said to be unknown.
package volume

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
)

// Items is how many items of an entity there are in all; false when the model
// does not say.
func Items(e *model.Entity) (float64, bool) { return items(e, nil) }

// items counts an entity's items; within are the entities being counted, which
// must not be asked again.
func items(e *model.Entity, within []*model.Entity) (float64, bool) {
	if slices.Contains(within, e) {
		return 0, false
	}
	within = append(within, e)
	for _, v := range e.Volumes {
		each, ok := Each(v)
		switch {
		case !ok:
		case v.PerEntity != nil:
			if parents, ok := items(v.PerEntity, within); ok {
				return parents * each, true
			}
		case v.PerAttribute != nil:
			if n := len(v.PerAttribute.Domain.Values); n > 0 {
				return float64(n) * each, true
			}
		default:
			return each, true
		}
	}
	return 0, false
}

// Each is how many items one volume counts: in all, or under one value of what
// it is per.
func Each(v *model.Volume) (float64, bool) {
	switch {
	case v.Rate != nil:
		often, ok := PerSecond(v.Rate)
		return often * v.Keep.Seconds(), ok
	case v.Average > 0:
		return v.Average, true
	}
	return float64(v.Count.Min+v.Count.Max) / 2, true
}

// Most is the greatest number of items one volume counts.
func Most(v *model.Volume) (float64, bool) {
	if v.Rate != nil {
		return Each(v)
	}
	return float64(v.Count.Max), true
}

// PerSecond is a rate over all items it is per of; false when their number is
// not known.
func PerSecond(r *model.Rate) (float64, bool) {
	if r.Each == nil {
		return r.PerSecond, true
	}
	n, ok := Items(r.Each)
	return r.PerSecond * n, ok
}
