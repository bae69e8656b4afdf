package attr

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
	"strings"
)

// Item is an immutable set of named values: an item of a table, a key, the
// entries of a map. The zero Item is empty. Items are equal exactly when ==
// says so.
type Item struct {
	// enc is the size of the item as a varint, since readers and writers ask
	// for it all the time, and the encoded entries. An empty item has none of
	// it.
	enc string
}

// makeItem returns the item of encoded entries whose size is known.
func makeItem(entries []byte, size int) Item {
	if len(entries) == 0 {
		return Item{}
	}
	var enc strings.Builder
	beginItem(&enc, size, len(entries))
	enc.Write(entries)
	return Item{enc: enc.String()}
}

// itemOf returns the item of encoded entries.
func itemOf(entries string) Item {
	if entries == "" {
		return Item{}
	}
	_, size := measure(entries)
	var enc strings.Builder
	beginItem(&enc, size, len(entries))
	enc.WriteString(entries)
	return Item{enc: enc.String()}
}

// beginItem begins the text of an item, with room for so many bytes of entries.
func beginItem(enc *strings.Builder, size, room int) {
	var prefix [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(prefix[:], uint64(size))
	enc.Grow(n + room)
	enc.Write(prefix[:n])
}

// entries returns the encoded entries.
func (it Item) entries() string {
	if it.enc == "" {
		return ""
	}
	_, entries := uvarint(it.enc)
	return entries
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
func (it Item) Get(name string) (Value, bool) { return find(it.entries(), name) }

// find returns the value of a name among encoded entries.
func find(entries, name string) (Value, bool) {
	for s := entries; s != ""; {
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
		for s := it.entries(); s != ""; {
			var name string
			var v Value
			if name, v, s = cutEntry(s); !yield(name, v) {
				return
			}
		}
	}
}

// Len returns the number of attributes.
func (it Item) Len() int { return countEntries(it.entries()) }

func countEntries(entries string) int {
	n := 0
	for s := entries; s != ""; n++ {
		_, _, s = cutEntry(s)
	}
	return n
}

// IsEmpty reports whether the item has no attributes.
func (it Item) IsEmpty() bool { return it.enc == "" }

// Size is DynamoDB's size of the item in bytes: names and values of all
// attributes. An item of a table may have [MaxItemBytes].
func (it Item) Size() int {
	if it.enc == "" {
		return 0
	}
	size, _ := uvarint(it.enc)
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
func (it Item) Depth() int { return deepest(it.entries()) }

func deepest(entries string) int {
	depth := 0
	for s := entries; s != ""; {
		var v Value
		_, v, s = cutEntry(s)
		depth = max(depth, v.Depth())
	}
	return depth
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
	rest, size := it.entries(), it.Size()
	for i, e := range entries {
		if i+1 < len(entries) && entries[i+1].Name == e.Name {
			continue
		}
		before, old, after := splitAt(rest, e.Name)
		enc = append(enc, before...)
		rest = after
		if old.Exists() {
			size -= len(e.Name) + old.Size()
		}
		if e.Value.Exists() {
			enc = appendEntry(enc, e.Name, e.Value)
			size += len(e.Name) + e.Value.Size()
		}
	}
	return makeItem(append(enc, rest...), size)
}

// splitAt divides encoded entries into those before name, the value of that
// name, if there is one, and those after it.
func splitAt(enc, name string) (before string, at Value, after string) {
	for s := enc; s != ""; {
		n, v, rest := cutEntry(s)
		if n >= name {
			before = enc[:len(enc)-len(s)]
			if n == name {
				return before, v, rest
			}
			return before, Value{}, s
		}
		s = rest
	}
	return enc, Value{}, ""
}

// Project returns the item with only the named top-level attributes.
func (it Item) Project(keep func(name string) bool) Item {
	var enc []byte
	size := 0
	for name, v := range it.All() {
		if keep(name) {
			enc = appendEntry(enc, name, v)
			size += len(name) + v.Size()
		}
	}
	return makeItem(enc, size)
}
