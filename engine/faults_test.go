package engine_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

func TestParseFaults(t *testing.T) {
	got, err := engine.ParseFaults("seed=7, latency=50ms,throttle=0.1,capacity,unprocessed=0.5,conflicts=1,lag=2s,short-pages=0")
	want := engine.Faults{Seed: 7, Latency: 50 * time.Millisecond, Throttle: 0.1, Capacity: true, Unprocessed: 0.5, Conflicts: 1, Lag: 2 * time.Second}
	if err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	for text, want := range map[string]string{
		"throttle":       `fault "throttle": a share is a number from 0 to 1`,
		"throttle=2":     `fault "throttle=2": a share is a number from 0 to 1`,
		"throttle=NaN":   `fault "throttle=NaN": a share is a number from 0 to 1`,
		"lag=5":          `fault "lag=5": a time is written like 50ms or 2s`,
		"latency=-1s":    `fault "latency=-1s": a time is written like 50ms or 2s`,
		"capacity=yes":   `fault "capacity=yes": capacity has no value`,
		"seed=x":         `fault "seed=x": strconv.ParseUint: parsing "x": invalid syntax`,
		"thrott1e=0.1":   `fault "thrott1e=0.1": there are seed, latency, throttle, capacity, unprocessed, conflicts, lag and short-pages`,
		"latency=1s,x=y": `fault "x=y": there are seed`,
	} {
		if _, err := engine.ParseFaults(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A faulty is a DB with faults, on a clock that the test moves.
type faulty struct {
	*engine.DB
	t   *testing.T
	now time.Time
}

func withFaults(t *testing.T, f engine.Faults) *faulty {
	x := &faulty{t: t, now: time.Unix(1_800_000_000, 0)}
	x.DB = engine.New(engine.WithFaults(f), engine.WithClock(func() time.Time { return x.now }))
	t.Cleanup(func() { x.Close() })
	return x
}

func (x *faulty) put(key string) error {
	item := attr.NewItem(attr.Entry{Name: "pk", Value: attr.String(key)}, attr.Entry{Name: "owner", Value: attr.String("me")})
	_, err := x.PutItem(context.Background(), &api.PutItemInput{TableName: ptr("tab"), Item: &item})
	return err
}

func (x *faulty) get(key string, consistent bool) (there bool, err error) {
	item := attr.NewItem(attr.Entry{Name: "pk", Value: attr.String(key)})
	out, err := x.GetItem(context.Background(), &api.GetItemInput{TableName: ptr("tab"), Key: &item, ConsistentRead: consistent})
	return err == nil && out.Item != nil, err
}

// owned queries the index.
func (x *faulty) owned() int {
	x.t.Helper()
	in := &api.QueryInput{KeyConditionExpression: ptr("#o = :o")}
	in.TableName, in.IndexName = ptr("tab"), ptr("byOwner")
	in.ExpressionAttributeNames = map[string]string{"#o": "owner"}
	in.ExpressionAttributeValues = ptr(attr.NewItem(attr.Entry{Name: ":o", Value: attr.String("me")}))
	out, err := x.Query(context.Background(), in)
	if err != nil {
		x.t.Fatal(err)
	}
	return len(out.Items)
}

func reasonOf(err error) string {
	var refusal *api.Error
	if !errors.As(err, &refusal) || len(refusal.Throttled) != 1 {
		return fmt.Sprint(err)
	}
	return fmt.Sprint(refusal.Code, " ", refusal.Throttled[0].Reason, " ", refusal.Throttled[0].Resource[strings.LastIndex(refusal.Throttled[0].Resource, ":"):])
}

// One partition takes 1000 write units in a second, and others are not touched
// by that.
func TestPartitionCapacity(t *testing.T) {
	x := withFaults(t, engine.Faults{Capacity: true})
	createTable(t, x.DB, "pk")
	for i := range 1000 {
		if err := x.put("hot"); err != nil {
			t.Fatalf("write %d: %v", i+1, err)
		}
	}
	want := "ProvisionedThroughputExceededException TableWriteKeyRangeThroughputExceeded :table/tab"
	if got := reasonOf(x.put("hot")); got != want {
		t.Errorf("write 1001: %s", got)
	}
	wantError(t, x.put("cold"), "")
	if _, err := x.get("hot", true); err != nil {
		t.Errorf("a read of the hot partition: %v", err)
	}
	x.now = x.now.Add(10 * time.Millisecond)
	for range 10 {
		wantError(t, x.put("hot"), "")
	}
	if got := reasonOf(x.put("hot")); got != want {
		t.Errorf("write 11 after 10 ms: %s", got)
	}
	for range 6000 {
		if _, err := x.get("hot", false); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := x.get("hot", false); !strings.HasPrefix(reasonOf(err), "ProvisionedThroughputExceededException TableReadKeyRangeThroughputExceeded") {
		t.Errorf("read 6001: %v", err)
	}
}

func TestTableCapacity(t *testing.T) {
	x := withFaults(t, engine.Faults{Capacity: true})
	key, defined := keySpec("pk")
	_, err := x.CreateTable(context.Background(), &api.CreateTableInput{
		TableName: ptr("tab"), KeySchema: key, AttributeDefinitions: defined,
		ProvisionedThroughput: &api.ProvisionedThroughput{ReadCapacityUnits: ptr(int64(10)), WriteCapacityUnits: ptr(int64(5))},
	})
	wantError(t, err, "")
	for i := range 5 {
		wantError(t, x.put(fmt.Sprint(i)), "")
	}
	want := "ProvisionedThroughputExceededException TableWriteProvisionedThroughputExceeded :table/tab"
	if got := reasonOf(x.put("6")); got != want {
		t.Errorf("write 6: %s", got)
	}
	x.now = x.now.Add(time.Hour) // saves up for 300 seconds
	for i := range 5 * 300 {
		wantError(t, x.put(fmt.Sprint(i)), "")
	}
	if got := reasonOf(x.put("6")); got != want {
		t.Errorf("write after the burst: %s", got)
	}
}

func TestThrottledRequests(t *testing.T) {
	x := withFaults(t, engine.Faults{})
	createTable(t, x.DB, "pk")
	c, ctx := x.Client(), context.Background()
	_, err := c.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("tab"), Item: map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "a"}}}, fault("throttle=1"))
	var exceeded *types.ProvisionedThroughputExceededException
	if !errors.As(err, &exceeded) || len(exceeded.ThrottlingReasons) != 1 || *exceeded.ThrottlingReasons[0].Reason != "TableWriteKeyRangeThroughputExceeded" {
		t.Errorf("put: %v", err)
	}
	_, err = c.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: aws.String("tab"), Item: map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "a"}}}},
	}}, fault("throttle=1"))
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) || *cancelled.CancellationReasons[0].Code != "ProvisionedThroughputExceeded" {
		t.Errorf("transaction: %v", err)
	}
	if out := must(c.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("tab")}))(t); out.Count != 0 {
		t.Errorf("refused writes have left %d items", out.Count)
	}
	for text, want := range map[string]string{
		"lag=1s":   "ValidationException: X-Dynmodel-Fault: fault lag: the endpoint has to be started with it",
		"nonsense": `ValidationException: X-Dynmodel-Fault: fault "nonsense": there are`,
	} {
		_, err := c.Scan(ctx, &dynamodb.ScanInput{TableName: aws.String("tab")}, fault(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// fault gives a request faults of its own.
func fault(text string) func(*dynamodb.Options) {
	return dynamodb.WithAPIOptions(smithyhttp.SetHeaderValue(engine.FaultHeader, text))
}

func TestConflicts(t *testing.T) {
	x := withFaults(t, engine.Faults{Conflicts: 1})
	createTable(t, x.DB, "pk")
	wantError(t, x.put("a"), "TransactionConflictException")
	_, err := x.Client().TransactWriteItems(context.Background(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: aws.String("tab"), Item: map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "a"}}}},
		{Put: &types.Put{TableName: aws.String("tab"), Item: map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: "b"}}}},
	}})
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		t.Fatalf("transaction: %v", err)
	}
	codes := *cancelled.CancellationReasons[0].Code + " " + *cancelled.CancellationReasons[1].Code
	if codes != "TransactionConflict None" && codes != "None TransactionConflict" {
		t.Errorf("reasons %s", codes)
	}
}

