package infer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/format"
	"github.com/dynmodel/dynmodel/model/importer/draft"
)

// requests turns the stated requests into patterns. What cannot be one is noted.
func (in *inference) requests() []*draft.Pattern {
	used := names{}
	var out []*draft.Pattern
	for _, r := range in.Requests {
		p, reason := in.pattern(r)
		if reason != "" {
			in.Lostf(r.At, "the access pattern `%s` is not carried over: %s", draft.Clip(r.Name), reason)
			continue
		}
		p.Name = used.unused(kebab(r.Name), "-")
		p.Description = r.Description
		out = append(out, p)
	}
	return out
}

// operations are DynamoDB's operations in the language.
var operations = map[string]model.Operation{
	"GetItem": model.Get, "PutItem": model.Put, "UpdateItem": model.UpdateItem, "DeleteItem": model.Delete,
	"Query": model.Query, "Scan": model.Scan, "BatchGetItem": model.BatchGet, "BatchWriteItem": model.BatchWrite,
	"TransactGetItems": model.TransactGet, "TransactWriteItems": model.TransactWrite,
	"TransactGet": model.TransactGet, "TransactWrite": model.TransactWrite,
}

// pattern makes a pattern of a request, or says why there is none.
func (in *inference) pattern(r *draft.Request) (*draft.Pattern, string) {
	op, known := operations[r.Operation]
	if !known {
		near := nearest(r.Operation, operations)
		if near == "" {
			return nil, fmt.Sprintf("DynamoDB has no operation `%s`", draft.Clip(r.Operation))
		}
		in.Faultf(r.At, "DynamoDB has no operation `%s`; it is taken for %s", draft.Clip(r.Operation), near)
		op = operations[near]
	}
	if len(r.Steps) > 0 {
		return in.transaction(op, r)
	}
	switch op {
	case model.Query:
		return in.query(r)
	case model.Scan:
		p := &draft.Pattern{}
		target := "all"
		if e := in.entity(r.Entity); e != nil && !r.Mixed {
			target = e.Name
		}
		p.Add("scan", target)
		p.Add("index", r.Index)
		p.AddText("where", strings.Join(append(in.equalities(r), r.Where...), " AND "))
		in.common(p, r)
		return p, ""
	case model.TransactWrite, model.TransactGet, model.BatchWrite:
		return nil, "its steps are not stated"
	}
	return in.single(op, r)
}

// single is an operation on one item.
func (in *inference) single(op model.Operation, r *draft.Request) (*draft.Pattern, string) {
	e := in.entity(r.Entity)
	if e == nil {
		e = in.entityOfKey(r.Key)
	}
	if e == nil {
		return nil, "nothing says of which entity it is"
	}
	for _, text := range append([]string{r.If}, r.Where...) {
		if reason := speaksOf(e, text); reason != "" {
			return nil, reason
		}
	}
	p := &draft.Pattern{}
	p.Add(string(op), e.Name)
	if op == model.UpdateItem {
		change := r.Change
		if change == "" {
			change = in.changeOf(e, r)
		}
		if change == "" {
			return nil, "nothing says what it changes"
		}
		if reason := changes(e, change); reason != "" {
			return nil, reason
		}
		p.AddText("change", change)
	}
	p.AddText("if", r.If)
	if op == model.Get {
		p.AddText("filter", strings.Join(append(in.beyondKey(e, r), r.Where...), " AND "))
	}
	in.common(p, r)
	return p, ""
}

// changeOf is the update of the attributes that are among a request's parameters
// and in no key of the table.
func (in *inference) changeOf(e *draft.Entity, r *draft.Request) string {
	var sets []string
	for _, q := range r.Parameters {
		if e.Attribute(q.Name) != nil && !slices.Contains(in.keyAttributesOf(e), q.Name) {
			sets = append(sets, fmt.Sprintf("%s = $%s", draft.QuoteName(q.Name), parameterName(q.Name)))
		}
	}
	if len(sets) == 0 {
		return ""
	}
	return "SET " + strings.Join(sets, ", ")
}

