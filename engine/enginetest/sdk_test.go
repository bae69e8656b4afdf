package enginetest_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/engine"
)

// TestSDK asks through the typed face of the SDK what the cases ask in JSON:
// its serialisation, waiters, paginators and exceptions have to work too.
func TestSDK(t *testing.T) {
	for name, client := range map[string]func(*engine.DB) *dynamodb.Client{"client": (*engine.DB).Client, "bare client": (*engine.DB).BareClient} {
		t.Run(name, func(t *testing.T) {
			db := engine.New()
			t.Cleanup(func() { db.Close() })
			testSDK(t, client(db))
		})
	}
}

func testSDK(t *testing.T, client *dynamodb.Client) {
	ctx := t.Context()
	table := aws.String("sdk")

	_, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:   table,
		BillingMode: types.BillingModePayPerRequest,
		KeySchema: []types.KeySchemaElement{
			{AttributeName: aws.String("pk"), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String("sk"), KeyType: types.KeyTypeRange},
		},
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("sk"), AttributeType: types.ScalarAttributeTypeN},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	waiter := dynamodb.NewTableExistsWaiter(client)
	if err := waiter.Wait(ctx, &dynamodb.DescribeTableInput{TableName: table}, time.Minute); err != nil {
		t.Fatal(err)
	}

	item := map[string]types.AttributeValue{
		"pk":   &types.AttributeValueMemberS{Value: "a"},
		"sk":   &types.AttributeValueMemberN{Value: "0"},
		"b":    &types.AttributeValueMemberB{Value: []byte{0, 1, 254}},
		"bool": &types.AttributeValueMemberBOOL{Value: true},
		"null": &types.AttributeValueMemberNULL{Value: true},
		"l":    &types.AttributeValueMemberL{Value: []types.AttributeValue{&types.AttributeValueMemberS{Value: ""}}},
		"m":    &types.AttributeValueMemberM{Value: map[string]types.AttributeValue{"k": &types.AttributeValueMemberN{Value: "1.5"}}},
		"ss":   &types.AttributeValueMemberSS{Value: []string{"x"}},
		"ns":   &types.AttributeValueMemberNS{Value: []string{"7"}},
		"bs":   &types.AttributeValueMemberBS{Value: [][]byte{{255}}},
	}
	if _, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: table, Item: item}); err != nil {
		t.Fatal(err)
	}
	got, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: table,
		Key: map[string]types.AttributeValue{"pk": item["pk"], "sk": item["sk"]}})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Item, item) {
		t.Errorf("put %v\ngot %v", item, got.Item)
	}

	_, err = client.PutItem(ctx, &dynamodb.PutItemInput{TableName: table, Item: item,
		ConditionExpression:                 aws.String("attribute_not_exists(pk)"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld})
	var failed *types.ConditionalCheckFailedException
	if !errors.As(err, &failed) || !reflect.DeepEqual(failed.Item, item) {
		t.Errorf("want a failed condition with the item, got %v", err)
	}
	_, err = client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{{Put: &types.Put{TableName: table, Item: item,
			ConditionExpression: aws.String("attribute_not_exists(pk)")}}}})
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) || len(cancelled.CancellationReasons) != 1 ||
		aws.ToString(cancelled.CancellationReasons[0].Code) != "ConditionalCheckFailed" {
		t.Errorf("want a cancelled transaction with its reason, got %v", err)
	}

	pages(t, client, table)

	if _, err := client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: table}); err != nil {
		t.Fatal(err)
	}
	gone := dynamodb.NewTableNotExistsWaiter(client)
	if err := gone.Wait(ctx, &dynamodb.DescribeTableInput{TableName: table}, time.Minute); err != nil {
		t.Error(err)
	}
	_, err = client.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: map[string]types.AttributeValue{"pk": item["pk"]}})
	var missing *types.ResourceNotFoundException
	if !errors.As(err, &missing) {
		t.Errorf("want a missing table, got %v", err)
	}
}

// pages reads a partition through the SDK's paginator.
func pages(t *testing.T, client *dynamodb.Client, table *string) {
	for i := 1; i < 7; i++ {
		_, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: table, Item: map[string]types.AttributeValue{
			"pk": &types.AttributeValueMemberS{Value: "a"},
			"sk": &types.AttributeValueMemberN{Value: fmt.Sprint(i)},
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	paginator := dynamodb.NewQueryPaginator(client, &dynamodb.QueryInput{
		TableName:                 table,
		KeyConditionExpression:    aws.String("pk = :p"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":p": &types.AttributeValueMemberS{Value: "a"}},
		Limit:                     aws.Int32(3),
	})
	var sizes []int
	for paginator.HasMorePages() {
		page, err := paginator.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(page.Items))
	}
	if want := []int{3, 3, 1}; !reflect.DeepEqual(sizes, want) {
		t.Errorf("want pages of %v items, got %v", want, sizes)
	}
}
