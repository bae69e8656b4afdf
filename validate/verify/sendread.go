package verify

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/sdk"
)

func (c *conn) get(ctx context.Context, r plan.Request) (reply, error) {
	c.calls++
	got, err := c.client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: c.name(), Key: sdk.Item(r.Key), ProjectionExpression: text(r.Projection), ExpressionAttributeNames: r.Names,
		ConsistentRead: aws.Bool(r.Consistent), ReturnConsumedCapacity: capacity,
	})
	if err != nil {
		return reply{}, err
	}
	out, err := returned(got.Item)
	out.rcu = units(got.ConsumedCapacity)
	return out, err
}

func (c *conn) batchGet(ctx context.Context, r plan.Request) (reply, error) {
	keys := types.KeysAndAttributes{ConsistentRead: aws.Bool(r.Consistent), ProjectionExpression: text(r.Projection), ExpressionAttributeNames: r.Names}
	for _, a := range r.Actions {
		keys.Keys = append(keys.Keys, sdk.Item(a.Key))
	}
	var all reply
	for pending := map[string]types.KeysAndAttributes{c.table: keys}; len(pending) > 0; {
		c.calls++
		got, err := c.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: pending, ReturnConsumedCapacity: capacity})
		if err != nil {
			return all, err
		}
		page, err := returned(got.Responses[c.table]...)
		if err != nil {
			return all, err
		}
		page.rcu = allUnits(got.ConsumedCapacity)
		all.add(page)
		pending = got.UnprocessedKeys
	}
	return all, nil
}

// add joins another page or request to the reply.
func (r *reply) add(more reply) {
	r.items = append(r.items, more.items...)
	r.count += more.count
	r.scanned += more.scanned
	r.pages += more.pages
	r.rcu += more.rcu
	r.wcu += more.wcu
}

func (c *conn) transactGet(ctx context.Context, r plan.Request) (reply, error) {
	in := &dynamodb.TransactGetItemsInput{ReturnConsumedCapacity: capacity}
	for _, a := range r.Actions {
		in.TransactItems = append(in.TransactItems, types.TransactGetItem{Get: &types.Get{
			TableName: c.name(), Key: sdk.Item(a.Key), ProjectionExpression: text(a.Projection), ExpressionAttributeNames: a.Names,
		}})
	}
	c.calls++
	got, err := c.client.TransactGetItems(ctx, in)
	if err != nil {
		return reply{}, err
	}
	var items []map[string]types.AttributeValue
	for _, answer := range got.Responses {
		items = append(items, answer.Item)
	}
	out, err := returned(items...)
	out.rcu = allUnits(got.ConsumedCapacity)
	return out, err
}

func (c *conn) query(ctx context.Context, r plan.Request, want int) (reply, error) {
	in := &dynamodb.QueryInput{
		TableName: c.name(), IndexName: text(r.Index), KeyConditionExpression: text(r.KeyCondition), FilterExpression: text(r.Filter),
		ProjectionExpression: text(r.Projection), ExpressionAttributeNames: r.Names, ExpressionAttributeValues: sdk.Item(r.Values),
		ScanIndexForward: aws.Bool(!r.Descending), ConsistentRead: aws.Bool(r.Consistent), Limit: number(r.Limit),
		Select: types.Select(r.Select), ReturnConsumedCapacity: capacity,
	}
	return c.pages(want, func(from map[string]types.AttributeValue) (page, error) {
		in.ExclusiveStartKey = from
		got, err := c.client.Query(ctx, in)
		if err != nil {
			return page{}, err
		}
		return page{got.Items, got.Count, got.ScannedCount, got.LastEvaluatedKey, units(got.ConsumedCapacity)}, nil
	})
}

func (c *conn) scan(ctx context.Context, r plan.Request, want int) (reply, error) {
	in := &dynamodb.ScanInput{
		TableName: c.name(), IndexName: text(r.Index), FilterExpression: text(r.Filter), ProjectionExpression: text(r.Projection),
		ExpressionAttributeNames: r.Names, ExpressionAttributeValues: sdk.Item(r.Values), ConsistentRead: aws.Bool(r.Consistent),
		Limit: number(r.Limit), Select: types.Select(r.Select), ReturnConsumedCapacity: capacity,
	}
	return c.pages(want, func(from map[string]types.AttributeValue) (page, error) {
		in.ExclusiveStartKey = from
		got, err := c.client.Scan(ctx, in)
		if err != nil {
			return page{}, err
		}
		return page{got.Items, got.Count, got.ScannedCount, got.LastEvaluatedKey, units(got.ConsumedCapacity)}, nil
	})
}

// page is one page of a query or scan.
type page struct {
	items          []map[string]types.AttributeValue
	count, scanned int32
	next           map[string]types.AttributeValue
	rcu            float64
}

// pages reads page after page until there are want items (0: until the end).
func (c *conn) pages(want int, read func(from map[string]types.AttributeValue) (page, error)) (reply, error) {
	var all reply
	for from := map[string]types.AttributeValue(nil); ; {
		c.calls++
		p, err := read(from)
		if err != nil {
			return all, err
		}
		got, err := returned(p.items...)
		if err != nil {
			return all, err
		}
		got.count, got.scanned, got.rcu = int(p.count), int(p.scanned), p.rcu
		all.add(got)
		if from = p.next; len(from) == 0 || (want > 0 && all.count >= want) {
			return all, nil
		}
	}
}

func (c *conn) statement(ctx context.Context, r plan.Request) (reply, error) {
	in := &dynamodb.ExecuteStatementInput{Statement: aws.String(plan.RenameTable(r.Statement, c.modelTable, c.table)), ConsistentRead: aws.Bool(r.Consistent),
		ReturnConsumedCapacity: capacity}
	for _, v := range r.Parameters {
		in.Parameters = append(in.Parameters, sdk.Value(v))
	}
	var all reply
	for {
		c.calls++
		got, err := c.client.ExecuteStatement(ctx, in)
		if err != nil {
			return all, err
		}
		page, err := returned(got.Items...)
		if err != nil {
			return all, err
		}
		page.rcu = units(got.ConsumedCapacity)
		all.add(page)
		if in.NextToken = got.NextToken; in.NextToken == nil {
			return all, nil
		}
	}
}
