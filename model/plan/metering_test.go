package plan_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/sdk"
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
    Open: {partition_key: OpenPK, sort_key: OpenSK}
entities:
  Customer:
    attributes: {customerId: slug, email: {type: email, stored: lower}, name: string}
    keys: {PK: "C#{customerId}", SK: PROFILE}
    unique: [email]
    volume: {count: 1..1}
  Order:
    attributes: {customerId: {ref: Customer}, orderId: slug, rank: {type: integer, min: 10, max: 99}, total: integer, body: string, note: string, state: {values: {open: 100%%, done: 0%%}}}
    keys:
      PK: "C#{customerId}"
      SK: "ORDER#{orderId}"
      LeanPK: "LEAN#{customerId}"
      LeanSK: "{rank|pad(2)}"
      OpenPK: {template: "OPEN#{customerId}", when: state = 'open'}
      OpenSK: "{orderId}"
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
  - {name: all-open, query: Order, where: customerId = $customerId AND state = 'open', index: Open}
  - {name: lean-scan, scan: Order, index: Lean}
  - {name: near-consistent, query: Order, where: customerId = $customerId AND rank >= 10, index: Near, select: [orderId], consistent: true}
  - {name: two-by-key, batch_get: Order, params: {keys: {max: 2}}, consistent: true}
  - {name: create, create: Order}
  - {name: set-note, update: Order, change: SET note = $note}
  - {name: set-total, update: Order, change: SET total = $total}
  - {name: set-rank, update: Order, change: SET rank = $rank}
  - {name: remove, delete: Order}
  - {name: set-state, update: Order, change: SET state = 'done', if: state = 'open'}
  - {name: keep-state, update: Order, change: "SET state = 'open', note = $note", if: state = 'open', read_first: true}
  - {name: set-note-and-total, update: Order, change: "SET note = $note, total = $total"}
  - {name: set-note-read-first, update: Order, change: SET note = $note, read_first: true}
  - {name: drop-total, update: Order, change: REMOVE total}
  - {name: add-total, update: Order, change: ADD total $total}
  - {name: set-in-transaction, transact_write: [{update: Order, change: SET total = $total}, {check: Customer, if: attribute_exists(name)}]}
  - {name: remove-in-transaction, transact_write: [{delete: Order}, {check: Customer, if: attribute_exists(name)}]}
  - {name: remove-customer, delete: Customer, old: {email: $oldEmail}}
  - {name: create-customer, create: Customer}
  - {name: change-email, update: Customer, change: SET email = $email, old: {email: $oldEmail}}
  - {name: two-orders, transact_write: [{create: Order}, {check: Customer, if: name <> 'x'}]}
  - {name: orders-in-batch, batch_write: [{for_each: $orders, count: 2..2, steps: [{put: Order}]}]}
samples:
  Customer:
    - {customerId: c, email: ada@example.com, name: Ada}
  Order:
    - {customerId: c, orderId: o0, rank: 10, total: 1234, body: %[1]q, note: old, state: open}
