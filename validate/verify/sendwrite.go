package verify

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/sdk"
)

func (c *conn) put(ctx context.Context, r plan.Request) (reply, error) {
	c.calls++
	got, err := c.client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: c.name(), Item: sdk.Item(r.Item), ConditionExpression: text(r.Condition), ExpressionAttributeNames: r.Names,
		ExpressionAttributeValues: sdk.Item(r.Values), ReturnValues: types.ReturnValue(r.Returns), ReturnConsumedCapacity: capacity,
	})
	if err != nil {
		return reply{}, err
	}
	out, err := returned(got.Attributes)
	out.wcu = units(got.ConsumedCapacity)
	return out, err
}

func (c *conn) update(ctx context.Context, r plan.Request) (reply, error) {
	c.calls++
	got, err := c.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: c.name(), Key: sdk.Item(r.Key), UpdateExpression: text(r.Update), ConditionExpression: text(r.Condition),
		ExpressionAttributeNames: r.Names, ExpressionAttributeValues: sdk.Item(r.Values), ReturnValues: types.ReturnValue(r.Returns),
		ReturnConsumedCapacity: capacity,
	})
	if err != nil {
		return reply{}, err
	}
	out, err := returned(got.Attributes)
	out.wcu = units(got.ConsumedCapacity)
	return out, err
}

func (c *conn) delete(ctx context.Context, r plan.Request) (reply, error) {
	c.calls++
	got, err := c.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{
		TableName: c.name(), Key: sdk.Item(r.Key), ConditionExpression: text(r.Condition), ExpressionAttributeNames: r.Names,
		ExpressionAttributeValues: sdk.Item(r.Values), ReturnValues: types.ReturnValue(r.Returns), ReturnConsumedCapacity: capacity,
	})
	if err != nil {
		return reply{}, err
	}
	out, err := returned(got.Attributes)
	out.wcu = units(got.ConsumedCapacity)
	return out, err
}

func (c *conn) batchWrite(ctx context.Context, r plan.Request) (reply, error) {
	var writes []types.WriteRequest
	for _, a := range r.Actions {
		if a.API == plan.DeleteItem {
			writes = append(writes, types.WriteRequest{DeleteRequest: &types.DeleteRequest{Key: sdk.Item(a.Key)}})
		} else {
			writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: sdk.Item(a.Item)}})
		}
	}
	return c.writeBatch(ctx, writes)
}

// writeBatch writes at most 25 items, again and again those left unprocessed.
func (c *conn) writeBatch(ctx context.Context, writes []types.WriteRequest) (reply, error) {
	out := reply{pages: 1}
	for pending := map[string][]types.WriteRequest{c.table: writes}; len(pending) > 0; {
		c.calls++
		got, err := c.client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: pending, ReturnConsumedCapacity: capacity})
		if err != nil {
			return out, err
		}
		out.wcu += allUnits(got.ConsumedCapacity)
		pending = got.UnprocessedItems
	}
	return out, nil
}

func (c *conn) transactWrite(ctx context.Context, r plan.Request) (reply, error) {
	in := &dynamodb.TransactWriteItemsInput{ClientRequestToken: text(r.Token), ReturnConsumedCapacity: capacity}
	for _, a := range r.Actions {
		in.TransactItems = append(in.TransactItems, c.member(a))
	}
	c.calls++
	got, err := c.client.TransactWriteItems(ctx, in)
	if err != nil {
		return reply{}, err
	}
	return reply{pages: 1, wcu: allUnits(got.ConsumedCapacity)}, nil
}

// member is an action as a member of a transaction.
func (c *conn) member(a plan.Request) types.TransactWriteItem {
	condition, values := text(a.Condition), sdk.Item(a.Values)
	switch a.API {
	case plan.PutItem:
		return types.TransactWriteItem{Put: &types.Put{TableName: c.name(), Item: sdk.Item(a.Item),
			ConditionExpression: condition, ExpressionAttributeNames: a.Names, ExpressionAttributeValues: values}}
	case plan.UpdateItem:
		return types.TransactWriteItem{Update: &types.Update{TableName: c.name(), Key: sdk.Item(a.Key), UpdateExpression: text(a.Update),
			ConditionExpression: condition, ExpressionAttributeNames: a.Names, ExpressionAttributeValues: values}}
	case plan.DeleteItem:
		return types.TransactWriteItem{Delete: &types.Delete{TableName: c.name(), Key: sdk.Item(a.Key),
			ConditionExpression: condition, ExpressionAttributeNames: a.Names, ExpressionAttributeValues: values}}
	}
	return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{TableName: c.name(), Key: sdk.Item(a.Key),
		ConditionExpression: condition, ExpressionAttributeNames: a.Names, ExpressionAttributeValues: values}}
}
