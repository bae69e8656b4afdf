package engine

import (
	"cmp"
	"slices"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
)

// Greatest sizes of key values in bytes (service quotas, DynamoDB developer
// guide).
const (
	maxHashKeyBytes = 2048
	maxSortKeyBytes = 1024
)

var errKeyShape = api.Invalid("The provided key element does not match the schema")

// checkKey checks that key has exactly the table's key attributes.
func (k keySchema) checkKey(key attr.Item) error {
	n := 0
	for name, v := range key.All() {
		typ, ok := k.typeOf(name)
		if !ok || v.Type() != typ {
			return errKeyShape
		}
		n++
	}
	if n != len(k.all) {
		return errKeyShape
	}
	return k.checkValues(key, invalidParameter)
}

// fits reports whether an item has all key attributes with their types.
func (k keySchema) fits(item attr.Item) bool {
	for _, a := range k.all {
		if v, _ := item.Get(a.Name); v.Type() != a.Type {
			return false
		}
	}
	return true
}

// checkItem checks the key attributes of an item that is to be put. In a batch
// the service has the same words for it as for keys.
func (k keySchema) checkItem(item attr.Item, batched bool) error {
	for _, a := range k.all {
		v, ok := item.Get(a.Name)
		if batched && v.Type() != a.Type {
			return errKeyShape
		}
		if !ok {
			return api.InvalidParameter("Missing the key %s in the item", a.Name)
		}
		if v.Type() != a.Type {
			return api.InvalidParameter("Type mismatch for key %s expected: %s actual: %s", a.Name, a.Type, v.Type())
		}
	}
	return k.checkValues(item, invalidKeyValue)
}

// invalidParameter is api.InvalidParameter as an error.
func invalidParameter(format string, args ...any) error { return api.InvalidParameter(format, args...) }

// invalidKeyValue is a refusal of a value that cannot be a key.
func invalidKeyValue(format string, args ...any) error {
	return api.Invalid("One or more parameter values are not valid. "+format, args...)
}

// checkValues checks emptiness and size of key values of the right types; empty
// makes the refusal of an empty one.
func (k keySchema) checkValues(item attr.Item, empty func(format string, args ...any) error) error {
	if err := k.checkNotEmpty(item, empty); err != nil {
		return err
	}
	for i, a := range k.all {
		v, _ := item.Get(a.Name)
		if err := k.checkSize(i, v); err != nil {
			return err
		}
	}
	return nil
}

func (k keySchema) checkNotEmpty(item attr.Item, empty func(format string, args ...any) error) error {
	for _, a := range k.all {
		if v, _ := item.Get(a.Name); isEmptyText(v) {
			return empty("The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s", kindOfText(v), a.Name)
		}
	}
	return nil
}

// checkSize checks the size of the value of the key attribute with number i.
func (k keySchema) checkSize(i int, v attr.Value) error {
	switch size := v.Size(); {
	case i < len(k.Hash) && size > maxHashKeyBytes:
		return api.InvalidParameter("Size of hashkey has exceeded the maximum size limit of2048 bytes") // the service's own spelling
	case i >= len(k.Hash) && size > maxSortKeyBytes:
		return api.InvalidParameter("Aggregated size of all range keys has exceeded the size limit of 1024 bytes")
	}
	return nil
}

// checkRange checks the sizes of the values that a query is about.
func (k keySchema) checkRange(r *expr.KeyRange) error {
	for i, v := range r.Hash {
		if err := k.checkSize(i, v); err != nil {
			return err
		}
	}
	for _, v := range append(slices.Clip(r.Equal), r.Value, r.High) {
		if err := k.checkSize(len(k.Hash), v); err != nil {
			return err
		}
	}
	return nil
}

func isEmptyText(v attr.Value) bool {
	return (v.Type() == attr.S || v.Type() == attr.B) && v.Text() == ""
}

func kindOfText(v attr.Value) string {
	if v.Type() == attr.B {
		return "binary"
	}
	return "string"
}

// A misfit is a value that cannot be a key of an index.
type misfit struct {
	index    *index
	key      expr.KeyAttribute
	value    attr.Value
	tooLarge error
}

// misfit returns what is wrong with the item's value of the index's key
// attribute with number i. An item may lack it.
func (x *index) misfit(item attr.Item, i int) (m misfit, found bool) {
	a := x.key.all[i]
	v, ok := item.Get(a.Name)
	if !ok {
		return misfit{}, false
	}
	m = misfit{index: x, key: a, value: v}
	if v.Type() != a.Type || isEmptyText(v) {
		return m, true
	}
	m.tooLarge = x.key.checkSize(i, v)
	return m, m.tooLarge != nil
}

// misfit returns the first value that cannot be a key of one of the indexes, by
// the names of attributes and indexes. Values that the item had before are not
// looked at.
func (s *schema) misfit(item, before attr.Item) (first misfit, found bool) {
	for _, x := range s.indexes {
		for i := range x.key.all {
			m, ok := x.misfit(item, i)
			if !ok || found && cmp.Or(cmp.Compare(first.key.Name, m.key.Name), cmp.Compare(first.index.name, x.name)) < 0 {
				continue
			}
			if old, _ := before.Get(m.key.Name); old == m.value {
				continue
			}
			first, found = m, true
		}
	}
	return first, found
}

// checkIndexKeys checks the attributes of an item that are keys of indexes.
func (s *schema) checkIndexKeys(item attr.Item) error {
	m, found := s.misfit(item, attr.Item{})
	if found && isEmptyText(m.value) {
		return m.empty()
	}
	return m.refusal()
}

// empty is what the service says of an empty value in an item.
func (m misfit) empty() error {
	return invalidKeyValue("A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty %s value. IndexName: %s, IndexKey: %s", kindOfText(m.value), m.index.name, m.key.Name)
}

// checkUpdatedIndexKeys is checkIndexKeys for an item that an update made, of
// whose empty values the service speaks in other words.
func (s *schema) checkUpdatedIndexKeys(item, before attr.Item) error {
	m, found := s.misfit(item, before)
	if found && isEmptyText(m.value) {
		return invalidKeyValue("The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty %s value.", kindOfText(m.value))
	}
	return m.refusal()
}

// refusal is what the service says of a misfit that is not empty.
func (m misfit) refusal() error {
	switch {
	case m.index == nil:
		return nil
	case m.tooLarge != nil:
		return m.tooLarge
	}
	return api.InvalidParameter("Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s", m.key.Name, m.key.Type, m.value.Type(), m.index.name)
}

// fitting returns the entry of an item that was written before there was the
// index: none if it has values that cannot be the key.
func (x *index) fitting(item attr.Item) entry {
	for i := range x.key.all {
		if _, found := x.misfit(item, i); found {
			return entry{}
		}
	}
	return x.entry(item)
}
