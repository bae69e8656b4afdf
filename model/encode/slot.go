package encode

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// slot is a key attribute as one item fills it.
type slot struct {
	attribute model.KeyAttribute
	limit     int  // bytes
	required  bool // of the table: an item without it cannot be stored
	written   bool // the table or an index that includes the item uses it
}

// make is the value of the key attribute; absent when it is not to be written.
// An attribute of the entity's own is written anyway, and only checked.
func (s slot) make(t *model.Table, e *model.Entity, item model.Item, choose Chooser) (value.Value, error) {
	template, ok := KeyTemplate(t, e, s.attribute.Name)
	if !ok && s.required {
		return value.Value{}, &Error{Fault: Missing, Entity: e.Name.Text, Key: s.attribute.Name, Attribute: s.attribute.Name}
	}
	if !ok || !s.written && !isOwn(template, s.attribute.Name) {
		return value.Value{}, nil
	}
	v, err := render(template, item, choose.of(s.attribute.Name))
	if err == nil && v.Exists() {
		err = s.check(v)
	}
	if err != nil && (err.Fault != Missing || s.required) {
		err.Entity, err.Key = e.Name.Text, s.attribute.Name
		return value.Value{}, err
	}
	return v, nil
}

// isOwn tells whether a key attribute is simply the entity's attribute of that name.
func isOwn(t model.Template, key string) bool {
	whole := t.Whole()
	return whole != nil && whole.Path.Top() && whole.Path.Name == key
}

// check holds a key value against DynamoDB's rules.
func (s slot) check(v value.Value) *Error {
	switch size := len(v.Text()); {
	case v.Kind() != s.attribute.Kind:
		return &Error{Fault: WrongKind, Value: v, Want: s.attribute.Kind}
	case v.Kind() == value.Number:
		return nil
	case size == 0:
		return &Error{Fault: Empty, Value: v}
	case size > s.limit:
		return &Error{Fault: TooLong, Value: v, Limit: s.limit}
	}
	return nil
}

// tableSlots are the table's key attributes, which every item fills.
func tableSlots(t *model.Table) []slot {
	list := make([]slot, 0, 2+2*len(t.Indexes))
	list = append(list, slot{attribute: t.PartitionKey, limit: MaxPartitionKey, required: true, written: true})
	if t.SortKey != nil {
		list = append(list, slot{attribute: *t.SortKey, limit: MaxSortKey, required: true, written: true})
	}
	return list
}

// slots are all key attributes, of the table and of the indexes, each once. One
// that several of them use is written when any of them includes the item, and
// keeps the lowest of their limits.
func slots(t *model.Table, e *model.Entity, item model.Item) []slot {
	list := tableSlots(t)
	add := func(keys []model.KeyAttribute, limit int, written bool) {
		for _, k := range keys {
			i := slices.IndexFunc(list, func(s slot) bool { return s.attribute.Name == k.Name })
			if i < 0 {
				list = append(list, slot{attribute: k, limit: limit, written: written})
				continue
			}
			list[i].limit = min(list[i].limit, limit)
			list[i].written = list[i].written || written
		}
	}
	for _, x := range t.Indexes {
		written := in(t, x, e, item)
		add(x.PartitionKey, MaxPartitionKey, written)
		add(x.SortKey, MaxSortKey, written)
	}
	return list
}
