package verify

import (
	"fmt"
	"maps"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// record is an item as it is stored, with what it stands for.
type record struct {
	in    model.Instance // for a guard, the item whose value it guards
	guard *model.Unique  // set on guards
	item  plan.Stored
	key   string // the table key, as one text
	id    string // the identity of in
}

// clash are two records of different things that have one table key.
type clash struct{ first, second *record }

// keyOf are the table key attributes of a stored item.
func keyOf(t *model.Table, item plan.Stored) plan.Stored {
	key := make(plan.Stored, 2)
	for _, k := range t.Keys() {
		key[k.Name] = item[k.Name]
	}
	return key
}

// keyText is the table key of a stored item as one text.
func keyText(t *model.Table, item plan.Stored) string {
	text := make([]byte, 0, 128) // most keys are shorter
	for _, k := range t.Keys() {
		v := item[k.Name]
		text = append(text, v.Kind().String()...)
		text = append(text, v.Text()...)
		text = append(text, 0)
	}
	return string(text)
}

// spread draws different shards for different items of a world.
func spread(position int) encode.Chooser {
	return func(_ string, n int) int { return position % n }
}

// first draws the shard 0 always, so that an item that is encoded afresh can
// be compared with the one that a write has stored.
func first(int) encode.Chooser { return func(string, int) int { return 0 } }

// maxItem is the most bytes of an item (Developer Guide, "Quotas").
const maxItem = 400 << 10

// recordsOf are the records of one item: itself and its guards. The error says
// why the item cannot be stored.
func recordsOf(m *model.Model, in model.Instance, choose encode.Chooser) ([]*record, error) {
	item, err := encode.Item(m, in.Entity, in.Item, choose)
	if err != nil {
		return nil, err
	}
	if size := plan.Size(item); size > maxItem {
		return nil, fmt.Errorf("it has %d bytes, and DynamoDB stores %d", size, maxItem)
	}
	id := oracle.Identity(in)
	out := []*record{{in: in, item: item, key: keyText(m.Table, item), id: id}}
	guards, err := encode.Guards(m, in.Entity, in.Item)
	if err != nil {
		return nil, err
	}
	for _, g := range guards {
		out = append(out, &record{in: in, guard: g.Unique, item: g.Key, key: keyText(m.Table, g.Key), id: id})
	}
	return out, nil
}

// is tells whether the record is that of an item itself.
func (r *record) is(in model.Instance) bool { return r.guard == nil && r.id == oracle.Identity(in) }

// strange is a record of what was found under a key where nothing has to be;
// in has no entity when it is of none.
func strange(in model.Instance, key string) *record {
	r := &record{in: in, key: key}
	if in.Entity != nil {
		r.id = oracle.Identity(in)
	}
	return r
}

// set is a world as it is stored: what can be stored of it, each key once.
type set struct {
	records []*record
	byKey   map[string]int // index into records
	stored  []model.Instance
	world   *oracle.World // of what is stored
	clashes []clash
}

// encoded makes the records of a world. Of two items on one key the first
// stays; an item that cannot be stored is left out. What stays is a world too.
func encoded(instances []model.Instance, records func(position int, in model.Instance) ([]*record, error)) *set {
	s := &set{byKey: make(map[string]int, len(instances))}
	for i, in := range instances {
		records, err := records(i, in)
		if err != nil {
			continue
		}
		if c, clashing := ownClash(records); clashing {
			s.clashes = append(s.clashes, c)
			continue
		}
		if other := s.holder(records); other >= 0 {
			s.clashes = append(s.clashes, clash{s.records[other], sharer(records, s.records[other].key)})
			continue
		}
		for _, r := range records {
			s.byKey[r.key] = len(s.records)
			s.records = append(s.records, r)
		}
		s.stored = append(s.stored, in)
	}
	s.world = oracle.NewWorld(s.stored)
	return s
}

// under is what is stored under a key, nil when nothing is.
func (s *set) under(key string) plan.Stored {
	if i, here := s.byKey[key]; here {
		return s.records[i].item
	}
	return nil
}

// has tells whether a record is stored; in no set none is.
func (s *set) has(r *record) bool {
	if s == nil {
		return false
	}
	i, here := s.byKey[r.key]
	return here && (s.records[i] == r || equalItems(s.records[i].item, r.item))
}

// of are the records of the item with that identity, itself first and then its guards.
func (s *set) of(id string) []*record {
	i := slices.IndexFunc(s.records, func(r *record) bool { return r.id == id })
	if i < 0 {
		return nil
	}
	n := i + 1
	for n < len(s.records) && s.records[n].id == id {
		n++
	}
	return s.records[i:n]
}

// items are the records of an entity's items, without those of guards.
func (s *set) items(e *model.Entity) []*record {
	var out []*record
	for _, r := range s.records {
		if r.guard == nil && r.in.Entity == e {
			out = append(out, r)
		}
	}
	return out
}

// without is the world less one item.
func (s *set) without(in model.Instance) *set {
	id := oracle.Identity(in)
	rest := &set{world: s.world.Without(in), byKey: make(map[string]int, len(s.records))}
	rest.stored = rest.world.Instances()
	for _, r := range s.records {
		if r.id != id {
			rest.byKey[r.key] = len(rest.records)
			rest.records = append(rest.records, r)
		}
	}
	return rest
}

// next is the world that a write leaves: the records of the items that it
// changes are made anew, or are no more. The error says which cannot be stored.
func (s *set) next(out oracle.Outcome, make func(model.Instance) ([]*record, error)) (*set, error) {
	next := s
	var added []*record
	for _, c := range out.Changes {
		if c.Before != nil {
			next = next.without(*c.Before)
		}
		if c.After == nil {
			continue
		}
		records, err := make(*c.After)
		if err != nil {
			return nil, err
		}
		added = append(added, records...)
	}
	return next.with(out.World, added), nil
}

// with is the world with more records, which stands for the given one.
func (s *set) with(world *oracle.World, added []*record) *set {
	more := &set{world: world, stored: world.Instances(), records: slices.Concat(s.records, added), byKey: maps.Clone(s.byKey)}
	for i, r := range added {
		more.byKey[r.key] = len(s.records) + i
	}
	return more
}

// holder is the record that holds the key of one of the given records, or -1.
func (s *set) holder(records []*record) int {
	for _, r := range records {
		if i, taken := s.byKey[r.key]; taken {
			return i
		}
	}
	return -1
}

// ownClash is two records of one item that have one key: guards of different
// values, or the item and a guard of it.
func ownClash(records []*record) (clash, bool) {
	for i, r := range records {
		for _, other := range records[:i] {
			if other.key == r.key {
				return clash{other, r}, true
			}
		}
	}
	return clash{}, false
}

func sharer(records []*record, key string) *record {
	return records[slices.IndexFunc(records, func(r *record) bool { return r.key == key })]
}

// sameThing tells whether two records stand for one item, or one guard of it.
func sameThing(a, b *record) bool {
	return a.guard == b.guard && a.id == b.id
}

// equalItems tells whether two stored items are the same.
func equalItems(a, b plan.Stored) bool {
	if len(a) != len(b) {
		return false
	}
	for name, v := range a {
		w, ok := b[name]
		if !ok || !value.Equal(v, w) {
			return false
		}
	}
	return true
}
