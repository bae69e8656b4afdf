package mutation

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/value"
)

// pinnedStands tells whether a pinned sort key range, begun with a literal that
// is shorter than it was or with none at all, still catches the same items:
//   - all keys of the entities asked for begin with the literal as it was;
//   - no other entity has items in the partition, or its sort keys begin with
//     something else than the literal as it is now.
func (c *comparison) pinnedStands() bool {
	p, q := c.sound.Pattern(c.mutant.part.pattern), c.broken.Pattern(c.mutant.part.pattern)
	if p == nil || q == nil || len(p.Key) == 0 {
		return false
	}
	before, ok := literalRange(p)
	if !ok {
		return false
	}
	after, ok := literalRange(q)
	if !ok || !strings.HasPrefix(before, after) || !samePartition(p, q) {
		return false
	}
	sortKey := sortKeyOf(c.broken, q)
	if sortKey == "" {
		return false
	}
	for _, e := range c.broken.Entities {
		k := e.Key(sortKey)
		switch {
		case k == nil:
		case slices.Contains(q.Entities, e):
			if !strings.HasPrefix(prefix(k.Template), before) {
				return false
			}
		case meetsAny(e, q):
			if his := prefix(k.Template); strings.HasPrefix(his, after) || strings.HasPrefix(after, his) {
				return false
			}
		}
	}
	return true
}

// literalRange is the literal that a pinned sort key begins with, "" when the
// sort key is not pinned; false when it is pinned in another way.
func literalRange(p *model.Pattern) (string, bool) {
	for _, k := range p.Key {
		switch {
		case k.Op == model.KeyEq:
		case k.Op == model.KeyBeginsWith && len(k.Values[0].Parts) == 1 && k.Values[0].Parts[0].Literal != "":
			return k.Values[0].Parts[0].Literal, true
		default:
			return "", false
		}
	}
	return "", true
}

// samePartition tells whether two pinned keys have the same equalities.
func samePartition(p, q *model.Pattern) bool {
	equalities := func(p *model.Pattern) (out []string) {
		for _, k := range p.Key {
			if k.Op == model.KeyEq {
				out = append(out, k.Attribute.Name+" = "+k.Values[0].Text)
			}
		}
		return out
	}
	return slices.Equal(equalities(p), equalities(q))
}

// sortKeyOf is the first sort key attribute of the index that a pattern reads.
func sortKeyOf(m *model.Model, p *model.Pattern) string {
	at := p.Key[0].Attribute.Name
	if m.Table.PartitionKey.Name == at && m.Table.SortKey != nil {
		return m.Table.SortKey.Name
	}
	for _, x := range m.Table.Indexes {
		if x.PartitionKey[0].Name == at && len(x.SortKey) > 0 {
			return x.SortKey[0].Name
		}
	}
	return ""
}

// meetsAny tells whether items of an entity may be in a partition with those
// that a pinned pattern returns.
func meetsAny(e *model.Entity, p *model.Pattern) bool {
	at := p.Key[0].Attribute
	mine := e.Key(at.Name)
	if mine == nil {
		return false
	}
	return slices.ContainsFunc(p.Entities, func(other *model.Entity) bool {
		theirs := other.Key(at.Name)
		return theirs != nil && (at.Kind != value.String || keytext.Meet(mine.Template, theirs.Template))
	})
}
