package items_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/importer/infer"
	"github.com/dynmodel/dynmodel/model/importer/items"
	"github.com/dynmodel/dynmodel/model/value"
)

// watched is a client that keeps the operations it is asked for.
type watched struct {
	client dynamodb.HTTPClient
	mu     sync.Mutex
	asked  []string
}

func (w *watched) Do(r *http.Request) (*http.Response, error) {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	w.mu.Lock()
	w.asked = append(w.asked, operation)
	w.mu.Unlock()
	return w.client.Do(r)
}

func attribute(name string, t types.ScalarAttributeType) types.AttributeDefinition {
	return types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: t}
}

func key(name string, t types.KeyType) types.KeySchemaElement {
	return types.KeySchemaElement{AttributeName: aws.String(name), KeyType: t}
}

// table makes a table with everything that a description tells, and 1,000 items.
func table(t *testing.T, client *dynamodb.Client) {
	t.Helper()
	ctx := context.Background()
	must := func(_ any, err error) {
		if t.Helper(); err != nil {
			t.Fatal(err)
		}
	}
	must(client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:            aws.String("events"),
		AttributeDefinitions: []types.AttributeDefinition{attribute("device", "S"), attribute("at", "N"), attribute("kind", "S")},
		KeySchema:            []types.KeySchemaElement{key("device", "HASH"), key("at", "RANGE")},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName: aws.String("ByKind"), KeySchema: []types.KeySchemaElement{key("kind", "HASH"), key("at", "RANGE")},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: []string{"value"}},
		}},
		LocalSecondaryIndexes: []types.LocalSecondaryIndex{{
			IndexName: aws.String("Local"), KeySchema: []types.KeySchemaElement{key("device", "HASH"), key("kind", "RANGE")},
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
		}},
		BillingMode: types.BillingModePayPerRequest, DeletionProtectionEnabled: aws.Bool(true),
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewImage},
		Tags:                []types.Tag{{Key: aws.String("team"), Value: aws.String("iot")}},
	}))
	must(client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName:               aws.String("events"),
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("expires"), Enabled: aws.Bool(true)},
	}))
	for i := range 1000 {
		must(client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("events"), Item: map[string]types.AttributeValue{
			"device":  &types.AttributeValueMemberS{Value: fmt.Sprintf("d-%d", i%50)},
			"at":      &types.AttributeValueMemberN{Value: fmt.Sprint(1_770_000_000 + i)},
			"kind":    &types.AttributeValueMemberS{Value: []string{"start", "stop", "fault"}[i%3]},
			"value":   &types.AttributeValueMemberN{Value: fmt.Sprintf("%d.5", i)},
			"expires": &types.AttributeValueMemberN{Value: fmt.Sprint(1_780_000_000 + i)},
			"nothing": &types.AttributeValueMemberNULL{Value: true},
		}}))
	}
}

