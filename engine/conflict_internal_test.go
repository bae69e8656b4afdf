package engine

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

// What meets a transaction that is under way is refused, and only that.
func TestConflicts(t *testing.T) {
	db, ctx, name := New(), context.Background(), "tab"
	defer db.Close()
	_, err := db.CreateTable(ctx, &api.CreateTableInput{TableName: &name, BillingMode: payPerRequest,
		AttributeDefinitions: []api.AttributeDefinition{{AttributeName: "pk", AttributeType: "S"}},
		KeySchema:            []api.KeySchemaElement{{AttributeName: "pk", KeyType: api.Hash}}})
	if err != nil {
		t.Fatal(err)
	}
	item := func(pk string) *attr.Item {
		it := attr.NewItem(attr.Entry{Name: "pk", Value: attr.String(pk)})
		return &it
	}
	putBoth := func(a, b string) error {
		_, err := db.TransactWriteItems(ctx, &api.TransactWriteItemsInput{TransactItems: []api.TransactWriteItem{
			{Put: &api.TransactPut{TableName: &name, Item: item(a)}}, {Put: &api.TransactPut{TableName: &name, Item: item(b)}}}})
		return err
	}
	put := func(pk string) error {
		_, err := db.PutItem(ctx, &api.PutItemInput{TableName: &name, Item: item(pk)})
		return err
	}
	getBoth := func(a, b string) error {
		_, err := db.TransactGetItems(ctx, &api.TransactGetItemsInput{TransactItems: []*api.TransactGet{{TableName: &name, Key: item(a)}, {TableName: &name, Key: item(b)}}})
		return err
	}

	held := db.table(name)
	held.mu.Lock() // so that the transaction stays under way
	done := make(chan error)
	go func() { done <- putBoth("a", "b") }()
	for held.claims.n.Load() < 2 {
		time.Sleep(time.Millisecond)
	}
	for request, c := range map[string]struct {
		err  error
		want string
	}{
		"transaction": {putBoth("c", "b"), "TransactionCanceledException: Transaction cancelled, please refer cancellation reasons for specific reasons [None, TransactionConflict]"},
		"reading":     {getBoth("a", "c"), "TransactionCanceledException: Transaction cancelled, please refer cancellation reasons for specific reasons [TransactionConflict, None]"},
		"put":         {put("a"), "TransactionConflictException: Transaction is ongoing for the item"},
	} {
		var refusal *api.Error
		if !errors.As(c.err, &refusal) || refusal.Error() != c.want {
			t.Errorf("%s: %v, want %s", request, c.err, c.want)
		}
	}
	held.mu.Unlock()
	for request, err := range map[string]error{"first": <-done, "transaction": putBoth("c", "b"), "reading": getBoth("a", "c"), "put": put("a")} {
		if err != nil {
			t.Errorf("%s afterwards: %v", request, err)
		}
	}
	if n := held.claims.n.Load(); n != 0 {
		t.Errorf("%d items are still claimed", n)
	}
}
