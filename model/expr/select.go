package expr

import (
	"slices"

	"github.com/dynmodel/dynmodel/model/source"
)

// A nil Cond, in this file and the next ones, is a condition that always holds.

// Conjuncts are the conditions that must all hold for c to hold: the terms of
// an And, else c itself; none when c is nil.
func Conjuncts(c Cond) []Cond {
	switch c := c.(type) {
	case nil:
		return nil
	case *And:
		return c.Terms
	}
	return []Cond{c}
}

// All is the condition that holds when all the given ones do; nil when there
// are none. Nil conditions among them count for nothing.
func All(conds ...Cond) Cond {
	conds = slices.DeleteFunc(slices.Clone(conds), func(c Cond) bool { return c == nil })
	if len(conds) == 0 {
		return nil
	}
	return andOf(cover(conds), conds)
}

// cover is the place from the first to the last of conditions of one file; that
// of the first when they are of several.
func cover(conds []Cond) source.Span {
	at := conds[0].Span()
	for _, c := range conds[1:] {
		if s := c.Span(); s.File == at.File {
			at.Start, at.End = min(at.Start, s.Start), max(at.End, s.End)
		}
	}
	return at
}

// keep is c without the conjuncts that are not to be kept; nil when none is left.
func keep(c Cond, kept func(Cond) bool) Cond {
	var out []Cond
	for _, t := range Conjuncts(c) {
		if kept(t) {
			out = append(out, t)
		}
	}
	return All(out...)
}

// ForEntity is what a condition says of one entity: a conjunct that names
// another one falls away, and what names this one is unqualified. Nil when
// nothing is left.
func ForEntity(c Cond, entity string) Cond {
	c = keep(c, func(t Cond) bool {
		return !slices.ContainsFunc(Attrs(t), func(a *Attr) bool { return a.Entity != "" && a.Entity != entity })
	})
	return Rewrite(c, func(o Operand) Operand {
		if a, ok := o.(*Attr); ok && a.Entity != "" {
			return &Attr{At: a.At, Path: a.Path}
		}
		return o
	})
}

// WithoutParams is a condition as it is sent when some optional parameters are
// left out: each conjunct that holds one of them falls away, and the others'
// parameters are optional no more. Nil when nothing is left.
func WithoutParams(c Cond, absent func(name string) bool) Cond {
	c = keep(c, func(t Cond) bool { return !holdsAbsent(t, absent) })
	return Rewrite(c, given)
}

// given makes a parameter one that is given.
func given(o Operand) Operand {
	if p, ok := o.(*Param); ok && p.Optional {
		return &Param{At: p.At, Name: p.Name}
	}
	return o
}

// WithoutParams is an update as it is sent when some optional parameters are
// left out: each action that holds one of them falls away, and the others'
// parameters are optional no more.
func (u *Update) WithoutParams(absent func(name string) bool) *Update {
	out := &Update{At: u.At, Remove: u.Remove, Add: givenActions(u.Add, absent), Delete: givenActions(u.Delete, absent)}
	for _, a := range u.Set {
		if !holdsAbsent(a.Value, absent) {
			out.Set = append(out.Set, SetAction{At: a.At, Target: a.Target, Value: RewriteOperand(a.Value, given)})
		}
	}
	return out
}

func givenActions(actions []AddAction, absent func(name string) bool) []AddAction {
	var out []AddAction
	for _, a := range actions {
		if !holdsAbsent(a.Value, absent) {
			out = append(out, AddAction{At: a.At, Target: a.Target, Value: RewriteOperand(a.Value, given)})
		}
	}
	return out
}

func holdsAbsent(n Node, absent func(name string) bool) bool {
	return slices.ContainsFunc(Params(n), func(p *Param) bool { return p.Optional && absent(p.Name) })
}
