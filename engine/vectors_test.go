package engine_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

func vectorIndex(name, distance string, schema ...api.SearchSchemaElement) api.VectorIndex {
	return api.VectorIndex{IndexName: name, VectorAttribute: &api.VectorAttribute{AttributeName: "v"}, Dimensions: ptr(int64(2)), DistanceFunction: distance,
		Projection: &api.Projection{ProjectionType: "ALL"}, SearchSchema: schema}
}

// createVectors makes a table with vector indexes; kind and weight may be in
// search schemas.
func createVectors(t *testing.T, db *engine.DB, indexes ...api.VectorIndex) {
	t.Helper()
	in := &api.CreateTableInput{TableName: ptr("tab"), BillingMode: "PAY_PER_REQUEST", KeySchema: []api.KeySchemaElement{{AttributeName: "pk", KeyType: "HASH"}}, VectorIndexes: indexes}
	in.AttributeDefinitions = []api.AttributeDefinition{{AttributeName: "pk", AttributeType: "S"}}
	for _, e := range []api.AttributeDefinition{{AttributeName: "kind", AttributeType: "S"}, {AttributeName: "weight", AttributeType: "N"}} {
		for _, x := range indexes {
			if slices.ContainsFunc(x.SearchSchema, func(s api.SearchSchemaElement) bool { return s.AttributeName == e.AttributeName }) {
				in.AttributeDefinitions = append(in.AttributeDefinitions, e)
				break
			}
		}
	}
	if _, err := db.CreateTable(context.Background(), in); err != nil {
		t.Fatal(err)
	}
}

func searchFor(index string, x, y int64, top int64) *api.SearchVectorsInput {
	return &api.SearchVectorsInput{TableName: ptr("tab"), IndexName: &index, SearchVector: []attr.Value{attr.Int(x), attr.Int(y)}, TopK: &top}
}

