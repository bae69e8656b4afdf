package engine

import (
	"math"
	"slices"
	"strconv"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
)

// dimensionBytes is what a vector index stores of each number: 32 bits.
const dimensionBytes = 4

// A vectorIndex is a vector index of a schema. Its entries are in the order of
// the HASH attribute, if it has one, and then of the table's key.
type vectorIndex struct {
	index
	attribute  string
	dimensions int
	distance   distance
	filters    []expr.KeyAttribute // that searches can be narrowed by, beside the HASH attribute
}

// vector returns the named vector index, or nil.
func (s *schema) vector(name string) *vectorIndex {
	for _, x := range s.vectors {
		if x.name == name {
			return x
		}
	}
	return nil
}

// entry returns the entry of an item, or none if the item lacks the vector or
// the HASH attribute. Its size is that of the data in the index, where numbers
// of vectors are short.
func (x *vectorIndex) entry(item attr.Item) entry {
	v, ok := item.Get(x.attribute)
	if !ok {
		return entry{}
	}
	e := x.index.entry(item)
	if e.key != "" {
		e.size += x.dimensions*dimensionBytes - v.Size()
	}
	return e
}

// fitting is entry for an item that was written before there was the index.
func (x *vectorIndex) fitting(item attr.Item) entry {
	if x.check(item) != nil {
		return entry{}
	}
	return x.entry(item)
}

// checkVectors checks the attributes of an item that vector indexes are about.
// An item may lack them.
func (s *schema) checkVectors(item attr.Item) error {
	for _, x := range s.vectors {
		if err := x.check(item); err != nil {
			return err
		}
	}
	return nil
}

func (x *vectorIndex) check(item attr.Item) error {
	for _, a := range append(slices.Clip(x.key.all), x.filters...) {
		if v, ok := item.Get(a.Name); ok && v.Type() != a.Type {
			return api.InvalidParameter("Type mismatch for Index Key %s Expected: %s Actual: %s IndexName: %s", a.Name, a.Type, v.Type(), x.name)
		}
	}
	if v, ok := item.Get(x.attribute); ok {
		if v.Type() != attr.L {
			return api.InvalidParameter("Invalid parameter type for vector attribute %s: expected a list of numbers, actual: %s IndexName: %s", x.attribute, v.Type(), x.name)
		}
		_, err := x.vectorOf(slices.Collect(v.Elements()))
		return err
	}
	return nil
}

// vectorOf returns numbers as a vector of the index.
func (x *vectorIndex) vectorOf(numbers []attr.Value) ([]float32, error) {
	if len(numbers) != x.dimensions {
		return nil, api.InvalidParameter("The vector has %d dimensions, but index %s has %d", len(numbers), x.name, x.dimensions)
	}
	vector := make([]float32, len(numbers))
	for i, n := range numbers {
		if n.Type() != attr.N {
			return nil, api.InvalidParameter("Invalid parameter type for element %d of a vector: expected N, actual: %s IndexName: %s", i, n.Type(), x.name)
		}
		f, err := strconv.ParseFloat(n.Number(), 32)
		if err != nil {
			return nil, api.InvalidParameter("Element %d of a vector is not a 32-bit floating point number: %s IndexName: %s", i, n.Number(), x.name)
		}
		vector[i] = float32(f)
	}
	return vector, nil
}

// vectorBytes is the cost of writing so many bytes to a vector index: those
// bytes, but at least a kilobyte.
func vectorBytes(size int) float64 { return float64(max(1<<10, size)) }

// A distance is the function that orders vectors by their similarity.
type distance string

// The distance functions.
const (
	cosine     distance = "COSINE"
	euclidean  distance = "EUCLIDEAN"
	dotProduct distance = "DOT_PRODUCT"
)

// score compares two vectors. A vector of zeros has no direction: it is in the
// middle between alike and opposite.
func (d distance) score(a, b []float32) float64 {
	var dot, squares, normA, normB float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		dot += x * y
		squares += (x - y) * (x - y)
		normA += x * x
		normB += y * y
	}
	switch {
	case d == dotProduct:
		return dot
	case d == euclidean:
		return math.Sqrt(squares)
	case normA == 0 || normB == 0:
		return 1
	}
	return 1 - dot/math.Sqrt(normA*normB)
}

// closer reports whether score a is that of a more similar vector than b's.
func (d distance) closer(a, b float64) bool {
	if d == dotProduct {
		return a > b
	}
	return a < b
}
