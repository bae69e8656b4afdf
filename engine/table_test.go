package engine_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/api"
)

func element(name string, kind api.KeyType) api.KeySchemaElement {
	return api.KeySchemaElement{AttributeName: name, KeyType: kind}
}

// Key schemas of global indexes have up to four HASH attributes and then up to
// four RANGE attributes; those of tables and local indexes one of each.
func TestKeyShapes(t *testing.T) {
	key := func(kinds string) (key []api.KeySchemaElement) {
		for i, k := range kinds {
			key = append(key, element(fmt.Sprintf("a%d", i), map[rune]api.KeyType{'h': api.Hash, 'r': api.Range}[k]))
		}
		return key
	}
	for _, c := range []struct{ table, global, local, want string }{
		{"h", "h", "", ""},
		{"hr", "hhhhrrrr", "", ""},
		{"hr", "hhhh", "hr", ""},
		{"r", "h", "", "The first KeySchemaElement is not a HASH key type"},
		{"hh", "h", "", "The second KeySchemaElement is not a RANGE key type"},
		{"hrr", "h", "", "Member must have length less than or equal to 2"},
		{"hr", "hhhhh", "", "at most 4 HASH and 4 RANGE"},
		{"hr", "hrrrrr", "", "at most 4 HASH and 4 RANGE"},
		{"hr", "hrh", "", "must come before the RANGE"},
		{"hr", "rh", "", "The first KeySchemaElement is not a HASH key type"},
		{"hr", "hhhhrrrrr", "", "Member must have length less than or equal to 8"},
		{"hr", "h", "h", "Index KeySchema does not have a range key for index: local"},
		{"h", "h", "hr", "Table KeySchema does not have a range key"},
		{"", "h", "", "Member must not be null"},
	} {
		in := &api.CreateTableInput{TableName: ptr("tab"), BillingMode: "PAY_PER_REQUEST", KeySchema: key(c.table)}
		all := api.Projection{ProjectionType: "ALL"}
		in.GlobalSecondaryIndexes = []api.GlobalSecondaryIndex{{IndexName: "global", KeySchema: key(c.global), Projection: &all}}
		if c.local != "" {
			in.LocalSecondaryIndexes = []api.LocalSecondaryIndex{{IndexName: "local", KeySchema: key(c.local), Projection: &all}}
		}
		for i := range max(len(c.table), len(c.global), len(c.local)) {
			in.AttributeDefinitions = append(in.AttributeDefinitions, api.AttributeDefinition{AttributeName: fmt.Sprintf("a%d", i), AttributeType: "S"})
		}
		t.Run(c.table+"/"+c.global+"/"+c.local, func(t *testing.T) {
			_, err := newDB(t).CreateTable(context.Background(), in)
			wantError(t, err, c.want)
		})
	}
}

