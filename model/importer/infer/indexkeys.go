package infer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/value"
)

// The share of the items in an index that a template must explain, when it does
// not explain all; the others are reported.
const (
	mostOf   = 0.8
	fewItems = 3
)

// makeIndexKeys finds how an entity makes the keys of indexes.
func (in *inference) makeIndexKeys(e *draft.Entity) {
	for _, key := range in.indexKeys {
		if k := e.Key(key); k != nil && (k.Parts != nil || k.When != "") {
			continue // stated
		}
		if key == in.Table.EntityType {
			continue
		}
		var with []*subject
		for _, s := range in.found[e] {
			if _, ok := s.item.Values[key]; ok {
				with = append(with, s)
			}
		}
		if len(with) > 0 {
			in.indexKey(e, key, with)
		}
	}
	in.sparse(e)
	slices.SortStableFunc(e.Keys, func(a, b *draft.Key) int { return in.keyOrder(a.Attribute) - in.keyOrder(b.Attribute) })
}

func (in *inference) indexKey(e *draft.Entity, key string, with []*subject) {
	best := in.reader.clusters(with, []string{key})[0]
	in.coincidences(e, &best)
	n := len(best.subjects)
	explained := n == len(with) || n >= fewItems && float64(n) >= mostOf*float64(len(with))
	k := &draft.Key{At: e.At, Attribute: key, Parts: best.parts[0], Guess: shareOf(n, len(with))}
	if stated := e.Key(key); stated != nil {
		k.At, k.Alias = stated.At, stated.Alias
		e.Keys = slices.DeleteFunc(e.Keys, func(o *draft.Key) bool { return o == stated })
	}
	if shards := drawn(with, key); shards > 0 && slices.ContainsFunc(k.Parts, func(p draft.Part) bool { return isHole(p.Attribute) || p.Attribute == key }) {
		k.Parts, explained = []draft.Part{{Random: shards}}, true
	}
	holes := slices.ContainsFunc(k.Parts, func(p draft.Part) bool { return isHole(p.Attribute) })
	if !explained || len(k.Parts) == 1 && k.Parts[0].Attribute == key || holes && len(k.Parts) == 1 {
		return // the entity's own attribute
	}
	e.Keys = append(e.Keys, k)
	if holes {
		in.fillHoles(e, k, best.subjects, in.roots())
	}
	if k.Alias != "" {
		in.compareAlias(e, k)
	}
}

// coincidences puts a hole where an attribute that came out of another key has
// the one value that stands here, after a prefix that belongs to another entity.
func (in *inference) coincidences(e *draft.Entity, c *cluster) {
	for i, parts := range c.parts {
		parts = slices.Clone(parts)
		for j, p := range parts {
			if a := e.Attribute(p.Attribute); j > 0 && a != nil && a.Derived && c.oneValue(p.Attribute) && in.belongsElsewhere(parts[j-1].Literal, p.Attribute) {
				parts[j] = draft.Part{Attribute: hole(c.keys[i], j)}
			}
		}
		c.parts[i] = parts
	}
}

// shareOf says from how many of some items something was read.
func shareOf(n, all int) string {
	if n == all {
		return guessFrom(n)
	}
	return fmt.Sprintf("from %d of %s", n, items(all))
}

// drawn tells how many shards were drawn from, where all values of a key are
// numbers from 0 on of which each stands in several items; 0 when they are not.
func drawn(with []*subject, key string) int {
	const least, most = 10, 100 // items, shards
	seen := map[int]int{}
	for _, s := range with {
		v := s.item.Values[key]
		n, err := strconv.Atoi(v.Text())
		if err != nil || n < 0 || n >= most || v.Kind() != value.String || strconv.Itoa(n) != v.Text() {
			return 0
		}
		seen[n]++
	}
	for i := range len(seen) {
		if seen[i] == 0 {
			return 0
		}
	}
	if len(with) < least || len(seen) < 2 || len(with) < 2*len(seen) {
		return 0
	}
	return len(seen)
}

