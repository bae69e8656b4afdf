package engine

import (
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
	return k.checkValues(key)
}

// checkItem checks the key attributes of an item that is to be put.
func (k keySchema) checkItem(item attr.Item) error {
	for _, a := range k.all {
		v, ok := item.Get(a.Name)
		if !ok {
			return api.InvalidParameter("Missing the key %s in the item", a.Name)
		}
		if v.Type() != a.Type {
			return api.InvalidParameter("Type mismatch for key %s expected: %s actual: %s", a.Name, a.Type, v.Type())
		}
	}
	return k.checkValues(item)
}

// checkValues checks emptiness and size of key values of the right types.
func (k keySchema) checkValues(item attr.Item) error {
	for i, a := range k.all {
		v, _ := item.Get(a.Name)
		if isEmptyText(v) {
			return api.Invalid("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s", kindOfText(v), a.Name)
		}
		if err := k.checkSize(i, v); err != nil {
			return err
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

// checkIndexKeys checks the attributes of an item that are keys of indexes. An
// item may lack them, but not have them with another type.
func (s *schema) checkIndexKeys(item attr.Item) error {
	for _, x := range s.indexes {
		a, v, err := x.misfit(item)
		switch {
		case err != nil:
			return err
		case isEmptyText(v):
			return api.Invalid("One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty %s value. IndexName: %s, IndexKey: %s", kindOfText(v), x.name, a.Name)
		case v.Exists():
			return api.InvalidParameter("Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s", a.Name, a.Type, v.Type(), x.name)
		}
	}
	return nil
}

// checkUpdatedIndexKeys is checkIndexKeys for an item that an update made, of
// which the service speaks in other words.
func (s *schema) checkUpdatedIndexKeys(item attr.Item) error {
	for _, x := range s.indexes {
		_, v, err := x.misfit(item)
		switch {
		case err != nil:
			return err
		case isEmptyText(v):
			return api.Invalid("One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty %s value.", kindOfText(v))
		case v.Exists():
			return api.Invalid("The update expression attempted to update the secondary index key to unsupported type")
		}
	}
	return nil
}

// misfit returns the first key attribute of the index that the item has with a
// value that cannot be a key, and that value; there is no value if all fit. The
// error is about a value that is too large.
func (x *index) misfit(item attr.Item) (a expr.KeyAttribute, v attr.Value, err error) {
	for i, a := range x.key.all {
		v, ok := item.Get(a.Name)
		if !ok {
			continue
		}
		if v.Type() != a.Type || isEmptyText(v) {
			return a, v, nil
		}
		if err := x.key.checkSize(i, v); err != nil {
			return a, attr.Value{}, err
		}
	}
	return a, v, nil
}

// fitting returns the entry of an item that was written before there was the
// index: none if it has values that cannot be the key.
func (x *index) fitting(item attr.Item) entry {
	if _, v, err := x.misfit(item); err != nil || v.Exists() {
		return entry{}
	}
	return x.entry(item)
}
