package wire_test

import (
	"testing"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/wire"
)

func ptr[T any](v T) *T { return &v }

func item(name, text string) attr.Item {
	return attr.NewItem(attr.Entry{Name: name, Value: attr.String(text)})
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		err  *api.Error
		want string
	}{
		{api.Invalid("no %s", "good"), `{"__type":"com.amazon.coral.validate#ValidationException","message":"no good"}`},
		{api.Required("tableName"), `{"__type":"com.amazon.coral.validate#ValidationException","message":"1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null"}`},
		{api.Errorf(api.Serialization, "x"), `{"__type":"com.amazon.coral.service#SerializationException","Message":"x"}`},
		{api.Errorf(api.UnknownOperation, ""), `{"__type":"com.amazon.coral.service#UnknownOperationException"}`},
		{&api.Error{Code: api.ConditionalCheckFailed, Message: "m", Item: ptr(item("a", `"`))},
			`{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","message":"m","Item":{"a":{"S":"\""}}}`},
		{&api.Error{Code: api.TransactionCanceled, Message: "m", Reasons: []api.CancellationReason{{Code: "None"}, {Code: "ConditionalCheckFailed", Message: "f", Item: ptr(item("a", "b"))}}},
			`{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","Message":"m","CancellationReasons":[{"Code":"None"},{"Code":"ConditionalCheckFailed","Message":"f","Item":{"a":{"S":"b"}}}]}`},
	} {
		if got := string(wire.AppendError(nil, c.err)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestAnswers(t *testing.T) {
	capacity := api.ConsumedCapacity{
		TableName: "t", CapacityUnits: 2.5, WriteCapacityUnits: ptr(2.5),
		Table:                  &api.Capacity{CapacityUnits: 1},
		GlobalSecondaryIndexes: map[string]api.Capacity{"b": {CapacityUnits: 1}, "a": {CapacityUnits: 0.5, WriteCapacityUnits: ptr(0.5)}},
	}
	const capacityText = `{"TableName":"t","CapacityUnits":2.5,"WriteCapacityUnits":2.5,"Table":{"CapacityUnits":1.0},"GlobalSecondaryIndexes":{"a":{"CapacityUnits":0.5,"WriteCapacityUnits":0.5},"b":{"CapacityUnits":1.0}}}`
	for _, c := range []struct {
		name, got, want string
	}{
		{"no item", string(wire.AppendGetItem(nil, &api.GetItemOutput{})), `{}`},
		{"empty item", string(wire.AppendGetItem(nil, &api.GetItemOutput{Item: &attr.Item{}})), `{"Item":{}}`},
		{"write", string(wire.AppendWriteItem(nil, &api.WriteItemOutput{
			Attributes: item("a", "b"), ConsumedCapacity: &capacity,
			ItemCollectionMetrics: &api.ItemCollectionMetrics{ItemCollectionKey: item("k", "v"), SizeEstimateRangeGB: [2]float64{0, 1}}})),
			`{"Attributes":{"a":{"S":"b"}},"ConsumedCapacity":` + capacityText + `,"ItemCollectionMetrics":{"ItemCollectionKey":{"k":{"S":"v"}},"SizeEstimateRangeGB":[0.0,1.0]}}`},
		{"count", string(wire.AppendRead(nil, &api.ReadOutput{Count: 1, ScannedCount: 2, LastEvaluatedKey: item("k", "v")})),
			`{"Count":1,"ScannedCount":2,"LastEvaluatedKey":{"k":{"S":"v"}}}`},
		{"page", string(wire.AppendRead(nil, &api.ReadOutput{Items: []attr.Item{{}, item("a", "b")}, Count: 2, ScannedCount: 2})),
			`{"Items":[{},{"a":{"S":"b"}}],"Count":2,"ScannedCount":2}`},
		{"unprocessed keys", string(wire.AppendBatchGetItem(nil, &api.BatchGetItemOutput{UnprocessedKeys: map[string]api.KeysAndAttributes{"t": {
			Keys: []attr.Item{item("k", "v")}, ConsistentRead: ptr(true), ProjectionExpression: ptr("#a"), ExpressionAttributeNames: map[string]string{"#a": "a"}}}})),
			`{"Responses":{},"UnprocessedKeys":{"t":{"Keys":[{"k":{"S":"v"}}],"ConsistentRead":true,"ProjectionExpression":"#a","ExpressionAttributeNames":{"#a":"a"}}}}`},
		{"unprocessed items", string(wire.AppendBatchWriteItem(nil, &api.BatchWriteItemOutput{UnprocessedItems: map[string][]api.WriteRequest{"t": {{PutRequest: &api.PutRequest{Item: ptr(item("a", "b"))}}, {DeleteRequest: &api.DeleteRequest{Key: ptr(item("k", "v"))}}}}})),
			`{"UnprocessedItems":{"t":[{"PutRequest":{"Item":{"a":{"S":"b"}}}},{"DeleteRequest":{"Key":{"k":{"S":"v"}}}}]}}`},
		{"transaction", string(wire.AppendTransactGetItems(nil, &api.TransactGetItemsOutput{Responses: []*attr.Item{nil, {}}})),
			`{"Responses":[{},{"Item":{}}]}`},
	} {
		if c.got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.name, c.got, c.want)
		}
	}
}

