package infer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/importer/draft"
)

// query makes a query of a request: what it asks of the entities whose keys it
// can match.
func (in *inference) query(r *draft.Request) (*draft.Pattern, string) {
	keys, ok := in.keysOf(r.Index)
	if !ok {
		return nil, fmt.Sprintf("there is no index `%s`", draft.Clip(r.Index))
	}
	stated := in.entity(r.Entity)
	var entities []*draft.Entity
	wheres := map[*draft.Entity]where{}
	for _, e := range in.Entities {
		if stated != nil && !r.Mixed && e != stated {
			continue
		}
		w, reason := in.whereOf(e, r, keys)
		for _, text := range r.Where {
			if reason == "" {
				reason = speaksOf(e, text)
			}
		}
		switch {
		case reason == "":
			entities = append(entities, e)
			wheres[e] = w
		case e == stated:
			return nil, reason
		}
	}
	if len(entities) == 0 {
		return nil, "no entity has keys that it could match"
	}
	p := &draft.Pattern{}
	p.Add("query", entityList(entities))
	p.AddText("where", joinWheres(entities, wheres, r.Where))
	p.Add("span", wheres[entities[0]].span)
	if r.Backward {
		p.Add("order", descending(entities, wheres))
	}
	if r.Limit > 0 {
		p.Add("limit", strconv.FormatInt(r.Limit, 10))
	} else if !r.Count {
		p.Add("page", "50")
	}
	if r.Count {
		p.Add("count", "true")
	}
	if len(r.Where) > 0 || slices.ContainsFunc(entities, func(e *draft.Entity) bool { return wheres[e].filters }) {
		p.Add("allow_filter", "true")
	}
	in.common(p, r)
	return p, ""
}

