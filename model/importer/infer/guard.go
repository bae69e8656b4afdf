package infer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model/importer/draft"
)

// guardPrefix begins the keys of the items that keep values unique:
// UNIQUE#Entity#attribute#value.
const guardPrefix = "UNIQUE#"

// takeGuards takes out the items that only keep a value unique: there is nothing
// in them but a key of that form.
func (in *inference) takeGuards(loose []*draft.Item) (rest []*draft.Item) {
	for _, item := range loose {
		guard := len(item.Values) == len(in.keys)
		for _, key := range in.keys {
			guard = guard && strings.HasPrefix(item.Values[key].Text(), guardPrefix)
		}
		if guard {
			in.guards = append(in.guards, item)
		} else {
			rest = append(rest, item)
		}
	}
	return rest
}

// guardsOf finds which entity's values the guards keep unique. The guard has the
// entity's name, too. Once one guard has told that values are kept unique, others
// tell no more where the item with their value is not among those that were read.
func (in *inference) guardsOf() {
	var alone []*draft.Item
	for _, item := range in.guards {
		words := in.guardWords(item)
		if len(words) >= 4 && slices.ContainsFunc(in.Entities, func(e *draft.Entity) bool { return in.guarded(e, words) }) {
			in.Fitting++
		} else {
			alone = append(alone, item)
		}
	}
	var lost []*draft.Item
	for _, item := range alone {
		words := in.guardWords(item)
		if slices.ContainsFunc(in.Entities, func(e *draft.Entity) bool { return guards(e, words) }) {
			in.Fitting++
		} else {
			lost = append(lost, item)
		}
	}
	if len(lost) > 0 {
		what := "an item looks like a guard of a unique value, which no entity has, and is left out"
		if len(lost) > 1 {
			what = fmt.Sprintf("%d items look like guards of unique values, which no entity has, and are left out", len(lost))
		}
		in.Lostf(lost[0].At, "%s: `%s`", what, draft.Clip(lost[0].Values[in.keys[0]].Text()))
	}
}

// guardWords are the words of a guard's key.
func (in *inference) guardWords(item *draft.Item) []string {
	return strings.Split(item.Values[in.keys[0]].Text(), "#")
}

// guards tells whether words are those of a guard of values that an entity has
// unique.
func guards(e *draft.Entity, words []string) bool {
	return slices.ContainsFunc(e.Unique, func(of []string) bool {
		return len(words) > 2+len(of) && words[1] == e.Name && slices.Equal(words[2:2+len(of)], of)
	})
}

// guarded tells whether an entity has an item whose value a guard keeps; the
// words are those of its key.
func (in *inference) guarded(e *draft.Entity, words []string) bool {
	for n := 1; n < len(words)-2; n++ {
		of := words[2 : 2+n]
		if e.Attribute(of[n-1]) == nil {
			return false
		}
		rest := strings.Join(words[2+n:], "#")
		if !slices.ContainsFunc(in.found[e], func(s *subject) bool { return joined(s.item, of) == rest }) {
			continue
		}
		if !slices.ContainsFunc(e.Unique, func(u []string) bool { return slices.Equal(u, of) }) {
			e.Unique = append(e.Unique, of)
			in.rename(e, words[1])
		}
		return true
	}
	return false
}

func joined(item *draft.Item, of []string) string {
	out := make([]string, len(of))
	for i, name := range of {
		out[i], _ = textOf(item.Values[name], nil)
	}
	return strings.Join(out, "#")
}

// rename gives a found entity the name that its guards have.
func (in *inference) rename(e *draft.Entity, name string) {
	if e.Guess != "" && e.Name != name && isEntityName(name) && in.Entity(name) == nil {
		e.Name = name
	}
}
