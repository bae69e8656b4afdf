package engine

import (
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
	for _, a := range k.all {
		if v, _ := item.Get(a.Name); isEmptyText(v) {
			return api.Invalid("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s", kindOfText(v), a.Name)
		}
	}
	return k.checkSizes(item)
}

func (k keySchema) checkSizes(item attr.Item) error {
	return checkKeySizes(valuesOf(k.Hash, item), valuesOf(k.Range, item))
}

func valuesOf(attributes []expr.KeyAttribute, item attr.Item) []attr.Value {
	values := make([]attr.Value, 0, 4)
	for _, a := range attributes {
		v, _ := item.Get(a.Name)
		values = append(values, v)
	}
	return values
}

// checkKeySizes checks the sizes of the values of a key, each by itself.
func checkKeySizes(hash, sort []attr.Value) error {
	for _, v := range hash {
		if v.Size() > maxHashKeyBytes {
			return api.InvalidParameter("Size of hashkey has exceeded the maximum size limit of2048 bytes") // the service's own spelling
		}
	}
	for _, v := range sort {
		if v.Size() > maxSortKeyBytes {
			return api.InvalidParameter("Aggregated size of all range keys has exceeded the size limit of 1024 bytes")
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
		if a, v, ok := x.misfit(item); ok {
			if isEmptyText(v) {
				return api.Invalid("One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty %s value. IndexName: %s, IndexKey: %s", kindOfText(v), x.name, a.Name)
			}
			return api.InvalidParameter("Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s", a.Name, a.Type, v.Type(), x.name)
		}
		if err := x.key.checkSizes(item); err != nil {
			return err
		}
	}
	return nil
}

// checkUpdatedIndexKeys is checkIndexKeys for an item that an update made, of
// which the service speaks in other words.
func (s *schema) checkUpdatedIndexKeys(item attr.Item) error {
	for _, x := range s.indexes {
		if _, v, ok := x.misfit(item); ok {
			if isEmptyText(v) {
				return api.Invalid("One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty %s value.", kindOfText(v))
			}
			return api.Invalid("The update expression attempted to update the secondary index key to unsupported type")
		}
		if err := x.key.checkSizes(item); err != nil {
			return err
		}
	}
	return nil
}

// misfit returns the first key attribute of the index that the item has with a
// value that cannot be a key.
func (x *index) misfit(item attr.Item) (a expr.KeyAttribute, v attr.Value, found bool) {
	for _, a := range x.key.all {
		if v, ok := item.Get(a.Name); ok && (v.Type() != a.Type || isEmptyText(v)) {
			return a, v, true
		}
	}
	return a, v, false
}

// takes reports whether the item can be in the index as far as its values go.
func (x *index) takes(item attr.Item) bool {
	_, _, misfits := x.misfit(item)
	return !misfits && x.key.checkSizes(item) == nil
}
