package api

import "github.com/dynmodel/dynmodel/engine/attr"

// VectorIndex declares an index that is searched by the similarity of vectors:
// of lists of numbers in one attribute.
type VectorIndex struct {
	IndexName        string
	VectorAttribute  *VectorAttribute
	Dimensions       *int64
	DistanceFunction string // COSINE, EUCLIDEAN or DOT_PRODUCT
	Projection       *Projection
	SearchSchema     []SearchSchemaElement `json:",omitempty"`
}

// VectorAttribute names the attribute with the vectors.
type VectorAttribute struct {
	AttributeName string
}

// SearchSchemaElement names an attribute that searches can be narrowed by: the
// HASH attribute, by which they have to be, or an INLINE_FILTER.
type SearchSchemaElement struct {
	AttributeName           string
	SearchSchemaElementType string
}

// VectorIndexDescription describes a vector index. Sizes are in bytes.
type VectorIndexDescription struct {
	VectorIndex
	IndexStatus    string
	Backfilling    *bool `json:",omitempty"`
	IndexSizeBytes int64
	ItemCount      int64
	IndexArn       string
}

// VectorIndexUpdate is one of the two changes to a vector index.
type VectorIndexUpdate struct {
	Create *VectorIndex
	Delete *DeleteVectorIndex
}

// DeleteVectorIndex removes a vector index.
type DeleteVectorIndex struct {
	IndexName string
}

// VectorCapacity is what a request consumed of a vector index, in bytes.
type VectorCapacity struct {
	VectorSearchRequestBytes *float64
	VectorWriteRequestBytes  *float64
}

// SearchVectorsInput is the request of SearchVectors.
type SearchVectorsInput struct {
	TableName                 *string
	IndexName                 *string
	SearchVector              []attr.Value // nil is absent
	TopK                      *int64
	SearchConditionExpression *string
	ProjectionExpression      *string
	ReturnConsumedCapacity    string
	Substitutions
}

// SearchVectorsOutput is the answer of SearchVectors, the most similar item
// first.
type SearchVectorsOutput struct {
	SearchResults    []SearchResult
	ConsumedCapacity *VectorCapacity
}

// SearchResult is one item with its distance from the searched vector, or with
// the product of the two.
type SearchResult struct {
	Item  attr.Item
	Score float64
}
