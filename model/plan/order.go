package plan

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/value"
)

// ordering is how a keyspace delivers the order asked for, or why it does not.
type ordering struct {
	descending bool   // read from the greatest sort key down
	failure    string // why not; "" when delivered
	fix        string // what would deliver it
	delivered  int    // how many of the attributes are in order
}

// order tells how the keyspace delivers the entity's items in an order.
func (f *fit) order(by []model.OrderBy) ordering {
	o := orderer{fit: f, by: by}
	out := o.follow(f.rest)
	if out.failure != "" && !o.decide {
		out.descending = by[0].Desc // as whoever asks for it would send it
	}
	return out
}

// orderer follows the parts of the sort key that are not fixed, beside the
// attributes to order by.
type orderer struct {
	fit    *fit
	by     []model.OrderBy
	out    ordering
	decide bool // out.descending is decided
}

func (o *orderer) follow(rest []sortPart) ordering {
	for _, p := range rest {
		o.skipConstants()
		if len(o.by) == 0 {
			return o.out
		}
		if p.Literal != "" || p.Attribute != nil && o.fit.isConstant(p.Path) {
			continue
		}
		if o.out.failure, o.out.fix = o.take(p); o.out.failure != "" {
			return o.out
		}
	}
	o.skipConstants()
	if len(o.by) > 0 {
		o.out.failure = fmt.Sprintf("nothing in its sort key orders by %s", o.by[0].Attribute)
		o.out.fix = o.leadFix(o.by[0].Attribute)
	}
	return o.out
}

func (o *orderer) leadFix(attribute string) string {
	return fmt.Sprintf("let a sort key have %s right after what `where` fixes", proposedPart(o.fit.entity, attribute))
}

// skipConstants drops attributes to order by that all items of a request share.
func (o *orderer) skipConstants() {
	for len(o.by) > 0 && o.fit.isConstant(expr.Path{Name: o.by[0].Attribute}) {
		o.by = o.by[1:]
	}
}

// isConstant tells whether all items that one request returns have the same value there.
func (f *fit) isConstant(p expr.Path) bool {
	fanned := f.fansOut(p)
	return fanned == FanBucket || slices.ContainsFunc(f.terms.equal, func(e *equality) bool {
		return e.path.String() == p.String() && len(e.chain) == len(e.stored) && (!e.in || fanned == FanIn)
	})
}

// fansOut tells why there is a request of its own for each value there, "" when
// there is none.
func (f *fit) fansOut(p expr.Path) FanKind {
	for _, fan := range slices.Concat(f.partition.fans, f.sort.fans) {
		if fan.Name == p.String() && (fan.Kind == FanIn || fan.Kind == FanBucket && len(fan.Funcs) == 0) {
			return fan.Kind
		}
	}
	return ""
}

// take matches a part that is not fixed with the attribute to order by next; it
// returns why they do not match, and what would help.
func (o *orderer) take(p sortPart) (failure, fix string) {
	want := o.by[0]
	if p.Attribute == nil || p.Path.String() != want.Attribute {
		return fmt.Sprintf("its sort key goes on with %s, not with %s", partText(p.Part), want.Attribute), o.leadFix(want.Attribute)
	}
	way := p.way()
	if way == unsorted {
		return fmt.Sprintf("%s as text does not sort as %s does", partText(p.Part), want.Attribute), sortingFix(p.Part)
	}
	if !p.separate() {
		return fmt.Sprintf("%s varies in width inside its sort key, and what follows disturbs the order", partText(p.Part)),
			fmt.Sprintf("put {%s} last in the sort key, or declare %s as a `slug`", partText(p.Part), want.Attribute)
	}
	down := want.Desc != (way == descending)
	if o.decide && down != o.out.descending {
		return fmt.Sprintf("its sort key has %s in the other direction", want.Attribute),
			"order all of them in one direction, or turn a number around with `invert(n)` in the sort key"
	}
	o.out.descending, o.decide = down, true
	if way != coarse {
		o.by = o.by[1:]
		o.out.delivered++
	}
	return "", ""
}

// sortingFix says how to write the part so that it sorts.
func sortingFix(p model.Part) string {
	if a := keytext.Leaf(p); a.Type == model.TypeDatetime {
		return fmt.Sprintf("declare %s with a fixed precision and `zone: utc`", p.Path)
	}
	return fmt.Sprintf("write it as {%s|pad(n)}, with enough digits", p.Path)
}

// way tells how keys sort against the attribute as it is stored.
func (p sortPart) way() direction {
	a, c := seen(p.Part)
	if recipeKind(p.key, model.Template{Parts: append([]model.Part{p.Part}, p.following...)}) != value.String {
		return ascending
	}
	return sorts(a, chain(a, nil), c)
}
