package plan

import "github.com/dynmodel/dynmodel/model"

// shape is the set of texts that a template can make, seen as a row of
// characters: each either a set of which one stands there, or a set of which
// any number do.
type shape []atom

type atom struct {
	chars  charset
	repeat bool // any number of times, none included
}

// shapeOf is the shape of a template. A key that is a typed attribute has the
// shape of anything.
func shapeOf(t model.Template) shape {
	var s shape
	for _, p := range t.Parts {
		switch {
		case p.Attribute != nil:
			s = append(s, textOf(seen(p)).shape()...)
		case p.Random > 0:
			s = append(s, shardText(p.Random).shape()...)
		default:
			s = append(s, literalShape(p.Literal)...)
		}
	}
	return s
}

func literalShape(text string) shape {
	var s shape
	for _, b := range []byte(text) {
		s = append(s, atom{chars: exactly(b)})
	}
	return s
}

func exactly(b byte) charset { return charset{}.span(b, b) }

func (t text) shape() shape {
	if t.pattern == nil {
		return shape{{chars: t.chars, repeat: true}}
	}
	s := make(shape, len(t.pattern))
	for i, c := range t.pattern {
		s[i] = atom{chars: c}
	}
	return s
}

// meets tells whether some text has both shapes.
func (s shape) meets(t shape) bool {
	for i := 0; i < len(s) && i < len(t) && !s[i].repeat && !t[i].repeat; i++ {
		if !s[i].chars.intersects(t[i].chars) {
			return false
		}
	}
	// reach[j] tells whether position i of s and j of t can be reached by one text.
	reach := make([]bool, len(t)+1)
	reach[0] = true
	for i := 0; i <= len(s); i++ {
		next := make([]bool, len(t)+1)
		for j := 0; j <= len(t); j++ {
			if !reach[j] {
				continue
			}
			s.step(t, i, j, reach, next)
		}
		if i == len(s) {
			return reach[len(t)]
		}
		reach = next
	}
	return false
}

// step marks the positions that follow (i, j): in the row of i and in that of i+1.
func (s shape) step(t shape, i, j int, row, next []bool) {
	if j < len(t) && t[j].repeat {
		row[j+1] = true
	}
	if i == len(s) {
		return
	}
	if s[i].repeat {
		next[j] = true
	}
	if j == len(t) || !s[i].chars.intersects(t[j].chars) {
		return
	}
	switch {
	case s[i].repeat && !t[j].repeat:
		row[j+1] = true
	case !s[i].repeat && t[j].repeat:
		next[j] = true
	case !s[i].repeat && !t[j].repeat:
		next[j+1] = true
	}
}
