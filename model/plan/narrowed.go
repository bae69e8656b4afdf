package plan

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// narrowed is what holds besides of attributes that equal a parameter which `params`
// gives a domain of its own: they have one of its values, or lie between its ends.
func narrowed(p *model.Pattern, terms []*equality) []expr.Cond {
	var out []expr.Cond
	for _, e := range terms {
		if e.in && !e.fromList || len(e.chain) > 0 {
			continue
		}
		param, ok := e.values[0].(*expr.Param)
		if !ok {
			continue
		}
		q := p.Parameter(param.Name)
		if q == nil || q.Declared == nil || q.Declared.Type.Kind() != e.attribute.Type.Kind() {
			continue
		}
		x := &expr.Attr{Path: e.path}
		literal := func(v value.Value) expr.Operand { return &expr.Literal{Value: v} }
		d := q.Declared.Domain
		if len(d.Values) > 0 {
			in := &expr.In{X: x}
			for _, choice := range d.Values {
				in.List = append(in.List, literal(choice.Value))
			}
			out = append(out, in)
		}
		if d.Min.Exists() {
			out = append(out, &expr.Compare{Op: expr.Ge, Left: x, Right: literal(d.Min)})
		}
		if d.Max.Exists() {
			out = append(out, &expr.Compare{Op: expr.Le, Left: x, Right: literal(d.Max)})
		}
	}
	return out
}
