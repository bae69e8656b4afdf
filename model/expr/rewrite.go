package expr

// Rewrite is a condition with every operand replaced by what f makes of it,
// those inside calls and sums before the calls and sums themselves. F returns
// an operand as it is to keep it. Nil stays nil.
func Rewrite(c Cond, f func(Operand) Operand) Cond {
	switch c := c.(type) {
	case *And:
		return &And{At: c.At, Terms: rewriteAll(c.Terms, f)}
	case *Or:
		return &Or{At: c.At, Terms: rewriteAll(c.Terms, f)}
	case *Not:
		return &Not{At: c.At, Term: Rewrite(c.Term, f)}
	case *Compare:
		return &Compare{At: c.At, Op: c.Op, Left: RewriteOperand(c.Left, f), Right: RewriteOperand(c.Right, f)}
	case *Between:
		return &Between{At: c.At, X: RewriteOperand(c.X, f), Low: RewriteOperand(c.Low, f), High: RewriteOperand(c.High, f)}
	case *In:
		return &In{At: c.At, X: RewriteOperand(c.X, f), List: rewriteOperands(c.List, f), FromList: c.FromList}
	case *Test:
		return &Test{At: c.At, Name: c.Name, X: RewriteOperand(c.X, f), Arg: RewriteOperand(c.Arg, f)}
	}
	return nil
}

func rewriteAll(terms []Cond, f func(Operand) Operand) []Cond {
	out := make([]Cond, len(terms))
	for i, t := range terms {
		out[i] = Rewrite(t, f)
	}
	return out
}

// RewriteOperand is Rewrite of one operand.
func RewriteOperand(o Operand, f func(Operand) Operand) Operand {
	switch o := o.(type) {
	case nil:
		return nil
	case *Call:
		return f(&Call{At: o.At, Func: o.Func, Args: rewriteOperands(o.Args, f)})
	case *Arith:
		return f(&Arith{At: o.At, Minus: o.Minus, Left: RewriteOperand(o.Left, f), Right: RewriteOperand(o.Right, f)})
	}
	return f(o)
}

func rewriteOperands(list []Operand, f func(Operand) Operand) []Operand {
	out := make([]Operand, len(list))
	for i, o := range list {
		out[i] = RewriteOperand(o, f)
	}
	return out
}
