package infer

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/importer/draft"
)

// merged joins clusters that are one type of item after all: those that differ in
// one word, which then is a value, and stragglers whose keys look like those of
// many others but do not agree with their attributes.
func merged(clusters []cluster) []cluster {
	var out []cluster
	for _, c := range clusters {
		joined := false
		for i := range out {
			if joined = out[i].joinWord(c) || out[i].joinStraggler(c) || out[i].joinOutline(c); joined {
				break
			}
		}
		if !joined {
			out = append(out, c)
		}
	}
	return out
}

// joinWord joins a cluster whose template differs in one constant word, not the
// first of a key, when the items have the same attributes.
func (c *cluster) joinWord(o cluster) bool {
	key, at := -1, -1
	if !slices.Equal(c.keys, o.keys) {
		return false
	}
	for i := range c.parts {
		if draft.Text(c.parts[i]) == draft.Text(o.parts[i]) {
			continue
		}
		j := differingPart(c.parts[i], o.parts[i])
		if key >= 0 || j < 0 {
			return false
		}
		key, at = i, j
	}
	if key < 0 || !sameNames(c.subjects[0], o.subjects[0]) {
		return false
	}
	parts, ok := withHole(c.keys[key], c.parts[key], o.parts[key], at)
	if !ok {
		return false
	}
	c.parts[key] = parts
	c.subjects = append(c.subjects, o.subjects...)
	return true
}

// differingPart is the one part in which two templates differ, a literal in both
// or a hole that an earlier join made; -1 when there is none.
func differingPart(a, b []draft.Part) int {
	at := -1
	if len(a) != len(b) {
		return at
	}
	for i := range a {
		if draft.Text(a[i:i+1]) == draft.Text(b[i:i+1]) {
			continue
		}
		if at >= 0 || a[i].Literal == "" || b[i].Literal == "" {
			return -1
		}
		at = i
	}
	return at
}

// withHole is a template with a hole in place of the word in which two literals
// differ: the last one, after a delimiter.
func withHole(key string, a, b []draft.Part, at int) ([]draft.Part, bool) {
	d := delimiterOf(a[at].Literal)
	if d == "" || at < len(a)-1 {
		return nil, false
	}
	cut := strings.LastIndex(a[at].Literal, d) + len(d)
	if cut == 0 || cut == len(a[at].Literal) || cut >= len(b[at].Literal) || a[at].Literal[:cut] != b[at].Literal[:cut] || strings.Contains(b[at].Literal[cut:], d) {
		return nil, false
	}
	out := slices.Clone(a[:at])
	return append(out, draft.Part{Literal: a[at].Literal[:cut]}, draft.Part{Attribute: hole(key, at+1)}), true
}

func sameNames(a, b *subject) bool {
	return slices.Equal(sortedNames(a.item.Values), sortedNames(b.item.Values))
}

// How many items a type must have for stragglers to be counted to it.
const (
	manyItems  = 3
	stragglers = 4 // times as many items as there are stragglers
)

// joinStraggler joins few items whose keys have the same constants as those of
// many others, and whose attributes are the same. They do not fit the template,
// which is reported of each.
func (c *cluster) joinStraggler(o cluster) bool {
	if len(c.subjects) < manyItems || len(c.subjects) < stragglers*len(o.subjects) || !slices.Equal(c.keys, o.keys) || !sameNames(c.subjects[0], o.subjects[0]) {
		return false
	}
	for i := range c.parts {
		if outline(c.parts[i]) != outline(o.parts[i]) {
			return false
		}
	}
	c.subjects = append(c.subjects, o.subjects...)
	return true
}

// joinOutline joins a cluster whose keys have the same constants, and other
// attributes between them: they only happen to have the value, and what stands
// there is of none.
func (c *cluster) joinOutline(o cluster) bool {
	if !slices.Equal(c.keys, o.keys) {
		return false
	}
	joined := make([][]draft.Part, len(c.parts))
	for i := range c.parts {
		if outline(c.parts[i]) != outline(o.parts[i]) || !strings.Contains(outline(c.parts[i]), "\x00") && draft.Text(c.parts[i]) != draft.Text(o.parts[i]) {
			return false
		}
		joined[i] = slices.Clone(c.parts[i])
		for j := range joined[i] {
			a, b := c.parts[i][j], o.parts[i][j]
			if draft.Text([]draft.Part{a}) == draft.Text([]draft.Part{b}) {
				continue
			}
			if !c.has(b) || !o.has(a) {
				return false
			}
			joined[i][j] = draft.Part{Attribute: hole(c.keys[i], j)}
		}
	}
	c.parts = joined
	c.subjects = append(c.subjects, o.subjects...)
	return true
}

// has tells whether all items have the attribute of a part; a hole needs none.
func (c *cluster) has(p draft.Part) bool {
	return isHole(p.Attribute) || every(c.subjects, func(s *subject) bool { _, ok := s.values[p.Attribute]; return ok })
}

// outline is a template without the names of its attributes.
func outline(parts []draft.Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Literal)
		if p.Literal == "" {
			b.WriteString("\x00")
		}
	}
	return b.String()
}

// doubtful puts holes in place of numbers that were read as padded or inverted
// from one value alone: any number is that of some attribute.
func (c *cluster) doubtful() {
	for i, parts := range c.parts {
		parts = slices.Clone(parts)
		for j, p := range parts {
			if len(p.Funcs) == 1 && (p.Funcs[0].Name == expr.Pad || p.Funcs[0].Name == expr.Invert) && c.oneValue(p.Attribute) {
				parts[j] = draft.Part{Attribute: hole(c.keys[i], j)}
			}
		}
		c.parts[i] = parts
	}
}

func (c *cluster) oneValue(attribute string) bool {
	first := c.subjects[0].values[attribute].String()
	return every(c.subjects, func(s *subject) bool { return s.values[attribute].String() == first })
}
