package parse

import (
	"cmp"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// params gathers the parameters of a pattern, or of a for_each in it.
type params struct {
	*builder
	outer  *params // of the pattern, or nil
	byName map[string]*paramDraft
	order  []*paramDraft
	// suspect tells that what uses a parameter may be among what could not be read.
	suspect bool
}

func newParams(b *builder, outer *params) *params {
	return &params{builder: b, outer: outer, byName: map[string]*paramDraft{}}
}

// paramDraft is a parameter with all that is known of its uses.
type paramDraft struct {
	name        string
	at          source.Span // of its first use
	like        usage       // the use that says most about its domain
	typed       bool
	unknown     bool // a use says what it is, but cannot be read
	list        bool
	optional    bool
	required    source.Span // where it is used without a question mark
	key         source.Span // where it is part of the key of a single item
	mayBeAbsent bool
	fields      *params // of a list of steps' parameters
	declared    *model.Attribute
	derived     *model.DerivedParameter // computed from others
	owner       *params                 // where it belongs
	description string
	max         int64
}

// usage is one use of a parameter.
type usage struct {
	at        source.Span
	attribute *model.Attribute // whose domain it has; nil when that is not known
	entity    *model.Entity
	funcs     []expr.Func
	list      bool
	optional  bool
	// implied uses are those of an item's or key's attributes of the same name.
	implied bool
	key     bool
	unknown bool // it has the domain of something that is broken
	absent  bool // the item's attribute may be left out
}

// find is the parameter of a name here or further out.
func (ps *params) find(name string) *paramDraft {
	for ; ps != nil; ps = ps.outer {
		if p := ps.byName[name]; p != nil {
			return p
		}
	}
	return nil
}

// suspectKeys notes that the keys of an entity may not be known as a whole.
func (ps *params) suspectKeys(d *draft) {
	for ; ps != nil; ps = ps.outer {
		ps.suspect = ps.suspect || d.faulty || !ps.usableTable
	}
}

// use notes that a parameter is used, for the first time or again.
func (ps *params) use(name string, u usage) *paramDraft {
	p := ps.find(name)
	if p == nil {
		p = &paramDraft{name: name, at: u.at, list: u.list, mayBeAbsent: u.absent, owner: ps}
		ps.byName[name] = p
		ps.order = append(ps.order, p)
	}
	ps.reconcile(p, u)
	return p
}

// reconcile fits another use to what is known of a parameter.
func (ps *params) reconcile(p *paramDraft, u usage) {
	if u.at.Compare(p.at) < 0 {
		p.at = u.at
	}
	if p.list != u.list {
		ps.errorf(u.at, "`$%s` is a list in one place and a single value in another (line %d)", p.name, p.at.From().Line)
		return
	}
	p.mayBeAbsent = p.mayBeAbsent && u.absent
	p.unknown = p.unknown || u.unknown
	switch {
	case u.optional:
		p.optional = true
	case !u.implied:
		p.required = u.at
	}
	if u.key {
		p.key = u.at
	}
	if u.attribute == nil {
		return
	}
	if p.typed && kindOf(p.like) != value.None && kindOf(u) != value.None && kindOf(p.like) != kindOf(u) {
		ps.errorf(u.at, "`$%s` is %s here and %s in line %d; use two names", p.name, kindName(kindOf(u)), kindName(kindOf(p.like)), p.like.at.From().Line)
		return
	}
	if !p.typed || weight(u) > weight(p.like) {
		p.like, p.typed = u, true
	}
}

// kindOf is the kind of value that a use wants.
func kindOf(u usage) value.Kind {
	if len(u.funcs) > 0 {
		return value.String
	}
	return u.attribute.Type.Kind()
}

// weight tells how much a use says about the domain of a parameter.
func weight(u usage) int {
	a := u.attribute
	switch {
	case a.Type == model.TypeAny:
		return 0
	case u.entity == nil:
		return 1
	case (a.Type == model.TypeString || a.Type == model.TypeNumber) && bare(a.Domain):
		return 2
	}
	return 3
}

// bare tells a domain in which nothing is declared.
func bare(d model.Domain) bool {
	return d.Values == nil && d.Pattern == nil && !d.Min.Exists() && !d.Max.Exists() && d.Length == nil && d.Size == nil
}

// maxOptional is how many parameters of a pattern may be optional: each
// combination is planned and verified.
const maxOptional = 6

// finish checks the parameters as a whole and makes them, in order of first use.
func (ps *params) finish() []*model.Parameter {
	slices.SortStableFunc(ps.order, func(a, b *paramDraft) int { return cmp.Compare(a.at.Start, b.at.Start) })
	optional := 0
	var out []*model.Parameter
	for _, p := range ps.order {
		if p.optional {
			optional++
		}
		switch {
		case p.optional && p.key.Known():
			ps.errorf(p.at, "`$%s` is part of the key of a single item and cannot be left out", p.name)
		case p.optional && p.required.Known():
			ps.errorf(p.required, "`$%s` may be left out in one place, so it needs the question mark here too: `$%s?`", p.name, p.name)
		case optional == maxOptional+1 && p.optional:
			ps.errorf(p.at, "a pattern has at most %d parameters that may be left out", maxOptional)
		case !p.typed && !p.unknown && p.declared == nil && p.derived == nil && p.fields == nil && ps.suspect:
			ps.broken()
		case !p.typed && !p.unknown && p.declared == nil && p.derived == nil && p.fields == nil:
			ps.errorf(p.at, "nothing says what `$%s` is; give it a type under `params`", p.name)
		}
		if p.derived == nil {
			out = append(out, p.parameter())
		}
	}
	return out
}

func (p *paramDraft) parameter() *model.Parameter {
	q := &model.Parameter{
		At: p.at, Name: p.name, Description: p.description, Declared: p.declared,
		Like: p.like.attribute, LikeEntity: p.like.entity, Funcs: p.like.funcs,
		List: p.list, Max: p.max, Optional: p.optional, MayBeAbsent: p.mayBeAbsent,
	}
	if p.fields != nil {
		q.Fields = p.fields.finish()
	}
	return q
}

// declare reads `params`: types and descriptions of parameters that are used.
func (ps *params) declare(n *yamltree.Node) {
	for _, e := range ps.entries(n, "`params` is a mapping from parameters to their types") {
		p := ps.anywhere(e.Key.Text)
		if p == nil && ps.suspect && diag.Nearest(e.Key.Text, ps.names()) == "" {
			ps.broken()
			continue
		}
		if p == nil {
			ps.unknownf(e.Key.At, "the pattern has no parameter `$%s`%s", clip(e.Key.Text), ps.meant(e.Key.Text, ps.names(), "; its parameters are "))
			continue
		}
		if e.Value.Kind == yamltree.Mapping && has(e.Value, "value") {
			ps.derive(p, e)
		} else {
			ps.declaration(p, e)
		}
	}
}

// anywhere is the parameter of a name here or in a for_each.
func (ps *params) anywhere(name string) *paramDraft {
	if p := ps.byName[name]; p != nil {
		return p
	}
	for _, p := range ps.order {
		if p.fields != nil && p.fields.byName[name] != nil {
			return p.fields.byName[name]
		}
	}
	return nil
}

func (ps *params) names() []string {
	var out []string
	for _, p := range ps.order {
		out = append(out, p.name)
		if p.fields != nil {
			out = append(out, p.fields.names()...)
		}
	}
	return out
}

// declaration reads the type of a parameter, or what narrows the one it has.
func (ps *params) declaration(p *paramDraft, e *yamltree.Entry) {
	a := &model.Attribute{At: e.Value.At, Name: model.Name{Text: p.name, At: e.Key.At}}
	if e.Value.Kind != yamltree.Mapping {
		var o options
		ps.shape(nil, a, e.Value, &o)
		ps.declareAs(p, a, e.Key.At)
		return
	}
	var o options
	fields := slices.DeleteFunc(o.fields(), func(f field) bool { return !declarable(f.key) })
	if !ps.object(e.Value, e.Key.At, "a parameter", fields) {
		return
	}
	ps.optional(o.description, ps.into(&p.description))
	if p.list && o.max != nil {
		p.max = ps.wholeNumber(o.max, countUnit(), 1)
		o.max = nil
	}
	if p.fields != nil || o == (options{description: o.description}) {
		return
	}
	if !p.typed && o.typ == nil && ps.suspect {
		ps.broken() // its type is that of something that could not be read
		return
	}
	if p.typed && o.typ == nil && len(p.like.funcs) == 0 {
		a.Type, a.Domain, a.Stored = p.like.attribute.Type, p.like.attribute.Domain, p.like.attribute.Stored
	}
	if ps.whole(func() { ps.options(nil, a, &o, e.Value) }) {
		ps.declareAs(p, a, e.Key.At)
	}
}

// declarable tells the options of attributes that parameters have as well.
func declarable(key string) bool {
	switch key {
	case "type", "values", "pattern", "min", "max", "length", "size", "items", "keys", "attributes", "precision", "zone", "description":
		return true
	}
	return false
}

func (ps *params) declareAs(p *paramDraft, a *model.Attribute, at source.Span) {
	if a.Type == "" {
		return
	}
	if p.typed && kindOf(p.like) != value.None && a.Type.Kind() != kindOf(p.like) {
		ps.errorf(at, "`$%s` is declared as %s, but line %d uses it as %s", p.name, typeName(a.Type), p.like.at.From().Line, kindName(kindOf(p.like)))
		return
	}
	p.declared = a
}
