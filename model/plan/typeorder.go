package plan

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
)

// deliverTypes delivers an order over types: the sort keys of the entities lie
// apart from each other in the order asked for, and within each the items come
// as asked for, all in one direction.
func (c *collection) deliverTypes(r *Read) {
	if len(r.Fan) > 0 {
		c.add(Reason{Kind: NotOrdered, Text: notOrdered + "it takes several requests, whose results do not come type by type"})
		return
	}
	fits := slices.Clone(c.fits)
	slices.SortStableFunc(fits, func(f, g *fit) int { return model.PlaceOf(r.Order, f.entity) - model.PlaceOf(r.Order, g.entity) })
	decided := false
	for _, f := range fits {
		o := orderer{fit: f, by: model.OrderWithin(r.Order, f.entity)}
		out := o.follow(f.rest)
		switch {
		case out.failure != "":
			c.add(Reason{Kind: NotOrdered, Entity: f.entity.Name.Text, Text: notOrdered + out.failure, Fix: out.fix})
			return
		case o.decide && decided && out.descending != r.Descending:
			c.add(Reason{Kind: NotOrdered, Entity: f.entity.Name.Text, Text: notOrdered + "it has the items of " + f.entity.Name.Text + " in the other direction",
				Fix: "order the items of all entities in one direction, or turn a number around with `invert(n)` in the sort key"})
			return
		case o.decide:
			decided, r.Descending = true, out.descending
		}
	}
	for i := range fits[1:] {
		first, second := fits[i], fits[i+1]
		side, apart := c.side(first, second)
		if apart && !decided {
			decided, r.Descending = true, side > 0
		}
		if !apart || side > 0 != r.Descending {
			r.Descending = r.Descending || apart && side > 0
			c.add(Reason{Kind: NotOrdered, Entity: second.entity.Name.Text,
				Text: notOrdered + "the sort keys of " + first.entity.Name.Text + " and " + second.entity.Name.Text + " do not begin with texts in that order",
				Fix:  "let them begin with literals of which the first sorts before the second, or after it where the items come in descending order"})
			return
		}
	}
}

// side tells on which side of the sort keys of g all those of f are: -1 before,
// 1 after; apart is false when they are on both, or that is not known.
func (c *collection) side(f, g *fit) (side int, apart bool) {
	if len(c.space.sort) != 1 {
		return 0, false
	}
	a, b := f.prefix, g.prefix
	for len(a) > 0 && len(b) > 0 && partsText(a[:1]) == partsText(b[:1]) {
		a, b = a[1:], b[1:]
	}
	x, y := leadingText(a), leadingText(b)
	xEnds := len(f.rest) == 0 && len(a) <= 1 && (len(a) == 0 || x != "")
	yEnds := len(g.rest) == 0 && len(b) <= 1 && (len(b) == 0 || y != "")
	switch {
	case x == y:
		return 0, false
	case strings.HasPrefix(y, x):
		return -1, xEnds
	case strings.HasPrefix(x, y):
		return 1, yEnds
	}
	return strings.Compare(x, y), true
}

// leadingText is the literal that a row of parts begins with, "" for none.
func leadingText(parts []Part) string {
	if len(parts) == 0 || parts[0].Source != nil || parts[0].Fan != nil {
		return ""
	}
	return parts[0].Literal
}
