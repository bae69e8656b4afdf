package engine

import (
	"context"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/expr"
	"github.com/dynmodel/dynmodel/engine/wire"
)

// UpdateItem changes attributes of an item, or creates it.
func (db *DB) UpdateItem(ctx context.Context, in *api.UpdateItemInput) (*api.WriteItemOutput, error) {
	if err := checkUpdateItem(in, nil); err != nil {
		return nil, err
	}
	a, err := readUpdate(in)
	if err != nil {
		return nil, err
	}
	w, err := db.write(ctx, *in.TableName, a)
	if err != nil {
		return nil, err
	}
	out, err := db.answerWrite(w, in.ReturnValues, in.Report)
	if err == nil && a.update != nil {
		switch in.ReturnValues {
		case returnUpdatedOld:
			out.Attributes = a.update.Touched().Of(w.change.old)
		case returnUpdatedNew:
			out.Attributes = a.update.Touched().Of(w.change.new)
		}
	}
	return out, err
}

func checkUpdateItem(in *api.UpdateItemInput, refused wire.Refusals) error {
	if err := api.First(
		checkReturnConsumedCapacity(in.ReturnConsumedCapacity),
		tableName("tableName", in.TableName),
		checkReturnMetrics(in.ReturnItemCollectionMetrics),
		checkReturnValues(in.ReturnValues),
		notNull("key", in.Key),
		checkConditional(&in.Conditional),
		checkActions(in.AttributeUpdates)); err != nil {
		return err
	}
	err := first(
		checkParameters(in.Substitutions,
			[]parameter{givenText("UpdateExpression", in.UpdateExpression), givenText("ConditionExpression", in.ConditionExpression)},
			append([]parameter{{"AttributeUpdates", in.AttributeUpdates != nil}}, legacyCondition(&in.Conditional)...)),
		refused.In("Key", "AttributeUpdates"))
	if err != nil || refused == nil {
		return err
	}
	return first(
		checkAttributeUpdates(in.AttributeUpdates),
		refused.In("Expected"),
		refusedValues(in.Substitutions, refused))
}

func readUpdate(in *api.UpdateItemInput) (*action, error) {
	x, err := newExprReader(in.Substitutions, in.UpdateExpression, in.ConditionExpression)
	if err != nil {
		return nil, err
	}
	a := &action{
		kind:      actionUpdate,
		item:      *in.Key,
		older:     in.AttributeUpdates != nil,
		returnOld: in.ReturnValuesOnConditionCheckFailure == returnAllOld,
	}
	if a.update, err = x.update(in.UpdateExpression, in.AttributeUpdates); err != nil {
		return nil, err
	}
	a.condition, err = x.conditional(&in.Conditional)
	return a, first(err, x.unused())
}

// update reads an update of either generation; there may be none.
func (x *exprReader) update(text *string, updates map[string]api.AttributeValueUpdate) (*expr.Update, error) {
	switch {
	case text != nil:
		u, err := x.context.Update(*text)
		return u, asRefusal(err)
	case updates != nil:
		return updateOf(updates)
	}
	return nil, nil
}
