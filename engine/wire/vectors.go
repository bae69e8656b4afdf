package wire

import (
	"strconv"

	"github.com/dynmodel/dynmodel/engine/api"
)

// ReadSearchVectors reads a SearchVectors.
func ReadSearchVectors(r *Reader) *api.SearchVectorsInput {
	in := new(api.SearchVectorsInput)
	r.request(func(name []byte) {
		switch string(name) {
		case "TableName":
			in.TableName = r.text()
		case "IndexName":
			in.IndexName = r.text()
		case "SearchVector":
			in.SearchVector = r.valueList()
		case "TopK":
			in.TopK = r.int()
		case "SearchConditionExpression":
			in.SearchConditionExpression = r.text()
		case "ProjectionExpression":
			in.ProjectionExpression = r.text()
		case "ReturnConsumedCapacity":
			in.ReturnConsumedCapacity = r.choice()
		default:
			_ = r.substitutions(name, &in.Substitutions) || r.skip()
		}
	})
	return in
}

// AppendSearchVectors appends the answer of a SearchVectors.
func AppendSearchVectors(dst []byte, out *api.SearchVectorsOutput) []byte {
	o := begin(dst)
	array(&o, "SearchResults", out.SearchResults, appendSearchResult)
	if out.ConsumedCapacity != nil {
		o.field("ConsumedCapacity")
		o.dst = appendVectorCapacity(o.dst, *out.ConsumedCapacity)
	}
	return o.end()
}

func appendSearchResult(dst []byte, r api.SearchResult) []byte {
	o := begin(dst)
	o.item("Item", r.Item)
	o.field("Score")
	o.dst = strconv.AppendFloat(o.dst, r.Score, 'g', -1, 64)
	return o.end()
}

func appendVectorCapacity(dst []byte, c api.VectorCapacity) []byte {
	o := begin(dst)
	o.optional("VectorSearchRequestBytes", c.VectorSearchRequestBytes)
	o.optional("VectorWriteRequestBytes", c.VectorWriteRequestBytes)
	return o.end()
}
