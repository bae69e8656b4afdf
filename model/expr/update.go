package expr

import "slices"

// ParseUpdate reads an update expression, as in `change`: SET, REMOVE, ADD and
// DELETE clauses, each at most once. Exactly one of the results is nil.
func ParseUpdate(in Input) (*Update, *Problem) {
	p := newParser(in)
	u := &Update{}
	start := p.peek().start
	seen := map[string]bool{}
	for p.problem == nil && (p.peek().kind != tokEnd || len(seen) == 0) {
		t := p.peek()
		if t.kind == tokKeyword && seen[t.text] {
			p.failAt(t, "separate its actions with commas", "there is a second %s clause", t.text)
			break
		}
		if !p.clause(u) {
			p.unexpected("SET, REMOVE, ADD or DELETE")
			break
		}
		seen[t.text] = true
	}
	if p.problem == nil {
		p.checkOverlap(u.Targets())
	}
	if p.problem != nil {
		return nil, p.problem
	}
	u.At = p.span(start)
	return u, nil
}

// checkOverlap refuses targets of which one lies within another, as DynamoDB does.
func (p *parser) checkOverlap(targets []*Attr) {
	for i, a := range targets {
		for _, b := range targets[:i] {
			if a.Entity == b.Entity && (a.Path.within(b.Path) || b.Path.within(a.Path)) {
				p.failSpan(a.At, "", "%s is changed here, and already as %s; DynamoDB refuses both in one update", String(a), String(b))
			}
		}
	}
}

// within tells whether p leads into what q leads to, or to the same place.
func (p Path) within(q Path) bool {
	return p.Name == q.Name && len(p.Rest) >= len(q.Rest) && slices.Equal(p.Rest[:len(q.Rest)], q.Rest)
}

// checkSum refuses sums of more than two operands that only DynamoDB could add up.
func (p *parser) checkSum(o Operand) {
	sum, ok := o.(*Arith)
	if !ok || p.problem != nil || len(Attrs(sum)) == 0 {
		return
	}
	for _, side := range []Operand{sum.Left, sum.Right} {
		if _, nested := side.(*Arith); nested {
			p.failSpan(sum.At, "", "DynamoDB adds or subtracts two operands at a time")
		}
	}
}

// clause reads one clause; false when none begins here.
func (p *parser) clause(u *Update) bool {
	switch {
	case p.takeKeyword("SET"):
		p.actions(func() { u.Set = append(u.Set, p.setAction()) })
	case p.takeKeyword("REMOVE"):
		p.actions(func() { u.Remove = append(u.Remove, p.attr()) })
	case p.takeKeyword("ADD"):
		p.actions(func() { u.Add = append(u.Add, p.addAction()) })
	case p.takeKeyword("DELETE"):
		p.actions(func() { u.Delete = append(u.Delete, p.addAction()) })
	default:
		return false
	}
	return true
}

// actions reads actions with commas between them.
func (p *parser) actions(action func()) {
	action()
	for p.takePunct(",") {
		action()
	}
}

func (p *parser) setAction() SetAction {
	start := p.peek().start
	target := p.attr()
	if !p.takePunct("=") {
		p.unexpected("= and a value")
	}
	p.inSet = true
	v := p.operand()
	p.inSet = false
	p.checkSum(v)
	return SetAction{At: p.span(start), Target: target, Value: v}
}

func (p *parser) addAction() AddAction {
	start := p.peek().start
	target := p.attr()
	if t := p.peek(); t.is("=") {
		p.failAt(t, "write the value right after the attribute: ADD n 1", "ADD and DELETE take no =")
	}
	v := p.operand()
	if p.problem == nil && len(Attrs(v)) > 0 {
		p.failSpan(v.Span(), "", "ADD and DELETE take a value or a parameter")
	}
	return AddAction{At: p.span(start), Target: target, Value: v}
}
