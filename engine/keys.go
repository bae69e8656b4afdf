package engine

import (
	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
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
	for _, a := range k.Hash {
		if v, _ := item.Get(a.Name); v.Size() > maxHashKeyBytes {
			return api.InvalidParameter("Size of hashkey has exceeded the maximum size limit of2048 bytes") // the service's own spelling
		}
	}
	for _, a := range k.Range {
		if v, _ := item.Get(a.Name); v.Size() > maxSortKeyBytes {
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
		if err := x.checkKey(item); err != nil {
			return err
		}
	}
	return nil
}

func (x *index) checkKey(item attr.Item) error {
	for _, a := range x.key.all {
		v, ok := item.Get(a.Name)
		switch {
		case !ok:
		case v.Type() != a.Type:
			return api.InvalidParameter("Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s", a.Name, a.Type, v.Type(), x.name)
		case isEmptyText(v):
			return api.Invalid("One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty %s value. IndexName: %s, IndexKey: %s", kindOfText(v), x.name, a.Name)
		}
	}
	return x.key.checkSizes(item)
}
