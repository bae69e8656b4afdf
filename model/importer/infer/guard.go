package infer

import (
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
// entity's name, too.
func (in *inference) guardsOf() {
	for _, item := range in.guards {
		words := strings.Split(item.Values[in.keys[0]].Text(), "#")
		if len(words) >= 4 && slices.ContainsFunc(in.Entities, func(e *draft.Entity) bool { return in.guarded(e, words) }) {
			in.Fitting++
		} else {
			in.Lostf(item.At, "the item with the key `%s` looks like the guard of a unique value, and no entity has that value; it is left out", draft.Clip(item.Values[in.keys[0]].Text()))
		}
	}
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
