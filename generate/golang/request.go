package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// request writes the request itself.
func (q *querier) request(fr *frame, r *plan.Read, group string) error {
	w := q.methods.w
	x := fr.expression(r.Entities...)
	skip := "return r, f.or(ErrNoMatch)"
	if len(r.Fan) > 0 {
		skip = "continue"
	}
	condition, err := q.keyCondition(fr, x, r, skip)
	if err != nil {
		return err
	}
	filter, err := x.condition(r.Filter())
	if err != nil {
		return err
	}
	projection := q.projection(x, r)
	kind, typ := "query", "QueryInput"
	if r.API == plan.Scan {
		kind, typ = "scan", "ScanInput"
	}
	x.declare(w)
	if group != "" {
		group = "group: " + group + ", "
	}
	w.line("r.requests = append(r.requests, request{%s%s: &dynamodb.%s{", group, kind, typ)
	w.line("TableName: &t.name,")
	if r.Index != nil {
		w.line("IndexName: ptr(%q),", r.Index.Name.Text)
	}
	if !condition.isEmpty() {
		w.line("KeyConditionExpression: ptr(%s),", condition.String())
	}
	if !filter.isEmpty() {
		w.line("FilterExpression: ptr(%s),", filter.String())
	}
	if projection != "" {
		w.line("ProjectionExpression: ptr(%q),", projection)
	}
	q.modes(r)
	x.fields(w)
	w.line("}})")
	return nil
}

// modes writes the fields of a request that are no expressions.
func (q *querier) modes(r *plan.Read) {
	w := q.methods.w
	if r.Descending {
		w.line("ScanIndexForward: new(bool),")
	}
	switch {
	case r.Consistent:
		w.line("ConsistentRead: to(true),")
	case q.option == "QueryOption":
		w.line("ConsistentRead: yes(o.consistent),")
	}
	switch {
	case r.Count:
		w.line("Select: types.SelectCount,")
	case len(r.Fetches) > 0 && r.Projection == nil:
		w.line("Select: types.SelectAllAttributes,")
	}
	limit := 0
	if r.LimitRequests {
		limit = r.Limit
	}
	w.line("Limit: o.limit(%d),", limit)
}

// projection are the attributes asked for, with those that a cursor is made of.
func (q *querier) projection(x *expression, r *plan.Read) string {
	if r.Count || r.Projection == nil {
		return ""
	}
	names := slices.Clone(r.Projection)
	for _, name := range q.positionKeys(r) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	var out []string
	for _, name := range names {
		out = append(out, x.name(name))
	}
	return strings.Join(out, ", ")
}

// keyCondition writes the values of a key condition and what they are good for,
// and returns the condition.
func (q *querier) keyCondition(fr *frame, x *expression, r *plan.Read, skip string) (phrase, error) {
	w := q.methods.w
	var out phrase
	n := 0
	for i, k := range r.Key {
		var vars []string
		fixed := true
		for _, recipe := range k.Values {
			code, err := fr.recipe(recipe)
			if err != nil {
				return out, err
			}
			fixed = fixed && isFixed(recipe)
			n++
			vars = append(vars, fmt.Sprintf("key%d", n))
			w.line("%s := %s", vars[len(vars)-1], code)
		}
		switch {
		case k.Op == model.KeyBetween && !fixed:
			w.line("if greater(%s, %s) {", vars[0], vars[1])
			w.line("%s", skip)
			w.line("}")
		case k.Op == model.KeyEq && fr.mayBeEmpty(k.Values[0]):
			w.line("if equal(%s, str(\"\")) {", vars[0])
			w.line("%s // no item has an empty key", skip)
			w.line("}")
		}
		if i > 0 {
			out.literal(" AND ")
		}
		name := x.name(k.Attribute.Name)
		switch k.Op {
		case model.KeyBetween:
			out.literal(name + " BETWEEN " + x.value(vars[0]) + " AND " + x.value(vars[1]))
		case model.KeyBeginsWith:
			out.literal("begins_with(" + name + ", " + x.value(vars[0]) + ")")
		default:
			out.literal(name + " " + string(k.Op) + " " + x.value(vars[0]))
		}
	}
	return out, nil
}

// isFixed tells whether a recipe makes the same key always.
func isFixed(r plan.Recipe) bool {
	return !slices.ContainsFunc(r.Parts, func(p plan.Part) bool { return p.Source != nil || p.Fan != nil || p.Random > 0 })
}

// mayBeEmpty tells whether a recipe can make an empty text, which no item has as
// its key, without that being a mistake of the caller's that is reported anyway.
func (fr *frame) mayBeEmpty(r plan.Recipe) bool {
	if r.Kind != value.String {
		return false
	}
	for i, p := range r.Parts {
		fanned := p.Fan != nil && !p.Fan.FromList
		if p.Literal != "" || p.Random > 0 || fanned || fr.mustBeThere(r, i) || p.Attribute != nil && p.Attribute.Type.IsTime() {
			return false
		}
	}
	return true
}
