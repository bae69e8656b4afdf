package encode

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// Guard is the item that keeps a unique value for one item of an entity. It
// holds nothing but its table key.
type Guard struct {
	Unique *model.Unique
	Key    map[string]value.Value
}

// Guards are the guards of an entity's item, in the order of its `unique`. An
// item that lacks an attribute of one, or for which its `when` does not hold,
// has no guard of it. The error is an *Error: the guard cannot be stored.
func Guards(m *model.Model, e *model.Entity, item model.Item) ([]Guard, error) {
	item = Normalise(e, item)
	var guards []Guard
	for _, u := range e.Unique {
		if !guarded(u, e, item) {
			continue
		}
		key, err := guardKey(m.Table, u, e, item)
		if err != nil {
			return nil, err
		}
		guards = append(guards, Guard{Unique: u, Key: key})
	}
	return guards, nil
}

// guarded tells whether an item has a guard of a `unique`.
func guarded(u *model.Unique, e *model.Entity, item model.Item) bool {
	for _, a := range u.Of {
		if !item[a.Name.Text].Exists() {
			return false
		}
	}
	return u.When == nil || Holds(u.When.Cond, e, item)
}

func guardKey(t *model.Table, u *model.Unique, e *model.Entity, item model.Item) (map[string]value.Value, error) {
	key := make(map[string]value.Value, len(u.Keys))
	for _, slot := range tableSlots(t) {
		for _, k := range u.Keys {
			if k.Name.Text != slot.attribute.Name {
				continue
			}
			v, err := render(k.Template, item, firstShard)
			if err == nil {
				err = slot.check(v)
			}
			if err != nil {
				err.Entity, err.Key = e.Name.Text, slot.attribute.Name
				return nil, err
			}
			key[slot.attribute.Name] = v
		}
	}
	return key, nil
}