// A program that asks again for what a batch has left gets all of it.
func TestUnprocessed(t *testing.T) {
	x := withFaults(t, engine.Faults{Seed: 3, Unprocessed: 0.6})
	createTable(t, x.DB, "pk")
	c, ctx := x.Client(), context.Background()
	left := map[string][]types.WriteRequest{}
	keys := map[string]types.KeysAndAttributes{}
	for i := range 25 {
		item := map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: fmt.Sprint(i)}}
		left["tab"] = append(left["tab"], types.WriteRequest{PutRequest: &types.PutRequest{Item: item}})
		keys["tab"] = types.KeysAndAttributes{Keys: append(keys["tab"].Keys, item)}
	}
	writes, reads, got := 0, 0, 0
	for ; len(left) > 0; writes++ {
		left = must(c.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: left}))(t).UnprocessedItems
	}
	for ; len(keys) > 0; reads++ {
		out := must(c.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: keys}))(t)
		keys, got = out.UnprocessedKeys, got+len(out.Responses["tab"])
	}
	if got != 25 || writes < 3 || reads < 3 {
		t.Errorf("%d items after %d writes and %d reads", got, writes, reads)
	}
	_, err := c.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
		"tab": {Keys: []map[string]types.AttributeValue{{"pk": &types.AttributeValueMemberS{Value: "1"}}}},
	}}, fault("throttle=1"))
	var exceeded *types.ProvisionedThroughputExceededException
	if !errors.As(err, &exceeded) {
		t.Errorf("a batch of which nothing is processed: %v", err)
	}
}

