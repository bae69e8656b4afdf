package attr

import (
	"cmp"
	"iter"
	"slices"
)

// Item is an immutable set of named values: an item of a table, a key, the
// entries of a map. The zero Item is empty. Items are equal exactly when ==
// says so.
type Item struct {
	enc string
}

// Entry is a name with its value.
type Entry struct {
	Name  string
	Value Value
}

// NewItem returns an item of the given entries. Of entries with the same name
// the last one counts; an entry with the zero Value is left out.
func NewItem(entries ...Entry) Item {
	return Item{}.With(entries...)
}

// Get returns the named value. It looks at names only, so the cost does not
// depend on how deep the other values are.
func (it Item) Get(name string) (Value, bool) {
	for s := it.enc; s != ""; {
		n, rest := cutBytes(s)
		if n >= name {
			if n > name {
				break
			}
			v, _ := cutValue(rest)
			return v, true
		}
		_, s = cutValue(rest)
	}
	return Value{}, false
}

// All yields the attributes in the order of their names' bytes.
func (it Item) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		for s := it.enc; s != ""; {
			var name string
			var v Value
			if name, v, s = cutEntry(s); !yield(name, v) {
				return
			}
		}
	}
}

// Len returns the number of attributes.
func (it Item) Len() int {
	n := 0
	for range it.All() {
		n++
	}
	return n
}

// IsEmpty reports whether the item has no attributes.
func (it Item) IsEmpty() bool { return it.enc == "" }

// Size is DynamoDB's size of the item in bytes: names and values of all
// attributes. An item of a table may have [MaxItemBytes].
func (it Item) Size() int {
	_, size := measure(it.enc)
	return size
}

// measure returns the number of encoded entries and the size of their names
// and values.
func measure(entries string) (n, size int) {
	for s := entries; s != ""; n++ {
		var name string
		var v Value
		name, v, s = cutEntry(s)
		size += len(name) + v.Size()
	}
	return n, size
}

// Depth returns how many levels the deepest attribute nests, 0 for an empty
// item.
func (it Item) Depth() int {
	deepest := 0
	for _, v := range it.All() {
		deepest = max(deepest, v.Depth())
	}
	return deepest
}

// With returns the item with the given entries added or replaced, and those
// removed that are given with the zero Value. Of entries with the same name
// the last one counts.
func (it Item) With(entries ...Entry) Item {
	if len(entries) == 0 {
		return it
	}
	byName := func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) }
	if !slices.IsSortedFunc(entries, byName) {
		entries = slices.Clone(entries)
		slices.SortStableFunc(entries, byName)
	}
	grown := len(it.enc)
	for _, e := range entries {
		grown += len(e.Name) + len(e.Value.data) + 8
	}
	enc := make([]byte, 0, grown)
	rest := it.enc
	for i, e := range entries {
		if i+1 < len(entries) && entries[i+1].Name == e.Name {
			continue
		}
		before, after := splitAt(rest, e.Name)
		enc = append(enc, before...)
		rest = after
		if e.Value.Exists() {
			enc = appendEntry(enc, e.Name, e.Value)
		}
	}
	return Item{enc: string(append(enc, rest...))}
}

// splitAt divides encoded entries into those before name and those after it;
// an entry of that name is in neither part.
func splitAt(enc, name string) (before, after string) {
	for s := enc; s != ""; {
		n, _, rest := cutEntry(s)
		if n >= name {
			before = enc[:len(enc)-len(s)]
			if n == name {
				return before, rest
			}
			return before, s
		}
		s = rest
	}
	return enc, ""
}

// Project returns the item with only the named top-level attributes.
func (it Item) Project(keep func(name string) bool) Item {
	var enc []byte
	for name, v := range it.All() {
		if keep(name) {
			enc = appendEntry(enc, name, v)
		}
	}
	return Item{enc: string(enc)}
}
