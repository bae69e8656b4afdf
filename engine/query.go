package engine

import (
	"context"
	"strings"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
	"github.com/dynmodel/dynmodel/engine/store"
	"github.com/dynmodel/dynmodel/engine/wire"
)

// Query reads a page of one partition of a table or an index, in the order of
// its sort keys.
func (db *DB) Query(ctx context.Context, in *api.QueryInput) (*api.ReadOutput, error) {
	if err := checkQuery(in, nil); err != nil {
		return nil, err
	}
	q, err := readQuery(in)
	if err != nil {
		return nil, err
	}
	s, snapshot, err := db.view(*in.TableName)
	if err != nil {
		return nil, err
	}
	defer snapshot.Close()
	c, err := newScope(s, in.IndexName)
	if err != nil {
		return nil, err
	}
	r, err := newExprReading(c, &in.ReadInput, q.filter, q.projection)
	if err != nil {
		return nil, err
	}
	if err := r.startQuery(in, q); err != nil {
		return nil, err
	}
	return db.readPage(ctx, r, snapshot, in.ReturnConsumedCapacity)
}

func checkQuery(in *api.QueryInput, refused wire.Refusals) error {
	return first(
		api.First(
			checkRead(&in.ReadInput),
			checkReturnConsumedCapacity(in.ReturnConsumedCapacity),
			checkConditions("queryFilter", in.QueryFilter),
			tableName("tableName", in.TableName),
			checkConditionalOperator(in.ConditionalOperator),
			checkAttributesToGet("attributesToGet", in.AttributesToGet),
			atLeast("limit", in.Limit, 1),
			checkConditions("keyConditions", in.KeyConditions)),
		checkParameters(in.Substitutions,
			[]parameter{
				givenText("ProjectionExpression", in.ProjectionExpression),
				givenText("FilterExpression", in.FilterExpression),
				givenText("KeyConditionExpression", in.KeyConditionExpression),
			},
			append(legacyRead(&in.ReadInput, parameter{"QueryFilter", in.QueryFilter != nil}),
				// Filters and projections are older than KeyConditionExpression, and go with KeyConditions.
				parameter{"KeyConditions", in.KeyConditions != nil && in.KeyConditionExpression != nil})),
		refused.In("QueryFilter"),
		checkComparisons(in.QueryFilter),
		checkNamesToGet(in.AttributesToGet),
		refusedStart(refused),
		refusedValues(in.Substitutions, refused),
		refusedConditions(in, refused))
}

// refusedConditions returns what is refused of KeyConditions. The expressions
// that they go with are looked at first.
func refusedConditions(in *api.QueryInput, refused wire.Refusals) error {
	err := refused.In("KeyConditions")
	if err == nil {
		return nil
	}
	x, bad := newExprReader(in.Substitutions, in.ProjectionExpression, in.FilterExpression)
	if bad == nil {
		_, bad = x.filterAndProjection(in)
	}
	return first(bad, err)
}

