package engine

import (
	"github.com/dynmodel/dynmodel/engine/api"
)

// Sizes of capacity units in bytes (read/write capacity mode, DynamoDB
// developer guide).
const (
	readUnitBytes  = 4 << 10
	writeUnitBytes = 1 << 10
)

// The values of ReturnConsumedCapacity.
const (
	capacityTotal   = "TOTAL"
	capacityIndexes = "INDEXES"
)

// readUnits is the cost of reading so many bytes at once: an eventually
// consistent read of up to 4 KB costs half a unit, a consistent one a whole.
func readUnits(size int, consistent bool) float64 {
	units := float64(max(1, (size+readUnitBytes-1)/readUnitBytes))
	if !consistent {
		units /= 2
	}
	return units
}

// writeUnits is the cost of writing so many bytes at once.
func writeUnits(size int) float64 {
	return float64(max(1, (size+writeUnitBytes-1)/writeUnitBytes))
}

// A meter adds up what a request consumes of one table, in units.
type meter struct {
	schema  *schema
	table   float64
	indexes []indexUse
	vectors []vectorUse
	writes  bool // units of writing, not of reading
	split   bool // the answer says whether units are of reading or writing
}

// indexUse is what was consumed of one index, in units.
type indexUse struct {
	index *index
	units float64
}

// vectorUse is what was written to one vector index, in bytes.
type vectorUse struct {
	index *vectorIndex
	bytes float64
}

// addIndex counts units of an index.
func (m *meter) addIndex(x *index, units float64) {
	for i := range m.indexes {
		if m.indexes[i].index == x {
			m.indexes[i].units += units
			return
		}
	}
	m.indexes = append(m.indexes, indexUse{x, units})
}

// addVector counts bytes written to a vector index.
func (m *meter) addVector(x *vectorIndex, bytes float64) {
	for i := range m.vectors {
		if m.vectors[i].index == x {
			m.vectors[i].bytes += bytes
			return
		}
	}
	m.vectors = append(m.vectors, vectorUse{x, bytes})
}

// add adds what another meter of the same table has measured.
func (m *meter) add(other *meter) {
	m.table += other.table
	for _, x := range other.indexes {
		m.addIndex(x.index, x.units)
	}
	for _, x := range other.vectors {
		m.addVector(x.index, x.bytes)
	}
}

// consumed returns the figures as far as the request asked for them.
func (m *meter) consumed(want string) *api.ConsumedCapacity {
	if want != capacityTotal && want != capacityIndexes {
		return nil
	}
	total := m.table
	for _, x := range m.indexes {
		total += x.units
	}
	all := m.capacity(total)
	c := &api.ConsumedCapacity{
		TableName:          m.schema.table,
		CapacityUnits:      total,
		ReadCapacityUnits:  all.ReadCapacityUnits,
		WriteCapacityUnits: all.WriteCapacityUnits,
	}
	if want == capacityIndexes {
		table := m.capacity(m.table)
		c.Table = &table
		for _, x := range m.indexes {
			group := &c.GlobalSecondaryIndexes
			if x.index.local {
				group = &c.LocalSecondaryIndexes
			}
			if *group == nil {
				*group = make(map[string]api.Capacity)
			}
			(*group)[x.index.name] = m.capacity(x.units)
		}
		for _, x := range m.vectors {
			if c.VectorIndexes == nil {
				c.VectorIndexes = make(map[string]api.VectorCapacity)
			}
			c.VectorIndexes[x.index.name] = api.VectorCapacity{VectorWriteRequestBytes: &x.bytes}
		}
	}
	return c
}

func (m *meter) capacity(units float64) api.Capacity {
	c := api.Capacity{CapacityUnits: units}
	switch {
	case !m.split:
	case m.writes:
		c.WriteCapacityUnits = &units
	default:
		c.ReadCapacityUnits = &units
	}
	return c
}

// transactional is what reading or writing in a transaction costs, as a
// multiple of what it costs otherwise.
const transactional = 2

// meters are those of a transaction, one for each table.
type meters struct {
	writes bool
	all    []*meter // in the order of first use
}

func newMeters(writes bool) *meters { return &meters{writes: writes} }

func (ms *meters) of(s *schema) *meter {
	for _, m := range ms.all {
		if m.schema == s {
			return m
		}
	}
	m := &meter{schema: s, writes: ms.writes, split: true}
	ms.all = append(ms.all, m)
	return m
}

// consumed returns the figures of every table, as far as they were asked for.
func (ms *meters) consumed(want string) []api.ConsumedCapacity {
	var list []api.ConsumedCapacity
	for _, m := range ms.all {
		if c := m.consumed(want); c != nil {
			list = append(list, *c)
		}
	}
	return list
}
