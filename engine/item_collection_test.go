package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/api"
)

// A partition of a table with local indexes has room for so much, its index
// entries included; other partitions and other tables do not count.
func TestItemCollectionLimit(t *testing.T) {
	ctx := context.Background()
	filler := strings.Repeat("x", 1000)
	row := func(pk, sk, day string) *api.PutItemInput {
		return &api.PutItemInput{TableName: ptr("tab"), Item: js(t, `{"pk":{"S":"`+pk+`"},"sk":{"S":"`+sk+`"},"filler":{"S":"`+filler+`"}`+day+`}`)}
	}
	const indexed = `,"day":{"S":"1"}`
	db := newDB(t, engine.WithItemCollectionLimit(3500))
	createTable(t, db, "pk, sk", indexSpec{name: "byDay", key: "pk, day", projects: "ALL", local: true})
	for _, c := range []struct {
		in   *api.PutItemInput
		want string
	}{
		{row("a", "1", indexed), ""}, // twice
		{row("a", "2", ""), ""},
		{row("a", "3", ""), "ItemCollectionSizeLimitExceededException: Collection size exceeded."},
		{row("a", "2", indexed), "ItemCollectionSizeLimitExceededException"},
		{row("a", "2", ""), ""}, // does not grow
		{row("b", "1", indexed), ""},
	} {
		_, err := db.PutItem(ctx, c.in)
		wantError(t, err, c.want)
	}
	_, err := db.TransactWriteItems(ctx, &api.TransactWriteItemsInput{TransactItems: []api.TransactWriteItem{
		{Put: &api.TransactPut{TableName: ptr("tab"), Item: row("c", "1", "").Item}}, {Put: &api.TransactPut{TableName: ptr("tab"), Item: row("a", "3", "").Item}}}})
	wantError(t, err, "[None, ItemCollectionSizeLimitExceeded]")
	_, err = db.BatchWriteItem(ctx, &api.BatchWriteItemInput{RequestItems: map[string][]api.WriteRequest{"tab": {{PutRequest: &api.PutRequest{Item: row("a", "3", "").Item}}}}})
	wantError(t, err, "ItemCollectionSizeLimitExceededException")

	global := newDB(t, engine.WithItemCollectionLimit(3500))
	createTable(t, global, "pk, sk", indexSpec{name: "byDay", key: "day", projects: "ALL"})
	for _, sk := range []string{"1", "2", "3", "4"} {
		_, err := global.PutItem(ctx, row("a", sk, indexed))
		wantError(t, err, "")
	}
}
