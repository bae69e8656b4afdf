package engine

import (
	"context"

	"github.com/dynmodel/dynmodel/engine/api"
)

// DeleteItem removes an item, if it is there.
func (db *DB) DeleteItem(ctx context.Context, in *api.DeleteItemInput) (*api.WriteItemOutput, error) {
	if err := checkDeleteItem(in); err != nil {
		return nil, err
	}
	condition, err := readCondition(&in.Conditional, in.Substitutions)
	if err != nil {
		return nil, err
	}
	w, err := db.write(ctx, *in.TableName, &action{
		kind:      actionDelete,
		item:      *in.Key,
		condition: condition,
		returnOld: in.ReturnValuesOnConditionCheckFailure == returnAllOld,
	})
	if err != nil {
		return nil, err
	}
	return db.answerWrite(w, in.ReturnValues, in.Report)
}

func checkDeleteItem(in *api.DeleteItemInput) error {
	return first(
		tableName("tableName", in.TableName),
		notNull("key", in.Key),
		checkWrite(in.ReturnValues, &in.Conditional, in.Report),
		checkOldOrNone(in.ReturnValues))
}
