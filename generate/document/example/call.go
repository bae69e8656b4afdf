package example

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// Call is a call of an access pattern on the example, with what it does there.
// Items are numbers of World.Items.
type Call struct {
	Variant *plan.Variant
	Args    model.Args
	Now     time.Time
	// Declared tells that it is one of the model's own examples.
	Declared bool

	// First are the reads before a write, Requests what is sent for the call, and
	// After what is sent then for the items found: further reads, or writes.
	First, Requests, After []plan.Request

	// Read are the items that Requests read by key, key condition or scan, and
	// Returned those of them that are left after filters and limit, in order.
	Read, Returned []int
	// Referred are the items that After reads.
	Referred []int
	// Written are the items that are there already and that a write is about.
	Written []int
	// Refused tells that a condition of the write does not hold on these items.
	Refused bool
}

// Call is the call of an access pattern that tells most: the model's own first
// example, else one that finds something with as little text as can be. Nil
// where there is none that can be shown.
func (w *World) Call(p *plan.Plan) *Call {
	if examples := p.Pattern.Examples; len(examples) > 0 {
		if c := w.try(p, data.Binding{Args: examples[0].With, Now: w.data.Now}); c != nil {
			c.Declared = true
			return c
		}
	}
	var best *Call
	for _, b := range w.generator.Bindings(p.Pattern, w.data) {
		if c := w.try(p, b); c != nil && (best == nil || c.rank(best) < 0) {
			best = c
		}
	}
	if best != nil && len(best.Variant.Pattern.AllSteps()) > 0 {
		best = w.polished(p, best)
	}
	return best
}

// polished is a call of a write with values that read well in place of others,
// as far as it does the same.
func (w *World) polished(p *plan.Plan, c *Call) *Call {
	for _, q := range p.Pattern.Parameters {
		v, there := c.Args[q.Name]
		if !there || !betters(q) && len(q.Fields) == 0 || q.Like != nil && q.Like.Refers() {
			continue
		}
		args := maps.Clone(c.Args)
		args[q.Name] = better(q, v)
		d := w.try(p, data.Binding{Args: args, Now: c.Now})
		if d != nil && d.Refused == c.Refused && slices.Equal(d.Written, c.Written) && slices.Equal(d.Returned, c.Returned) {
			c = d
		}
	}
	return c
}

// betters tells whether there is a value for a parameter that reads well.
func betters(q *model.Parameter) bool {
	a := q.Domain()
	return a != nil && !q.List && len(q.Funcs) == 0 && data.Valid(a, readable(a, madeItems))
}

// better is a parameter's value, or its fields, as far as there are some that
// read well.
func better(q *model.Parameter, v value.Value) value.Value {
	if !q.List {
		return encode.Stored(q.Domain(), readable(q.Domain(), madeItems))
	}
	var members []value.Value
	for _, m := range v.Items() {
		fields := slices.Clone(m.Fields())
		for _, f := range q.Fields {
			i := slices.IndexFunc(fields, func(x value.Field) bool { return x.Name == f.Name })
			if i >= 0 && betters(f) && f.Domain().Ref == nil {
				fields[i].Value = better(f, fields[i].Value)
			}
		}
		members = append(members, value.OfMap(fields...))
	}
	return value.OfList(members...)
}

// enough is how many items found tell as much as more would.
const enough = 4

// rank orders calls by how much they tell.
func (c *Call) rank(d *Call) int {
	found := func(c *Call) int {
		if c.Refused {
			return -1
		}
		return min(enough, len(c.Returned)+len(c.Written))
	}
	return cmp.Or(
		cmp.Compare(found(d), found(c)),
		cmp.Compare(len(c.Variant.Absent), len(d.Variant.Absent)),
		cmp.Compare(c.length(), d.length()))
}

// length is how much there is to read in the arguments.
func (c *Call) length() int {
	n := 0
	for name, v := range c.Args {
		n += len(name) + len(v.String())
	}
	return n
}

// try makes a call; nil when it cannot be shown.
func (w *World) try(p *plan.Plan, b data.Binding) *Call {
	c := &Call{Variant: p.For(b.Args), Args: b.Args, Now: b.Now}
	v := c.Variant
	call := plan.Call{Args: b.Args, Now: b.Now}
	var err error
	switch {
	case v.Read != nil:
		err = w.reads(c, call)
	case v.Write != nil:
		err = w.writes(c, call)
	case v.Statement != nil:
		c.Requests, err = v.Requests(call)
	default:
		return nil
	}
	if err != nil || len(c.Requests) == 0 {
		return nil
	}
	return c
}

