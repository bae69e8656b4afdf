package plan_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

const metered = `version: 1
name: metered
table:
  name: metered
  partition_key: PK
  sort_key: SK
  indexes:
    Lean: {partition_key: LeanPK, sort_key: LeanSK, projection: [total]}
    Near: {local: true, sort_key: rank, projection: keys_only}
entities:
  Customer:
    attributes: {customerId: slug, email: {type: email, stored: lower}, name: string}
    keys: {PK: "C#{customerId}", SK: PROFILE}
    unique: [email]
    volume: {count: 1..1}
  Order:
    attributes: {customerId: {ref: Customer}, orderId: slug, rank: {type: integer, min: 10, max: 99}, total: integer, body: string, note: string}
    keys: {PK: "C#{customerId}", SK: "ORDER#{orderId}", LeanPK: "LEAN#{customerId}", LeanSK: "{rank|pad(2)}"}
    volume: {per: Customer, count: 10..10}
access_patterns:
  - {name: get, get: Order}
  - {name: get-consistent, get: Order, consistent: true}
  - {name: batch, batch_get: Order, params: {keys: {max: 3}}}
  - {name: transact, transact_get: Order, params: {keys: {max: 3}}}
  - {name: orders, query: Order, where: customerId = $customerId}
  - {name: orders-consistent, query: Order, where: customerId = $customerId, consistent: true}
  - {name: first-orders, query: Order, where: customerId = $customerId, limit: 4}
  - {name: counted, query: Order, where: customerId = $customerId, count: true}
  - {name: lean, query: Order, where: customerId = $customerId, select: [total], order: rank}
  - {name: fetched, query: Order, where: customerId = $customerId AND rank >= 10, index: Near}
  - {name: both, query: [Customer, Order], where: customerId = $customerId}
  - {name: all, scan: all}
  - {name: create, create: Order}
  - {name: set-note, update: Order, change: SET note = $note}
  - {name: set-total, update: Order, change: SET total = $total}
  - {name: set-rank, update: Order, change: SET rank = $rank}
  - {name: remove, delete: Order}
  - {name: create-customer, create: Customer}
  - {name: change-email, update: Customer, change: SET email = $email, old: {email: $oldEmail}}
  - {name: two-orders, transact_write: [{create: Order}, {check: Customer, if: name <> 'x'}]}
  - {name: orders-in-batch, batch_write: [{for_each: $orders, count: 2..2, steps: [{put: Order}]}]}
samples:
  Customer:
    - {customerId: c, email: ada@example.com, name: Ada}
  Order:
    - {customerId: c, orderId: o0, rank: 10, total: 1234, body: %[1]q, note: old}
`

// TestMetering holds expected costs against the units that the engine meters,
// where the stored items are of the expected number and size.
func TestMetering(t *testing.T) {
	m := parsed(t, "metered.yaml", fmt.Sprintf(metered, strings.Repeat("x", 1800)))
	p := plan.New(m)
	for _, pattern := range m.Patterns {
		t.Run(pattern.Name.Text, func(t *testing.T) {
			meter := newMeter(t, m, p)
			v := p.Pattern(pattern).Variants[0]
			requests, err := v.Requests(plan.Call{Args: arguments(pattern), Now: now})
			if err != nil {
				t.Fatal(err)
			}
			got := 0.0
			for _, r := range requests {
				got += meter.send(r)
			}
			cost := v.Cost()
			if want := cost.RCU + cost.WCU; !cost.Known || got != want {
				t.Errorf("%s takes %v units, expected %v (%+v)", v.Text(), got, want, cost)
			}
		})
	}
}

// arguments are those of new-born items: o9 exists, n0 and n1 do not.
func arguments(p *model.Pattern) model.Args {
	text := value.OfString
	order := func(id string) value.Value {
		return value.OfMap(value.Field{Name: "customerId", Value: text("c")}, value.Field{Name: "orderId", Value: text(id)},
			value.Field{Name: "rank", Value: value.OfInt(20)}, value.Field{Name: "total", Value: value.OfInt(1234)},
			value.Field{Name: "body", Value: text(strings.Repeat("x", 1800))}, value.Field{Name: "note", Value: text("new")})
	}
	args := model.Args{}
	if lists := []string{"batch", "transact", "orders-in-batch"}; !slices.Contains(lists, p.Name.Text) {
		for _, f := range order("o9").Fields() {
			args[f.Name] = f.Value
		}
	}
	if p.Name.Text == "set-total" {
		args["total"] = value.OfInt(4321)
	}
	if strings.HasPrefix(p.Name.Text, "create") || p.Name.Text == "two-orders" {
		args["orderId"] = text("n0")
	}
	if p.Name.Text == "create-customer" {
		args["customerId"], args["name"], args["email"] = text("d"), text("Bob"), text("bob@example.com")
	}
	if p.Name.Text == "change-email" {
		args["email"], args["oldEmail"] = text("eve@example.com"), text("ada@example.com")
	}
	args["keys"] = value.OfList(order("o0"), order("o1"), order("o2"))
	args["orders"] = value.OfList(order("n0"), order("n1"))
	return args
}

