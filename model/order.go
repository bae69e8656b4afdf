package model

import "slices"

// Subject is what an entry of an order is about, as it is written: `placedAt`,
// `Alert.raisedAt`, or `Device` where items of an entity only have a place.
func (o OrderBy) Subject() string {
	switch {
	case o.Entity == nil:
		return o.Attribute
	case o.Attribute == "":
		return o.Entity.Name.Text
	}
	return o.Entity.Name.Text + "." + o.Attribute
}

// OverTypes tells whether an order says where the items of each entity come.
func OverTypes(order []OrderBy) bool { return len(order) > 0 && order[0].Entity != nil }

// PlaceOf is the place of an entity's items in an order over types: those of a
// lower place come first. It is 0 in an order of all items.
func PlaceOf(order []OrderBy, e *Entity) int {
	if !OverTypes(order) {
		return 0
	}
	return slices.IndexFunc(order, func(o OrderBy) bool { return o.Entity == e })
}

// OrderWithin are the entries by which an entity's items are ordered among
// themselves.
func OrderWithin(order []OrderBy, e *Entity) []OrderBy {
	if !OverTypes(order) {
		return order
	}
	var out []OrderBy
	for _, o := range order {
		if o.Entity == e && o.Attribute != "" {
			out = append(out, o)
		}
	}
	return out
}
