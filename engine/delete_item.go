package engine

import (
	"context"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/wire"
)

// DeleteItem removes an item, if it is there.
func (db *DB) DeleteItem(ctx context.Context, in *api.DeleteItemInput) (*api.WriteItemOutput, error) {
	if err := checkDeleteItem(in, nil); err != nil {
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

func checkDeleteItem(in *api.DeleteItemInput, refused wire.Refusals) error {
	return first(
		api.First(
			checkReturnConsumedCapacity(in.ReturnConsumedCapacity),
			tableName("tableName", in.TableName),
			checkReturnValues(in.ReturnValues),
			checkReturnMetrics(in.ReturnItemCollectionMetrics),
			notNull("key", in.Key),
			checkConditional(&in.Conditional)),
		checkConditionParameters(&in.Conditional, in.Substitutions),
		refused.In("Key", "Expected"),
		checkOldOrNone(in.ReturnValues),
		refusedValues(in.Substitutions, refused))
}
