package store

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// writeEach finds items, all of them before the first is written, and then makes the
// writes of each: deletes without conditions in batches, a single other write alone,
// several of them in a transaction. It returns how many items were written; those that
// are no longer as they were found, and those of which there is no write, are passed over.
func (t *Table) writeEach(ctx context.Context, o options, build builder, write func(stored, time.Time) (transaction, error)) (int, error) {
	now := t.clock().UTC()
	var found []stored
	for item, err := range t.items(ctx, o, func(_ time.Time, o options) (reading, error) { return build(now, o) }) {
		if err != nil {
			return 0, err
		}
		found = append(found, item)
	}
	var deletes []types.WriteRequest
	written := 0
	for _, item := range found {
		tx, err := write(item, now)
		if err != nil {
			return written, err
		}
		if len(tx.items) == 0 {
			continue
		}
		if d := tx.plainDelete(); d != nil {
			deletes = append(deletes, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: d.Key}})
			continue
		}
		switch err := t.writeFound(ctx, tx, o); {
		case err == nil:
			written++
		case !passedOver(err):
			return written, err
		}
	}
	if err := t.batchWrite(ctx, deletes, o); err != nil {
		return written, err
	}
	return written + len(deletes), nil
}

// plainDelete is the only write of an item, when that is a delete without a condition.
func (tx transaction) plainDelete() *types.Delete {
	if len(tx.items) != 1 || tx.items[0].Delete == nil || tx.items[0].Delete.ConditionExpression != nil {
		return nil
	}
	return tx.items[0].Delete
}

// writeFound makes the writes of one item.
func (t *Table) writeFound(ctx context.Context, tx transaction, o options) error {
	if len(tx.items) != 1 {
		return t.transact(ctx, tx, "", true, o)
	}
	if d := tx.items[0].Delete; d != nil {
		_, err := t.deleteItem(ctx, &dynamodb.DeleteItemInput{
			TableName: d.TableName, Key: d.Key, ConditionExpression: d.ConditionExpression, ExpressionAttributeNames: d.ExpressionAttributeNames,
			ExpressionAttributeValues: d.ExpressionAttributeValues, ReturnValuesOnConditionCheckFailure: d.ReturnValuesOnConditionCheckFailure,
		}, tx.writings[0], o)
		return err
	}
	u := tx.items[0].Update
	_, err := t.updateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: u.TableName, Key: u.Key, UpdateExpression: u.UpdateExpression, ConditionExpression: u.ConditionExpression,
		ExpressionAttributeNames: u.ExpressionAttributeNames, ExpressionAttributeValues: u.ExpressionAttributeValues,
		ReturnValuesOnConditionCheckFailure: u.ReturnValuesOnConditionCheckFailure,
	}, tx.writings[0], o)
	return err
}
