package engine_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

const accounts = 8

func account(i int) *attr.Item {
	return ptr(attr.NewItem(attr.Entry{Name: "pk", Value: attr.String(fmt.Sprint("account", i))}))
}

// Transactions move money between accounts while readers add it all up: the
// sum never changes, whichever way it is read.
func TestTransactionsAreIsolated(t *testing.T) {
	db, ctx := newDB(t), context.Background()
	createTable(t, db, "pk", indexSpec{name: "all", key: "kind, balance:N", projects: "ALL"})
	for i := range accounts {
		item := account(i).With(attr.Entry{Name: "balance", Value: attr.Int(100)}, attr.Entry{Name: "kind", Value: attr.String("account")})
		if _, err := db.PutItem(ctx, &api.PutItemInput{TableName: ptr("tab"), Item: &item}); err != nil {
			t.Fatal(err)
		}
	}
	stop := make(chan struct{})
	var readers, writers sync.WaitGroup
	for _, read := range []func(context.Context, *engine.DB) ([]attr.Item, error){sumByTransaction, sumByScan, sumByQuery} {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				items, err := read(ctx, db)
				if cancelled(err) { // a transaction met another
					continue
				}
				if sum := sumOf(items); err != nil || sum != 100*accounts {
					t.Errorf("sum of %d items is %d: %v", len(items), sum, err)
					return
				}
			}
		})
	}
	var moved atomic.Int64
	for w := range 4 {
		writers.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 2))
			for range 300 {
				switch err := transfer(ctx, db, r); {
				case err == nil:
					moved.Add(1)
				case !cancelled(err):
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
	if moved.Load() == 0 {
		t.Error("no transfer succeeded")
	}
}

func cancelled(err error) bool {
	var refusal *api.Error
	return errors.As(err, &refusal) && refusal.Code == api.TransactionCanceled
}

func transfer(ctx context.Context, db *engine.DB, r *rand.Rand) error {
	from := r.IntN(accounts)
	to := (from + 1 + r.IntN(accounts-1)) % accounts
	values := ptr(attr.NewItem(attr.Entry{Name: ":n", Value: attr.Int(int64(1 + r.IntN(60)))}))
	take := &api.TransactUpdate{TableName: ptr("tab"), Key: account(from), UpdateExpression: ptr("SET balance = balance - :n")}
	take.ConditionExpression, take.ExpressionAttributeValues = ptr("balance >= :n"), values
	give := &api.TransactUpdate{TableName: ptr("tab"), Key: account(to), UpdateExpression: ptr("SET balance = balance + :n")}
	give.ExpressionAttributeValues = values
	_, err := db.TransactWriteItems(ctx, &api.TransactWriteItemsInput{TransactItems: []api.TransactWriteItem{{Update: take}, {Update: give}}})
	return err
}

func sumOf(items []attr.Item) int64 {
	sum := int64(0)
	for _, it := range items {
		v, _ := it.Get("balance")
		n, _ := v.Int64()
		sum += n
	}
	return sum
}

func sumByTransaction(ctx context.Context, db *engine.DB) ([]attr.Item, error) {
	in := new(api.TransactGetItemsInput)
	for i := range accounts {
		in.TransactItems = append(in.TransactItems, &api.TransactGet{TableName: ptr("tab"), Key: account(i)})
	}
	out, err := db.TransactGetItems(ctx, in)
	if err != nil {
		return nil, err
	}
	var items []attr.Item
	for _, it := range out.Responses {
		items = append(items, *it)
	}
	return items, nil
}

func sumByScan(ctx context.Context, db *engine.DB) ([]attr.Item, error) {
	out, err := db.Scan(ctx, &api.ScanInput{ReadInput: api.ReadInput{TableName: ptr("tab")}})
	if err != nil {
		return nil, err
	}
	return out.Items, nil
}

func sumByQuery(ctx context.Context, db *engine.DB) ([]attr.Item, error) {
	in := &api.QueryInput{KeyConditionExpression: ptr("kind = :k")}
	in.TableName, in.IndexName = ptr("tab"), ptr("all")
	in.ExpressionAttributeValues = ptr(attr.NewItem(attr.Entry{Name: ":k", Value: attr.String("account")}))
	out, err := db.Query(ctx, in)
	if err != nil {
		return nil, err
	}
	return out.Items, nil
}

// Of many that create the same item, one succeeds.
func TestConditionAndWriteAreOne(t *testing.T) {
	db, ctx := newDB(t), context.Background()
	createTable(t, db, "pk")
	var won atomic.Int64
	for round := range 50 {
		var all sync.WaitGroup
		for who := range 8 {
			all.Go(func() {
				item := account(round).With(attr.Entry{Name: "by", Value: attr.Int(int64(who))})
				in := &api.PutItemInput{TableName: ptr("tab"), Item: &item}
				in.ConditionExpression = ptr("attribute_not_exists(pk)")
				if _, err := db.PutItem(ctx, in); err == nil {
					won.Add(1)
				} else {
					wantError(t, err, "ConditionalCheckFailedException")
				}
			})
		}
		all.Wait()
	}
	if won.Load() != 50 {
		t.Errorf("%d of 50 items were created", won.Load())
	}
}

// Tables and indexes come and go under readers and writers, which see them or
// are told that they are not there; nobody sees the items of another table in
// a space that was used again.
func TestTablesComeAndGo(t *testing.T) {
	db, ctx := newDB(t), context.Background()
	names := []string{"one", "two", "three"}
	stop := make(chan struct{})
	var workers, makers sync.WaitGroup
	for w := range 3 {
		workers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				name := names[(i+w)%len(names)]
				item := attr.NewItem(attr.Entry{Name: "pk", Value: attr.String(fmt.Sprint(w))}, attr.Entry{Name: "table", Value: attr.String(name)})
				_, err := db.PutItem(ctx, &api.PutItemInput{TableName: &name, Item: &item})
				gone(t, err)
				out, err := db.Scan(ctx, &api.ScanInput{ReadInput: api.ReadInput{TableName: &name}})
				if gone(t, err) {
					continue
				}
				for _, it := range out.Items {
					if v, _ := it.Get("table"); v.Text() != name {
						t.Errorf("item of %s in %s", v.Text(), name)
					}
				}
			}
		})
	}
	for _, name := range names {
		makers.Go(func() {
			for range 100 {
				key, defined := keySpec("pk")
				_, err := db.CreateTable(ctx, &api.CreateTableInput{TableName: &name, BillingMode: "PAY_PER_REQUEST", KeySchema: key, AttributeDefinitions: defined})
				wantError(t, err, "")
				addAndRemoveIndex(t, db, name)
				_, err = db.DeleteTable(ctx, &api.DeleteTableInput{TableName: &name})
				wantError(t, err, "")
			}
		})
	}
	makers.Wait()
	close(stop)
	workers.Wait()
}

func gone(t *testing.T, err error) bool {
	if err != nil {
		wantError(t, err, "ResourceNotFoundException")
	}
	return err != nil
}

func addAndRemoveIndex(t *testing.T, db *engine.DB, table string) {
	key, defined := keySpec("table")
	_, err := db.UpdateTable(context.Background(), &api.UpdateTableInput{TableName: &table, AttributeDefinitions: defined, GlobalSecondaryIndexUpdates: []api.GlobalSecondaryIndexUpdate{
		{Create: &api.GlobalSecondaryIndex{IndexName: "byTable", KeySchema: key, Projection: &api.Projection{ProjectionType: "ALL"}}},
	}})
	wantError(t, err, "")
	_, err = db.UpdateTable(context.Background(), &api.UpdateTableInput{TableName: &table, GlobalSecondaryIndexUpdates: []api.GlobalSecondaryIndexUpdate{
		{Delete: &api.DeleteGlobalSecondaryIndex{IndexName: "byTable"}},
	}})
	wantError(t, err, "")
}
