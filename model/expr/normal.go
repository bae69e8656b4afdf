package expr

// Normal is a condition with NOT pushed inwards as far as DynamoDB's meaning of
// absent attributes allows. An attribute that is not there is unequal to
// everything, and neither less nor greater: so NOT a = 1 is a <> 1, but NOT a < 1
// also holds without a, and stays. What is left under NOT is a comparison
// of order, BETWEEN, IN $list or a function other than attribute_exists and
// attribute_not_exists.
func Normal(c Cond) Cond { return normal(c, false) }

// Negate is the normal form of NOT c, where c is not nil.
func Negate(c Cond) Cond { return normal(c, true) }

func normal(c Cond, negated bool) Cond {
	switch c := c.(type) {
	case *And:
		return join(c, c.Terms, !negated, negated)
	case *Or:
		return join(c, c.Terms, negated, negated)
	case *Not:
		return normal(c.Term, !negated)
	case *Compare:
		if op, ok := opposite(c.Op); negated && ok {
			return &Compare{At: c.At, Op: op, Left: c.Left, Right: c.Right}
		}
	case *In:
		if negated && !c.FromList {
			terms := make([]Cond, len(c.List))
			for i, o := range c.List {
				terms[i] = &Compare{At: c.At, Op: Ne, Left: c.X, Right: o}
			}
			return andOf(c.At, terms)
		}
	case *Test:
		if name, ok := oppositeTest(c.Name); negated && ok {
			return &Test{At: c.At, Name: name, X: c.X}
		}
	}
	if negated {
		return &Not{At: c.Span(), Term: c}
	}
	return c
}

// join is the normal form of terms joined by AND or OR.
func join(c Cond, terms []Cond, and, negated bool) Cond {
	out := make([]Cond, len(terms))
	for i, t := range terms {
		out[i] = normal(t, negated)
	}
	if and {
		return andOf(c.Span(), out)
	}
	return orOf(c.Span(), out)
}

// opposite is the comparison that holds exactly when op does not.
func opposite(op Op) (Op, bool) {
	switch op {
	case Eq:
		return Ne, true
	case Ne:
		return Eq, true
	}
	return op, false
}

func oppositeTest(name TestName) (TestName, bool) {
	switch name {
	case AttributeExists:
		return AttributeNotExists, true
	case AttributeNotExists:
		return AttributeExists, true
	}
	return name, false
}
