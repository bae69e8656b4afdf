package example_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/generate/document/example"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/sdk"
	"github.com/dynmodel/dynmodel/model/source"
)

const examples = "../../../examples"

// models are the example models of the repository, by their paths.
func models(t testing.TB) map[string]*model.Model {
	t.Helper()
	out := map[string]*model.Model{}
	err := filepath.WalkDir(examples, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		name, err := filepath.Rel(examples, path)
		if err != nil {
			return err
		}
		out[filepath.ToSlash(name)] = load(t, path)
		return nil
	})
	if err != nil || len(out) == 0 {
		t.Fatal("no example models", err)
	}
	return out
}

func load(t testing.TB, path string) *model.Model {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := parse.File(source.NewFile(path, string(text)), os.DirFS(filepath.Dir(path)))
	return m
}

func parsed(t testing.TB, text string) *model.Model {
	t.Helper()
	m, findings := parse.File(source.NewFile("model.yaml", text), nil)
	for _, f := range findings.All() {
		t.Fatalf("line %d: %s", f.Span.From().Line, f.Message)
	}
	return m
}

// TestEngineAgrees holds what each call is said to read and return against what
// DynamoDB answers to its requests.
func TestEngineAgrees(t *testing.T) {
	calls := 0
	for name, m := range models(t) {
		t.Run(name, func(t *testing.T) {
			w := example.New(m)
			db := loaded(t, w, m.Table)
			planner := plan.New(m)
			for _, p := range m.Patterns {
				if c := w.Call(planner.Pattern(p)); c != nil && c.Variant.Read != nil {
					calls++
					db.compare(t, p.Name.Text, w, c)
				}
			}
		})
	}
	if calls < 100 {
		t.Errorf("only %d calls were compared", calls)
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

func (d database) compare(t *testing.T, pattern string, w *example.World, c *example.Call) {
	t.Helper()
	read, returned := []string{}, []string{}
	for _, r := range c.Requests {
		read = append(read, d.keys(t, r, false)...)
		returned = append(returned, d.keys(t, r, true)...)
		if c.Variant.Read.Merge == plan.MergeNone && c.Variant.Read.Limit > 0 && len(returned) >= c.Variant.Read.Limit {
			break
		}
	}
	if limit := c.Variant.Read.Limit; limit > 0 && len(returned) > limit {
		t.Fatalf("%s: the test does not merge", pattern)
	}
	if got, want := d.keysOf(w, c.Read), set(read); !slices.Equal(got, want) {
		t.Errorf("%s: it is said to read %q; DynamoDB reads %q", pattern, got, want)
	}
	if got, want := d.keysOf(w, c.Returned), set(returned); !slices.Equal(got, want) {
		t.Errorf("%s: it is said to return %q; DynamoDB returns %q", pattern, got, want)
	}
	referred := []string{}
	if c.Variant.Then != nil {
		for _, r := range c.After {
			referred = append(referred, d.keys(t, r, true)...)
		}
	}
	if got, want := d.keysOf(w, c.Referred), set(referred); !slices.Equal(got, want) {
		t.Errorf("%s: it is said to read then %q; DynamoDB reads %q", pattern, got, want)
	}
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

func (d database) keysOf(w *example.World, items []int) []string {
	out := []string{}
	for _, n := range items {
		out = append(out, d.key(sdk.Item(w.Items[n].Stored)))
	}
	return set(out)
}

func set(keys []string) []string {
	slices.Sort(keys)
	return slices.Compact(keys)
}
