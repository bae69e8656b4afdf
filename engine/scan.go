package engine

import (
	"context"
	"encoding/binary"
	"math/bits"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/store"
	"github.com/dynmodel/dynmodel/engine/wire"
)

const maxSegments = 1_000_000

// Scan reads a page of a table or an index, in the order of the hashes of
// partition keys.
func (db *DB) Scan(ctx context.Context, in *api.ScanInput) (*api.ReadOutput, error) {
	if err := checkScan(in, nil); err != nil {
		return nil, err
	}
	x, err := newExprReader(in.Substitutions, in.ProjectionExpression, in.FilterExpression)
	if err != nil {
		return nil, err
	}
	filter, err := x.filter(&in.ReadInput, in.ScanFilter)
	if err != nil {
		return nil, err
	}
	projection, err := x.projection(in.ProjectionExpression, in.AttributesToGet)
	if err = first(err, x.unused()); err != nil {
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
	if err := first(s.checkConditionScalars(filter), s.checkProjectedScalars(projection)); err != nil {
		return nil, err
	}
	// Unlike a Query's, the filter may look at what an index does not have.
	r, err := newExprReading(c, &in.ReadInput, nil, projection)
	if err != nil {
		return nil, err
	}
	r.filter = filter
	r.ranges = []store.Range{segment(in)}
	if err := r.startScan(in); err != nil {
		return nil, err
	}
	return db.readPage(ctx, r, snapshot, in.ReturnConsumedCapacity)
}

func checkScan(in *api.ScanInput, refused wire.Refusals) error {
	return first(
		api.First(
			checkRead(&in.ReadInput),
			atLeast("totalSegments", in.TotalSegments, 1),
			atMost("totalSegments", in.TotalSegments, maxSegments),
			checkReturnConsumedCapacity(in.ReturnConsumedCapacity),
			checkConditions("scanFilter", in.ScanFilter),
			tableName("tableName", in.TableName),
			checkConditionalOperator(in.ConditionalOperator),
			atLeast("segment", in.Segment, 0),
			atMost("segment", in.Segment, maxSegments-1),
			atLeast("limit", in.Limit, 1),
			checkAttributesToGet("attributesToGet", in.AttributesToGet)),
		checkParameters(in.Substitutions,
			[]parameter{givenText("ProjectionExpression", in.ProjectionExpression), givenText("FilterExpression", in.FilterExpression)},
			legacyRead(&in.ReadInput, parameter{"ScanFilter", in.ScanFilter != nil})),
		checkNamesToGet(in.AttributesToGet),
		refused.In("ScanFilter"),
		checkComparisons(in.ScanFilter),
		refusedStart(refused),
		checkSegment(in),
		refusedValues(in.Substitutions, refused))
}

// checkSegment checks that the segment is one of those there are.
func checkSegment(in *api.ScanInput) error {
	switch {
	case in.Segment != nil && in.TotalSegments == nil:
		return api.Invalid("The TotalSegments parameter is required but was not present in the request when Segment parameter is present")
	case in.Segment == nil && in.TotalSegments != nil:
		return api.Invalid("The Segment parameter is required but was not present in the request when parameter TotalSegments is present")
	case in.Segment != nil && *in.Segment >= *in.TotalSegments:
		return api.Invalid("The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: %d is not less than TotalSegments: %d", *in.Segment, *in.TotalSegments)
	}
	return nil
}

// segment returns the share of the hashes that a request reads.
func segment(in *api.ScanInput) store.Range {
	if in.Segment == nil {
		return store.Range{}
	}
	n, total := uint64(*in.Segment), uint64(*in.TotalSegments)
	keys := store.Range{From: hashShare(n, total)}
	if n+1 < total {
		keys.To = hashShare(n+1, total)
	}
	return keys
}

// hashShare returns the first hash of segment n.
func hashShare(n, total uint64) string {
	hash, _ := bits.Div64(n, 0, total)
	return string(binary.BigEndian.AppendUint64(nil, hash))
}

// startScan begins behind the ExclusiveStartKey.
func (r *reading) startScan(in *api.ScanInput) error {
	err := first(r.checkScanCursor(in.ExclusiveStartKey), checkSelect(&in.ReadInput, "Scanning"))
	if err != nil || in.ExclusiveStartKey == nil {
		return err
	}
	if !r.startAfter(*in.ExclusiveStartKey) {
		return api.Invalid("The provided starting key is outside query boundaries based on provided conditions: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: %d Segment: %d", *in.TotalSegments, *in.Segment)
	}
	return nil
}

// checkScanCursor is checkCursor for a Scan, which the service words otherwise
// if it is of a table.
func (r *reading) checkScanCursor(start *attr.Item) error {
	if r.index != nil || start == nil {
		return r.checkCursor(start)
	}
	return startKeyRefusal(r.schema.key.checkKey(*start))
}
