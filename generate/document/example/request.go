package example

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// Placeholder is a name or a value in a request's expressions, which hold no
// other text that looks like one.
var Placeholder = regexp.MustCompile(`[#:]\w+`)

// Condition is a request's key condition, filter or condition as a tree, with
// names and values in place of their placeholders; nil for "".
func Condition(r plan.Request, text string) (expr.Cond, error) {
	if text == "" {
		return nil, nil
	}
	named := Placeholder.ReplaceAllStringFunc(text, func(p string) string {
		if p[0] == '#' {
			return expr.Name(r.Names[p])
		}
		return "$" + p[1:]
	})
	c, problem := expr.ParseCond(expr.Input{Text: named})
	if problem != nil {
		return nil, fmt.Errorf("condition %s: %s", text, problem)
	}
	return expr.Rewrite(c, func(o expr.Operand) expr.Operand {
		if p, ok := o.(*expr.Param); ok {
			return &expr.Literal{Value: r.Values[":"+p.Name]}
		}
		return o
	}), nil
}

// plainEntity is what conditions of requests are about: stored attributes, whose
// values are compared as they are.
var plainEntity = &model.Entity{}

func holds(c expr.Cond, item plan.Stored) bool {
	return c == nil || encode.Holds(c, plainEntity, model.Item(item))
}

// answer are the items that requests read, and those of them that are left
// after filters, in order.
type answer struct{ read, left []int }

func (a *answer) add(b answer) {
	a.read = append(a.read, b.read...)
	a.left = append(a.left, b.left...)
}

// one is the answer to one request to read.
func (w *World) one(r plan.Request) (answer, error) {
	switch r.API {
	case plan.Query, plan.Scan:
		return w.search(r)
	case plan.GetItem:
		return w.get(r), nil
	case plan.BatchGetItem, plan.TransactGetItems:
		var all answer
		for _, a := range r.Actions {
			all.add(w.get(a))
		}
		return all, nil
	}
	return answer{}, fmt.Errorf("%s reads no items by a condition", r.API)
}

func (w *World) get(r plan.Request) answer {
	n := w.at(r.Key)
	if n < 0 {
		return answer{}
	}
	return answer{[]int{n}, []int{n}}
}

// search is the answer to a query or scan.
func (w *World) search(r plan.Request) (answer, error) {
	key, err := Condition(r, r.KeyCondition)
	if err != nil {
		return answer{}, err
	}
	filter, err := Condition(r, r.Filter)
	if err != nil {
		return answer{}, err
	}
	var out answer
	x := w.model.Table.Index(r.Index)
	for _, partition := range w.Partitions(x) {
		if r.Descending {
			partition = slices.Clone(partition)
			slices.Reverse(partition)
		}
		for _, n := range partition {
			item := w.Items[n].Stored
			if !holds(key, item) || r.Limit > 0 && len(out.read) == r.Limit {
				continue
			}
			out.read = append(out.read, n)
			if holds(filter, w.Projected(x, item)) {
				out.left = append(out.left, n)
			}
		}
	}
	return out, nil
}

// Projected is what an index, or the table where it is nil, holds of an item.
// What a local index lacks is fetched when it is asked for, but a filter does
// not see it.
func (w *World) Projected(x *model.Index, item plan.Stored) plan.Stored {
	if x == nil || x.Projection.Type == model.ProjectAll {
		return item
	}
	out := plan.Stored{}
	take := func(name string) {
		if v := item[name]; v.Exists() {
			out[name] = v
		}
	}
	for _, k := range append(w.model.Table.Keys(), x.Keys()...) {
		take(k.Name)
	}
	for _, name := range x.Projection.Attributes {
		take(name.Text)
	}
	return out
}

// all is the answer to a variant's requests: group by group, as far as the
// caller's limit, merged into the order that is wanted.
func (w *World) all(read *plan.Read, requests []plan.Request) (answer, error) {
	var out answer
	for len(requests) > 0 && (read.Limit == 0 || len(out.left) < read.Limit) {
		n := together(read, requests)
		var group answer
		for _, r := range requests[:n] {
			got, err := w.one(r)
			if err != nil {
				return out, err
			}
			group.add(got)
		}
		if read.Merge != plan.MergeNone {
			w.sort(group.left, read.Order)
		}
		out.add(group)
		requests = requests[n:]
	}
	if read.Limit > 0 {
		out.left = out.left[:min(read.Limit, len(out.left))]
	}
	return out, nil
}

// together is how many of the requests are sent before it is seen whether there
// are items enough: one, those of a bucket, or all.
func together(read *plan.Read, requests []plan.Request) int {
	switch read.Merge {
	case plan.MergeSort:
		return len(requests)
	case plan.MergeWalk:
		group := requests[0].Group
		if n := slices.IndexFunc(requests, func(r plan.Request) bool { return r.Group != group }); n > 0 {
			return n
		}
		return len(requests)
	}
	return 1
}

func (w *World) sort(items []int, order []model.OrderBy) {
	slices.SortStableFunc(items, func(a, b int) int {
		for _, by := range order {
			c := compare(w.Items[a].Stored[by.Attribute], w.Items[b].Stored[by.Attribute])
			if by.Desc {
				c = -c
			}
			if c != 0 {
				return c
			}
		}
		return 0
	})
}

// text is a value without the quotes of a text.
func text(v value.Value) string {
	if v.Kind() == value.String {
		return v.Text()
	}
	return v.String()
}
