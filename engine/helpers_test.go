package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

func ptr[T any](v T) *T { return &v }

// js reads an item in DynamoDB JSON.
func js(t testing.TB, text string) *attr.Item {
	t.Helper()
	it, err := attr.ParseItem([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return &it
}

// keySpec reads a key like "PK, SK:N": hash attributes before range attributes,
// which a bar separates when there are several: "a, b | c:N, d".
func keySpec(spec string) (key []api.KeySchemaElement, defined []api.AttributeDefinition) {
	hashes, ranges, split := strings.Cut(spec, "|")
	parts := strings.Split(hashes, ",")
	n := len(parts)
	if !split {
		n = 1
	} else {
		parts = append(parts, strings.Split(ranges, ",")...)
	}
	for i, p := range parts {
		name, typ, typed := strings.Cut(strings.TrimSpace(p), ":")
		if !typed {
			typ = "S"
		}
		kind := api.Range
		if i < n {
			kind = api.Hash
		}
		key = append(key, api.KeySchemaElement{AttributeName: name, KeyType: kind})
		defined = append(defined, api.AttributeDefinition{AttributeName: name, AttributeType: typ})
	}
	return key, defined
}

// An indexSpec declares an index: its key and its projection, which is ALL,
// KEYS_ONLY or a list of names.
type indexSpec struct {
	name, key, projects string
	local               bool
}

// createTable makes an on-demand table called t.
func createTable(t testing.TB, db *engine.DB, key string, indexes ...indexSpec) {
	t.Helper()
	in := &api.CreateTableInput{TableName: ptr("tab"), BillingMode: "PAY_PER_REQUEST"}
	define := func(spec string) []api.KeySchemaElement {
		key, defined := keySpec(spec)
		for _, d := range defined {
			known := false
			for _, have := range in.AttributeDefinitions {
				known = known || have == d
			}
			if !known {
				in.AttributeDefinitions = append(in.AttributeDefinitions, d)
			}
		}
		return key
	}
	in.KeySchema = define(key)
	for _, x := range indexes {
		p := &api.Projection{ProjectionType: x.projects}
		if x.projects != "ALL" && x.projects != "KEYS_ONLY" {
			p = &api.Projection{ProjectionType: "INCLUDE", NonKeyAttributes: strings.Fields(x.projects)}
		}
		if x.local {
			in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, api.LocalSecondaryIndex{IndexName: x.name, KeySchema: define(x.key), Projection: p})
		} else {
			in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, api.GlobalSecondaryIndex{IndexName: x.name, KeySchema: define(x.key), Projection: p})
		}
	}
	if _, err := db.CreateTable(context.Background(), in); err != nil {
		t.Fatal(err)
	}
}

func newDB(t testing.TB, options ...engine.Option) *engine.DB {
	db := engine.New(options...)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// wantError checks an error by its code and a part of its message; "" is no
// error at all.
func wantError(t testing.TB, err error, want string) {
	t.Helper()
	var refusal *api.Error
	switch {
	case want == "" && err != nil:
		t.Errorf("unexpected error: %v", err)
	case want != "" && !errors.As(err, &refusal):
		t.Errorf("want error %q, got %v", want, err)
	case want != "" && !strings.Contains(refusal.Error(), want):
		t.Errorf("want error %q, got %q", want, refusal.Error())
	}
}

// streamText returns the text of a string in a record of a stream.
func streamText(v types.AttributeValue) string {
	s, _ := v.(*types.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}