func entityList(entities []*draft.Entity) string {
	if len(entities) == 1 {
		return entities[0].Name
	}
	list := make([]string, len(entities))
	for i, e := range entities {
		list[i] = e.Name
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// keysOf are the key attributes of an index, or of the table for "".
func (in *inference) keysOf(index string) (keys [2][]model.KeyAttribute, ok bool) {
	t := &in.Table
	if index == "" {
		keys[0] = []model.KeyAttribute{t.PartitionKey}
		if t.SortKey != nil {
			keys[1] = []model.KeyAttribute{*t.SortKey}
		}
		return keys, true
	}
	x := t.Index(index)
	if x == nil {
		return keys, false
	}
	return [2][]model.KeyAttribute{x.PartitionKey, x.SortKey}, true
}

// where is what a request asks of one entity.
type where struct {
	conditions []string
	sorted     string // the attribute that its result is in order of; "" when there is none
	filters    bool   // a condition is on no key
	span       string // how far a range over periods goes at most; "" when there is none
}

func (w *where) equal(names ...string) {
	for _, name := range names {
		condition := fmt.Sprintf("%s = $%s", draft.QuoteName(name), parameterName(name))
		if !slices.Contains(w.conditions, condition) {
			w.conditions = append(w.conditions, condition)
		}
	}
}

// parameterName is a name of a parameter for an attribute of any name.
func parameterName(name string) string {
	out := strings.Map(func(r rune) rune {
		if r < 0x80 && (isAlphanumeric(byte(r)) || r == '_') {
			return r
		}
		return '_'
	}, name)
	if out == "" || out[0] >= '0' && out[0] <= '9' {
		out = "p" + out
	}
	return out
}

// whereOf is what a request asks of an entity, or why it cannot.
func (in *inference) whereOf(e *draft.Entity, r *draft.Request, keys [2][]model.KeyAttribute) (where, string) {
	var w where
	for _, k := range append(slices.Clone(keys[0]), keys[1]...) {
		if !in.makes(e, k.Name) {
			return w, fmt.Sprintf("%s has no `%s`", e.Name, k.Name)
		}
	}
	if len(keys[1]) > 0 {
		if sort := in.inKey(e, keys[1][0].Name); len(sort) > 0 {
			w.sorted = sort[0]
		}
	}
	if len(r.Key) > 0 {
		for _, t := range r.Key {
			if !in.keyTest(&w, e, t) {
				return w, fmt.Sprintf("its key condition on `%s` fits no key of %s", t.Attribute, e.Name)
			}
		}
	} else {
		for _, k := range keys[0] {
			in.partition(&w, e, k.Name)
		}
		in.parameters(&w, e, r, keys[1])
	}
	in.membership(&w, e, append(keys[0], keys[1]...))
	return w, ""
}

// partition fixes the partition key: by the attributes in it, and by a range of
// the time whose periods it is made of.
func (in *inference) partition(w *where, e *draft.Entity, key string) {
	k := e.Key(key)
	if k == nil || k.Parts == nil {
		w.equal(key)
		return
	}
	for _, p := range k.Parts {
		switch {
		case p.Attribute == "":
		case len(p.Funcs) == 1 && p.Funcs[0].Name.IsPeriod():
			w.between(p.Attribute, "between", []string{"from", "to"})
			w.span = spanOf(p.Funcs[0])
		default:
			w.equal(p.Attribute)
		}
	}
}

// spanOf is a stretch of time over several periods, as an application may ask for.
func spanOf(f expr.Func) string {
	switch f.Name {
	case expr.Year:
		return "730d"
	case expr.Month:
		return "90d"
	case expr.Week:
		return "30d"
	case expr.Day:
		return "7d"
	case expr.Hour:
		return "1d"
	}
	return "2h"
}

// makes tells whether an entity has a key attribute.
func (in *inference) makes(e *draft.Entity, key string) bool {
	if k := e.Key(key); k != nil && k.Parts != nil {
		return true
	}
	return e.Attribute(key) != nil
}

// membership adds what an item must fulfil to be in the index, so that the index
// may serve.
func (in *inference) membership(w *where, e *draft.Entity, keys []model.KeyAttribute) {
	for _, k := range keys {
		if key := e.Key(k.Name); key != nil && key.When != "" && !slices.Contains(w.conditions, key.When) {
			w.conditions = append(w.conditions, key.When)
		}
		for _, name := range in.inKey(e, k.Name) {
			a := e.Attribute(name)
			compared := slices.ContainsFunc(w.conditions, func(c string) bool { return strings.Contains(c, draft.QuoteName(name)) })
			if a != nil && a.Optional && !compared {
				w.conditions = append(w.conditions, "attribute_exists("+draft.QuoteName(name)+")")
			}
		}
	}
}

// parameters adds what a request compares beyond the partition key: parameters
// named as attributes, and a range with the others.
func (in *inference) parameters(w *where, e *draft.Entity, r *draft.Request, sort []model.KeyAttribute) {
	var inSort []string
	for _, k := range sort {
		inSort = append(inSort, in.inKey(e, k.Name)...)
	}
	var ends []string
	for i, q := range r.Parameters {
		last := i >= len(r.Parameters)-rangeEnds(r.Range)
		switch {
		case q.Entity != "" || q.Name == "" || in.compares(w, q.Name):
		case r.Range != "" && (last || e.Attribute(q.Name) == nil):
			ends = append(ends, parameterName(q.Name))
		case e.Attribute(q.Name) == nil:
		case slices.Contains(inSort, q.Name):
			w.equal(q.Name)
		default:
			w.equal(q.Name)
			w.filters = true
		}
	}
	for _, name := range inSort {
		if !in.compares(w, name) {
			w.sorted = name
			w.between(name, r.Range, ends)
			return
		}
	}
}

// rangeEnds is how many parameters an operator of a range takes.
func rangeEnds(op string) int {
	switch strings.ToLower(op) {
	case "":
		return 0
	case "between":
		return 2
	}
	return 1
}

func (in *inference) compares(w *where, name string) bool {
	return slices.ContainsFunc(w.conditions, func(c string) bool { return strings.HasPrefix(c, draft.QuoteName(name)+" = ") })
}

// between adds a range on an attribute.
func (w *where) between(name, op string, ends []string) {
	switch {
	case len(ends) == 0:
	case strings.EqualFold(op, "between") && len(ends) >= 2:
		w.conditions = append(w.conditions, fmt.Sprintf("%s BETWEEN $%s AND $%s", draft.QuoteName(name), ends[0], ends[1]))
	case strings.EqualFold(op, "begins_with"):
		w.conditions = append(w.conditions, fmt.Sprintf("begins_with(%s, $%s)", draft.QuoteName(name), ends[0]))
	case slices.Contains([]string{"<", "<=", ">", ">="}, op):
		w.conditions = append(w.conditions, fmt.Sprintf("%s %s $%s", draft.QuoteName(name), op, ends[0]))
	}
}

// joinWheres is the condition of a query of several entities: what is asked of
// all of them once, and what is asked of one with its name.
func joinWheres(entities []*draft.Entity, wheres map[*draft.Entity]where, more []string) string {
	var out []string
	for _, e := range entities {
		for _, c := range wheres[e].conditions {
			all := every(entities, func(o *draft.Entity) bool { return slices.Contains(wheres[o].conditions, c) && alikeIn(e, o, c) })
			if !all && len(entities) > 1 {
				c = qualified(e, c)
			}
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	return strings.Join(append(out, more...), " AND ")
}

// alikeIn tells whether the attribute that a condition begins with has one type
// in two entities.
func alikeIn(a, b *draft.Entity, condition string) bool {
	name, _, _ := strings.Cut(condition, " ")
	x, y := a.Attribute(name), b.Attribute(name)
	return x == nil || y == nil || x.Type == y.Type || x.Ref != "" || y.Ref != ""
}

// qualified puts an entity's name before the attribute of a condition.
func qualified(e *draft.Entity, condition string) string {
	for _, f := range []string{"begins_with(", "attribute_exists("} {
		if rest, ok := strings.CutPrefix(condition, f); ok {
			return f + e.Name + "." + rest
		}
	}
	return e.Name + "." + condition
}

// descending is the order of a query that goes backward.
func descending(entities []*draft.Entity, wheres map[*draft.Entity]where) string {
	if len(entities) != 1 || wheres[entities[0]].sorted == "" {
		return ""
	}
	return wheres[entities[0]].sorted + " desc"
}

// entityOfKey is the entity whose table keys a request's key can be; nil when
// there is none, or when there are several.
func (in *inference) entityOfKey(key []draft.KeyTest) *draft.Entity {
	var found *draft.Entity
	for _, e := range in.Entities {
		if len(key) == 0 || !every(key, func(t draft.KeyTest) bool { var w where; return in.keyTest(&w, e, t) }) {
			continue
		}
		if found != nil {
			return nil
		}
		found = e
	}
	return found
}

// keyTest adds what a condition on a key attribute says of an entity's
// attributes; false when no key of the entity fulfils it.
func (in *inference) keyTest(w *where, e *draft.Entity, t draft.KeyTest) bool {
	k := e.Key(t.Attribute)
	if k == nil || k.Parts == nil {
		if e.Attribute(t.Attribute) == nil {
			return false
		}
		if t.Op == "=" {
			w.equal(t.Attribute)
		} else {
			w.between(t.Attribute, t.Op, []string{"from", "to"})
		}
		return true
	}
	if len(t.Values) == 0 || t.Values[0] == "" {
		if t.Op == "=" {
			w.equal(draft.AttributesIn(k.Parts)...)
		}
		return true
	}
	bound, open, ok := align(k.Parts, t.Values[0])
	if !ok || t.Op == "=" && open != "" {
		return false
	}
	if t.Op == "=" {
		w.equal(bound...)
		return len(bound) == len(draft.AttributesIn(k.Parts))
	}
	if open == "" && len(bound) > 0 {
		bound, open = bound[:len(bound)-1], bound[len(bound)-1]
	}
	w.equal(bound...)
	switch {
	case t.Op == "begins_with" && open != "":
		w.between(open, t.Op, []string{parameterName(open) + "Prefix"})
	case t.Op == "between":
		w.between(open, t.Op, []string{"from", "to"})
	case open != "":
		w.between(open, t.Op, []string{"from"})
	}
	return true
}

// align matches the text of a key condition against a template: bound are the
// attributes whose values stand in it whole, open is the one that it ends in.
func align(parts []draft.Part, text string) (bound []string, open string, ok bool) {
	for i, p := range parts {
		if text == "" {
			return bound, "", true
		}
		if p.Attribute == "" {
			rest, whole := strings.CutPrefix(text, p.Literal)
			if !whole {
				return bound, "", strings.HasPrefix(p.Literal, text)
			}
			text = rest
			continue
		}
		end := -1
		if i+1 < len(parts) {
			if end = strings.Index(text, parts[i+1].Literal); parts[i+1].Literal == "" || end < 0 {
				return bound, p.Attribute, true
			}
		} else {
			end = len(text)
		}
		bound = append(bound, p.Attribute)
		text = text[end:]
	}
	return bound, "", text == ""
}