// reads is what a call reads, and what it does then to what it found.
func (w *World) reads(c *Call, call plan.Call) error {
	v := c.Variant
	var err error
	if c.Requests, err = v.Requests(call); err != nil {
		return err
	}
	got, err := w.all(v.Read, c.Requests)
	if err != nil {
		return err
	}
	c.Read, c.Returned = distinct(got.read), slices.DeleteFunc(distinct(got.left), func(n int) bool { return !w.kept(c, n) })
	var found []plan.Stored
	for _, n := range c.Returned {
		found = append(found, w.Items[n].Stored)
	}
	switch {
	case v.Then != nil:
		if c.After, err = v.ThenRequests(call, found); err != nil {
			return err
		}
		then, err := w.all(v.Then, c.After)
		c.Referred = distinct(then.left)
		return err
	case v.Each != nil:
		c.After, err = v.EachRequests(call, found)
		c.Written = c.Returned
	}
	return err
}

// kept tells whether whoever reads items by their keys keeps this one.
func (w *World) kept(c *Call, n int) bool {
	item := w.Items[n]
	if item.Guard != nil {
		return len(c.Variant.Read.Gets) == 0
	}
	cond := c.Variant.Read.KeptByReader(item.Entity)
	return cond == nil || encode.Holds(c.filled(cond, item.Entity), item.Entity, model.Item(item.Stored))
}

// filled is a condition with the call's values in place of parameters and $now.
// Times are written as the first time attribute in the same term writes them.
func (c *Call) filled(cond expr.Cond, e *model.Entity) expr.Cond {
	var terms []expr.Cond
	for _, term := range expr.Conjuncts(cond) {
		like := timeIn(term, e)
		terms = append(terms, expr.Rewrite(term, func(o expr.Operand) expr.Operand { return c.operand(o, like) }))
	}
	return expr.All(terms...)
}

// timeIn is the first attribute in a condition that is a time, or nil.
func timeIn(c expr.Cond, e *model.Entity) *model.Attribute {
	for _, o := range expr.Attrs(c) {
		if a := e.AttributeAt(o.Path); a != nil && a.Type.IsTime() {
			return a
		}
	}
	return nil
}

func (c *Call) operand(o expr.Operand, like *model.Attribute) expr.Operand {
	switch o := o.(type) {
	case *expr.Param:
		return &expr.Literal{Value: c.Args[o.Name]}
	case *expr.Now:
		if like != nil {
			v, _ := encode.OfTime(like, c.Now)
			return &expr.Literal{Value: v}
		}
	case *expr.Arith:
		at, isTime := o.Left.(*expr.Literal)
		by, isLength := o.Right.(*expr.Duration)
		if isTime && isLength && like != nil {
			length := by.Length
			if o.Minus {
				length = -length
			}
			v, _ := encode.Shift(like, at.Value, length)
			return &expr.Literal{Value: v}
		}
	}
	return o
}

// writes is what a call writes.
func (w *World) writes(c *Call, call plan.Call) error {
	var err error
	if c.First, err = c.Variant.FirstReads(call); err != nil {
		return err
	}
	for _, r := range c.First {
		var old plan.Stored
		if n := w.at(r.Key); n >= 0 {
			old = w.Items[n].Stored
			c.Read = append(c.Read, n)
		}
		call.Old = append(call.Old, old)
	}
	if c.Requests, err = c.Variant.Requests(call); err != nil {
		return err
	}
	for _, r := range c.Requests {
		for _, a := range append([]plan.Request{r}, r.Actions...) {
			if a.Entity == nil {
				continue // a whole batch or transaction
			}
			item := plan.Stored{}
			if n := w.at(keyOf(a)); n >= 0 {
				item = w.Items[n].Stored
				c.Written = append(c.Written, n)
			}
			condition, err := Condition(a, a.Condition)
			if err != nil {
				return err
			}
			c.Refused = c.Refused || !holds(condition, item)
		}
	}
	c.Read, c.Written = distinct(c.Read), distinct(c.Written)
	return nil
}

// keyOf is the table key of what a request writes.
func keyOf(r plan.Request) plan.Stored {
	if r.Key != nil {
		return r.Key
	}
	return r.Item
}

// distinct are items each once, in the order of their first places.
func distinct(items []int) []int {
	var out []int
	for _, n := range items {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// Arguments are the call's arguments in the order of the pattern's parameters,
// those of a list one after another.
func (c *Call) Arguments() (names, values []string) {
	for _, p := range c.Variant.Pattern.Parameters {
		v, ok := c.Args[p.Name]
		if !ok {
			continue
		}
		names = append(names, p.Name)
		if p.List && len(p.Fields) == 0 {
			var members []string
			for _, m := range v.Items() {
				members = append(members, text(m))
			}
			values = append(values, strings.Join(members, ", "))
			continue
		}
		values = append(values, text(v))
	}
	return names, values
}
