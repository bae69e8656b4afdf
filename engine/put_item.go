package engine

import (
	"context"

	"github.com/dynmodel/dynmodel/engine/api"
)

// PutItem creates an item or replaces it as a whole.
func (db *DB) PutItem(ctx context.Context, in *api.PutItemInput) (*api.WriteItemOutput, error) {
	if err := checkPutItem(in); err != nil {
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

func checkPutItem(in *api.PutItemInput) error {
	return first(
		tableName("tableName", in.TableName),
		notNull("item", in.Item),
		checkWrite(in.ReturnValues, &in.Conditional, in.Report),
		checkOldOrNone(in.ReturnValues))
}