// Eventually consistent reads of the table and the index are as old as the lag;
// consistent ones are not.
func TestLag(t *testing.T) {
	x := withFaults(t, engine.Faults{Lag: time.Second})
	createTable(t, x.DB, "pk", indexSpec{name: "byOwner", key: "owner", projects: "ALL"})
	see := func(when string, eventually, consistently bool, indexed int) {
		t.Helper()
		stale, err := x.get("a", false)
		fresh, err2 := x.get("a", true)
		if n := x.owned(); errors.Join(err, err2) != nil || stale != eventually || fresh != consistently || n != indexed {
			t.Errorf("%s: eventually %v, consistently %v, %d in the index; %v, %v", when, stale, fresh, n, err, err2)
		}
	}
	x.now = x.now.Add(time.Hour)
	wantError(t, x.put("a"), "")
	see("at once", false, true, 0)
	x.now = x.now.Add(600 * time.Millisecond)
	wantError(t, x.put("b"), "")
	see("after 0.6 s", false, true, 0)
	x.now = x.now.Add(500 * time.Millisecond)
	see("after 1.1 s", true, true, 1)
	x.now = x.now.Add(600 * time.Millisecond)
	see("after 1.7 s", true, true, 2)
}

func TestShortPages(t *testing.T) {
	x := withFaults(t, engine.Faults{ShortPages: 0.2})
	createTable(t, x.DB, "pk")
	for i := range 50 {
		wantError(t, x.put(fmt.Sprint(i)), "")
	}
	pages, items := 0, 0
	for p := dynamodb.NewScanPaginator(x.Client(), &dynamodb.ScanInput{TableName: aws.String("tab")}); p.HasMorePages(); pages++ {
		items += len(must(p.NextPage(context.Background()))(t).Items)
	}
	if items != 50 || pages < 5 {
		t.Errorf("%d items on %d pages", items, pages)
	}
}

// The same seed gives the same faults.
func TestFaultsAreReproducible(t *testing.T) {
	run := func(seed uint64) (outcome string) {
		x := withFaults(t, engine.Faults{Seed: seed, Throttle: 0.5})
		createTable(t, x.DB, "pk")
		for i := range 40 {
			outcome += map[bool]string{true: "+", false: "-"}[x.put(fmt.Sprint(i)) == nil]
		}
		return outcome
	}
	if a, b := run(1), run(1); a != b || strings.Count(a, "+") < 10 || strings.Count(a, "-") < 10 {
		t.Errorf("%s and %s", a, b)
	}
	if run(1) == run(2) {
		t.Error("seeds make no difference")
	}
}

func TestLatency(t *testing.T) {
	db := engine.New(engine.WithFaults(engine.Faults{Latency: 40 * time.Millisecond}))
	defer db.Close()
	start := time.Now()
	must(db.Client().ListTables(context.Background(), &dynamodb.ListTablesInput{}))(t)
	if took := time.Since(start); took < 20*time.Millisecond {
		t.Errorf("answered after %v", took)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	start = time.Now()
	_, err := db.Client().ListTables(ctx, &dynamodb.ListTablesInput{}, fault("latency=1h"))
	if took := time.Since(start); took > time.Minute {
		t.Errorf("a request that was given up was answered after %v, %v", took, err)
	}
}
