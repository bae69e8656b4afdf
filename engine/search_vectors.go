package engine

import (
	"context"
	"slices"
	"strconv"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
	"github.com/dynmodel/dynmodel/engine/store"
	"github.com/dynmodel/dynmodel/engine/wire"
)

// maxTopK is how many items a search can ask for (API reference,
// SearchVectors).
const maxTopK = 100

// SearchVectors finds the items of a vector index whose vectors are most
// similar to one. Where the service approximates, this compares all of them.
func (db *DB) SearchVectors(_ context.Context, in *api.SearchVectorsInput) (*api.SearchVectorsOutput, error) {
	if err := checkSearchVectors(in, nil); err != nil {
		return nil, err
	}
	x, err := newExprReader(in.Substitutions, in.ProjectionExpression, in.SearchConditionExpression)
	if err != nil {
		return nil, err
	}
	condition, err := x.condition(expr.SearchConditionExpression, in.SearchConditionExpression)
	if err != nil {
		return nil, err
	}
	projection, err := x.projection(in.ProjectionExpression, nil)
	if err = first(err, x.unused()); err != nil {
		return nil, err
	}
	s, snapshot, err := db.view(*in.TableName)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	v := s.vector(*in.IndexName)
	if v == nil {
		return nil, api.Invalid("The table does not have the specified index: %s", *in.IndexName)
	}
	if err := db.checkReadable(&v.index); err != nil {
		return nil, err
	}
	search, err := v.newSearch(in, condition, projection)
	if err != nil {
		return nil, err
	}
	return search.run(snapshot, in.ReturnConsumedCapacity)
}

func checkSearchVectors(in *api.SearchVectorsInput, refused wire.Refusals) error {
	err := api.First(
		tableName("tableName", in.TableName),
		notNull("indexName", in.IndexName),
		requiredList("searchVector", in.SearchVector),
		notNull("topK", in.TopK),
		checkReturnConsumedCapacity(in.ReturnConsumedCapacity))
	if err == nil && (*in.TopK < 1 || *in.TopK > maxTopK) {
		return api.Invalid("Provided TopK value is out of valid range: %s", strconv.FormatInt(*in.TopK, 10))
	}
	return first(
		err,
		checkParameters(in.Substitutions, []parameter{
			givenText("ProjectionExpression", in.ProjectionExpression),
			givenText("SearchConditionExpression", in.SearchConditionExpression),
		}, nil),
		refused.First())
}

// A search is a SearchVectors that has been checked.
type search struct {
	*vectorIndex
	vector     []float32
	keys       store.Range
	equal      []attr.Entry // what an entry has to have
	projection *expr.Projection
	most       int
}

func (x *vectorIndex) newSearch(in *api.SearchVectorsInput, condition expr.Condition, projection *expr.Projection) (*search, error) {
	vector, err := x.vectorOf(in.SearchVector)
	if err != nil {
		return nil, err
	}
	s := &search{vectorIndex: x, vector: vector, projection: projection, most: int(*in.TopK)}
	if condition != nil {
		if err := s.narrow(condition); err != nil {
			return nil, err
		}
	}
	given := attr.NewItem(s.equal...)
	for _, a := range x.key.Hash {
		if v, _ := given.Get(a.Name); v.Type() != a.Type {
			return nil, api.Invalid("SearchConditionExpression must be provided when SearchSchema has a HASH key")
		}
		partition, _ := x.key.appendPartition(nil, given)
		s.keys = store.Prefix(string(partition))
	}
	if projection != nil {
		for _, p := range projection.Paths() {
			if !x.projection.has(p.Top()) {
				return nil, api.InvalidParameter("Vector index %s does not project [%s]", x.name, p.Top())
			}
		}
	}
	return s, nil
}

// narrow takes a condition apart, which can only be equalities of attributes of
// the search schema, joined by AND.
func (s *search) narrow(condition expr.Condition) error {
	switch c := condition.(type) {
	case expr.And:
		return first(s.narrow(c.Left), s.narrow(c.Right))
	case expr.Compare:
		path, isPath := c.Left.(expr.Path)
		value, isValue := c.Right.(expr.Literal)
		if c.Op != expr.Equal || !isPath || !isValue || len(path) > 1 {
			break
		}
		inSchema := func(a expr.KeyAttribute) bool { return a.Name == path.Top() }
		if !slices.ContainsFunc(s.key.Hash, inSchema) && !slices.ContainsFunc(s.filters, inSchema) {
			return api.Invalid("SearchConditionExpression can only contain attributes of the SearchSchema: %s", path.Top())
		}
		s.equal = append(s.equal, attr.Entry{Name: path.Top(), Value: attr.Value(value)})
		return nil
	}
	return api.Invalid("Invalid comparator used in SearchConditionExpression")
}

// run compares all entries that the condition leaves.
func (s *search) run(snapshot store.Snapshot, wantCapacity string) (*api.SearchVectorsOutput, error) {
	out := &api.SearchVectorsOutput{SearchResults: []api.SearchResult{}}
	examined := 0
	err := snapshot.Range(s.space, s.keys, func(_ string, item attr.Item) bool {
		if s.takes(item) {
			list, _ := item.Get(s.attribute)
			vector, _ := s.vectorOf(slices.Collect(list.Elements())) // checked when it was written
			examined += s.dimensions * dimensionBytes
			s.offer(out, api.SearchResult{Item: item, Score: s.distance.score(s.vector, vector)})
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	for i := range out.SearchResults {
		r := &out.SearchResults[i]
		r.Item = s.answered(r.Item)
		examined += r.Item.Size()
	}
	if wantCapacity == capacityTotal || wantCapacity == capacityIndexes {
		bytes := vectorBytes(examined)
		out.ConsumedCapacity = &api.VectorCapacity{VectorSearchRequestBytes: &bytes}
	}
	return out, nil
}

func (s *search) takes(item attr.Item) bool {
	for _, e := range s.equal {
		if v, _ := item.Get(e.Name); v != e.Value {
			return false
		}
	}
	return true
}

// offer puts a result among the best ones, behind those that are as good.
func (s *search) offer(out *api.SearchVectorsOutput, r api.SearchResult) {
	at := len(out.SearchResults)
	for at > 0 && s.distance.closer(r.Score, out.SearchResults[at-1].Score) {
		at--
	}
	if at == s.most {
		return
	}
	out.SearchResults = slices.Insert(out.SearchResults, at, r)
	out.SearchResults = out.SearchResults[:min(len(out.SearchResults), s.most)]
}

// answered returns the part of an entry that the request wants.
func (s *search) answered(item attr.Item) attr.Item {
	if s.projection != nil {
		return s.projection.Of(item)
	}
	return item
}
