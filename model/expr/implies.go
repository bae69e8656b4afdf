package expr

import (
	"slices"

	"github.com/dynmodel/dynmodel/model/value"
)

// Domain is what is known of an attribute beside any condition. The zero Domain
// is nothing.
type Domain struct {
	Kind     value.Kind    // None: not known
	Whole    bool          // numbers are whole
	Required bool          // it is always there
	Values   []value.Value // all values it can have; nil: not known
	Min, Max value.Value   // bounds, both included; absent: none
	Stored   FuncName      // lower, upper or "": literals beside it are folded likewise
}

// Domains tells what is known of attributes. Nil: nothing.
type Domains func(*Attr) Domain

// Implies tells whether goal holds for every item, that exists, for which known
// holds, whatever the parameters are. It is never true where that is not so;
// it may be false where it is, when that takes more than comparing attributes
// with values and with one and the same operand. A nil condition always holds.
func Implies(known, goal Cond, domains Domains) bool {
	if goal == nil {
		return true
	}
	p := prover{domains: domains}
	return p.closed([]Cond{Negate(goal), normalOrNil(known)}, nil)
}

// Impossible tells whether no item that exists can fulfil a condition. Like
// Implies, it is never true where that is not so.
func Impossible(c Cond, domains Domains) bool {
	p := prover{domains: domains}
	return p.closed([]Cond{normalOrNil(c)}, nil)
}

func normalOrNil(c Cond) Cond {
	if c == nil {
		return nil
	}
	return Normal(c)
}

// maxBranches bounds the cases that are told apart; what needs more of them is
// not proved.
const maxBranches = 2000

// prover refutes conditions: it follows every way in which they could all hold
// (a branch for every term of an OR) until each is seen to be impossible.
type prover struct {
	domains  Domains
	branches int
}

// closed tells whether todo and atoms cannot all hold. Atoms are conditions
// that speak of one thing only.
func (p *prover) closed(todo, atoms []Cond) bool {
	var choices [][]Cond
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch all, any := unfold(c); {
		case all != nil:
			todo = append(todo, all...)
		case any != nil:
			choices = append(choices, any)
		case c != nil:
			atoms = append(atoms, c)
		}
	}
	p.branches++
	if p.branches > maxBranches {
		return false
	}
	if contradictory(atoms, p.domains) {
		return true
	}
	if len(choices) == 0 {
		return false
	}
	rest := make([]Cond, 0, len(choices))
	for _, c := range choices[1:] {
		rest = append(rest, &Or{Terms: c})
	}
	for _, c := range choices[0] {
		if !p.closed(append(slices.Clone(rest), c), slices.Clone(atoms)) {
			return false
		}
	}
	return true
}

// unfold gives the conditions that must all hold for c, or of which any must;
// nothing when c is an atom, or nil.
func unfold(c Cond) (all, any []Cond) {
	switch c := c.(type) {
	case *And:
		return c.Terms, nil
	case *Or:
		return nil, c.Terms
	case *Between:
		low, high := bounds(c)
		return []Cond{low, high}, nil
	case *In:
		if !c.FromList && !allLiterals(c.List) {
			return nil, equalities(c)
		}
	case *Not:
		if b, ok := c.Term.(*Between); ok {
			low, high := bounds(b)
			return nil, []Cond{&Not{Term: low}, &Not{Term: high}}
		}
	}
	return nil, nil
}

func bounds(b *Between) (low, high Cond) {
	return &Compare{At: b.At, Op: Ge, Left: b.X, Right: b.Low}, &Compare{At: b.At, Op: Le, Left: b.X, Right: b.High}
}

func allLiterals(list []Operand) bool {
	return !slices.ContainsFunc(list, func(o Operand) bool {
		_, ok := o.(*Literal)
		return !ok
	})
}

// equalities are the comparisons of which an IN says that one holds.
func equalities(c *In) []Cond {
	out := make([]Cond, len(c.List))
	for i, o := range c.List {
		out[i] = &Compare{At: c.At, Op: Eq, Left: c.X, Right: o}
	}
	return out
}