// checkKeyConditions checks that a key condition is there, and the number and
// values of the older ones.
func checkKeyConditions(in *api.QueryInput) error {
	switch n := len(in.KeyConditions); {
	case in.KeyConditions == nil && in.KeyConditionExpression == nil:
		return api.Invalid("Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	case in.KeyConditions != nil && (n == 0 || n > 2 && in.IndexName == nil):
		return api.Invalid("Conditions can be of length 1 or 2 only")
	}
	return checkComparisons(in.KeyConditions)
}

// refusedStart returns what is refused of an ExclusiveStartKey.
func refusedStart(refused wire.Refusals) error {
	return startKeyRefusal(refused.In("ExclusiveStartKey"))
}

// A query is what a request's expressions, of either generation, say.
type query struct {
	keys       expr.KeyCondition
	filter     expr.Condition
	projection *expr.Projection
}

func readQuery(in *api.QueryInput) (*query, error) {
	x, err := newExprReader(in.Substitutions, in.ProjectionExpression, in.FilterExpression, in.KeyConditionExpression)
	if err != nil {
		return nil, err
	}
	q, err := x.filterAndProjection(in)
	if x.context == nil { // each comparison is checked before how they are joined
		err = first(checkKeyConditions(in), err)
	}
	if err != nil {
		return nil, err
	}
	q.keys, err = x.keyCondition(in.KeyConditionExpression)
	return q, first(err, checkKeyConditions(in))
}

func (x *exprReader) filterAndProjection(in *api.QueryInput) (q *query, err error) {
	q = new(query)
	if q.filter, err = x.filter(&in.ReadInput, in.QueryFilter); err != nil {
		return nil, err
	}
	q.projection, err = x.projection(in.ProjectionExpression, in.AttributesToGet)
	return q, err
}

// keyCondition reads a key condition, the last of a request's expressions: names
// and values that none has used are refused before a condition that is not one
// on keys. Older requests, and exports, have none.
func (x *exprReader) keyCondition(text *string) (expr.KeyCondition, error) {
	if text == nil {
		return nil, x.unused()
	}
	condition, err := x.condition(expr.KeyConditionExpression, text)
	if err = first(err, x.unused()); err != nil {
		return nil, err
	}
	keys, err := expr.KeyConditionOf(condition)
	return keys, asRefusal(err)
}

// startQuery sets the range of keys to read.
func (r *reading) startQuery(in *api.QueryInput, q *query) error {
	if err := r.checkCursor(in.ExclusiveStartKey); err != nil {
		return err
	}
	keys, err := r.keyRange(in, q.keys)
	if err != nil {
		return err
	}
	err = first(
		r.key().checkRange(keys),
		r.checkFilter(in, q.filter),
		r.schema.checkConditionScalars(q.filter),
		r.schema.checkProjectedScalars(q.projection),
		checkSelect(&in.ReadInput, "Querying"))
	if err != nil {
		return err
	}
	r.partition = partitionKey(keys.Hash)
	r.ranges = []store.Range{rangeOf(keys, in.ScanIndexForward != nil && !*in.ScanIndexForward)}
	r.single = r.index == nil && len(r.schema.key.Range) == 0
	if in.ExclusiveStartKey == nil {
		return nil
	}
	return r.resume(r.partition, *in.ExclusiveStartKey)
}

// keyRange is the range that the key condition means, of either generation.
func (r *reading) keyRange(in *api.QueryInput, condition expr.KeyCondition) (*expr.KeyRange, error) {
	if in.KeyConditions != nil {
		var err error
		if condition, err = keyConditionOf(in.KeyConditions); err != nil {
			return nil, err
		}
	}
	keys, err := r.key().Resolve(condition)
	return keys, asRefusal(err)
}

// rangeOf returns the storage keys that a key condition means.
func rangeOf(keys *expr.KeyRange, down bool) store.Range {
	hash := partitionKey(keys.Hash)[:hashBytes]
	low, high := keys.Bounds()
	return store.Range{From: hash + string(low), To: hash + string(high), Down: down}
}

// partitionKey returns what the storage keys of a partition begin with.
func partitionKey(hash []attr.Value) string {
	key := make([]byte, hashBytes, 64)
	for _, v := range hash {
		key = attr.AppendKey(key, v)
	}
	putHash(key)
	return string(key)
}

// resume goes on behind an ExclusiveStartKey, which has to be one that this
// query could have returned.
func (r *reading) resume(partition string, cursor attr.Item) error {
	if r.single || !strings.HasPrefix(r.place(cursor), partition) {
		return api.Invalid("The provided starting key is outside query boundaries based on provided conditions")
	}
	if !r.startAfter(cursor) {
		return api.Invalid("The provided starting key does not match the range key predicate")
	}
	return nil
}

// checkFilter refuses filters on the key that the query reads by.
func (c scope) checkFilter(in *api.QueryInput, filter expr.Condition) error {
	if filter == nil {
		return nil
	}
	for p := range expr.Paths(filter) {
		if c.key().has(p.Top()) {
			if in.FilterExpression == nil {
				return api.Invalid("QueryFilter can only contain non-primary key attributes: Primary key attribute: %s", p.Top())
			}
			return api.Invalid("Filter Expression can only contain non-primary key attributes: Primary key attribute: %s", p.Top())
		}
	}
	return nil
}
