package request

import (
	"encoding/base64"
	"maps"
	"slices"

	"github.com/dynmodel/dynmodel/generate/tree"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// Input is a request as the API takes it, its members in the order of the API's
// reference. Values have their types: {"S": "paid"}.
func Input(table string, r plan.Request) tree.Map {
	var m tree.Map
	switch r.API {
	case plan.BatchGetItem:
		m.Add("RequestItems", tree.Map{{Key: table, Value: batchKeys(r)}})
	case plan.BatchWriteItem:
		m.Add("RequestItems", tree.Map{{Key: table, Value: each(r.Actions, batchWrite)}})
	case plan.TransactGetItems, plan.TransactWriteItems:
		m.Add("TransactItems", each(r.Actions, func(a plan.Request) tree.Node { return member(table, a) }))
		text(&m, "ClientRequestToken", r.Token)
	case plan.ExecuteStatement:
		text(&m, "Statement", r.Statement)
		if len(r.Parameters) > 0 {
			m.Add("Parameters", each(r.Parameters, attribute))
		}
		flag(&m, "ConsistentRead", r.Consistent)
	default:
		single(&m, table, r)
	}
	return m
}

// single adds the members of a request that is about one item, or a query or scan.
func single(m *tree.Map, table string, r plan.Request) {
	m.Add("TableName", tree.Text(table))
	text(m, "IndexName", r.Index)
	item(m, "Key", r.Key)
	item(m, "Item", r.Item)
	text(m, "KeyConditionExpression", r.KeyCondition)
	text(m, "FilterExpression", r.Filter)
	text(m, "UpdateExpression", r.Update)
	text(m, "ConditionExpression", r.Condition)
	text(m, "ProjectionExpression", r.Projection)
	names(m, r.Names)
	item(m, "ExpressionAttributeValues", r.Values)
	if r.Descending {
		m.Add("ScanIndexForward", tree.Bool(false))
	}
	flag(m, "ConsistentRead", r.Consistent)
	if r.Limit > 0 {
		m.Add("Limit", tree.Number(r.Limit))
	}
	text(m, "Select", r.Select)
	text(m, "ReturnValues", r.Returns)
}

// batchKeys are the keys of a batch get with what it says of all of them.
func batchKeys(r plan.Request) tree.Node {
	var m tree.Map
	m.Add("Keys", each(r.Actions, func(a plan.Request) tree.Node { return attributes(a.Key) }))
	text(&m, "ProjectionExpression", r.Projection)
	names(&m, r.Names)
	flag(&m, "ConsistentRead", r.Consistent)
	return m
}

func batchWrite(a plan.Request) tree.Node {
	if a.API == plan.DeleteItem {
		return tree.Map{{Key: "DeleteRequest", Value: tree.Map{{Key: "Key", Value: attributes(a.Key)}}}}
	}
	return tree.Map{{Key: "PutRequest", Value: tree.Map{{Key: "Item", Value: attributes(a.Item)}}}}
}

// member is an action of a transaction.
func member(table string, a plan.Request) tree.Node {
	verb := map[plan.API]string{plan.GetItem: "Get", plan.PutItem: "Put", plan.UpdateItem: "Update", plan.DeleteItem: "Delete", plan.ConditionCheck: "ConditionCheck"}[a.API]
	var m tree.Map
	a.Returns, a.Consistent = "", false // no member has them
	single(&m, table, a)
	return tree.Map{{Key: verb, Value: m}}
}

func text(m *tree.Map, key, s string) {
	if s != "" {
		m.Add(key, tree.Text(s))
	}
}

func flag(m *tree.Map, key string, set bool) {
	if set {
		m.Add(key, tree.Bool(true))
	}
}

func names(m *tree.Map, all map[string]string) {
	if len(all) == 0 {
		return
	}
	var out tree.Map
	for _, placeholder := range slices.Sorted(maps.Keys(all)) {
		out.Add(placeholder, tree.Text(all[placeholder]))
	}
	m.Add("ExpressionAttributeNames", out)
}

func item(m *tree.Map, key string, attributesByName plan.Stored) {
	if len(attributesByName) > 0 {
		m.Add(key, attributes(attributesByName))
	}
}

func attributes(all plan.Stored) tree.Map {
	var out tree.Map
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out.Add(name, attribute(all[name]))
	}
	return out
}

// Item is a stored item as the API has it.
func Item(stored plan.Stored) tree.Map { return attributes(stored) }

func each[T any](in []T, f func(T) tree.Node) tree.List {
	out := make(tree.List, 0, len(in))
	for _, x := range in {
		out = append(out, f(x))
	}
	return out
}

// attribute is a value with its type, as DynamoDB's JSON has it.
func attribute(v value.Value) tree.Node {
	typed := func(kind string, n tree.Node) tree.Node { return tree.Map{{Key: kind, Value: n}} }
	switch v.Kind() {
	case value.String:
		return typed("S", tree.Text(v.Text()))
	case value.Number:
		return typed("N", tree.Text(v.Text()))
	case value.Binary:
		return typed("B", binary(v))
	case value.Bool:
		return typed("BOOL", tree.Bool(v.Truth()))
	case value.List:
		return typed("L", each(v.Items(), attribute))
	case value.Map:
		var m tree.Map
		for _, f := range v.Fields() {
			m.Add(f.Name, attribute(f.Value))
		}
		return typed("M", m)
	case value.StringSet, value.NumberSet:
		return typed(v.Kind().String(), each(v.Items(), func(v value.Value) tree.Node { return tree.Text(v.Text()) }))
	case value.BinarySet:
		return typed("BS", each(v.Items(), func(v value.Value) tree.Node { return binary(v) }))
	}
	return typed("NULL", tree.Bool(true))
}

func binary(v value.Value) tree.Text {
	return tree.Text(base64.StdEncoding.EncodeToString([]byte(v.Text())))
}