func found(t *testing.T, db *engine.DB, in *api.SearchVectorsInput) (keys []string, scores []float64) {
	t.Helper()
	out, err := db.SearchVectors(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range out.SearchResults {
		pk, _ := r.Item.Get("pk")
		keys, scores = append(keys, pk.Text()), append(scores, math.Round(r.Score*1000)/1000)
	}
	return keys, scores
}

func TestDistances(t *testing.T) {
	db := newDB(t)
	createVectors(t, db, vectorIndex("cos", "COSINE"), vectorIndex("euc", "EUCLIDEAN"), vectorIndex("dot", "DOT_PRODUCT"))
	put(t, db, `{"pk":{"S":"zero"},"v":{"L":[{"N":"0"},{"N":"0"}]}}`)
	put(t, db, `{"pk":{"S":"right"},"v":{"L":[{"N":"1"},{"N":"0"}]}}`)
	put(t, db, `{"pk":{"S":"far right"},"v":{"L":[{"N":"10"},{"N":"0"}]}}`)
	put(t, db, `{"pk":{"S":"left"},"v":{"L":[{"N":"-1"},{"N":"0"}]}}`)
	put(t, db, `{"pk":{"S":"without"}}`)
	for index, want := range map[string]struct {
		keys   []string
		scores []float64
	}{
		"cos": {[]string{"far right", "right", "zero", "left"}, []float64{0, 0, 1, 2}},
		"euc": {[]string{"right", "zero", "left", "far right"}, []float64{1, 2, 3, 8}},
		"dot": {[]string{"far right", "right", "zero", "left"}, []float64{20, 2, 0, -2}},
	} {
		keys, scores := found(t, db, searchFor(index, 2, 0, 100))
		if index == "cos" { // two are as good as each other
			slices.Sort(keys[:2])
		}
		if !slices.Equal(keys, want.keys) || !slices.Equal(scores, want.scores) {
			t.Errorf("%s: %q %v, want %q %v", index, keys, scores, want.keys, want.scores)
		}
		if keys, _ := found(t, db, searchFor(index, 2, 0, 3)); len(keys) != 3 || keys[2] != want.keys[2] {
			t.Errorf("%s: the best three are %q", index, keys)
		}
	}
}

func TestSearchConditions(t *testing.T) {
	db := newDB(t)
	createVectors(t, db, vectorIndex("ofKind", "EUCLIDEAN", api.SearchSchemaElement{AttributeName: "kind", SearchSchemaElementType: "HASH"}, api.SearchSchemaElement{AttributeName: "weight", SearchSchemaElementType: "INLINE_FILTER"}))
	put(t, db, `{"pk":{"S":"a"},"kind":{"S":"x"},"weight":{"N":"1"},"v":{"L":[{"N":"0"},{"N":"0"}]}}`)
	put(t, db, `{"pk":{"S":"b"},"kind":{"S":"x"},"weight":{"N":"2"},"v":{"L":[{"N":"1"},{"N":"0"}]}}`)
	put(t, db, `{"pk":{"S":"c"},"kind":{"S":"y"},"v":{"L":[{"N":"0"},{"N":"0"}]}}`)
	put(t, db, `{"pk":{"S":"no kind"},"v":{"L":[{"N":"0"},{"N":"0"}]}}`)
	for _, c := range []struct {
		condition, values, want string
	}{
		{`kind = :k`, `{":k":{"S":"x"}}`, `["a" "b"]`},
		{`kind = :k`, `{":k":{"S":"none"}}`, `[]`},
		{`weight = :s AND kind = :k`, `{":k":{"S":"x"},":s":{"N":"2"}}`, `["b"]`},
		{`weight = :s`, `{":s":{"N":"2"}}`, `SearchConditionExpression must be provided when SearchSchema has a HASH key`},
		{``, ``, `SearchConditionExpression must be provided when SearchSchema has a HASH key`},
		{`kind = :k AND weight > :s`, `{":k":{"S":"x"},":s":{"N":"2"}}`, `Invalid comparator used in SearchConditionExpression`},
		{`kind = :k OR weight = :s`, `{":k":{"S":"x"},":s":{"N":"2"}}`, `Invalid comparator used in SearchConditionExpression`},
		{`kind = :k AND pk = :s`, `{":k":{"S":"x"},":s":{"S":"2"}}`, `can only contain attributes of the SearchSchema: pk`},
	} {
		in := searchFor("ofKind", 0, 0, 10)
		if c.condition != "" {
			in.SearchConditionExpression, in.ExpressionAttributeValues = &c.condition, js(t, c.values)
		}
		if c.want[0] != '[' {
			_, err := db.SearchVectors(context.Background(), in)
			wantError(t, err, c.want)
			continue
		}
		if keys, _ := found(t, db, in); fmt.Sprintf("%q", keys) != c.want {
			t.Errorf("%s: %q, want %s", c.condition, keys, c.want)
		}
	}
}

// What a vector index cannot hold is refused, by whatever writes it.
func TestVectorsOfItems(t *testing.T) {
	db, ctx := newDB(t), context.Background()
	createVectors(t, db, vectorIndex("byV", "EUCLIDEAN", api.SearchSchemaElement{AttributeName: "weight", SearchSchemaElementType: "INLINE_FILTER"}))
	for _, c := range []struct{ v, want string }{
		{`{"L":[{"N":"1"},{"N":"2"}]}`, ""},
		{`{"L":[{"N":"1"}]}`, "The vector has 1 dimensions, but index byV has 2"},
		{`{"S":"1 2"}`, "expected a list of numbers, actual: S"},
		{`{"NS":["1","2"]}`, "expected a list of numbers, actual: NS"},
		{`{"L":[{"N":"1"},{"S":"2"}]}`, "Invalid parameter type for element 1 of a vector"},
		{`{"L":[{"N":"1"},{"N":"1e39"}]}`, "Element 1 of a vector is not a 32-bit floating point number"},
	} {
		_, err := db.PutItem(ctx, &api.PutItemInput{TableName: ptr("tab"), Item: js(t, `{"pk":{"S":"a"},"v":`+c.v+`}`)})
		wantError(t, err, c.want)
		_, err = db.UpdateItem(ctx, &api.UpdateItemInput{TableName: ptr("tab"), Key: js(t, `{"pk":{"S":"b"}}`), UpdateExpression: ptr("SET v = :v"),
			Substitutions: api.Substitutions{ExpressionAttributeValues: js(t, `{":v":`+c.v+`}`)}})
		wantError(t, err, c.want)
	}
	_, err := db.PutItem(ctx, &api.PutItemInput{TableName: ptr("tab"), Item: js(t, `{"pk":{"S":"a"},"weight":{"S":"big"}}`)})
	wantError(t, err, "Type mismatch for Index Key weight Expected: N Actual: S IndexName: byV")
}

// Bytes are counted where indexed data changes, and there only.
func TestVectorCapacity(t *testing.T) {
	db, ctx := newDB(t), context.Background()
	x := vectorIndex("byV", "EUCLIDEAN")
	x.Projection = &api.Projection{ProjectionType: "KEYS_ONLY"}
	createVectors(t, db, x)
	for _, c := range []struct {
		item string
		want float64 // 0 is none
	}{
		{`{"pk":{"S":"a"}}`, 0},
		{`{"pk":{"S":"a"},"v":{"L":[{"N":"1"},{"N":"2"}]}}`, 1024},
		{`{"pk":{"S":"a"},"v":{"L":[{"N":"1"},{"N":"2"}]},"not projected":{"S":"b"}}`, 0},
		{`{"pk":{"S":"a"},"v":{"L":[{"N":"1"},{"N":"3"}]}}`, 1024},
		{`{"pk":{"S":"a"}}`, 1024},
	} {
		out, err := db.PutItem(ctx, &api.PutItemInput{TableName: ptr("tab"), Item: js(t, c.item), Report: api.Report{ReturnConsumedCapacity: "INDEXES"}})
		if err != nil {
			t.Fatal(err)
		}
		got := 0.0
		if v, ok := out.ConsumedCapacity.VectorIndexes["byV"]; ok {
			got = *v.VectorWriteRequestBytes
		}
		if got != c.want || out.ConsumedCapacity.CapacityUnits != 1 {
			t.Errorf("%s: %g bytes and %g units, want %g and 1", c.item, got, out.ConsumedCapacity.CapacityUnits, c.want)
		}
	}
	in := searchFor("byV", 0, 0, 1)
	in.ReturnConsumedCapacity = "TOTAL"
	out, err := db.SearchVectors(ctx, in)
	if err != nil || *out.ConsumedCapacity.VectorSearchRequestBytes != 1024 {
		t.Errorf("search: %v, %+v", err, out)
	}
}

// An index that comes later holds the items that fit, and is gone when it is
// deleted.
func TestUpdateVectorIndexes(t *testing.T) {
	db, ctx := newDB(t), context.Background()
	createTable(t, db, "pk")
	put(t, db, `{"pk":{"S":"a"},"v":{"L":[{"N":"1"},{"N":"2"}]}}`)
	put(t, db, `{"pk":{"S":"b"},"v":{"S":"not a vector"}}`)
	var status []string // of the indexes, after the last update
	update := func(u ...api.VectorIndexUpdate) error {
		out, err := db.UpdateTable(ctx, &api.UpdateTableInput{TableName: ptr("tab"), VectorIndexUpdates: u})
		if status = nil; err == nil {
			for _, x := range out.TableDescription.VectorIndexes {
				status = append(status, x.IndexStatus)
			}
		}
		return err
	}
	x := vectorIndex("byV", "COSINE")
	three := x
	three.IndexName, three.Dimensions = "three", ptr(int64(3))
	wantError(t, update(api.VectorIndexUpdate{}), "must not be null")
	wantError(t, update(api.VectorIndexUpdate{Delete: &api.DeleteVectorIndex{IndexName: "byV"}}), "ResourceNotFoundException")
	wantError(t, update(api.VectorIndexUpdate{Create: &x}), "")
	if !slices.Equal(status, []string{"CREATING"}) {
		t.Errorf("status %q", status)
	}
	wantError(t, update(api.VectorIndexUpdate{Create: &x}), "already exists")
	wantError(t, update(api.VectorIndexUpdate{Create: &three}), "must have the same number of dimensions")
	if keys, _ := found(t, db, searchFor("byV", 1, 2, 10)); !slices.Equal(keys, []string{"a"}) {
		t.Errorf("found %q", keys)
	}
	d, err := db.DescribeTable(ctx, &api.DescribeTableInput{TableName: ptr("tab")})
	if err != nil || len(d.Table.VectorIndexes) != 1 || d.Table.VectorIndexes[0].ItemCount != 1 {
		t.Errorf("%v, described %+v", err, d.Table.VectorIndexes)
	}
	wantError(t, update(api.VectorIndexUpdate{Delete: &api.DeleteVectorIndex{IndexName: "byV"}}), "")
	_, err = db.SearchVectors(ctx, searchFor("byV", 1, 2, 10))
	wantError(t, err, "The table does not have the specified index: byV")
}

func TestVectorDefinitions(t *testing.T) {
	hash := api.SearchSchemaElement{AttributeName: "pk", SearchSchemaElementType: "HASH"}
	for _, c := range []struct {
		change func(*api.VectorIndex)
		want   string
	}{
		{func(x *api.VectorIndex) { x.SearchSchema = []api.SearchSchemaElement{hash, hash} }, "SearchSchema has the attribute pk more than once"},
		{func(x *api.VectorIndex) {
			x.SearchSchema = []api.SearchSchemaElement{{AttributeName: "other", SearchSchemaElementType: "HASH"}}
		}, "One element in SearchSchema is not defined in attribute definitions"},
		{func(x *api.VectorIndex) { x.VectorAttribute.AttributeName = "pk" }, "The vector attribute pk must not be in AttributeDefinitions"},
		{func(x *api.VectorIndex) { x.DistanceFunction = "MANHATTAN" }, "Member must satisfy enum value set: [COSINE, DOT_PRODUCT, EUCLIDEAN]"},
		{func(x *api.VectorIndex) { x.Dimensions = ptr(int64(0)) }, "Member must have value greater than or equal to 1"},
		{func(x *api.VectorIndex) { x.Projection = nil }, "Value null at 'vectorIndexes.1.member.projection'"},
	} {
		x := vectorIndex("byV", "COSINE")
		c.change(&x)
		_, err := newDB(t).CreateTable(context.Background(), &api.CreateTableInput{TableName: ptr("tab"), BillingMode: "PAY_PER_REQUEST",
			AttributeDefinitions: []api.AttributeDefinition{{AttributeName: "pk", AttributeType: "S"}},
			KeySchema:            []api.KeySchemaElement{{AttributeName: "pk", KeyType: "HASH"}}, VectorIndexes: []api.VectorIndex{x}})
		wantError(t, err, c.want)
	}
}