// meter is a table with one customer and ten orders in the engine.
type meter struct {
	t      *testing.T
	client *dynamodb.Client
	table  string
}

func newMeter(t *testing.T, m *model.Model, p *plan.Planner) *meter {
	t.Helper()
	meter := &meter{t: t, client: engine.New().Client(), table: m.Table.Name.Text}
	key := func(name string, kind types.KeyType) types.KeySchemaElement {
		return types.KeySchemaElement{AttributeName: aws.String(name), KeyType: kind}
	}
	text := func(name string, kind types.ScalarAttributeType) types.AttributeDefinition {
		return types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: kind}
	}
	_, err := meter.client.CreateTable(context.Background(), &dynamodb.CreateTableInput{
		TableName: &meter.table, BillingMode: types.BillingModePayPerRequest,
		KeySchema: []types.KeySchemaElement{key("PK", types.KeyTypeHash), key("SK", types.KeyTypeRange)},
		AttributeDefinitions: []types.AttributeDefinition{text("PK", "S"), text("SK", "S"), text("LeanPK", "S"), text("LeanSK", "S"),
			text("rank", "N")},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{IndexName: aws.String("Lean"),
			KeySchema:  []types.KeySchemaElement{key("LeanPK", types.KeyTypeHash), key("LeanSK", types.KeyTypeRange)},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: []string{"total"}}}},
		LocalSecondaryIndexes: []types.LocalSecondaryIndex{{IndexName: aws.String("Near"),
			KeySchema:  []types.KeySchemaElement{key("PK", types.KeyTypeHash), key("rank", types.KeyTypeRange)},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range m.Samples {
		for n := range 1 + 9*i {
			item := model.Args{}
			for name, v := range s.Item {
				item[name] = v
			}
			if i == 1 {
				item["orderId"] = value.OfString(fmt.Sprintf("o%d", n))
			}
			create := p.Pattern(m.Pattern([]string{"create-customer", "create"}[i])).Variants[0]
			requests, err := create.Requests(plan.Call{Args: item, Now: now})
			if err != nil {
				t.Fatal(err)
			}
			meter.send(requests[0])
		}
	}
	return meter
}

// send sends a request and returns the units it took.
func (m *meter) send(r plan.Request) float64 {
	m.t.Helper()
	ctx, total := context.Background(), types.ReturnConsumedCapacityTotal
	var used []types.ConsumedCapacity
	one := func(c *types.ConsumedCapacity) { used = append(used, *c) }
	var err error
	switch r.API {
	case plan.GetItem:
		var out *dynamodb.GetItemOutput
		if out, err = m.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &m.table, Key: sdk(r.Key), ConsistentRead: &r.Consistent, ReturnConsumedCapacity: total}); err == nil {
			one(out.ConsumedCapacity)
		}
	case plan.BatchGetItem:
		keys := types.KeysAndAttributes{}
		for _, a := range r.Actions {
			keys.Keys = append(keys.Keys, sdk(a.Key))
		}
		var out *dynamodb.BatchGetItemOutput
		if out, err = m.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{m.table: keys}, ReturnConsumedCapacity: total}); err == nil {
			used = out.ConsumedCapacity
		}
	case plan.TransactGetItems:
		in := &dynamodb.TransactGetItemsInput{ReturnConsumedCapacity: total}
		for _, a := range r.Actions {
			in.TransactItems = append(in.TransactItems, types.TransactGetItem{Get: &types.Get{TableName: &m.table, Key: sdk(a.Key)}})
		}
		var out *dynamodb.TransactGetItemsOutput
		if out, err = m.client.TransactGetItems(ctx, in); err == nil {
			used = out.ConsumedCapacity
		}
	case plan.Query:
		var out *dynamodb.QueryOutput
		if out, err = m.client.Query(ctx, m.query(r)); err == nil {
			one(out.ConsumedCapacity)
		}
	case plan.Scan:
		var out *dynamodb.ScanOutput
		if out, err = m.client.Scan(ctx, &dynamodb.ScanInput{TableName: &m.table, ReturnConsumedCapacity: total}); err == nil {
			one(out.ConsumedCapacity)
		}
	case plan.BatchWriteItem:
		var writes []types.WriteRequest
		for _, a := range r.Actions {
			writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: sdk(a.Item)}})
		}
		var out *dynamodb.BatchWriteItemOutput
		if out, err = m.client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{m.table: writes}, ReturnConsumedCapacity: total}); err == nil {
			used = out.ConsumedCapacity
		}
	case plan.TransactWriteItems:
		in := &dynamodb.TransactWriteItemsInput{ReturnConsumedCapacity: total}
		for _, a := range r.Actions {
			in.TransactItems = append(in.TransactItems, m.member(a))
		}
		var out *dynamodb.TransactWriteItemsOutput
		if out, err = m.client.TransactWriteItems(ctx, in); err == nil {
			used = out.ConsumedCapacity
		}
	default:
		used, err = m.write(ctx, r)
	}
	if err != nil {
		m.t.Fatal(err)
	}
	units := 0.0
	for _, c := range used {
		units += *c.CapacityUnits
	}
	return units
}

