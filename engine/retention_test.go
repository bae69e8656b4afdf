package engine_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

// A clock is set by hand.
type clock struct{ at time.Time }

func newClock() *clock { return &clock{time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time                { return c.at }
func (c *clock) pass(d time.Duration)          { c.at = c.at.Add(d) }
func (c *clock) seconds(d time.Duration) int64 { return c.at.Add(d).Unix() }

func put(t *testing.T, db *engine.DB, item string) {
	t.Helper()
	_, err := db.PutItem(context.Background(), &api.PutItemInput{TableName: ptr("tab"), Item: js(t, item)})
	wantError(t, err, "")
}

// keysIn returns the values of pk in a table, sorted.
func keysIn(t *testing.T, db *engine.DB, table string) []string {
	t.Helper()
	out, err := db.Scan(context.Background(), &api.ScanInput{ReadInput: api.ReadInput{TableName: &table}})
	wantError(t, err, "")
	keys := []string{}
	if err == nil {
		for _, it := range out.Items {
			v, _ := it.Get("pk")
			keys = append(keys, v.Text())
		}
	}
	slices.Sort(keys)
	return keys
}

func TestSweep(t *testing.T) {
	c := newClock()
	db, ctx := newDB(t, engine.WithClock(c.now)), context.Background()
	createTable(t, db, "pk", indexSpec{name: "all", key: "kind", projects: "ALL"})
	_, err := db.UpdateTimeToLive(ctx, &api.UpdateTimeToLiveInput{TableName: ptr("tab"), TimeToLiveSpecification: &api.TimeToLiveSpecification{Enabled: ptr(true), AttributeName: ptr("expires")}})
	wantError(t, err, "")
	for pk, expires := range map[string]string{
		"soon":         fmt.Sprintf(`{"N":"%d"}`, c.seconds(time.Hour)),
		"later":        fmt.Sprintf(`{"N":"%d"}`, c.seconds(48*time.Hour)),
		"past":         fmt.Sprintf(`{"N":"%d"}`, c.seconds(-time.Second)),
		"just now":     fmt.Sprintf(`{"N":"%d"}`, c.seconds(0)),
		"long past":    fmt.Sprintf(`{"N":"%d"}`, c.seconds(-6*365*24*time.Hour)),
		"milliseconds": fmt.Sprintf(`{"N":"%d"}`, c.at.UnixMilli()),
		"text":         `{"S":"2026"}`,
		"fraction":     `{"N":"1.5"}`,
		"out of range": `{"N":"1e30"}`,
		"null":         `{"NULL":true}`,
	} {
		put(t, db, fmt.Sprintf(`{"pk":{"S":%q},"kind":{"S":"x"},"expires":%s}`, pk, expires))
	}
	for i := range 250 { // more than one batch
		put(t, db, fmt.Sprintf(`{"pk":{"S":"past %d"},"expires":{"N":"%d"}}`, i, c.seconds(-time.Minute)))
	}
	if n, err := db.Sweep(ctx); n != 251 || err != nil {
		t.Errorf("%d items expired: %v", n, err)
	}
	c.pass(2 * time.Hour)
	if n, err := db.Sweep(ctx); n != 2 || err != nil {
		t.Errorf("%d items expired two hours later: %v", n, err)
	}
	want := []string{"fraction", "later", "long past", "milliseconds", "null", "out of range", "text"}
	if got := keysIn(t, db, "tab"); !slices.Equal(got, want) {
		t.Errorf("left are %q, want %q", got, want)
	}
	d, _ := db.DescribeTable(ctx, &api.DescribeTableInput{TableName: ptr("tab")})
	if d.Table.ItemCount != 7 || d.Table.GlobalSecondaryIndexes[0].ItemCount != 7 {
		t.Errorf("%d items in the table and %d in the index, want 7", d.Table.ItemCount, d.Table.GlobalSecondaryIndexes[0].ItemCount)
	}
}

func TestStreamRetention(t *testing.T) {
	c := newClock()
	db, ctx := newDB(t, engine.WithClock(c.now)), context.Background()
	createTable(t, db, "pk")
	on := &api.StreamSpecification{StreamEnabled: ptr(true), StreamViewType: "KEYS_ONLY"}
	u, err := db.UpdateTable(ctx, &api.UpdateTableInput{TableName: ptr("tab"), StreamSpecification: on})
	wantError(t, err, "")
	arn := u.TableDescription.LatestStreamArn
	for hour := range 10 {
		put(t, db, fmt.Sprintf(`{"pk":{"S":"hour %d"}}`, hour))
		c.pass(time.Hour)
	}
	if got := recordKeys(t, db, arn); len(got) != 10 || got[0] != "hour 0" {
		t.Errorf("records %q", got)
	}
	d, err := db.DescribeStream(ctx, &api.DescribeStreamInput{StreamArn: &arn})
	wantError(t, err, "")
	shards := d.StreamDescription.Shards
	if len(shards) != 3 || shards[1].ParentShardId != shards[0].ShardId || shards[0].SequenceNumberRange.EndingSequenceNumber == "" || shards[2].SequenceNumberRange.EndingSequenceNumber != "" {
		t.Errorf("shards %+v", shards)
	}
	it, err := db.GetShardIterator(ctx, &api.GetShardIteratorInput{StreamArn: &arn, ShardId: &shards[2].ShardId, ShardIteratorType: "LATEST"})
	wantError(t, err, "")
	c.pass(16 * time.Minute)
	_, err = db.GetRecords(ctx, &api.GetRecordsInput{ShardIterator: &it.ShardIterator})
	wantError(t, err, "ExpiredIteratorException")

	c.pass(18*time.Hour + 50*time.Minute) // five records are older than a day
	if got := recordKeys(t, db, arn); len(got) != 4 || got[0] != "hour 6" {
		t.Errorf("records a day later: %q", got)
	}
	_, err = db.GetShardIterator(ctx, &api.GetShardIteratorInput{StreamArn: &arn, ShardId: &shards[0].ShardId, ShardIteratorType: "TRIM_HORIZON"})
	wantError(t, err, "ResourceNotFoundException")

	// The stream outlives its table by a day.
	_, err = db.DeleteTable(ctx, &api.DeleteTableInput{TableName: ptr("tab")})
	wantError(t, err, "")
	if got := recordKeys(t, db, arn); len(got) != 4 {
		t.Errorf("records without the table: %q", got)
	}
	c.pass(24 * time.Hour)
	_, err = db.DescribeStream(ctx, &api.DescribeStreamInput{StreamArn: &arn})
	wantError(t, err, "ResourceNotFoundException")
}

// recordKeys reads all shards of a stream through the SDK, and returns the
// values of pk.
func recordKeys(t *testing.T, db *engine.DB, arn string) []string {
	t.Helper()
	client, ctx := db.StreamsClient(), context.Background()
	d, err := client.DescribeStream(ctx, &dynamodbstreams.DescribeStreamInput{StreamArn: &arn})
	if err != nil {
		t.Fatal(err)
	}
	var keys []string
	for _, s := range d.StreamDescription.Shards {
		it, err := client.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{StreamArn: &arn, ShardId: s.ShardId, ShardIteratorType: "TRIM_HORIZON"})
		if err != nil {
			t.Fatal(err)
		}
		for next := it.ShardIterator; next != nil; {
			out, err := client.GetRecords(ctx, &dynamodbstreams.GetRecordsInput{ShardIterator: next, Limit: aws.Int32(3)})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range out.Records {
				keys = append(keys, streamText(r.Dynamodb.Keys["pk"]))
			}
			if next = out.NextShardIterator; len(out.Records) == 0 {
				break
			}
		}
	}
	return keys
}

func TestBackupAndRestore(t *testing.T) {
	c := newClock()
	db, ctx := newDB(t, engine.WithClock(c.now)), context.Background()
	createTable(t, db, "pk", indexSpec{name: "byKind", key: "kind", projects: "ALL"})
	put(t, db, `{"pk":{"S":"a"},"kind":{"S":"x"}}`)
	put(t, db, `{"pk":{"S":"b"}}`)
	b, err := db.CreateBackup(ctx, &api.CreateBackupInput{TableName: ptr("tab"), BackupName: ptr("first")})
	wantError(t, err, "")
	arn := b.BackupDetails.BackupArn
	put(t, db, `{"pk":{"S":"c"}}`)
	put(t, db, `{"pk":{"S":"a"},"changed":{"BOOL":true}}`)

	_, err = db.RestoreTableFromBackup(ctx, &api.RestoreTableFromBackupInput{TargetTableName: ptr("tab"), BackupArn: &arn})
	wantError(t, err, "TableAlreadyExistsException: Table already exists: tab")
	r, err := db.RestoreTableFromBackup(ctx, &api.RestoreTableFromBackupInput{TargetTableName: ptr("copy"), BackupArn: &arn})
	wantError(t, err, "")
	if d := r.TableDescription; d.TableStatus != "CREATING" || d.RestoreSummary.SourceBackupArn != arn || d.ItemCount != 2 || d.GlobalSecondaryIndexes[0].ItemCount != 1 {
		t.Errorf("restored: %+v", d)
	}
	if got := keysIn(t, db, "copy"); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("restored items %q", got)
	}
	_, err = db.RestoreTableFromBackup(ctx, &api.RestoreTableFromBackupInput{TargetTableName: ptr("bare"), BackupArn: &arn,
		RestoreOverrides: api.RestoreOverrides{GlobalSecondaryIndexOverride: []api.GlobalSecondaryIndex{}}})
	wantError(t, err, "")

	l, err := db.ListBackups(ctx, &api.ListBackupsInput{TableName: ptr("tab")})
	wantError(t, err, "")
	if len(l.BackupSummaries) != 1 || l.BackupSummaries[0].BackupName != "first" {
		t.Errorf("backups %+v", l.BackupSummaries)
	}
	_, err = db.DeleteBackup(ctx, &api.DeleteBackupInput{BackupArn: &arn})
	wantError(t, err, "")
	_, err = db.DescribeBackup(ctx, &api.DescribeBackupInput{BackupArn: &arn})
	wantError(t, err, "BackupNotFoundException")
}

