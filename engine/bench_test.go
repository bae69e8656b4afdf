package engine_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

// benchItems is the number of items in the table of the benchmarks, twenty in
// each partition of the table and of its index.
const benchItems = 20_000

func benchKey(i int) attr.Item {
	return attr.NewItem(
		attr.Entry{Name: "PK", Value: attr.String(fmt.Sprintf("CUST#%06d", i/20))},
		attr.Entry{Name: "SK", Value: attr.String(fmt.Sprintf("ORDER#2026-01#%04d", i%20))})
}

// benchItem is an item of about 1 KB by DynamoDB's count.
func benchItem(i, version int) attr.Item {
	entries := []attr.Entry{
		{Name: "GSI1PK", Value: attr.String(fmt.Sprintf("SKU#%05d", i%(benchItems/20)))},
		{Name: "GSI1SK", Value: attr.String(fmt.Sprintf("2026-01-01#%06d", version))},
		{Name: "total", Value: attr.Int(int64(i))},
		{Name: "note", Value: attr.String(strings.Repeat("call before delivery ", 35))},
		{Name: "lines", Value: attr.List(benchLine(1), benchLine(2), benchLine(3))},
	}
	return benchKey(i).With(entries...)
}

func benchLine(i int64) attr.Value {
	return attr.Map(attr.NewItem(
		attr.Entry{Name: "sku", Value: attr.String("SKU-000123")},
		attr.Entry{Name: "qty", Value: attr.Int(i)}))
}

// smallItem is an item of about 100 bytes.
func smallItem(i int) attr.Item {
	return benchKey(i).With(
		attr.Entry{Name: "GSI1PK", Value: attr.String(fmt.Sprintf("SKU#%05d", i%(benchItems/20)))},
		attr.Entry{Name: "GSI1SK", Value: attr.String(fmt.Sprintf("2026-01-01#%06d", i))},
		attr.Entry{Name: "status", Value: attr.String("waiting for payment")},
		attr.Entry{Name: "total", Value: attr.Int(int64(i))})
}

func benchDB(tb testing.TB) *engine.DB {
	return filledDB(tb, func(i int) attr.Item { return benchItem(i, i) })
}

// filledDB returns a DB with a table of items and an index of all of them.
func filledDB(tb testing.TB, itemOf func(i int) attr.Item) *engine.DB {
	db := engine.New()
	tb.Cleanup(func() { db.Close() })
	name := "orders"
	str := func(n string) api.AttributeDefinition {
		return api.AttributeDefinition{AttributeName: n, AttributeType: "S"}
	}
	key := func(hash, sort string) []api.KeySchemaElement {
		return []api.KeySchemaElement{{AttributeName: hash, KeyType: api.Hash}, {AttributeName: sort, KeyType: api.Range}}
	}
	_, err := db.CreateTable(context.Background(), &api.CreateTableInput{
		TableName: &name, BillingMode: "PAY_PER_REQUEST",
		AttributeDefinitions:   []api.AttributeDefinition{str("PK"), str("SK"), str("GSI1PK"), str("GSI1SK")},
		KeySchema:              key("PK", "SK"),
		GlobalSecondaryIndexes: []api.GlobalSecondaryIndex{{IndexName: "GSI1", KeySchema: key("GSI1PK", "GSI1SK"), Projection: &api.Projection{ProjectionType: "ALL"}}},
	})
	if err != nil {
		tb.Fatal(err)
	}
	for i := range benchItems {
		item := itemOf(i)
		if _, err := db.PutItem(context.Background(), &api.PutItemInput{TableName: &name, Item: &item}); err != nil {
			tb.Fatal(err)
		}
	}
	return db
}

