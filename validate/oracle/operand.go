package oracle

import (
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// value is what an operand is worth, absent when there is nothing. Times are
// written in the form of like, which may be nil when none is needed.
func (s scope) value(o expr.Operand, like *model.Attribute) value.Value {
	switch o := o.(type) {
	case *expr.Attr:
		if o.Entity != "" && o.Entity != s.entity.Name.Text {
			return value.Value{}
		}
		return at(s.item, s.resolved(o.Path))
	case *expr.Param:
		v, _ := s.args.lookup(o.Name)
		return v
	case *expr.Literal:
		return o.Value
	case *expr.Now:
		return formatTime(s.now, like)
	case *expr.Arith:
		return s.sum(o, like)
	case *expr.Call:
		return s.call(o, like)
	}
	return value.Value{}
}

// resolved is a path in which the call's parameters name members of maps.
func (s scope) resolved(p expr.Path) expr.Path {
	return p.Resolve(func(param string) string {
		v, _ := s.args.lookup(param)
		return v.Text()
	})
}

// at is the value at a path of an item.
func at(item model.Item, p expr.Path) value.Value {
	v := item[p.Name]
	for _, step := range p.Rest {
		v = into(v, step)
	}
	return v
}

// into is the member of a map or list, absent when there is none.
func into(v value.Value, step expr.Step) value.Value {
	switch {
	case step.Name != "" && v.Kind() == value.Map:
		return v.Field(step.Name)
	case step.Name == "" && v.Kind() == value.List && step.Index < len(v.Items()):
		return v.Items()[step.Index]
	}
	return value.Value{}
}

// sum is a sum of numbers, or a time moved by a length of time; absent when
// either side is.
func (s scope) sum(o *expr.Arith, like *model.Attribute) value.Value {
	if d, isTime := o.Right.(*expr.Duration); isTime {
		return s.moved(o.Left, d.Length, o.Minus, like)
	}
	if d, isTime := o.Left.(*expr.Duration); isTime {
		return s.moved(o.Right, d.Length, false, like)
	}
	left, right := s.value(o.Left, like), s.value(o.Right, like)
	if left.Kind() != value.Number || right.Kind() != value.Number {
		return value.Value{}
	}
	if o.Minus {
		right = right.Neg()
	}
	v, err := left.Add(right)
	if err != nil {
		return value.Value{}
	}
	return v
}

func (s scope) moved(o expr.Operand, by time.Duration, back bool, like *model.Attribute) value.Value {
	t, ok := s.instant(o, like)
	if !ok {
		return value.Value{}
	}
	if back {
		by = -by
	}
	return formatTime(t.Add(by), like)
}

// instant is the point in time that an operand stands for.
func (s scope) instant(o expr.Operand, like *model.Attribute) (time.Time, bool) {
	if _, ok := o.(*expr.Now); ok {
		return s.now, true
	}
	own := s.domain(o)
	if own == nil {
		own = like
	}
	return parseTime(s.value(o, own), own)
}

// call is the value of a function that has one outside of updates.
func (s scope) call(o *expr.Call, like *model.Attribute) value.Value {
	if len(o.Args) == 0 {
		return value.Value{}
	}
	own := s.domain(o.Args[0])
	if own == nil {
		own = like
	}
	v := s.value(o.Args[0], own)
	if o.Func.Name == expr.Size {
		return v.Size()
	}
	return apply(o.Func, v, own)
}
