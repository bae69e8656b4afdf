package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// requests are the requests of a read.
func (r *Read) requests(s *scope) ([]Request, error) {
	s.seeking = true
	switch r.API {
	case Query:
		return r.queries(s)
	case Scan:
		q, err := r.selection(s)
		return []Request{q}, err
	}
	return r.gets(s)
}

// queries are the queries for each combination of the fans' values. A range
// whose ends have crossed holds nothing and is not sent.
func (r *Read) queries(s *scope) ([]Request, error) {
	combinations, err := s.combinations(r)
	if err != nil {
		return nil, err
	}
	var out []Request
	for _, c := range combinations {
		q, ok, err := r.query(s.with(c.values))
		if err != nil {
			return nil, err
		}
		same := func(other Request) bool {
			return other.KeyCondition == q.KeyCondition && sameValues(other.Values, q.Values)
		}
		if q.Group = c.group; ok && !slices.ContainsFunc(out, same) {
			out = append(out, q)
		}
	}
	return out, nil
}

func sameValues(a, b map[string]value.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if !value.Equal(v, b[k]) {
			return false
		}
	}
	return true
}

// query is one query; false when its range is empty.
func (r *Read) query(s *scope) (Request, bool, error) {
	x := newExpression(s, r.Entities...)
	var conditions []string
	for _, k := range r.Key {
		text, ok, err := k.write(x)
		if err != nil || !ok {
			return Request{}, false, err
		}
		conditions = append(conditions, text)
	}
	q, err := r.selectionWith(x)
	q.KeyCondition = strings.Join(conditions, " AND ")
	return q, true, err
}

// write writes the condition; false when nothing can meet it.
func (k KeyCondition) write(x *expression) (string, bool, error) {
	var values []value.Value
	for _, recipe := range k.Values {
		v, err := x.scope.recipe(recipe)
		if err == nil && v.Kind() == value.None {
			err = fmt.Errorf("key %s: no value", k.Attribute.Name)
		}
		if err != nil {
			return "", false, err
		}
		values = append(values, v)
	}
	if k.Op == model.KeyBetween {
		if c, ok := value.Compare(values[0], values[1]); ok && c > 0 {
			return "", false, nil
		}
	}
	name := x.name(k.Attribute.Name)
	if k.Op == model.KeyEq && values[0].Kind() != value.Number && values[0].Text() == "" {
		return "", false, nil // no item has an empty key
	}
	switch k.Op {
	case model.KeyBetween:
		return name + " BETWEEN " + x.value(values[0]) + " AND " + x.value(values[1]), true, nil
	case model.KeyBeginsWith:
		return "begins_with(" + name + ", " + x.value(values[0]) + ")", true, nil
	}
	return name + " " + string(k.Op) + " " + x.value(values[0]), true, nil
}

// selection is a request with everything but the key condition.
func (r *Read) selection(s *scope) (Request, error) {
	return r.selectionWith(newExpression(s, r.Entities...))
}

func (r *Read) selectionWith(x *expression) (Request, error) {
	filter, err := x.condition(r.Filter())
	if err != nil {
		return Request{}, err
	}
	q := Request{API: r.API, Filter: filter, Consistent: r.Consistent, Descending: r.Descending, Select: r.selectWord()}
	if r.Index != nil {
		q.Index = r.Index.Name.Text
	}
	if !r.Count {
		q.Projection = x.projection(r.Projection)
	}
	if r.LimitRequests {
		q.Limit = r.Limit
	}
	x.into(&q)
	return q, nil
}

func (r *Read) selectWord() string {
	switch {
	case r.Count:
		return "COUNT"
	case len(r.Fetches) > 0 && r.Projection == nil:
		return "ALL_ATTRIBUTES"
	}
	return ""
}

// gets are the requests of reads by key. Batches are split at what DynamoDB
// takes, and name every key once.
func (r *Read) gets(s *scope) ([]Request, error) {
	var keys []Request
	for _, g := range r.Gets {
		scopes, err := g.scopes(s)
		if err != nil {
			return nil, err
		}
		for _, in := range scopes {
			key, err := in.key(g.Key)
			if err != nil {
				return nil, err
			}
			one := Request{API: GetItem, Key: key, Entity: g.Entity}
			x := newExpression(in, r.Entities...)
			one.Projection = x.projection(r.Projection)
			one.Consistent = r.Consistent && r.API != TransactGetItems
			x.into(&one)
			keys = append(keys, one)
		}
	}
	switch r.API {
	case BatchGetItem:
		return r.batches(keys), nil
	case TransactGetItems:
		return []Request{{API: TransactGetItems, Actions: keys}}, nil
	}
	return keys, nil
}

// scopes are the scopes of the key: of each member of the list, or the call's.
func (g *Get) scopes(s *scope) ([]*scope, error) {
	if g.List == "" {
		return []*scope{s}, nil
	}
	members, err := s.list(g.List)
	if err != nil {
		return nil, err
	}
	var out []*scope
	for _, m := range members {
		out = append(out, s.member(m))
	}
	return out, nil
}

func (r *Read) batches(keys []Request) []Request {
	var distinct []Request
	for _, k := range keys {
		if !slices.ContainsFunc(distinct, func(d Request) bool { return sameValues(d.Key, k.Key) }) {
			distinct = append(distinct, k)
		}
	}
	var out []Request
	for chunk := range slices.Chunk(distinct, MaxBatchGet) {
		first := chunk[0]
		out = append(out, Request{API: BatchGetItem, Actions: chunk, Projection: first.Projection, Names: first.Names, Consistent: r.Consistent})
	}
	return out
}
