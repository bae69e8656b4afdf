package model

// LiveOf is what items of an entity must fulfil to be seen by the pattern, beside
// its `where` and `filter`; nil when it sees all of them, or writes without a look.
func (p *Pattern) LiveOf(e *Entity) *Condition {
	finds := p.Operation.IsRead() || p.Operation.WritesEach() || p.Operation == PartiQL
	if !finds || p.IncludeDead {
		return nil
	}
	return e.Live
}

// Selects are the conditions that an item of an entity must meet for the pattern
// to return it, none of them nil: those of a query or scan, and what the reader of
// a get applies.
func (p *Pattern) Selects(e *Entity) []*Condition {
	var out []*Condition
	for _, c := range []*Condition{p.Where, p.Filter, p.LiveOf(e)} {
		if c != nil {
			out = append(out, c)
		}
	}
	return out
}