// What is left unprocessed can be sent again as it is.
func TestUnprocessedIsARequest(t *testing.T) {
	var r wire.Reader
	text := `{"t":[{"PutRequest":{"Item":{"a":{"S":"b"}}}},{"DeleteRequest":{"Key":{"k":{"S":"v"}}}}]}`
	in, refused, err := wire.Read(&r, []byte(`{"RequestItems":`+text+`}`), wire.ReadBatchWriteItem)
	if err != nil || refused != nil {
		t.Fatal(err, refused)
	}
	got := string(wire.AppendBatchWriteItem(nil, &api.BatchWriteItemOutput{UnprocessedItems: in.RequestItems}))
	if want := `{"UnprocessedItems":` + text + `}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestReadRefuses(t *testing.T) {
	var r wire.Reader
	for _, c := range []struct {
		body, invalid, err string
	}{
		{`{"TableName":"t","Item":{"a":{"S":"b"}},"Unknown":{"x":[1,2]}}`, "", ""},
		{`{"TableName":null,"Item":null}`, "", ""},
		{`{"TableName":1}`, "", "SerializationException: NUMBER_VALUE cannot be converted to String"},
		{`{"Item":[]}`, "", "SerializationException: Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"},
		{`{"Item":{"a":{"N":1}}}`, "", "SerializationException: NUMBER_VALUE cannot be converted to String"},
		{`{"Item":{"a":{"S":"b"}}`, "", "SerializationException: "},
		{`{"Item":{"a":{}}}`, "ValidationException: Supplied AttributeValue is empty, must contain exactly one of the supported datatypes", ""},
		{`{"ExpressionAttributeValues":{":a":{"S":"b"},":c":{"SS":[]}}}`, "ValidationException: ExpressionAttributeValues contains invalid value: One or more parameter values were invalid: An string set  may not be empty for key :c", ""},
		{``, "", "SerializationException: "},
		{`[]`, "", "SerializationException: Unrecognized collection type class com.amazonaws.dynamodb.v20120810.Request"},
	} {
		_, refused, err := wire.Read(&r, []byte(c.body), wire.ReadPutItem)
		if got := textOf(refused.First()); got != c.invalid {
			t.Errorf("%s: refusal %q, want %q", c.body, got, c.invalid)
		}
		if got := textOf(err); got != c.err {
			t.Errorf("%s: error %q, want %q", c.body, got, c.err)
		}
	}
}

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestReadControl(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{`{"TableName":"t","Limit":1}`, ""},
		{`{"ExclusiveStartTableName":1}`, "SerializationException: NUMBER_VALUE cannot be converted to String"},
		{`{"ExclusiveStartTableName":true}`, "SerializationException: TRUE_VALUE cannot be converted to String"},
		{`{"ExclusiveStartTableName":1.5}`, "SerializationException: DECIMAL_VALUE cannot be converted to String"},
		{`{"ExclusiveStartTableName":false}`, "SerializationException: FALSE_VALUE cannot be converted to String"},
		{`{"ExclusiveStartTableName":null}`, ""},
		{`{"exclusivestarttablename":1}`, ""},
		{`{"ExclusiveStartTableName":[]}`, "SerializationException: Unrecognized collection type class java.lang.String"},
		{`{"ExclusiveStartTableName":{}}`, "SerializationException: Start of structure or map found where not expected"},
		{`{"Limit":"1"}`, "SerializationException: STRING_VALUE cannot be converted to Integer"},
		{`{"Limit":[]}`, "SerializationException: Unrecognized collection type class java.lang.Integer"},
		{`{"Limit":`, "SerializationException: "},
	} {
		_, err := wire.ReadControl[api.ListTablesInput]([]byte(c.body))
		if got := textOf(err); got != c.want {
			t.Errorf("%s: %q, want %q", c.body, got, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"TransactItems":[{"Put":{"TableName":"t","Item":{"a":{"N":"1"}},"ConditionExpression":"x"}}]}`))
	f.Add([]byte(`{"RequestItems":{"t":{"Keys":[{"k":{"B":"AA=="}}],"ConsistentRead":true}}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var r wire.Reader
		wire.Read(&r, body, wire.ReadTransactWriteItems)
		wire.Read(&r, body, wire.ReadBatchGetItem)
		wire.Read(&r, body, wire.ReadQuery)
		wire.Read(&r, body, wire.ReadUpdateItem)
		wire.Read(&r, body, wire.ReadExecuteStatement)
	})
}