func BenchmarkDirect(b *testing.B) {
	db := benchDB(b)
	ctx, name := context.Background(), "orders"
	b.Run("GetItem", func(b *testing.B) {
		b.ReportAllocs()
		key := benchKey(4711)
		for b.Loop() {
			if out, err := db.GetItem(ctx, &api.GetItemInput{TableName: &name, Key: &key}); err != nil || out.Item == nil {
				b.Fatal(out, err)
			}
		}
	})
	b.Run("PutItem", func(b *testing.B) {
		b.ReportAllocs()
		items := []attr.Item{benchItem(4711, 1), benchItem(4711, 2)}
		for i := 0; b.Loop(); i++ {
			if _, err := db.PutItem(ctx, &api.PutItemInput{TableName: &name, Item: &items[i%2]}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Query20", func(b *testing.B) {
		b.ReportAllocs()
		in := benchQuery()
		for b.Loop() {
			if out, err := db.Query(ctx, in); err != nil || out.Count != 20 {
				b.Fatal(out, err)
			}
		}
	})
	b.Run("QueryIndex20", func(b *testing.B) {
		b.ReportAllocs()
		condition, index := "GSI1PK = :p", "GSI1"
		values := attr.NewItem(attr.Entry{Name: ":p", Value: attr.String("SKU#00042")})
		in := &api.QueryInput{KeyConditionExpression: &condition, ReadInput: api.ReadInput{TableName: &name, IndexName: &index}}
		in.ExpressionAttributeValues = &values
		for b.Loop() {
			if out, err := db.Query(ctx, in); err != nil || out.Count < 19 {
				b.Fatal(out, err)
			}
		}
	})
}

func benchQuery() *api.QueryInput {
	name, condition := "orders", "PK = :p AND begins_with(SK, :s)"
	values := attr.NewItem(
		attr.Entry{Name: ":p", Value: attr.String("CUST#000123")},
		attr.Entry{Name: ":s", Value: attr.String("ORDER#2026-01")})
	in := &api.QueryInput{KeyConditionExpression: &condition, ReadInput: api.ReadInput{TableName: &name}}
	in.ExpressionAttributeValues = &values
	return in
}

func BenchmarkClient(b *testing.B) {
	db := benchDB(b)
	c, ctx := db.Client(), context.Background()
	b.Run("GetItem", func(b *testing.B) {
		b.ReportAllocs()
		in := &dynamodb.GetItemInput{TableName: aws.String("orders"), Key: map[string]types.AttributeValue{
			"PK": &types.AttributeValueMemberS{Value: "CUST#000123"},
			"SK": &types.AttributeValueMemberS{Value: "ORDER#2026-01#0003"},
		}}
		for b.Loop() {
			if out, err := c.GetItem(ctx, in); err != nil || out.Item == nil {
				b.Fatal(out, err)
			}
		}
	})
}

// BenchmarkHTTP sends prebuilt requests over one connection; Echo is a handler
// that reads the body and answers a fixed one of the size of an item.
func BenchmarkHTTP(b *testing.B) {
	db := benchDB(b)
	item := string(benchItem(4711, 3).AppendJSON(nil))
	key := string(benchKey(4711).AppendJSON(nil))
	for _, c := range []struct{ op, body string }{
		{"GetItem", `{"TableName":"orders","Key":` + key + `}`},
		{"PutItem", `{"TableName":"orders","Item":` + item + `}`},
		{"Query", `{"TableName":"orders","KeyConditionExpression":"PK = :p","ExpressionAttributeValues":{":p":{"S":"CUST#000123"}}}`},
	} {
		answer := func(h http.Handler) string {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, benchRequest(b, "http://localhost/", c.op, c.body))
			return w.Body.String()
		}(db)
		echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			io.WriteString(w, answer)
		})
		b.Run(c.op, func(b *testing.B) { benchServer(b, db, c.op, c.body) })
		b.Run(c.op+"/Echo", func(b *testing.B) { benchServer(b, echo, c.op, c.body) })
	}
}

func benchRequest(b *testing.B, url, op, body string) *http.Request {
	r, err := http.NewRequest("POST", url, strings.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+op)
	r.Header.Set("Content-Type", engine.ContentType)
	r.Header.Set("X-Amz-Date", "20260101T000000Z")
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0")
	r.Header.Set("Accept-Encoding", "identity")
	return r
}

func benchServer(b *testing.B, h http.Handler, op, body string) {
	server := httptest.NewServer(h)
	defer server.Close()
	for b.Loop() {
		resp, err := server.Client().Do(benchRequest(b, server.URL, op, body))
		if err != nil || resp.StatusCode != 200 {
			b.Fatal(resp, err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
}

// TestMemoryPerItem holds the engine to its promise: at most twice an item's
// size plus 200 bytes, with one index of all attributes.
func TestMemoryPerItem(t *testing.T) {
	for name, itemOf := range map[string]func(i int) attr.Item{
		"kilobyte":  func(i int) attr.Item { return benchItem(i, i) },
		"100 bytes": smallItem,
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			db := filledDB(t, itemOf)
			runtime.GC()
			runtime.ReadMemStats(&after)
			first := itemOf(1)
			got := int(after.HeapAlloc-before.HeapAlloc) / benchItems
			if limit := 2*first.Size() + 200; got > limit {
				t.Errorf("an item of %d bytes takes %d bytes of memory, more than %d", first.Size(), got, limit)
			}
			t.Logf("%d bytes of memory for an item of %d", got, first.Size())
			runtime.KeepAlive(db)
		})
	}
}
