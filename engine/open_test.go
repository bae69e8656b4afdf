package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/dynmodel/dynmodel/engine"
)

// openDB opens a DB on disk for the time of a test.
func openDB(t testing.TB, dir string, options ...engine.Option) *engine.DB {
	t.Helper()
	db, err := engine.Open(dir, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err) // of snapshots that were left open, too
		}
	})
	return db
}

// must returns an answer that has to be there.
func must[T any](out T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
}

// furnish makes one of everything that a DB can keep.
func furnish(t *testing.T, db *engine.DB) {
	t.Helper()
	ctx, c := context.Background(), db.Client()
	must(c.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName: aws.String("shop"), BillingMode: types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("pk"), AttributeType: "S"},
			{AttributeName: aws.String("sk"), AttributeType: "N"},
			{AttributeName: aws.String("owner"), AttributeType: "S"},
			{AttributeName: aws.String("at"), AttributeType: "N"},
		},
		KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"}, {AttributeName: aws.String("sk"), KeyType: "RANGE"}},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{
			IndexName:  aws.String("byOwner"),
			KeySchema:  []types.KeySchemaElement{{AttributeName: aws.String("owner"), KeyType: "HASH"}},
			Projection: &types.Projection{ProjectionType: "INCLUDE", NonKeyAttributes: []string{"total"}},
		}},
		LocalSecondaryIndexes: []types.LocalSecondaryIndex{{
			IndexName:  aws.String("byTime"),
			KeySchema:  []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"}, {AttributeName: aws.String("at"), KeyType: "RANGE"}},
			Projection: &types.Projection{ProjectionType: "ALL"},
		}},
		StreamSpecification: &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: "NEW_AND_OLD_IMAGES"},
		Tags:                []types.Tag{{Key: aws.String("team"), Value: aws.String("orders")}},
	}))(t)
	must(c.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String("shop"), TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("gone"), Enabled: aws.Bool(true)},
	}))(t)
	must(c.UpdateContinuousBackups(ctx, &dynamodb.UpdateContinuousBackupsInput{
		TableName: aws.String("shop"), PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true)},
	}))(t)
	arn := aws.String("arn:aws:dynamodb:us-east-1:000000000000:table/shop")
	must(c.PutResourcePolicy(ctx, &dynamodb.PutResourcePolicyInput{ResourceArn: arn, Policy: aws.String(`{"Statement": []}`)}))(t)
	must(c.UpdateContributorInsights(ctx, &dynamodb.UpdateContributorInsightsInput{TableName: aws.String("shop"), ContributorInsightsAction: "ENABLE"}))(t)
	must(c.EnableKinesisStreamingDestination(ctx, &dynamodb.EnableKinesisStreamingDestinationInput{
		TableName: aws.String("shop"), StreamArn: aws.String("arn:aws:kinesis:us-east-1:000000000000:stream/changes"),
	}))(t)
	must(c.CreateGlobalTable(ctx, &dynamodb.CreateGlobalTableInput{GlobalTableName: aws.String("shop"), ReplicationGroup: []types.Replica{{RegionName: aws.String("eu-west-1")}}}))(t)
	for i := range 50 {
		must(c.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("shop"), Item: order(i)}))(t)
	}
	must(c.TransactWriteItems(ctx, orderTwice()))(t)
	must(c.CreateBackup(ctx, &dynamodb.CreateBackupInput{TableName: aws.String("shop"), BackupName: aws.String("nightly")}))(t)
	must(c.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: aws.String("shop"), Key: orderKey(3)}))(t)
}

func orderKey(i int) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{
		"pk": &types.AttributeValueMemberS{Value: fmt.Sprint("customer", i%5)},
		"sk": &types.AttributeValueMemberN{Value: fmt.Sprint(i)},
	}
}

func order(i int) map[string]types.AttributeValue {
	item := orderKey(i)
	item["owner"] = &types.AttributeValueMemberS{Value: fmt.Sprint("owner", i%3)}
	item["at"] = &types.AttributeValueMemberN{Value: fmt.Sprint(1000 - i)}
	item["total"] = &types.AttributeValueMemberN{Value: fmt.Sprint(i, ".50")}
	return item
}

// orderTwice is a transaction that counts how often it was carried out.
func orderTwice() *dynamodb.TransactWriteItemsInput {
	return &dynamodb.TransactWriteItemsInput{
		ClientRequestToken: aws.String("once"),
		TransactItems: []types.TransactWriteItem{{Update: &types.Update{
			TableName: aws.String("shop"), Key: orderKey(1), UpdateExpression: aws.String("ADD times :one"),
			ExpressionAttributeValues: map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}},
		}}},
	}
}