`

// bodySizes are lengths of the large attribute on both sides of where an item
// takes another unit: 1 KB, 4 KB, and more of both.
var bodySizes = []int{10, 780, 860, 1800, 3880, 3980, 9000}

// TestMetering holds expected costs against the units that the engine meters, of
// the table and of every index, where the stored items are of the expected
// number and size: each pattern with items of each size.
func TestMetering(t *testing.T) {
	compared := 0
	for _, size := range bodySizes {
		body := strings.Repeat("x", size)
		m := modeltest.Model(t, fmt.Sprintf(metered, body))
		p := plan.New(m)
		for _, pattern := range m.Patterns {
			compared++
			t.Run(fmt.Sprintf("%d bytes/%s", size, pattern.Name.Text), func(t *testing.T) {
				meter := newMeter(t, m, p)
				v := p.Pattern(pattern).Variants[0]
				cost := v.Cost()
				if want, got := units(cost), meter.call(v, arguments(pattern, body)); !cost.Known || !maps.Equal(got, want) {
					t.Errorf("%s takes %v units, expected %v (%+v)", v.Text(), got, want, cost)
				}
			})
		}
	}
	if compared < 200 {
		t.Errorf("only %d costs were compared", compared)
	}
}

// units are the expected units by place, those of local indexes with the table's.
func units(c plan.Cost) map[string]float64 {
	out := map[string]float64{}
	for _, x := range c.Indexes {
		name := "table"
		if x.Index != nil && !x.Index.Local {
			name = x.Index.Name.Text
		}
		if n := x.RCU + x.WCU; n > 0 {
			out[name] += n
		}
	}
	return out
}

// call makes a call and returns the units it took by place.
func (m *meter) call(v *plan.Variant, args model.Args) map[string]float64 {
	m.t.Helper()
	call := plan.Call{Args: args, Now: now}
	m.used = map[string]float64{}
	first, err := v.FirstReads(call)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, r := range first {
		m.send(r)
		call.Old = append(call.Old, m.found)
	}
	requests, err := v.Requests(call)
	if err != nil {
		m.t.Fatal(err)
	}
	for _, r := range requests {
		m.send(r)
	}
	return m.used
}

// arguments are those of new-born items: o9 exists, n0 and n1 do not.
func arguments(p *model.Pattern, body string) model.Args {
	text := value.OfString
	order := func(id string) value.Value {
		return value.OfMap(value.Field{Name: "customerId", Value: text("c")}, value.Field{Name: "orderId", Value: text(id)},
			value.Field{Name: "rank", Value: value.OfInt(20)}, value.Field{Name: "total", Value: value.OfInt(1234)},
			value.Field{Name: "body", Value: text(body)}, value.Field{Name: "note", Value: text("new")}, value.Field{Name: "state", Value: text("open")})
	}
	args := model.Args{}
	if lists := []string{"batch", "two-by-key", "transact", "orders-in-batch"}; !slices.Contains(lists, p.Name.Text) {
		for _, f := range order("o9").Fields() {
			args[f.Name] = f.Value
		}
	}
	if strings.Contains(p.Name.Text, "total") || p.Name.Text == "set-in-transaction" {
		args["total"] = value.OfInt(4321)
	}
	if strings.HasPrefix(p.Name.Text, "create") || p.Name.Text == "two-orders" {
		args["orderId"] = text("n0")
	}
	if p.Name.Text == "create-customer" {
		args["customerId"], args["name"], args["email"] = text("d"), text("Bob"), text("bob@example.com")
	}
	if p.Name.Text == "change-email" || p.Name.Text == "remove-customer" {
		args["email"], args["oldEmail"] = text("eve@example.com"), text("ada@example.com")
	}
	args["keys"] = value.OfList(order("o0"), order("o1"), order("o2"))
	if p.Name.Text == "two-by-key" {
		args["keys"] = value.OfList(order("o0"), order("o1"))
	}
	args["orders"] = value.OfList(order("n0"), order("n1"))
	return args
}

// meter is a table with one customer and ten orders in the engine.
type meter struct {
	t      *testing.T
	client *dynamodb.Client
	table  string
	used   map[string]float64     // units by place
	found  map[string]value.Value // what the last get gave
}

func newMeter(t *testing.T, m *model.Model, p *plan.Planner) *meter {
	t.Helper()
	meter := &meter{t: t, client: engine.New().Client(), table: m.Table.Name.Text, used: map[string]float64{}}
	_, err := meter.client.CreateTable(context.Background(), sdk.Structure(meter.table, m.Table, func(*model.Index) bool { return true }))
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

// send sends a request and adds the units it took.
func (m *meter) send(r plan.Request) {
	m.t.Helper()
	ctx, total := context.Background(), types.ReturnConsumedCapacityIndexes
	var used []types.ConsumedCapacity
	one := func(c *types.ConsumedCapacity) { used = append(used, *c) }
	var err error
	switch r.API {
	case plan.GetItem:
		var out *dynamodb.GetItemOutput
		if out, err = m.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: &m.table, Key: sdk.Item(r.Key), ConsistentRead: &r.Consistent, ReturnConsumedCapacity: total}); err == nil {
			one(out.ConsumedCapacity)
			m.found, err = sdk.FromItem(out.Item)
		}
	case plan.BatchGetItem:
		keys := types.KeysAndAttributes{ConsistentRead: &r.Consistent}
		for _, a := range r.Actions {
			keys.Keys = append(keys.Keys, sdk.Item(a.Key))
		}
		var out *dynamodb.BatchGetItemOutput
		if out, err = m.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{m.table: keys}, ReturnConsumedCapacity: total}); err == nil {
			used = out.ConsumedCapacity
		}
	case plan.TransactGetItems:
		in := &dynamodb.TransactGetItemsInput{ReturnConsumedCapacity: total}
		for _, a := range r.Actions {
			in.TransactItems = append(in.TransactItems, types.TransactGetItem{Get: &types.Get{TableName: &m.table, Key: sdk.Item(a.Key)}})
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
		if out, err = m.client.Scan(ctx, &dynamodb.ScanInput{TableName: &m.table, IndexName: expression(r.Index), ReturnConsumedCapacity: total}); err == nil {
			one(out.ConsumedCapacity)
		}
	case plan.BatchWriteItem:
		var writes []types.WriteRequest
		for _, a := range r.Actions {
			writes = append(writes, types.WriteRequest{PutRequest: &types.PutRequest{Item: sdk.Item(a.Item)}})
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
	for _, c := range used {
		m.add("table", c.Table)
		for _, local := range c.LocalSecondaryIndexes {
			m.add("table", &local)
		}
		for name, global := range c.GlobalSecondaryIndexes {
			m.add(name, &global)
		}
	}
}

func (m *meter) add(place string, c *types.Capacity) {
	if c != nil && *c.CapacityUnits > 0 {
		m.used[place] += *c.CapacityUnits
	}
}

// write sends a single write.
func (m *meter) write(ctx context.Context, r plan.Request) ([]types.ConsumedCapacity, error) {
	total := types.ReturnConsumedCapacityIndexes
	switch a := m.member(r); r.API {
	case plan.PutItem:
		out, err := m.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &m.table, Item: a.Put.Item, ReturnConsumedCapacity: total,
			ConditionExpression: a.Put.ConditionExpression, ExpressionAttributeNames: r.Names, ExpressionAttributeValues: sdk.Item(r.Values)})
		if err != nil {
			return nil, err
		}
		return []types.ConsumedCapacity{*out.ConsumedCapacity}, nil
	case plan.UpdateItem:
		out, err := m.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: &m.table, Key: a.Update.Key, ReturnConsumedCapacity: total,
			UpdateExpression: a.Update.UpdateExpression, ConditionExpression: a.Update.ConditionExpression,
			ExpressionAttributeNames: r.Names, ExpressionAttributeValues: sdk.Item(r.Values)})
		if err != nil {
			return nil, err
		}
		return []types.ConsumedCapacity{*out.ConsumedCapacity}, nil
	}
	out, err := m.client.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: &m.table, Key: sdk.Item(r.Key), ConditionExpression: expression(r.Condition),
		ExpressionAttributeNames: r.Names, ExpressionAttributeValues: sdk.Item(r.Values), ReturnConsumedCapacity: total})
	if err != nil {
		return nil, err
	}
	return []types.ConsumedCapacity{*out.ConsumedCapacity}, nil
}

func (m *meter) query(r plan.Request) *dynamodb.QueryInput {
	in := &dynamodb.QueryInput{TableName: &m.table, KeyConditionExpression: &r.KeyCondition, FilterExpression: expression(r.Filter),
		ProjectionExpression: expression(r.Projection), ExpressionAttributeNames: r.Names, ExpressionAttributeValues: sdk.Item(r.Values),
		ConsistentRead: &r.Consistent, IndexName: expression(r.Index), Select: types.Select(r.Select), ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes}
	if r.Limit > 0 {
		in.Limit = aws.Int32(int32(r.Limit))
	}
	return in
}

func (m *meter) member(r plan.Request) types.TransactWriteItem {
	condition, values := expression(r.Condition), sdk.Item(r.Values)
	switch r.API {
	case plan.PutItem:
		return types.TransactWriteItem{Put: &types.Put{TableName: &m.table, Item: sdk.Item(r.Item), ConditionExpression: condition,
			ExpressionAttributeNames: r.Names, ExpressionAttributeValues: values}}
	case plan.UpdateItem:
		return types.TransactWriteItem{Update: &types.Update{TableName: &m.table, Key: sdk.Item(r.Key), UpdateExpression: &r.Update,
			ConditionExpression: condition, ExpressionAttributeNames: r.Names, ExpressionAttributeValues: values}}
	case plan.ConditionCheck:
		return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{TableName: &m.table, Key: sdk.Item(r.Key),
			ConditionExpression: condition, ExpressionAttributeNames: r.Names, ExpressionAttributeValues: values}}
	}
	return types.TransactWriteItem{Delete: &types.Delete{TableName: &m.table, Key: sdk.Item(r.Key), ConditionExpression: condition,
		ExpressionAttributeNames: r.Names, ExpressionAttributeValues: values}}
}

func expression(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
