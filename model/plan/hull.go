package plan

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/keytext"
)

// hull is the condition for the one range of the first sort key attribute that
// holds the keys of all the entities; none when that is the whole partition.
// What it settles of where is settled for each of them.
func (c *collection) hull() []KeyCondition {
	if len(c.space.sort) == 0 {
		return nil
	}
	runs := make([]run, len(c.fits))
	for i, f := range c.fits {
		runs[i] = f.run(len(c.space.partition))
	}
	head := commonHead(runs)
	low, high := runs[0].tail(len(head)), runs[0].tail(len(head))
	for _, r := range runs[1:] {
		t := r.tail(len(head))
		if t.text < low.text {
			low = t
		}
		if t.reaches(high) {
			high = t
		}
	}
	if len(head) == 0 && high.text == "" {
		return nil
	}
	if settles(head, high) {
		for _, f := range c.fits {
			for _, p := range head {
				if p.term != nil {
					f.sort.exact = append(f.sort.exact, p.term)
				}
			}
		}
	}
	return []KeyCondition{span(c.space.sort[0], head, low, high)}
}

// run is the part of an entity's sort key that is fixed; closed when it is all of it.
type run struct {
	parts  []Part
	closed bool
}

func (f *fit) run(partition int) run {
	template := f.keys[partition].Template
	var r run
	var scratch keyPart
	for _, p := range template.Parts {
		part, ok := f.fix(p, &scratch, false)
		if !ok || part.Fan != nil {
			return r
		}
		r.parts = append(r.parts, part)
	}
	r.closed = true
	return r
}

// commonHead are the parts that all runs begin with.
func commonHead(runs []run) []Part {
	head := runs[0].parts
	for _, r := range runs[1:] {
		n := 0
		for n < len(head) && n < len(r.parts) && partsText(head[n:n+1]) == partsText(r.parts[n:n+1]) {
			n++
		}
		head = head[:n]
	}
	return head
}

// tail is the literal text that follows the head in a run; open when keys go on
// after it in ways that differ.
type tail struct {
	text string
	open bool
}

func (r run) tail(n int) tail {
	rest := r.parts[n:]
	switch {
	case len(rest) == 0:
		return tail{open: !r.closed}
	case rest[0].Literal == "":
		return tail{open: true}
	}
	return tail{text: rest[0].Literal, open: len(rest) > 1 || !r.closed}
}

// reaches tells whether the keys of t go as far as those of u, or further.
func (t tail) reaches(u tail) bool {
	if t.open && strings.HasPrefix(u.text, t.text) {
		return true
	}
	return t.text > u.text && !(u.open && strings.HasPrefix(t.text, u.text))
}

// settles tells whether a key in the range has the values of the head: whether
// the last of them cannot go on with what lies in the range.
func settles(head []Part, high tail) bool {
	if len(head) == 0 || head[len(head)-1].Literal != "" {
		return true
	}
	last := head[len(head)-1]
	t := keytext.Of(last.Attribute, last.chain)
	return t.Width() > 0 || high.text != "" && high.text[0] < t.Least()
}

func span(attribute model.KeyAttribute, head []Part, low, high tail) KeyCondition {
	with := func(t tail, more ...Part) Recipe {
		parts := slices.Clone(head)
		if t.text != "" {
			parts = append(parts, Part{Literal: t.text})
		}
		return textRecipe(append(parts, more...)...)
	}
	switch {
	case low.text == high.text && high.open:
		return KeyCondition{Attribute: attribute, Op: model.KeyBeginsWith, Values: []Recipe{with(low)}}
	case high.open:
		return KeyCondition{Attribute: attribute, Op: model.KeyBetween, Values: []Recipe{with(low), with(high, Part{Max: true})}}
	}
	return KeyCondition{Attribute: attribute, Op: model.KeyBetween, Values: []Recipe{with(low), with(high)}}
}
