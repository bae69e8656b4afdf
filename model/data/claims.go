package data

import (
	"strconv"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
)

// claims are what an item takes for itself: its identity, and its unique values.
func claims(e *model.Entity, item model.Item) []string {
	out := append(make([]string, 0, 1+len(e.Unique)), identityOf(e, item))
	for n, u := range e.Unique {
		if claim, there := uniqueOf(e, n, u, item); there {
			out = append(out, claim)
		}
	}
	return out
}

// usualClaim is the room, in bytes, that most claims do with.
const usualClaim = 128

// appendBrief appends a value as text that is different for different values.
func appendBrief(dst []byte, v value.Value) []byte {
	switch v.Kind() {
	case value.Number:
		return append(dst, v.Text()...)
	case value.String:
		dst = strconv.AppendInt(dst, int64(len(v.Text())), 10)
		return append(append(dst, ':'), v.Text()...)
	}
	return v.Append(dst)
}

// identityOf is the identity of an item as text; equal texts are one identity.
func identityOf(e *model.Entity, item model.Item) string {
	id := append(make([]byte, 0, usualClaim), e.Name.Text...)
	for _, part := range e.Identity {
		v := item[part.Attribute.Name.Text]
		if folded, err := encode.Apply(part.Funcs, v, part.Attribute.Type); err == nil {
			v = folded
		}
		id = appendBrief(append(id, ' '), v)
	}
	return string(id)
}

// uniqueOf is what an item takes of the n-th unique of its entity; false when
// it takes nothing.
func uniqueOf(e *model.Entity, n int, u *model.Unique, item model.Item) (string, bool) {
	if u.When != nil && !encode.Holds(u.When.Cond, e, item) {
		return "", false
	}
	claim := append(append(make([]byte, 0, usualClaim), e.Name.Text...), " unique "...)
	claim = strconv.AppendInt(claim, int64(n), 10)
	for _, a := range u.Of {
		v, there := item[a.Name.Text]
		if !there {
			return "", false
		}
		claim = appendBrief(append(claim, ' '), v)
	}
	return string(claim), true
}

// holder is a parent that an item is counted under, and how many there may be.
type holder struct {
	key  string
	most int64
}

// holders are the parents an item is counted under.
func (g *Generator) holders(e *model.Entity, item model.Item) []holder {
	var out []holder
	for n, v := range e.Volumes {
		if v.Rate != nil || v.Count.Max <= 0 {
			continue
		}
		key := append(append(make([]byte, 0, usualClaim), e.Name.Text...), " per "...)
		key = strconv.AppendInt(key, int64(n), 10)
		for _, a := range v.By() {
			key = appendBrief(append(key, ' '), item[a.Name.Text])
		}
		out = append(out, holder{string(key), v.Count.Max})
	}
	return out
}