func TestPointInTimeRecovery(t *testing.T) {
	c := newClock()
	db, ctx := newDB(t, engine.WithClock(c.now)), context.Background()
	createTable(t, db, "pk")
	put(t, db, `{"pk":{"S":"before"}}`)
	restore := func(target string, at time.Time) error {
		_, err := db.RestoreTableToPointInTime(ctx, &api.RestoreTableToPointInTimeInput{SourceTableName: ptr("tab"), TargetTableName: &target, RestoreDateTime: api.TimeOf(at)})
		return err
	}
	wantError(t, restore("none", c.at), "PointInTimeRecoveryUnavailableException")
	d, err := db.UpdateContinuousBackups(ctx, &api.UpdateContinuousBackupsInput{TableName: ptr("tab"),
		PointInTimeRecoverySpecification: &api.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: ptr(true), RecoveryPeriodInDays: ptr(int64(2))}})
	wantError(t, err, "")
	if p := d.ContinuousBackupsDescription.PointInTimeRecoveryDescription; p.PointInTimeRecoveryStatus != "ENABLED" || *p.RecoveryPeriodInDays != 2 {
		t.Errorf("recovery %+v", p)
	}
	moments := []time.Time{c.at}
	steps := []func(){
		func() { put(t, db, `{"pk":{"S":"a"},"v":{"N":"1"}}`) },
		func() { put(t, db, `{"pk":{"S":"a"},"v":{"N":"2"}}`); put(t, db, `{"pk":{"S":"b"}}`) },
		func() {
			_, err := db.DeleteItem(ctx, &api.DeleteItemInput{TableName: ptr("tab"), Key: js(t, `{"pk":{"S":"before"}}`)})
			wantError(t, err, "")
		},
	}
	for _, step := range steps {
		c.pass(time.Minute)
		step()
		moments = append(moments, c.at)
	}
	c.pass(time.Minute)
	for i, want := range [][]string{{"before"}, {"a", "before"}, {"a", "b", "before"}, {"a", "b"}} {
		target := fmt.Sprintf("moment-%d", i)
		wantError(t, restore(target, moments[i]), "")
		if got := keysIn(t, db, target); !slices.Equal(got, want) {
			t.Errorf("after step %d: %q, want %q", i, got, want)
		}
	}
	out, err := db.GetItem(ctx, &api.GetItemInput{TableName: ptr("moment-1"), Key: js(t, `{"pk":{"S":"a"}}`)})
	wantError(t, err, "")
	if v, _ := out.Item.Get("v"); v != attr.Int(1) {
		t.Errorf("a after step 1 is %s", out.Item.AppendJSON(nil))
	}
	wantError(t, restore("future", c.at.Add(time.Hour)), "InvalidRestoreTimeException")
	wantError(t, restore("past", moments[0].Add(-time.Hour)), "InvalidRestoreTimeException")
	c.pass(48 * time.Hour)
	wantError(t, restore("old", moments[1]), "InvalidRestoreTimeException")
}