// beyondKey are the parameters of a get that are attributes outside of the key.
func (in *inference) beyondKey(e *draft.Entity, r *draft.Request) []string {
	var out []string
	for _, q := range r.Parameters {
		if e.Attribute(q.Name) != nil && !slices.Contains(in.keyAttributesOf(e), q.Name) {
			out = append(out, fmt.Sprintf("%s = $%s", draft.QuoteName(q.Name), parameterName(q.Name)))
		}
	}
	return out
}

// equalities compares the parameters that are attributes of the entity.
func (in *inference) equalities(r *draft.Request) []string {
	e := in.entity(r.Entity)
	if e == nil {
		return nil
	}
	var out []string
	for _, q := range r.Parameters {
		if e.Attribute(q.Name) != nil {
			out = append(out, fmt.Sprintf("%s = $%s", draft.QuoteName(q.Name), parameterName(q.Name)))
		}
	}
	return out
}

// keyAttributesOf are the attributes in an entity's table keys.
func (in *inference) keyAttributesOf(e *draft.Entity) []string {
	var out []string
	for _, key := range in.keys {
		out = append(out, in.inKey(e, key)...)
	}
	return out
}

// inKey are the attributes that make a key attribute of an entity.
func (in *inference) inKey(e *draft.Entity, key string) []string {
	if k := e.Key(key); k != nil && k.Parts != nil {
		return draft.AttributesIn(k.Parts)
	}
	return []string{key}
}

// common adds what any request may say.
func (in *inference) common(p *draft.Pattern, r *draft.Request) {
	if r.Consistent {
		p.Add("consistent", "true")
	}
	p.Add("rate", r.Rate)
	p.Add("peak", r.Peak)
}

// speaksOf says why a condition cannot be asked of an entity; "" when it can.
func speaksOf(e *draft.Entity, text string) string {
	if text == "" {
		return ""
	}
	cond, problem := expr.ParseCond(expr.Input{Text: text})
	if problem != nil {
		return fmt.Sprintf("its condition `%s` is not understood", draft.Clip(text))
	}
	return unknownIn(e, expr.Attrs(cond))
}

// changes says why an update expression cannot be of an entity; "" when it can.
func changes(e *draft.Entity, text string) string {
	update, problem := expr.ParseUpdate(expr.Input{Text: text})
	if problem != nil {
		return fmt.Sprintf("its update `%s` is not understood", draft.Clip(text))
	}
	return unknownIn(e, update.Targets())
}

func unknownIn(e *draft.Entity, attributes []*expr.Attr) string {
	for _, a := range attributes {
		if e.Attribute(a.Path.Name) == nil {
			return fmt.Sprintf("%s has no attribute `%s`", e.Name, a.Path.Name)
		}
	}
	return ""
}

// transaction is a transaction of steps.
func (in *inference) transaction(op model.Operation, r *draft.Request) (*draft.Pattern, string) {
	p := &draft.Pattern{}
	var steps []string
	for _, s := range r.Steps {
		e := in.entity(s.Entity)
		switch {
		case e == nil:
			return nil, fmt.Sprintf("there is no entity `%s`", s.Entity)
		case s.Operation == model.UpdateItem && s.Change == "":
			return nil, "nothing says what it changes in " + s.Entity
		case s.Operation == model.Check && s.If == "":
			s.If = "attribute_exists(" + draft.QuoteName(in.keyAttributesOf(e)[0]) + ")"
		}
		step := fmt.Sprintf("{%s: %s", s.Operation, e.Name)
		if s.Change != "" {
			step += ", change: " + format.Scalar(s.Change)
		}
		if s.If != "" {
			step += ", if: " + format.Scalar(s.If)
		}
		steps = append(steps, step+"}")
	}
	p.Add(string(op), "\n      - "+strings.Join(steps, "\n      - "))
	in.common(p, r)
	return p, ""
}
