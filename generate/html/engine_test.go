package html_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/document"
	"github.com/dynmodel/dynmodel/generate/document/example"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/sdk"
)

// answers are, for each access pattern of a model that reads by keys, key
// conditions or a scan, what the engine answers to the requests of its example
// call, as numbers of example items.
func answers(t *testing.T, in generate.Input) map[string]answer {
	t.Helper()
	w := example.New(in.Model)
	db := loaded(t, w, in.Model.Table)
	out := map[string]answer{}
	for _, p := range in.Plans {
		if c := w.Call(p); c != nil && c.Variant.Read != nil {
			out[p.Pattern.Name.Text] = db.answer(t, w, c)
		}
	}
	return out
}

// answer are items in ascending order.
type answer struct{ read, returned, referred []int }

// TestEngineAgrees holds what each call is said to read and return against what
// DynamoDB answers to its requests.
func TestEngineAgrees(t *testing.T) {
	calls := 0
	for _, m := range models(t) {
		t.Run(m.name, func(t *testing.T) {
			in := m.input(t)
			d := document.New(in)
			answered := answers(t, in)
			for _, p := range d.Patterns {
				want, reads := answered[p.Name]
				if !reads {
					continue
				}
				calls++
				same(t, p.Name+" reads", p.Call.Read, want.read)
				same(t, p.Name+" returns", p.Call.Returned, want.returned)
				same(t, p.Name+" reads then", p.Call.Referred, want.referred)
			}
		})
	}
	if calls < 100 {
		t.Errorf("only %d calls were compared", calls)
	}
}

func same(t *testing.T, what string, got, want []int) {
	t.Helper()
	if got = slices.Sorted(slices.Values(got)); !slices.Equal(got, want) {
		t.Errorf("%s %d; the engine says %d", what, got, want)
	}
}

// database is the engine with a world's items in it.
type database struct {
	client *dynamodb.Client
	table  *model.Table
}

func loaded(t *testing.T, w *example.World, table *model.Table) database {
	t.Helper()
	db := engine.New()
	t.Cleanup(func() { db.Close() })
	d := database{db.Client(), table}
	in := sdk.Structure(table.Name.Text, table, func(*model.Index) bool { return true })
	if _, err := d.client.CreateTable(context.Background(), in); err != nil {
		t.Fatal(err)
	}
	for _, item := range w.Items {
		_, err := d.client.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: in.TableName, Item: sdk.Item(item.Stored)})
		if err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// answer is what the engine answers to the requests of a call.
func (d database) answer(t *testing.T, w *example.World, c *example.Call) answer {
	t.Helper()
	var read, returned, referred []string
	for _, r := range c.Requests {
		read = append(read, d.keys(t, r, false)...)
		returned = append(returned, d.keys(t, r, true)...)
		if c.Variant.Read.Merge == plan.MergeNone && c.Variant.Read.Limit > 0 && len(returned) >= c.Variant.Read.Limit {
			break
		}
	}
	if limit := c.Variant.Read.Limit; limit > 0 && len(returned) > limit {
		t.Fatalf("%s: the test does not merge", c.Variant.Pattern.Name.Text)
	}
	if c.Variant.Then != nil {
		for _, r := range c.After {
			referred = append(referred, d.keys(t, r, true)...)
		}
	}
	return answer{d.numbers(w, read), d.numbers(w, returned), d.numbers(w, referred)}
}

// numbers are the numbers of the items with these keys.
func (d database) numbers(w *example.World, keys []string) []int {
	var out []int
	for n, item := range w.Items {
		if slices.Contains(keys, d.key(sdk.Item(item.Stored))) {
			out = append(out, n)
		}
	}
	return out
}

// keys are the table keys of the items that a request brings, without its filter
// unless it is to be applied. Projections are left out, so that keys are there.
func (d database) keys(t *testing.T, r plan.Request, filtered bool) []string {
	t.Helper()
	var items []map[string]types.AttributeValue
	switch r.API {
	case plan.Query, plan.Scan:
		items = d.search(t, r, filtered)
	case plan.GetItem:
		got, err := d.client.GetItem(context.Background(), &dynamodb.GetItemInput{TableName: aws.String(d.table.Name.Text), Key: sdk.Item(r.Key)})
		if err != nil {
			t.Fatal(err)
		}
		if got.Item != nil {
			items = append(items, got.Item)
		}
	default:
		var out []string
		for _, a := range r.Actions {
			out = append(out, d.keys(t, a, filtered)...)
		}
		return out
	}
	var out []string
	for _, item := range items {
		out = append(out, d.key(item))
	}
	return out
}

func (d database) search(t *testing.T, r plan.Request, filtered bool) []map[string]types.AttributeValue {
	t.Helper()
	filter := r.Filter
	if !filtered {
		filter = ""
	}
	names, values := map[string]string{}, map[string]types.AttributeValue{}
	used := " " + r.KeyCondition + " " + filter + " "
	for p, n := range r.Names {
		if mentions(used, p) {
			names[p] = n
		}
	}
	for p, v := range r.Values {
		if mentions(used, p) {
			values[p] = sdk.Value(v)
		}
	}
	if r.API == plan.Scan {
		in := &dynamodb.ScanInput{TableName: aws.String(d.table.Name.Text), IndexName: optional(r.Index), FilterExpression: optional(filter)}
		if len(names) > 0 {
			in.ExpressionAttributeNames = names
		}
		if len(values) > 0 {
			in.ExpressionAttributeValues = values
		}
		got, err := d.client.Scan(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		return got.Items
	}
	in := &dynamodb.QueryInput{
		TableName: aws.String(d.table.Name.Text), IndexName: optional(r.Index), KeyConditionExpression: aws.String(r.KeyCondition),
		FilterExpression: optional(filter), ExpressionAttributeNames: names, ExpressionAttributeValues: values, ScanIndexForward: aws.Bool(!r.Descending),
	}
	if r.Limit > 0 {
		in.Limit = aws.Int32(int32(r.Limit))
	}
	got, err := d.client.Query(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return got.Items
}

func mentions(text, placeholder string) bool {
	i := strings.Index(text, placeholder)
	for i >= 0 {
		next := text[i+len(placeholder)]
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", rune(next)) {
			return true
		}
		more := strings.Index(text[i+1:], placeholder)
		if more < 0 {
			return false
		}
		i += 1 + more
	}
	return false
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (d database) key(item map[string]types.AttributeValue) string {
	var parts []string
	for _, k := range d.table.Keys() {
		parts = append(parts, fmt.Sprintf("%s=%v", k.Name, show(item[k.Name])))
	}
	return strings.Join(parts, " ")
}

func show(v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	case *types.AttributeValueMemberB:
		return string(v.Value)
	}
	return "?"
}
