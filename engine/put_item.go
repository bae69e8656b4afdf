package engine

import (
	"context"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/wire"
)

// PutItem creates an item or replaces it as a whole.
func (db *DB) PutItem(ctx context.Context, in *api.PutItemInput) (*api.WriteItemOutput, error) {
	if err := checkPutItem(in, nil); err != nil {
		return nil, err
	}
	condition, err := readCondition(&in.Conditional, in.Substitutions)
	if err != nil {
		return nil, err
	}
	w, err := db.write(ctx, *in.TableName, &action{
		kind:      actionPut,
		item:      *in.Item,
		condition: condition,
		returnOld: in.ReturnValuesOnConditionCheckFailure == returnAllOld,
	})
	if err != nil {
		return nil, err
	}
	return db.answerWrite(w, in.ReturnValues, in.Report)
}

func checkPutItem(in *api.PutItemInput, refused wire.Refusals) error {
	if err := api.First(
		checkReturnConsumedCapacity(in.ReturnConsumedCapacity),
		tableName("tableName", in.TableName),
		notNull("item", in.Item),
		checkConditional(&in.Conditional),
		checkReturnValues(in.ReturnValues),
		checkReturnMetrics(in.ReturnItemCollectionMetrics)); err != nil {
		return err
	}
	return first(
		checkConditionParameters(&in.Conditional, in.Substitutions),
		refused.In("Item"),
		checkOldOrNone(in.ReturnValues),
		checkItemSize(*in.Item),
		refused.In("Expected"),
		refusedValues(in.Substitutions, refused))
}