// portrait is everything that a DB answers about what furnish made.
func portrait(t *testing.T, db *engine.DB) string {
	t.Helper()
	ctx, c, streams := context.Background(), db.Client(), db.StreamsClient()
	name := aws.String("shop")
	arn := aws.String("arn:aws:dynamodb:us-east-1:000000000000:table/shop")
	table := must(c.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: name}))(t)
	described := must(streams.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: table.Table.LatestStreamArn}))(t)
	iterator := must(streams.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
		StreamArn: table.Table.LatestStreamArn, ShardId: described.StreamDescription.Shards[0].ShardId, ShardIteratorType: "TRIM_HORIZON",
	}))(t)
	records := must(streams.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: iterator.ShardIterator}))(t)
	backups := must(c.ListBackups(ctx, &dynamodb.ListBackupsInput{}))(t)
	query := func(index string) any {
		return must(c.Query(ctx, &dynamodb.QueryInput{
			TableName: name, IndexName: aws.String("byOwner"), KeyConditionExpression: aws.String("#o = :o"),
			ExpressionAttributeNames:  map[string]string{"#o": "owner"},
			ExpressionAttributeValues: map[string]types.AttributeValue{":o": &types.AttributeValueMemberS{Value: index}},
		}))(t).Items
	}
	all := []any{
		table.Table,
		described.StreamDescription,
		records.Records,
		must(c.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: name}))(t).TimeToLiveDescription,
		must(c.DescribeContinuousBackups(ctx, &dynamodb.DescribeContinuousBackupsInput{TableName: name}))(t).ContinuousBackupsDescription.ContinuousBackupsStatus,
		must(c.ListTagsOfResource(ctx, &dynamodb.ListTagsOfResourceInput{ResourceArn: arn}))(t).Tags,
		must(c.GetResourcePolicy(ctx, &dynamodb.GetResourcePolicyInput{ResourceArn: arn}))(t).Policy,
		must(c.DescribeContributorInsights(ctx, &dynamodb.DescribeContributorInsightsInput{TableName: name}))(t).ContributorInsightsStatus,
		must(c.DescribeKinesisStreamingDestination(ctx, &dynamodb.DescribeKinesisStreamingDestinationInput{TableName: name}))(t).KinesisDataStreamDestinations,
		must(c.DescribeGlobalTable(ctx, &dynamodb.DescribeGlobalTableInput{GlobalTableName: name}))(t).GlobalTableDescription,
		backups.BackupSummaries,
		must(c.DescribeBackup(ctx, &dynamodb.DescribeBackupInput{BackupArn: backups.BackupSummaries[0].BackupArn}))(t).BackupDescription,
		must(c.Scan(ctx, &dynamodb.ScanInput{TableName: name}))(t).Items,
		query("owner0"), query("owner1"), query("owner2"),
	}
	var text strings.Builder
	for _, part := range all {
		line, err := json.Marshal(part)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	return text.String()
}

// What a DB keeps is the same after it was closed, and after its process was
// killed, of which a copy of its files is the like.
func TestOpenBringsEverythingBack(t *testing.T) {
	dir, clock := t.TempDir(), engine.WithClock(time.Now)
	db := openDB(t, dir, clock)
	furnish(t, db)
	want := portrait(t, db)
	killed := t.TempDir()
	if err := os.CopyFS(killed, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for how, dir := range map[string]string{"closed": dir, "killed": killed} {
		t.Run(how, func(t *testing.T) {
			db := openDB(t, dir, clock)
			if got := portrait(t, db); got != want {
				t.Errorf("after opening:\n%s\nwant:\n%s", got, want)
			}
			goOn(t, db)
		})
	}
}

// goOn uses an opened DB in ways that depend on what it had in memory before.
func goOn(t *testing.T, db *engine.DB) {
	t.Helper()
	ctx, c := context.Background(), db.Client()
	must(c.TransactWriteItems(ctx, orderTwice()))(t)
	item := must(c.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("shop"), Key: orderKey(1)}))(t).Item
	if times := item["times"].(*types.AttributeValueMemberN).Value; times != "1" {
		t.Errorf("a transaction was carried out %s times", times)
	}
	for i := range 10 {
		must(c.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("shop"), Item: order(100 + i)}))(t)
	}
	arn := must(c.ListBackups(ctx, &dynamodb.ListBackupsInput{}))(t).BackupSummaries[0].BackupArn
	must(c.RestoreTableFromBackup(ctx, &dynamodb.RestoreTableFromBackupInput{BackupArn: arn, TargetTableName: aws.String("restored")}))(t)
	for name, want := range map[string]int64{"shop": 59, "restored": 50} {
		d := must(c.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name}))(t).Table
		n := must(c.Scan(ctx, &dynamodb.ScanInput{TableName: &name, Select: types.SelectCount}))(t).Count
		if *d.ItemCount != want || int64(n) != want {
			t.Errorf("%s has %d items and says %d, want %d", name, n, *d.ItemCount, want)
		}
	}
}

func TestDeletedTablesStayDeleted(t *testing.T) {
	dir := t.TempDir()
	db := openDB(t, dir)
	furnish(t, db)
	must(db.Client().DeleteTable(context.Background(), &dynamodb.DeleteTableInput{TableName: aws.String("shop")}))(t)
	db.Close()
	db = openDB(t, dir)
	c := db.Client()
	if names := must(c.ListTables(context.Background(), &dynamodb.ListTablesInput{}))(t).TableNames; len(names) > 0 {
		t.Errorf("tables %q", names)
	}
	createTable(t, db, "pk")
	if n := must(c.Scan(context.Background(), &dynamodb.ScanInput{TableName: aws.String("tab")}))(t).Count; n > 0 {
		t.Errorf("a new table has %d items", n)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	db := openDB(t, dir)
	if _, err := engine.Open(dir); !errors.Is(err, engine.ErrInUse) {
		t.Errorf("second opening: %v", err)
	}
	furnish(t, db)
	db.Close()
	manifests, err := filepath.Glob(filepath.Join(dir, "MANIFEST-*[0-9]"))
	if err != nil || len(manifests) == 0 {
		t.Fatalf("manifests %q, %v", manifests, err)
	}
	if err := os.Truncate(manifests[len(manifests)-1], 10); err != nil {
		t.Fatal(err)
	}
	var damaged *engine.Damaged
	if _, err := engine.Open(dir); !errors.As(err, &damaged) || !strings.HasPrefix(err.Error(), dir+" is damaged") {
		t.Errorf("opening of a damaged folder: %v", err)
	}
}