func TestUpdateTable(t *testing.T) {
	c := newClock()
	db, ctx := newDB(t, engine.WithClock(c.now)), context.Background()
	hash := func(name string) []api.KeySchemaElement { return []api.KeySchemaElement{element(name, api.Hash)} }
	_, err := db.CreateTable(ctx, &api.CreateTableInput{
		TableName: ptr("tab"), KeySchema: hash("pk"), ProvisionedThroughput: throughput(5, 5),
		AttributeDefinitions: []api.AttributeDefinition{{AttributeName: "pk", AttributeType: "S"}},
		SSESpecification:     &api.SSESpecification{Enabled: ptr(true)},
	})
	wantError(t, err, "")
	put(t, db, `{"pk":{"S":"a"},"n":{"N":"1"}}`)
	put(t, db, `{"pk":{"S":"wrong type"},"n":{"S":"1"}}`)
	put(t, db, `{"pk":{"S":"too long"},"n":{"N":"2"},"s":{"S":"`+strings.Repeat("x", 3000)+`"}}`)
	number := []api.AttributeDefinition{{AttributeName: "n", AttributeType: "N"}}
	create := func(x *api.GlobalSecondaryIndex) []api.GlobalSecondaryIndexUpdate {
		return []api.GlobalSecondaryIndexUpdate{{Create: x}}
	}
	all := &api.Projection{ProjectionType: "ALL"}
	byN := &api.GlobalSecondaryIndex{IndexName: "byN", KeySchema: hash("n"), Projection: all, ProvisionedThroughput: throughput(1, 1)}
	for i, step := range []struct {
		in   api.UpdateTableInput
		want string
	}{
		{api.UpdateTableInput{}, "At least one of ProvisionedThroughput"},
		{api.UpdateTableInput{ProvisionedThroughput: throughput(5, 5)}, "The requested value equals the current value"},
		{api.UpdateTableInput{ProvisionedThroughput: throughput(0, 5)}, "Member must have value greater than or equal to 1"},
		{api.UpdateTableInput{ProvisionedThroughput: throughput(4, 6)}, ""},
		{api.UpdateTableInput{ProvisionedThroughput: throughput(3, 6)}, ""},
		{api.UpdateTableInput{GlobalSecondaryIndexUpdates: create(byN)}, "Some index key attributes are not defined in AttributeDefinitions"},
		{api.UpdateTableInput{AttributeDefinitions: []api.AttributeDefinition{{AttributeName: "n", AttributeType: "N"}, {AttributeName: "pk", AttributeType: "B"}}, GlobalSecondaryIndexUpdates: create(byN)}, "Attributes cannot be redefined"},
		{api.UpdateTableInput{AttributeDefinitions: number, GlobalSecondaryIndexUpdates: create(&api.GlobalSecondaryIndex{IndexName: "byN", KeySchema: hash("n"), Projection: all})}, "ProvisionedThroughput must be specified for index: byN"},
		{api.UpdateTableInput{AttributeDefinitions: number, GlobalSecondaryIndexUpdates: append(create(byN), create(byN)...)}, "Only one global secondary index update per index"},
		{api.UpdateTableInput{AttributeDefinitions: number, GlobalSecondaryIndexUpdates: append(create(byN), api.GlobalSecondaryIndexUpdate{Delete: &api.DeleteGlobalSecondaryIndex{IndexName: "old"}})}, "LimitExceededException"},
		{api.UpdateTableInput{AttributeDefinitions: number, GlobalSecondaryIndexUpdates: create(byN)}, ""},
		{api.UpdateTableInput{AttributeDefinitions: number, GlobalSecondaryIndexUpdates: create(byN)}, "Attempting to create an index which already exists"},
		{api.UpdateTableInput{GlobalSecondaryIndexUpdates: []api.GlobalSecondaryIndexUpdate{{Update: &api.UpdateGlobalSecondaryIndex{IndexName: "byN", ProvisionedThroughput: throughput(7, 8)}}}}, ""},
		{api.UpdateTableInput{GlobalSecondaryIndexUpdates: []api.GlobalSecondaryIndexUpdate{{Update: &api.UpdateGlobalSecondaryIndex{IndexName: "nope", ProvisionedThroughput: throughput(7, 8)}}}}, "ResourceNotFoundException"},
		{api.UpdateTableInput{BillingMode: "PAY_PER_REQUEST", TableClass: "STANDARD_INFREQUENT_ACCESS", DeletionProtectionEnabled: ptr(true)}, ""},
		{api.UpdateTableInput{ProvisionedThroughput: throughput(1, 1)}, "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified"},
		{api.UpdateTableInput{BillingMode: "PROVISIONED"}, "ProvisionedThroughput must be specified when BillingMode is PROVISIONED"},
		{api.UpdateTableInput{StreamSpecification: &api.StreamSpecification{StreamEnabled: ptr(false)}}, "has no stream"},
	} {
		in := step.in
		in.TableName = ptr("tab")
		_, err := db.UpdateTable(ctx, &in)
		wantError(t, err, step.want)
		if t.Failed() {
			t.Fatalf("in step %d", i)
		}
		c.pass(time.Minute)
	}
	out, err := db.DescribeTable(ctx, &api.DescribeTableInput{TableName: ptr("tab")})
	wantError(t, err, "")
	d := out.Table
	if d.BillingModeSummary.BillingMode != "PAY_PER_REQUEST" || d.TableClassSummary.TableClass != "STANDARD_INFREQUENT_ACCESS" || d.SSEDescription.Status != "ENABLED" || d.ProvisionedThroughput.ReadCapacityUnits != 0 {
		t.Errorf("settings %+v", d)
	}
	if x := d.GlobalSecondaryIndexes[0]; d.ItemCount != 3 || x.ItemCount != 2 {
		t.Errorf("%d items in the table, %d in the index", d.ItemCount, x.ItemCount)
	}
	_, err = db.DeleteTable(ctx, &api.DeleteTableInput{TableName: ptr("tab")})
	wantError(t, err, "currently protected against deletion")
	_, err = db.UpdateTable(ctx, &api.UpdateTableInput{TableName: ptr("tab"), DeletionProtectionEnabled: ptr(false),
		GlobalSecondaryIndexUpdates: []api.GlobalSecondaryIndexUpdate{{Delete: &api.DeleteGlobalSecondaryIndex{IndexName: "byN"}}}})
	wantError(t, err, "")
	out, _ = db.DescribeTable(ctx, &api.DescribeTableInput{TableName: ptr("tab")})
	if len(out.Table.GlobalSecondaryIndexes) != 0 || len(out.Table.AttributeDefinitions) != 1 {
		t.Errorf("after the index: %+v", out.Table)
	}
	_, err = db.DeleteTable(ctx, &api.DeleteTableInput{TableName: ptr("tab")})
	wantError(t, err, "")
	_, err = db.DescribeTable(ctx, &api.DescribeTableInput{TableName: ptr("tab")})
	wantError(t, err, "Requested resource not found: Table: tab not found")
}

func TestNamesByARN(t *testing.T) {
	db := newDB(t)
	createTable(t, db, "pk")
	put(t, db, `{"pk":{"S":"a"}}`)
	for _, name := range []string{"tab", "arn:aws:dynamodb:us-east-1:000000000000:table/tab"} {
		out, err := db.GetItem(context.Background(), &api.GetItemInput{TableName: &name, Key: js(t, `{"pk":{"S":"a"}}`)})
		wantError(t, err, "")
		if err == nil && out.Item == nil {
			t.Errorf("no item by %s", name)
		}
	}
}

func throughput(reads, writes int64) *api.ProvisionedThroughput {
	return &api.ProvisionedThroughput{ReadCapacityUnits: &reads, WriteCapacityUnits: &writes}
}
