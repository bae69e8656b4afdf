package engine

import (
	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
	"github.com/dynmodel/dynmodel/engine/store"
)

// An exportFilter chooses which items are exported, and what of them. The zero
// exportFilter chooses everything.
type exportFilter struct {
	key        keySchema
	keys       *store.Range
	condition  expr.Condition
	projection *expr.Projection
}

// newExportFilter reads the expressions of an export, which are those of a Query
// but that none of them has to be there.
func newExportFilter(spec *api.FilterSpecification, s *schema) (f exportFilter, err error) {
	if spec == nil {
		return f, nil
	}
	in := new(api.QueryInput)
	in.KeyConditionExpression, in.FilterExpression, in.ProjectionExpression = spec.KeyConditionExpression, spec.FilterExpression, spec.ProjectionExpression
	in.ExpressionAttributeNames = spec.ExpressionAttributeNames
	if spec.ExpressionAttributeValues != nil {
		values, err := attr.ParseItem(spec.ExpressionAttributeValues)
		if err != nil {
			return f, api.Invalid("ExpressionAttributeValues contains invalid value: %s", err)
		}
		in.ExpressionAttributeValues = &values
	}
	x, err := newExprReader(in.Substitutions, in.ProjectionExpression, in.FilterExpression, in.KeyConditionExpression)
	if err != nil {
		return f, err
	}
	q, err := x.filterAndProjection(in)
	if err != nil {
		return f, err
	}
	if q.keys, err = x.keyCondition(in.KeyConditionExpression); err != nil {
		return f, err
	}
	f = exportFilter{key: s.key, condition: q.filter, projection: q.projection}
	if spec.KeyConditionExpression == nil {
		return f, nil
	}
	keys, err := s.key.Resolve(q.keys)
	if err != nil {
		return f, asRefusal(err)
	}
	chosen := rangeOf(keys, false)
	f.keys = &chosen
	return f, first(s.key.checkRange(keys), scope{schema: s}.checkFilter(in, q.filter))
}

// of returns what is exported of an item; ok is false if it is left out.
func (f *exportFilter) of(item attr.Item) (_ attr.Item, ok bool) {
	if f.keys != nil {
		if at := f.key.storageKey(item); at < f.keys.From || f.keys.To != "" && at >= f.keys.To {
			return item, false
		}
	}
	if f.condition != nil && !f.condition.Holds(item) {
		return item, false
	}
	if f.projection != nil {
		item = f.projection.Of(item)
	}
	return item, true
}