// write sends a single write.
func (m *meter) write(ctx context.Context, r plan.Request) ([]types.ConsumedCapacity, error) {
	total := types.ReturnConsumedCapacityTotal
	switch a := m.member(r); r.API {
	case plan.PutItem:
		out, err := m.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &m.table, Item: a.Put.Item, ReturnConsumedCapacity: total,
			ConditionExpression: a.Put.ConditionExpression, ExpressionAttributeNames: r.Names, ExpressionAttributeValues: sdk(r.Values)})
		if err != nil {
			return nil, err
		}
		return []types.ConsumedCapacity{*out.ConsumedCapacity}, nil
	case plan.UpdateItem:
		out, err := m.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: &m.table, Key: a.Update.Key, ReturnConsumedCapacity: total,
			UpdateExpression: a.Update.UpdateExpression, ConditionExpression: a.Update.ConditionExpression,
			ExpressionAttributeNames: r.Names, ExpressionAttributeValues: sdk(r.Values)})
		if err != nil {
			return nil, err
		}
		return []types.ConsumedCapacity{*out.ConsumedCapacity}, nil
	}
	out, err := m.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &m.table, Key: sdk(r.Key), ReturnConsumedCapacity: total})
	if err != nil {
		return nil, err
	}
	return []types.ConsumedCapacity{*out.ConsumedCapacity}, nil
}

func (m *meter) query(r plan.Request) *dynamodb.QueryInput {
	in := &dynamodb.QueryInput{TableName: &m.table, KeyConditionExpression: &r.KeyCondition, FilterExpression: expression(r.Filter),
		ProjectionExpression: expression(r.Projection), ExpressionAttributeNames: r.Names, ExpressionAttributeValues: sdk(r.Values),
		ConsistentRead: &r.Consistent, IndexName: expression(r.Index), Select: types.Select(r.Select), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal}
	if r.Limit > 0 {
		in.Limit = aws.Int32(int32(r.Limit))
	}
	return in
}

func (m *meter) member(r plan.Request) types.TransactWriteItem {
	condition, values := expression(r.Condition), sdk(r.Values)
	switch r.API {
	case plan.PutItem:
		return types.TransactWriteItem{Put: &types.Put{TableName: &m.table, Item: sdk(r.Item), ConditionExpression: condition,
			ExpressionAttributeNames: r.Names, ExpressionAttributeValues: values}}
	case plan.UpdateItem:
		return types.TransactWriteItem{Update: &types.Update{TableName: &m.table, Key: sdk(r.Key), UpdateExpression: &r.Update,
			ConditionExpression: condition, ExpressionAttributeNames: r.Names, ExpressionAttributeValues: values}}
	case plan.ConditionCheck:
		return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{TableName: &m.table, Key: sdk(r.Key),
			ConditionExpression: condition, ExpressionAttributeNames: r.Names, ExpressionAttributeValues: values}}
	}
	return types.TransactWriteItem{Delete: &types.Delete{TableName: &m.table, Key: sdk(r.Key)}}
}

func expression(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// sdk turns an item of texts and numbers into the SDK's; nil stays nil.
func sdk(item map[string]value.Value) map[string]types.AttributeValue {
	if item == nil {
		return nil
	}
	out := map[string]types.AttributeValue{}
	for name, v := range item {
		if v.Kind() == value.Number {
			out[name] = &types.AttributeValueMemberN{Value: v.Text()}
		} else {
			out[name] = &types.AttributeValueMemberS{Value: v.Text()}
		}
	}
	return out
}
