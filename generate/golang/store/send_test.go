package store

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// fakeDB answers as its functions say.
type fakeDB struct {
	DB
	batchGet   func(*dynamodb.BatchGetItemInput) (*dynamodb.BatchGetItemOutput, error)
	batchWrite func(*dynamodb.BatchWriteItemInput) (*dynamodb.BatchWriteItemOutput, error)
	query      func(*dynamodb.QueryInput) (*dynamodb.QueryOutput, error)
	transact   func(*dynamodb.TransactWriteItemsInput) error
}

func (f *fakeDB) BatchGetItem(_ context.Context, in *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	return f.batchGet(in)
}

func (f *fakeDB) BatchWriteItem(_ context.Context, in *dynamodb.BatchWriteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	return f.batchWrite(in)
}

func (f *fakeDB) Query(_ context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return f.query(in)
}

func (f *fakeDB) TransactWriteItems(_ context.Context, in *dynamodb.TransactWriteItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	return &dynamodb.TransactWriteItemsOutput{}, f.transact(in)
}

// quick is a table that does not wait between attempts, and counts them.
func quick(db DB, pauses *int) *Table {
	t := New(db, "t")
	t.pause = func(context.Context, int) error { *pauses++; return nil }
	return t
}

func keyed(i int) stored { return stored{"PK": num(fmt.Sprint(i))} }

func TestBatchGet(t *testing.T) {
	var sizes []int
	db := &fakeDB{batchGet: func(in *dynamodb.BatchGetItemInput) (*dynamodb.BatchGetItemOutput, error) {
		asked := in.RequestItems["t"]
		sizes = append(sizes, len(asked.Keys))
		half := (len(asked.Keys) + 1) / 2
		out := &dynamodb.BatchGetItemOutput{Responses: map[string][]stored{}}
		for i := half - 1; i >= 0; i-- { // in another order
			if !equal(asked.Keys[i]["PK"], num("7")) {
				out.Responses["t"] = append(out.Responses["t"], asked.Keys[i])
			}
		}
		if rest := asked.Keys[half:]; len(rest) > 0 {
			out.UnprocessedKeys = map[string]types.KeysAndAttributes{"t": {Keys: rest}}
		}
		return out, nil
	}}
	pauses := 0
	var keys []stored
	for i := range 120 {
		keys = append(keys, keyed(i), keyed(i)) // each twice
	}
	items, err := quick(db, &pauses).batchGet(context.Background(), types.KeysAndAttributes{Keys: keys}, []string{"PK"}, options{})
	if err != nil || len(items) != 119 || sizes[0] != 100 || pauses == 0 {
		t.Fatalf("%d items in requests of %v, after %d pauses: %v", len(items), sizes, pauses, err)
	}
	for i, item := range items {
		want := i
		if i >= 7 { // which is not there
			want++
		}
		if !equal(item["PK"], num(fmt.Sprint(want))) {
			t.Fatalf("item %d is %v", i, item["PK"])
		}
	}
}