func TestReadIsBoundedAndOnlyReads(t *testing.T) {
	db := engine.New()
	defer db.Close()
	table(t, db.Client())
	w := &watched{client: db.Client().Options().HTTPClient}
	client := dynamodb.New(db.Client().Options(), func(o *dynamodb.Options) { o.HTTPClient = w })
	var mu sync.Mutex
	var waited time.Duration
	d, err := items.Read(context.Background(), client, "events", items.Options{Limit: 450, Segments: 3, Rate: 30, Sleep: func(_ context.Context, d time.Duration) error {
		mu.Lock()
		defer mu.Unlock()
		waited += d
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(d.Items); n == 0 || n > 450 {
		t.Errorf("%d items, want at most 450", n)
	}
	if waited < 300*time.Millisecond { // a unit or more for each page, at ten units a second for each scan
		t.Errorf("it waited %s in all", waited)
	}
	reads := []string{"DescribeTable", "DescribeTimeToLive", "DescribeContinuousBackups", "ListTagsOfResource", "Scan"}
	for _, operation := range w.asked {
		if !slices.Contains(reads, operation) {
			t.Errorf("it asked for %s", operation)
		}
	}
	for _, item := range d.Items {
		if _, ok := item.Values["nothing"]; ok {
			t.Fatal("NULL is an absent attribute")
		}
	}
	describes(t, d)
}

// describes holds a draft against the table that was made.
func describes(t *testing.T, d *draft.Draft) {
	t.Helper()
	m := d.Table
	if m.PartitionKey.Name != "device" || m.SortKey == nil || m.SortKey.Name != "at" || m.SortKey.Kind != value.Number {
		t.Errorf("keys %+v %+v", m.PartitionKey, m.SortKey)
	}
	x, local := m.Index("ByKind"), m.Index("Local")
	if x == nil || x.Projection.Type != model.ProjectInclude || len(x.Keys()) != 2 || local == nil || !local.Local || local.Projection.Type != model.ProjectKeysOnly {
		t.Errorf("indexes %+v %+v", x, local)
	}
	if !m.Capacity.OnDemand || m.Stream == nil || m.Stream.View != "new_image" || m.TTL == nil || m.TTL.Text != "expires" || !m.DeletionProtection {
		t.Errorf("settings %+v", m)
	}
	if !slices.Equal(m.Tags, []model.Tag{{Key: "team", Value: "iot"}}) {
		t.Errorf("tags %+v", m.Tags)
	}
}

func TestReadRefuses(t *testing.T) {
	db := engine.New()
	defer db.Close()
	if _, err := items.Read(context.Background(), db.Client(), "nowhere", items.Options{}); err == nil || err.Error() != "there is no table named nowhere" {
		t.Errorf("%v", err)
	}
	table(t, db.Client())
	ctx, stop := context.WithCancel(context.Background())
	_, err := items.Read(ctx, db.Client(), "events", items.Options{Limit: 1000, Rate: 0.001, Sleep: func(ctx context.Context, _ time.Duration) error {
		stop()
		<-ctx.Done()
		return ctx.Err()
	}})
	if err == nil || !strings.Contains(err.Error(), "context canceled") {
		t.Errorf("interrupted: %v", err)
	}
}

// TestGuardsWithoutTheirItems holds that guards of a unique value are known as such
// also where the item with the value was not read, once another one has told.
func TestGuardsWithoutTheirItems(t *testing.T) {
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	guard := func(of, value string) map[string]types.AttributeValue {
		key := "UNIQUE#" + of + "#email#" + value
		return map[string]types.AttributeValue{"PK": text(key), "SK": text(key)}
	}
	user := map[string]types.AttributeValue{"PK": text("USER#1"), "SK": text("USER"), "EntityType": text("User"), "id": text("1"), "email": text("ada@example.com")}
	for _, test := range []struct {
		name  string
		items []map[string]types.AttributeValue
		lost  []string
	}{
		{"its item was read", []map[string]types.AttributeValue{user, guard("User", "ada@example.com")}, nil},
		{"one was, the others not", []map[string]types.AttributeValue{user, guard("User", "ada@example.com"), guard("User", "b@example.com"), guard("User", "c@example.com")}, nil},
		{"no such value", []map[string]types.AttributeValue{user, guard("Team", "b@example.com")},
			[]string{"an item looks like a guard of a unique value, which no entity has, and is left out: `UNIQUE#Team#email#b@example.com`"}},
		{"several", []map[string]types.AttributeValue{user, guard("Team", "b@example.com"), guard("Team", "c@example.com")},
			[]string{"2 items look like guards of unique values, which no entity has, and are left out: `UNIQUE#Team#email#"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			db := engine.New()
			defer db.Close()
			client, ctx := db.Client(), context.Background()
			if _, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{
				TableName: aws.String("users"), BillingMode: types.BillingModePayPerRequest,
				AttributeDefinitions: []types.AttributeDefinition{attribute("PK", "S"), attribute("SK", "S")},
				KeySchema:            []types.KeySchemaElement{key("PK", "HASH"), key("SK", "RANGE")},
			}); err != nil {
				t.Fatal(err)
			}
			for _, item := range test.items {
				if _, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("users"), Item: item}); err != nil {
					t.Fatal(err)
				}
			}
			d, err := items.Read(ctx, client, "users", items.Options{})
			if err != nil {
				t.Fatal(err)
			}
			infer.Missing(d)
			var lost []string
			for _, n := range d.Notes.All() {
				if strings.Contains(n.Text, "guard") {
					lost = append(lost, n.Text)
				}
			}
			if !slices.EqualFunc(lost, test.lost, strings.HasPrefix) {
				t.Errorf("left out\n got %q\nwant %q", lost, test.lost)
			}
		})
	}
}
