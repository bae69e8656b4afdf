// Package encode turns an entity's attributes into the item that is stored:
// the attributes as they are normalised, the key attributes that templates
// make for the table and for every index the item is in, and the guards of
// unique attributes; and it reads stored items back.
//
// It also holds what templates are made of: the template functions on values,
// and the forms in which attributes write times.
package encode

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// DynamoDB's limits on the values of key attributes, in bytes (Developer
// Guide, "Quotas": partition key values and sort key values).
const (
	MaxPartitionKey = 2048
	MaxSortKey      = 1024
)

// Chooser draws the shard, from 0 to n-1, of a {random(n)} in the template of
// the given key attribute; a nil Chooser draws 0.
type Chooser func(key string, n int) int

// of draws for the template of one key.
func (c Chooser) of(key string) func(n int) int {
	if c == nil {
		return firstShard
	}
	return func(n int) int { return c(key, n) }
}

// firstShard draws 0, where nothing else can be drawn: a guard, for one, has to
// be found again.
func firstShard(int) int { return 0 }

// Item is the whole item that is stored for an entity's attributes: the
// attributes (see Normalise), the entity type attribute, the table's keys, and
// the keys of the indexes that the item is in. The error is an *Error: the item
// cannot be stored.
func Item(m *model.Model, e *model.Entity, item model.Item, choose Chooser) (map[string]value.Value, error) {
	item = Normalise(e, item)
	stored := make(map[string]value.Value, len(item)+4)
	for name, v := range item {
		stored[name] = v
	}
	if m.Table.EntityType != "" {
		stored[m.Table.EntityType] = value.OfString(e.Type)
	}
	for _, slot := range slots(m.Table, e, item) {
		v, err := slot.make(m.Table, e, item, choose)
		if err != nil {
			return nil, err
		}
		if v.Exists() {
			stored[slot.attribute.Name] = v
		}
	}
	return stored, nil
}

// In tells whether an entity's item is in an index: every attribute in the
// index's key templates is there, and every `when` on its keys holds.
func In(t *model.Table, x *model.Index, e *model.Entity, item model.Item) bool {
	item = Normalise(e, item)
	return in(t, x, e, item)
}

func in(t *model.Table, x *model.Index, e *model.Entity, item model.Item) bool {
	return makesAll(t, x.PartitionKey, e, item) && makesAll(t, x.SortKey, e, item)
}

// makesAll tells whether an item makes all of some key attributes of an index.
func makesAll(t *model.Table, keys []model.KeyAttribute, e *model.Entity, item model.Item) bool {
	for _, k := range keys {
		template, ok := KeyTemplate(t, e, k.Name)
		if !ok || !present(template, item) {
			return false
		}
		if key := e.Key(k.Name); key != nil && key.When != nil && !Holds(key.When.Cond, e, item) {
			return false
		}
	}
	return true
}

// KeyTemplate is how an entity makes a key attribute: by its own template, or
// by its type name where the key attribute is the entity type attribute. False
// when it does not make it.
func KeyTemplate(t *model.Table, e *model.Entity, attribute string) (model.Template, bool) {
	if k := e.Key(attribute); k != nil {
		return k.Template, true
	}
	if attribute == t.EntityType && attribute != "" {
		return model.Template{At: e.At, Text: e.Type, Parts: []model.Part{{At: e.At, Literal: e.Type}}}, true
	}
	return model.Template{}, false
}

// present tells whether every attribute of a template is there.
func present(t model.Template, item model.Item) bool {
	for _, p := range t.Parts {
		if p.Attribute != nil && !Lookup(item, p.Path).Exists() {
			return false
		}
	}
	return true
}

// Lookup is the value at the end of a path; absent when there is none.
func Lookup(item model.Item, path expr.Path) value.Value {
	v := item[path.Name]
	for _, step := range path.Rest {
		if step.Name != "" {
			v = v.Field(step.Name)
		} else if items := v.Items(); v.Kind() == value.List && step.Index < len(items) {
			v = items[step.Index]
		} else {
			return value.Value{}
		}
	}
	return v
}