func TestBatchesEnd(t *testing.T) {
	db := &fakeDB{
		batchGet: func(in *dynamodb.BatchGetItemInput) (*dynamodb.BatchGetItemOutput, error) {
			return &dynamodb.BatchGetItemOutput{UnprocessedKeys: in.RequestItems}, nil
		},
		batchWrite: func(*dynamodb.BatchWriteItemInput) (*dynamodb.BatchWriteItemOutput, error) {
			return nil, &types.ProvisionedThroughputExceededException{}
		},
	}
	pauses := 0
	table := quick(db, &pauses)
	if _, err := table.batchGet(context.Background(), types.KeysAndAttributes{Keys: []stored{keyed(1)}}, []string{"PK"}, options{}); err == nil || pauses != mostIdle {
		t.Errorf("after %d pauses: %v", pauses, err)
	}
	pauses = 0
	if err := table.batchWrite(context.Background(), make([]types.WriteRequest, 30), options{}); err == nil || pauses != mostIdle {
		t.Errorf("after %d pauses: %v", pauses, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := backOff(ctx, 20); !errors.Is(err, context.Canceled) {
		t.Errorf("a pause goes on although the context has ended: %v", err)
	}
}

func TestBatchWrite(t *testing.T) {
	var sizes []int
	db := &fakeDB{batchWrite: func(in *dynamodb.BatchWriteItemInput) (*dynamodb.BatchWriteItemOutput, error) {
		sizes = append(sizes, len(in.RequestItems["t"]))
		if len(sizes) == 1 {
			return &dynamodb.BatchWriteItemOutput{UnprocessedItems: map[string][]types.WriteRequest{"t": in.RequestItems["t"][:3]}}, nil
		}
		return &dynamodb.BatchWriteItemOutput{}, nil
	}}
	pauses := 0
	if err := quick(db, &pauses).batchWrite(context.Background(), make([]types.WriteRequest, 30), options{}); err != nil || fmt.Sprint(sizes) != "[25 3 5]" {
		t.Errorf("requests of %v: %v", sizes, err)
	}
}

// pages is a query of two streams, of even and of odd numbers, in pages of two.
func pages(from func(int32) int) *fakeDB {
	return &fakeDB{query: func(in *dynamodb.QueryInput) (*dynamodb.QueryOutput, error) {
		n := from(*in.Limit)
		start := 0
		if *in.KeyConditionExpression == "odd" {
			start = 1
		}
		if k, ok := in.ExclusiveStartKey["PK"].(*types.AttributeValueMemberN); ok {
			if _, err := fmt.Sscan(k.Value, &start); err != nil {
				return nil, err
			}
			start += 2
		}
		out := &dynamodb.QueryOutput{}
		for ; start < 20 && len(out.Items) < n; start += 2 {
			out.Items = append(out.Items, keyed(start))
		}
		if start < 20 {
			out.LastEvaluatedKey = out.Items[len(out.Items)-1]
		}
		out.Count = int32(len(out.Items))
		return out, nil
	}}
}

func twoStreams(limit int) builder {
	return func(time.Time, options) (reading, error) {
		r := reading{pattern: "p", params: 1, keys: []string{"PK"}, order: []by{{"PK", false}}, limit: limit}
		for _, c := range []string{"even", "odd"} {
			r.requests = append(r.requests, request{query: &dynamodb.QueryInput{KeyConditionExpression: ptr(c), Limit: to(int32(3))}})
		}
		return r, nil
	}
}

func number(item stored) (string, error) { return item["PK"].(*types.AttributeValueMemberN).Value, nil }

func TestMerge(t *testing.T) {
	table := New(pages(func(n int32) int { return int(n) }), "t")
	var all []string
	for n, err := range iterate(context.Background(), table, options{}, twoStreams(0), number) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	if want := "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19"; strings.Join(all, " ") != want {
		t.Errorf("merged: %v", all)
	}
	var paged []string
	var cursor Cursor
	for range 20 {
		page, err := pageOf(context.Background(), table, options{size: 3, after: cursor}, twoStreams(0), number)
		if err != nil {
			t.Fatal(err)
		}
		paged = append(paged, page.Items...)
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if strings.Join(paged, " ") != strings.Join(all, " ") {
		t.Errorf("in pages: %v", paged)
	}
	if n, err := table.count(context.Background(), options{}, twoStreams(0)); n != 20 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := table.count(context.Background(), options{}, twoStreams(7)); n != 7 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := only(context.Background(), table, options{}, twoStreams(0), number); !errors.Is(err, ErrNotOne) {
		t.Error(err)
	}
}

// sealed is a codec of one's own.
type sealed struct{}

func (sealed) Encode(b []byte) (string, error) {
	return "sealed:" + base64.StdEncoding.EncodeToString(b), nil
}

func (sealed) Decode(text string) ([]byte, error) {
	rest, ok := strings.CutPrefix(text, "sealed:")
	if !ok {
		return nil, errors.New("no seal")
	}
	return base64.StdEncoding.DecodeString(rest)
}

func TestCursorCodec(t *testing.T) {
	clock := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	table := New(pages(func(n int32) int { return int(n) }), "t", WithCursorCodec(sealed{}), WithClock(func() time.Time { return clock }))
	page, err := pageOf(context.Background(), table, options{size: 3}, twoStreams(0), number)
	if err != nil || !strings.HasPrefix(string(page.Next), "sealed:") {
		t.Fatal(page, err)
	}
	begun := clock
	clock = clock.Add(time.Hour)
	var seen time.Time
	_, err = pageOf(context.Background(), table, options{size: 3, after: page.Next}, func(now time.Time, o options) (reading, error) {
		seen = now
		return twoStreams(0)(now, o)
	}, number)
	if err != nil || !seen.Equal(begun) {
		t.Errorf("the second page is of %s, not of %s (%v)", seen, begun, err)
	}
	if _, err := pageOf(context.Background(), table, options{after: "x"}, twoStreams(0), number); !errors.Is(err, ErrCursor) {
		t.Error(err)
	}
	key := stored{"a": str("x"), "b": num("1.5"), "c": bin([]byte{0, 255})}
	back, err := place{Key: written(key)}.key()
	if err != nil || !sameItem(key, back) {
		t.Error(back, err)
	}
}

func TestTransactionErrors(t *testing.T) {
	failed := func(codes ...string) error {
		e := &types.TransactionCanceledException{}
		for _, c := range codes {
			e.CancellationReasons = append(e.CancellationReasons, types.CancellationReason{Code: ptr(c), Item: keyed(1)})
		}
		return e
	}
	read := func(stored) (Entity, error) { return nil, errors.New("no entity") }
	tx := transaction{}
	tx.add(types.TransactWriteItem{}, writing{pattern: "p", entity: "A", name: "update A", read: read})
	tx.add(types.TransactWriteItem{}, writing{pattern: "p", entity: "B", name: "create B", taken: []string{"id"}, step: 1, member: 2, read: read})
	var step *TransactionError
	var exists *ExistsError
	for _, c := range []struct {
		codes []string
		is    func(error) bool
	}{
		{[]string{"ConditionalCheckFailed", "None"}, func(err error) bool {
			return errors.As(err, &step) && step.Step == 0 && errors.Is(err, ErrConditionFailed) && !errors.As(err, &exists)
		}},
		{[]string{"None", "ConditionalCheckFailed"}, func(err error) bool {
			return errors.As(err, &step) && step.Step == 1 && step.Member == 2 && errors.As(err, &exists)
		}},
		{[]string{"None", "TransactionConflict"}, func(err error) bool {
			return errors.As(err, &step) && step.Code == "TransactionConflict" && !errors.Is(err, ErrConditionFailed)
		}},
	} {
		table := New(&fakeDB{transact: func(*dynamodb.TransactWriteItemsInput) error { return failed(c.codes...) }}, "t")
		if err := table.transact(context.Background(), tx, "", false, options{}); !c.is(err) {
			t.Errorf("%v: %v", c.codes, err)
		}
	}
	long := transaction{items: make([]types.TransactWriteItem, maxTransact+1)}
	if err := New(&fakeDB{}, "t").transact(context.Background(), long, "", false, options{}); !errors.Is(err, ErrInvalid) {
		t.Error(err)
	}
}

func TestGuards(t *testing.T) {
	table := New(nil, "t")
	for _, c := range []struct {
		old, fresh stored
		want       int
	}{{nil, nil, 0}, {keyed(1), keyed(1), 0}, {nil, keyed(1), 1}, {keyed(1), nil, 1}, {keyed(1), keyed(2), 2}} {
		tx := transaction{}
		tx.guard(table, c.old, c.fresh, writing{}, "PK", "email")
		if len(tx.items) != c.want {
			t.Errorf("from %v to %v takes %d writes, not %d", c.old, c.fresh, len(tx.items), c.want)
		}
	}
}
