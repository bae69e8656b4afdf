package engine

import "github.com/dynmodel/dynmodel/engine/api"

// The values of ReturnValues.
const (
	returnNone       = "NONE"
	returnAllOld     = "ALL_OLD"
	returnUpdatedOld = "UPDATED_OLD"
	returnAllNew     = "ALL_NEW"
	returnUpdatedNew = "UPDATED_NEW"
)

func checkReturnValues(value string) error {
	return oneOf("returnValues", value, returnAllNew, returnUpdatedOld, returnAllOld, returnNone, returnUpdatedNew)
}

// checkOldOrNone is for operations that make no new item worth returning.
func checkOldOrNone(returnValues string) error {
	switch returnValues {
	case "", returnNone, returnAllOld:
		return nil
	}
	return api.Invalid("ReturnValues can only be ALL_OLD or NONE")
}

// answerWrite makes the answer of a single write, but for what an UpdateItem
// returns of an item in part.
func (db *DB) answerWrite(w *written, returnValues string, r api.Report) (*api.WriteItemOutput, error) {
	out := &api.WriteItemOutput{ConsumedCapacity: w.meter.consumed(r.ReturnConsumedCapacity)}
	switch returnValues {
	case returnAllOld:
		out.Attributes = w.change.old
	case returnAllNew:
		out.Attributes = w.change.new
	}
	var err error
	if r.ReturnItemCollectionMetrics == returnSize {
		out.ItemCollectionMetrics, err = db.collectionMetrics(w.schema, w.key)
	}
	return out, err
}
