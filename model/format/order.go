package format

import (
	"slices"
)

// The widest line in which a collection stays in brackets. Samples are rows of
// data, which are easier to compare on a line each.
const (
	lineWidth   = 120
	sampleWidth = 240
)

// shape says how a part of a model is laid out.
type shape struct {
	keys    []string          // in their order; nil when the order is the author's
	members map[string]*shape // of the values under keys
	each    *shape            // of every other value, and of list items
	width   int               // the widest line; 0: lineWidth
	spaced  bool              // blank lines stand between members of several lines
}

// member is the shape of the value under a key; never nil.
func (s *shape) member(key string) *shape {
	if m := s.members[key]; m != nil {
		return m
	}
	if s.each != nil {
		return s.each
	}
	return &shape{width: s.width}
}

// rank is the place of a key among its neighbours. Merge keys come first, unknown
// keys last.
func (s *shape) rank(key string) int {
	if key == "<<" {
		return -1
	}
	if i := slices.Index(s.keys, key); i >= 0 {
		return i
	}
	return len(s.keys)
}

// inOrder sorts members by their keys where the shape says so.
func inOrder[E any](s *shape, members []E, key func(E) string) []E {
	if s.keys == nil {
		return members
	}
	sorted := slices.Clone(members)
	slices.SortStableFunc(sorted, func(a, b E) int { return s.rank(key(a)) - s.rank(key(b)) })
	return sorted
}

// asWritten is the shape that leaves every order as it is.
func asWritten() *shape { return &shape{} }

// modelShape is the layout of a whole model: the orders of docs/language.md.
func modelShape() *shape {
	ignores := list(keys("rule", "reason"))
	attribute := attributeShape()
	return &shape{
		keys: []string{"version", "name", "description", "table", "common", "entities", "access_patterns", "samples",
			"include", "ignore", "generate"},
		spaced: true,
		members: map[string]*shape{
			"table":           tableShape(ignores),
			"common":          {each: attribute},
			"entities":        {each: entityShape(attribute, ignores), spaced: true},
			"access_patterns": list(patternShape(attribute, ignores)),
			"samples":         {width: sampleWidth},
			"ignore":          ignores,
		},
	}
}

func keys(names ...string) *shape { return &shape{keys: names} }

// list is the shape of a collection whose members are all alike.
func list(each *shape) *shape { return &shape{each: each} }

func tableShape(ignores *shape) *shape {
	capacity := &shape{keys: []string{"description", "on_demand", "provisioned"}, members: map[string]*shape{
		"on_demand": keys("description", "max_read", "max_write", "warm_read", "warm_write"),
		"provisioned": {keys: []string{"description", "read", "write", "autoscaling"}, members: map[string]*shape{
			"autoscaling": keys("description", "min", "max", "target"),
		}},
	}}
	key := keys("name", "type", "description")
	index := &shape{
		keys:    []string{"description", "partition_key", "sort_key", "projection", "local", "capacity", "ignore"},
		members: map[string]*shape{"partition_key": key, "sort_key": key, "capacity": capacity, "ignore": ignores},
	}
	return &shape{
		keys: []string{"name", "description", "partition_key", "sort_key", "entity_type", "indexes", "capacity", "ttl", "stream",
			"point_in_time_recovery", "isolate_by", "dax", "deletion_protection", "class", "encryption", "tags", "region",
			"replicas", "consistency", "roles"},
		members: map[string]*shape{
			"partition_key": key, "sort_key": key, "indexes": list(index), "capacity": capacity,
			"stream": keys("view", "consumers", "description"), "dax": keys("nodes", "type", "description"),
		},
	}
}

// attributeShape is the layout of an attribute's declaration, and of the members
// of lists and maps in it.
func attributeShape() *shape {
	s := &shape{keys: []string{"type", "ref", "copy_of", "snapshot_of", "count_of", "sum_of", "by", "where", "kept_by",
		"values", "items", "keys", "attributes", "precision", "zone", "pattern", "min", "max", "length", "size", "stored",
		"optional", "present_with", "default", "derive", "on_write", "version", "immutable", "minted", "value", "description"}}
	s.members = map[string]*shape{"items": s, "attributes": list(s)}
	return s
}

func entityShape(attribute, ignores *shape) *shape {
	return &shape{
		keys: []string{"description", "type", "attributes", "identity", "keys", "unique", "invariants", "live", "volume", "ignore"},
		members: map[string]*shape{
			"attributes": list(attribute),
			"keys":       list(keys("template", "when", "description")),
			"unique":     list(keys("of", "key", "when", "description")),
			"volume":     volumeShape(),
			"ignore":     ignores,
		},
	}
}

// volumeShape fits one volume and a list of them.
func volumeShape() *shape {
	rate := keys("each", "value", "description")
	v := &shape{
		keys:    []string{"description", "per", "count", "average", "rate", "keep", "growth", "size"},
		members: map[string]*shape{"rate": rate},
	}
	v.each = v
	return v
}

// operations are the keys that say what a pattern or a step does.
func operations() []string {
	return []string{"get", "batch_get", "transact_get", "query", "scan", "create", "put", "update", "delete", "check",
		"batch_write", "transact_write", "partiql", "delete_each", "update_each", "external"}
}

func patternShape(attribute, ignores *shape) *shape {
	steps := stepsShape()
	return &shape{
		keys: slices.Concat([]string{"name", "description", "require"}, operations(), []string{
			"must_exist", "with", "change", "if", "old", "read_first", "upsert", "unversioned", "token",
			"returns", "where", "filter", "order", "limit", "one", "select", "count", "page", "span", "then",
			"index", "key", "consistent", "include_dead", "allow_filter", "across", "params", "after",
			"rate", "peak", "skew", "daily", "budget", "examples", "ignore"}),
		members: map[string]*shape{
			"transact_get": steps, "batch_get": steps, "batch_write": steps, "transact_write": steps,
			"then":     keys("batch_get", "by", "description"),
			"params":   list(attribute),
			"rate":     keys("each", "value", "description"),
			"peak":     keys("each", "value", "description"),
			"budget":   keys("requests", "rcu", "wcu", "items_read", "description"),
			"examples": list(&shape{keys: []string{"description", "with", "expect"}, width: sampleWidth}),
			"ignore":   ignores,
		},
	}
}

func stepsShape() *shape {
	step := &shape{keys: slices.Concat([]string{"description", "for_each", "count", "steps"}, operations(),
		[]string{"must_exist", "with", "change", "if", "old", "read_first", "upsert", "unversioned"})}
	steps := list(step)
	step.members = map[string]*shape{"steps": steps}
	return steps
}
