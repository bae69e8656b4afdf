package differ

import (
	"math/rand/v2"
	"slices"

	"github.com/dynmodel/dynmodel/engine/enginetest"
)

// object is a request, or a part of one.
type object = map[string]any

// generator makes up a schema and operations on it. The same source of
// randomness makes the same operations.
type generator struct {
	random *rand.Rand
	schema enginetest.Schema
	// partial lets items have some attributes of an index key but not all.
	// DynamoDB Local charges index writes for them, though there is no entry,
	// so that writes of such a sequence do not ask for their capacity.
	partial bool
}

func newGenerator(random *rand.Rand) *generator {
	g := &generator{random: random}
	g.partial = g.chance(40)
	g.schema = g.newSchema()
	return g
}

// attributes are the names that items are made of, besides the keys.
var attributes = []string{"aa", "bb", "cc", "dd", "ee"}

func (g *generator) newSchema() enginetest.Schema {
	key := func(name string) enginetest.Attribute {
		return enginetest.Attribute{Name: name, Type: pick(g, "S", "S", "N", "B")}
	}
	schema := enginetest.Schema{Hash: key("pk")}
	if g.chance(70) {
		sort := key("sk")
		schema.Range = &sort
		if g.chance(40) {
			schema.Indexes = append(schema.Indexes, g.project(enginetest.Index{
				Name: "local", Local: true, Range: []enginetest.Attribute{key("ls")}}))
		}
	}
	for _, name := range []string{"global1", "global2"}[:g.random.IntN(3)] {
		index := enginetest.Index{Name: name, Hash: []enginetest.Attribute{key(name + "h")}}
		if g.chance(60) {
			index.Range = []enginetest.Attribute{key(name + "r")}
		}
		schema.Indexes = append(schema.Indexes, g.project(index))
	}
	return schema
}

func (g *generator) project(index enginetest.Index) enginetest.Index {
	index.Projection = pick(g, "ALL", "KEYS_ONLY", "INCLUDE")
	if index.Projection == "INCLUDE" {
		index.NonKey = attributes[:1+g.random.IntN(2)]
	}
	return index
}

// chance is true in the given per cent of cases.
func (g *generator) chance(percent int) bool { return g.random.IntN(100) < percent }

func pick[T any](g *generator, choices ...T) T { return choices[g.random.IntN(len(choices))] }

// keyAttributes are those of the table.
func (g *generator) keyAttributes() []enginetest.Attribute {
	keys := []enginetest.Attribute{g.schema.Hash}
	if g.schema.Range != nil {
		keys = append(keys, *g.schema.Range)
	}
	return keys
}

// indexKeys are the key attributes of the indexes, those together that an
// item has or lacks together.
func (g *generator) indexKeys() [][]enginetest.Attribute {
	var keys [][]enginetest.Attribute
	for _, index := range g.schema.Indexes {
		key := append(slices.Clone(index.Hash), index.Range...)
		if !g.partial {
			keys = append(keys, key)
			continue
		}
		for _, a := range key {
			keys = append(keys, []enginetest.Attribute{a})
		}
	}
	return keys
}

// indexAttributes are the key attributes of the indexes that may be written
// one by one.
func (g *generator) indexAttributes() []enginetest.Attribute {
	var single []enginetest.Attribute
	for _, key := range g.indexKeys() {
		if len(key) == 1 {
			single = append(single, key[0])
		}
	}
	return single
}

// key makes a primary key out of few values; now and then a wrong one.
func (g *generator) key() object {
	key := object{}
	for _, a := range g.keyAttributes() {
		key[a.Name] = g.keyValue(a.Type)
	}
	if g.chance(2) {
		switch pick(g, "lacks", "extra", "type") {
		case "lacks":
			delete(key, g.schema.Hash.Name)
		case "extra":
			key["extra"] = object{"S": "x"}
		case "type":
			key[g.schema.Hash.Name] = g.value(0)
		}
	}
	return key
}

func (g *generator) keyValue(kind string) object {
	switch kind {
	case "N":
		return object{"N": pick(g, "0", "1", "2", "10", "-1", "1.5", "1e1")}
	case "B":
		return object{"B": pick(g, "AQ==", "AQI=", "/w==", "AA==")}
	}
	return object{"S": pick(g, "a", "b", "ab", "B", "é", "10", "9")}
}

// item makes an item with a key, some index keys, and some attributes.
func (g *generator) item() object {
	item := g.key()
	for _, key := range g.indexKeys() {
		if g.chance(30) {
			continue
		}
		for _, a := range key {
			item[a.Name] = g.keyValue(a.Type)
			if g.chance(1) {
				item[a.Name] = g.value(0)
			}
		}
	}
	for _, name := range attributes {
		if g.chance(50) {
			item[name] = g.value(2)
		}
	}
	if g.chance(10) {
		// Lengths keep clear of the steps of capacity, even with 100 bytes more,
		// which DynamoDB Local adds to the entries of indexes.
		item["long"] = object{"S": text(pick(g, 1300, 2350, 3400, 5400))}
	}
	return item
}

func text(length int) string {
	return string(slices.Repeat([]byte{'x'}, length))
}

// value makes a value of any type, nested up to a depth. Numbers inside of
// others are spelled as DynamoDB would: its local version returns them as they came.
func (g *generator) value(depth int) object {
	kinds := []string{"S", "S", "N", "N", "B", "BOOL", "NULL", "SS", "NS", "BS"}
	if depth > 0 {
		kinds = append(kinds, "L", "L", "M", "M")
	}
	switch kind := pick(g, kinds...); kind {
	case "S":
		return object{"S": pick(g, "", "a", "ab", "abc", "b", "é", "😀", "10", "S", "N", "SS")}
	case "N":
		return object{"N": pick(g, "0", "1", "-1", "2", "1.5", "10", "100", "123456789", "0.001", "-20.25")}
	case "B":
		return object{"B": pick(g, "", "AQ==", "AQI=", "/w==", "YWI=")}
	case "BOOL":
		return object{"BOOL": g.chance(50)}
	case "NULL":
		return object{"NULL": true}
	case "SS":
		return object{"SS": g.some("a", "b", "ab", "10")}
	case "NS":
		return object{"NS": g.some("1", "2", "10", "-1.5")}
	case "BS":
		return object{"BS": g.some("AQ==", "AQI=", "/w==")}
	case "L":
		list := []any{}
		for range g.random.IntN(4) {
			list = append(list, g.value(depth-1))
		}
		return object{"L": list}
	default:
		members := object{}
		for _, name := range attributes[:g.random.IntN(4)] {
			members[name] = g.value(depth - 1)
		}
		return object{"M": members}
	}
}

// some makes a set: at least one of the elements, each once.
func (g *generator) some(elements ...string) []string {
	set := slices.Clone(elements)
	g.random.Shuffle(len(set), func(i, j int) { set[i], set[j] = set[j], set[i] })
	return set[:1+g.random.IntN(len(set))]
}
