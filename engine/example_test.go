package engine_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/engine"
)

func Example() {
	db := engine.New()
	defer db.Close()
	client, ctx := db.Client(), context.Background()

	_, err := client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:            aws.String("shop"),
		BillingMode:          types.BillingModePayPerRequest,
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("PK"), KeyType: types.KeyTypeHash}, {AttributeName: aws.String("SK"), KeyType: types.KeyTypeRange}},
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("PK"), AttributeType: "S"}, {AttributeName: aws.String("SK"), AttributeType: "S"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, sk := range []string{"ORDER#2", "ORDER#1", "PROFILE"} {
		_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("shop"), Item: map[string]types.AttributeValue{
			"PK": &types.AttributeValueMemberS{Value: "CUSTOMER#7"},
			"SK": &types.AttributeValueMemberS{Value: sk},
		}})
		if err != nil {
			log.Fatal(err)
		}
	}
	orders, err := client.Query(ctx, &dynamodb.QueryInput{
		TableName:              aws.String("shop"),
		KeyConditionExpression: aws.String("PK = :customer AND begins_with(SK, :orders)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":customer": &types.AttributeValueMemberS{Value: "CUSTOMER#7"},
			":orders":   &types.AttributeValueMemberS{Value: "ORDER#"},
		},
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range orders.Items {
		fmt.Println(o["SK"].(*types.AttributeValueMemberS).Value)
	}
	fmt.Println(*orders.ConsumedCapacity.CapacityUnits, "units")
	// Output:
	// ORDER#1
	// ORDER#2
	// 0.5 units
}

// Errors are those of the SDK, with the service's messages.
func ExampleDB_Client_errors() {
	db := engine.New()
	defer db.Close()
	_, err := db.Client().GetItem(context.Background(), &dynamodb.GetItemInput{
		TableName: aws.String("nowhere"),
		Key:       map[string]types.AttributeValue{"PK": &types.AttributeValueMemberS{Value: "x"}},
	})
	var notFound *types.ResourceNotFoundException
	fmt.Println(errors.As(err, &notFound), notFound.ErrorMessage())
	// Output: true Requested resource not found
}

// A clock of one's own makes time pass at once.
func ExampleWithClock() {
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	db := engine.New(engine.WithClock(func() time.Time { return now }))
	defer db.Close()
	out, err := db.Client().CreateTable(context.Background(), &dynamodb.CreateTableInput{
		TableName:            aws.String("shop"),
		BillingMode:          types.BillingModePayPerRequest,
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("PK"), KeyType: types.KeyTypeHash}},
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("PK"), AttributeType: "S"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(out.TableDescription.CreationDateTime.UTC())
	// Output: 2026-11-29 12:00:00 +0000 UTC
}

// A program that retries gets through a bad day.
func ExampleWithFaults() {
	faults, err := engine.ParseFaults("throttle=0.5,seed=1")
	if err != nil {
		log.Fatal(err)
	}
	db := engine.New(engine.WithFaults(faults))
	defer db.Close()
	ctx := context.Background()
	client := dynamodb.New(db.Client().Options(), func(o *dynamodb.Options) {
		o.Retryer = retry.NewStandard(func(r *retry.StandardOptions) {
			r.MaxAttempts = 20
			r.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
			r.RateLimiter = ratelimit.None
		})
	})
	key := types.AttributeDefinition{AttributeName: aws.String("id"), AttributeType: types.ScalarAttributeTypeS}
	_, err = client.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: aws.String("notes"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{key},
		KeySchema:            []types.KeySchemaElement{{AttributeName: key.AttributeName, KeyType: types.KeyTypeHash}},
	})
	if err != nil {
		log.Fatal(err)
	}
	for i := range 10 {
		_, err := client.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("notes"), Item: map[string]types.AttributeValue{
			"id": &types.AttributeValueMemberS{Value: fmt.Sprint(i)},
		}})
		if err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println("10 items put")
	// Output: 10 items put
}