// sparse finds why only some items of an entity are in an index. Where no reason
// is found, the keys are attributes of the entity, which each item has or lacks.
func (in *inference) sparse(e *draft.Entity) {
	for _, x := range in.Table.Indexes {
		var made []*draft.Key
		for _, k := range x.Keys() {
			if own := e.Key(k.Name); own != nil && own.Parts != nil && own.When == "" && own.Guess != "" && slices.Contains(in.indexKeys, k.Name) {
				made = append(made, own)
			}
		}
		if len(made) == 0 || !slices.ContainsFunc(in.found[e], func(s *subject) bool { return in.wronglyIn(s, x, e) }) {
			continue
		}
		if when := in.condition(e, x); when != "" {
			made[0].When = when
			continue
		}
		e.Keys = slices.DeleteFunc(e.Keys, func(k *draft.Key) bool { return slices.Contains(made, k) })
	}
}

// isIn tells whether an item has all keys of an index.
func isIn(s *subject, x *model.Index) bool {
	return every(x.Keys(), func(k model.KeyAttribute) bool { _, ok := s.item.Values[k.Name]; return ok })
}

// wronglyIn tells an item that lacks the keys of an index although it has all
// that its templates need.
func (in *inference) wronglyIn(s *subject, x *model.Index, e *draft.Entity) bool {
	if isIn(s, x) {
		return false
	}
	for _, k := range x.Keys() {
		own := e.Key(k.Name)
		if own == nil || own.Parts == nil {
			if _, ok := s.item.Values[k.Name]; !ok {
				return false
			}
			continue
		}
		for _, name := range draft.AttributesIn(own.Parts) {
			if _, ok := s.values[name]; !ok && name != k.Name {
				return false
			}
		}
	}
	return true
}

// maxChoices is how many values of an attribute a condition lists.
const maxChoices = 4

// condition finds a `when` that holds of exactly the items in an index: an
// attribute that has other values outside of it, or is absent there.
func (in *inference) condition(e *draft.Entity, x *model.Index) string {
	var inside, outside []*subject
	for _, s := range in.found[e] {
		if isIn(s, x) {
			inside = append(inside, s)
		} else {
			outside = append(outside, s)
		}
	}
	if len(inside) == 0 {
		return ""
	}
	for _, choice := range []bool{true, false} {
		for _, name := range in.itemAttributes(e) {
			if namesChoice(name) != choice || !choice && (isIdentifier(name) || len(inside) < 2 || len(outside) < 2) {
				continue
			}
			if when := conditionOn(name, inside, outside); when != "" {
				return when
			}
		}
	}
	return ""
}

func conditionOn(name string, inside, outside []*subject) string {
	in, absentInside := valuesOf(name, inside)
	out, absentOutside := valuesOf(name, outside)
	switch {
	case absentInside > 0:
		return ""
	case absentOutside == len(outside):
		return "attribute_exists(" + draft.QuoteName(name) + ")"
	case len(in) > maxChoices || absentOutside > 0:
		return ""
	}
	var words []string
	for _, text := range sortedKeys(in) {
		if _, both := out[text]; both {
			return ""
		}
		words = append(words, text)
	}
	if len(words) == 1 {
		return draft.QuoteName(name) + " = " + words[0]
	}
	return draft.QuoteName(name) + " IN (" + strings.Join(words, ", ") + ")"
}

// valuesOf are the values of an attribute as literals of the language, and how
// many items lack it. What cannot be one makes a value of its own each time.
func valuesOf(name string, subjects []*subject) (map[string]bool, int) {
	seen := map[string]bool{}
	absent := 0
	for i, s := range subjects {
		v := s.item.Values[name]
		switch v.Kind() {
		case value.None:
			absent++
		case value.String:
			seen[quoteText(v.Text())] = true
		case value.Number, value.Bool:
			seen[v.String()] = true
		default:
			seen[strconv.Itoa(i)] = true
		}
	}
	return seen, absent
}
