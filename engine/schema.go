package engine

import (
	"iter"
	"slices"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
	"github.com/dynmodel/dynmodel/engine/store"
)

// A schema is what item operations need to know of a table. It never changes:
// an UpdateTable puts another one in its place.
type schema struct {
	table   string
	key     keySchema
	space   store.Space
	indexes []*index       // global ones first, in the order of the request
	vectors []*vectorIndex // in the order of the request
}

// An index is a secondary index of a schema.
type index struct {
	name       string
	local      bool
	key        keySchema
	tableKey   keySchema
	projection projection
	space      store.Space
	readable   time.Time // from when on
}

// A keySchema is the key of a table or an index. A table has one hash and at
// most one range attribute, a global index up to four of each.
type keySchema struct {
	expr.KeySchema
	all []expr.KeyAttribute // the hash attributes, then the range attributes
}

// index returns the named index, or nil.
func (s *schema) index(name string) *index {
	for _, x := range s.indexes {
		if x.name == name {
			return x
		}
	}
	return nil
}

// allIndexes yields every index, vector indexes last.
func (s *schema) allIndexes() iter.Seq[*index] {
	return func(yield func(*index) bool) {
		for _, x := range s.indexes {
			if !yield(x) {
				return
			}
		}
		for _, x := range s.vectors {
			if !yield(&x.index) {
				return
			}
		}
	}
}

// hasLocal reports whether the table has item collections of limited size.
func (s *schema) hasLocal() bool {
	return slices.ContainsFunc(s.indexes, func(x *index) bool { return x.local })
}

// typeOf returns the type of an attribute of the key; has is false for other
// attributes.
func (k keySchema) typeOf(name string) (typ attr.Type, has bool) {
	for _, a := range k.all {
		if a.Name == name {
			return a.Type, true
		}
	}
	return 0, false
}

// has reports whether name is an attribute of the key.
func (k keySchema) has(name string) bool {
	_, has := k.typeOf(name)
	return has
}

// of returns the key of an item that has one.
func (k keySchema) of(item attr.Item) attr.Item { return item.Project(k.has) }

// hashBytes is the width of the hash that leads every storage key.
const hashBytes = 8

// appendPartition appends the place of a partition in the order of a scan: a
// hash of the hash attributes, which spreads partitions as the service does
// and lets a scan segment be a range of hashes, and then the attributes
// themselves. ok is false if the item lacks one.
func (k keySchema) appendPartition(dst []byte, item attr.Item) (_ []byte, ok bool) {
	at := len(dst)
	dst = append(dst, make([]byte, hashBytes)...)
	if dst, ok = appendAttributes(dst, k.Hash, item); !ok {
		return dst, false
	}
	putHash(dst[at:])
	return dst, true
}

// putHash writes the hash of the encoded partition behind it.
func putHash(key []byte) {
	sum := xxhash.Sum64(key[hashBytes:])
	for i := range hashBytes {
		key[i] = byte(sum >> (8 * (hashBytes - 1 - i)))
	}
}

func appendAttributes(dst []byte, attributes []expr.KeyAttribute, item attr.Item) (_ []byte, ok bool) {
	for _, a := range attributes {
		v, ok := item.Get(a.Name)
		if !ok {
			return dst, false
		}
		dst = attr.AppendKey(dst, v)
	}
	return dst, true
}

// appendStorageKey appends the storage key of an item in its table.
func (k keySchema) appendStorageKey(dst []byte, item attr.Item) (_ []byte, ok bool) {
	if dst, ok = k.appendPartition(dst, item); !ok {
		return dst, false
	}
	return appendAttributes(dst, k.Range, item)
}

// storageKey returns the storage key of an item whose key has been checked.
func (k keySchema) storageKey(item attr.Item) string {
	var buf [128]byte
	key, _ := k.appendStorageKey(buf[:0], item)
	return string(key)
}

// An entry is an item at its place in a space. The zero entry is none.
type entry struct {
	key  string
	item attr.Item
	size int // that counts
}

func entryAt(key string, item attr.Item) entry {
	if key == "" || item.IsEmpty() {
		return entry{}
	}
	return entry{key: key, item: item, size: item.Size()}
}

// entry returns the entry of an item in the index, or none if the item lacks a
// key attribute. Entries with equal index keys stand in the order of their
// table keys.
func (x *index) entry(item attr.Item) entry {
	if item.IsEmpty() {
		return entry{}
	}
	key := x.place(item)
	if key != "" && !x.projection.all { // or the item is shared with the table
		item = item.Project(x.projection.has)
	}
	return entryAt(key, item)
}

// place returns the storage key of an item's entry, or "" if the item lacks a
// key attribute.
func (x *index) place(item attr.Item) string {
	var buf [256]byte
	key, ok := x.key.appendStorageKey(buf[:0], item)
	if !ok {
		return ""
	}
	key, _ = appendAttributes(key, x.tableKey.all, item)
	return string(key)
}

// A projection chooses the attributes of an item that an index copies.
type projection struct {
	all   bool
	names map[string]bool // keys of table and index included; unused if all
}

func newProjection(p *api.Projection, keys ...keySchema) projection {
	if p.ProjectionType == projectAll {
		return projection{all: true}
	}
	names := make(map[string]bool)
	for _, k := range keys {
		for _, a := range k.all {
			names[a.Name] = true
		}
	}
	for _, n := range p.NonKeyAttributes {
		names[n] = true
	}
	return projection{names: names}
}

// has reports whether the projection holds a top-level attribute.
func (p projection) has(name string) bool { return p.all || p.names[name] }
