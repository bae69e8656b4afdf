package engine_test

import (
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/api"
)

// With transitions, a table is seen on its way from one state to the next, and
// refuses what has to wait.
func TestTransitions(t *testing.T) {
	const takes = 10 * time.Second
	for name, open := range map[string]func(...engine.Option) *engine.DB{
		"in memory": func(o ...engine.Option) *engine.DB { return newDB(t, o...) },
		"on disk":   func(o ...engine.Option) *engine.DB { return openDB(t, t.TempDir(), o...) },
	} {
		t.Run(name, func(t *testing.T) {
			c := newClock()
			db := open(engine.WithClock(c.now), engine.WithTransitions(takes))
			create := &api.CreateTableInput{
				TableName:              ptr("tab"),
				AttributeDefinitions:   []api.AttributeDefinition{{AttributeName: "pk", AttributeType: "S"}},
				KeySchema:              []api.KeySchemaElement{{AttributeName: "pk", KeyType: api.Hash}},
				ProvisionedThroughput:  throughput(1, 1),
				GlobalSecondaryIndexes: []api.GlobalSecondaryIndex{{IndexName: "byPK", KeySchema: []api.KeySchemaElement{{AttributeName: "pk", KeyType: api.Hash}}, Projection: &api.Projection{ProjectionType: "ALL"}, ProvisionedThroughput: throughput(1, 1)}},
			}
			tab := &transitionTable{t, db}
			_, err := db.CreateTable(t.Context(), create)
			wantError(t, err, "")
			tab.is("CREATING", "byPK CREATING")
			tab.readsFail("Requested resource not found")
			_, err = db.CreateTable(t.Context(), create)
			wantError(t, err, "ResourceInUseException: Attempt to change a resource which is still in use: Table is being created: tab")
			tab.updateFails("Table is being created: tab")
			tab.deleteFails("Table is being created: tab")
			c.pass(takes)
			tab.is("ACTIVE", "byPK ACTIVE")
			put(t, db, `{"pk":{"S":"a"}}`)
			_, err = db.CreateTable(t.Context(), create)
			wantError(t, err, "ResourceInUseException: Table already exists: tab")

			out, err := db.UpdateTable(t.Context(), &api.UpdateTableInput{TableName: ptr("tab"), ProvisionedThroughput: throughput(5, 1)})
			wantError(t, err, "")
			if got := out.TableDescription.ProvisionedThroughput; got.ReadCapacityUnits != 1 || got.LastIncreaseDateTime == nil {
				t.Errorf("the answer has the throughput %+v, want the former", got)
			}
			tab.is("UPDATING", "byPK ACTIVE")
			tab.updateFails("Table is being updated: tab")
			tab.deleteFails("Table is being updated: tab")
			put(t, db, `{"pk":{"S":"b"}}`)
			c.pass(takes)
			if got := tab.is("ACTIVE", "byPK ACTIVE").ProvisionedThroughput.ReadCapacityUnits; got != 5 {
				t.Errorf("%d read units, want 5", got)
			}

			created := &api.GlobalSecondaryIndex{IndexName: "new", KeySchema: create.KeySchema, Projection: &api.Projection{ProjectionType: "ALL"}, ProvisionedThroughput: throughput(1, 1)}
			tab.updateIndex(api.GlobalSecondaryIndexUpdate{Create: created})
			d := tab.is("UPDATING", "byPK ACTIVE", "new CREATING")
			if x := d.GlobalSecondaryIndexes[1]; x.Backfilling == nil || !*x.Backfilling {
				t.Error("the new index is not being filled")
			}
			_, err = db.Scan(t.Context(), &api.ScanInput{ReadInput: api.ReadInput{TableName: ptr("tab"), IndexName: ptr("new")}})
			wantError(t, err, "ValidationException: Cannot read from backfilling global secondary index: new")
			tab.updateFails("Table is being updated: tab")
			tab.updateIndex(api.GlobalSecondaryIndexUpdate{Delete: &api.DeleteGlobalSecondaryIndex{IndexName: "new"}})
			tab.is("UPDATING", "byPK ACTIVE", "new DELETING")
			c.pass(takes)
			tab.updateIndex(api.GlobalSecondaryIndexUpdate{Create: created})
			c.pass(takes)
			tab.is("ACTIVE", "byPK ACTIVE", "new ACTIVE")

			tab.updateIndex(api.GlobalSecondaryIndexUpdate{Update: &api.UpdateGlobalSecondaryIndex{IndexName: "new", ProvisionedThroughput: throughput(2, 2)}})
			tab.is("UPDATING", "byPK ACTIVE", "new UPDATING")
			tab.updateFails("Index is being updated.  Table: tab Index: new")
			c.pass(takes)
			tab.updateIndex(api.GlobalSecondaryIndexUpdate{Delete: &api.DeleteGlobalSecondaryIndex{IndexName: "byPK"}})
			tab.is("UPDATING", "new ACTIVE", "byPK DELETING")
			c.pass(takes)
			tab.is("ACTIVE", "new ACTIVE")

			_, err = db.DeleteTable(t.Context(), &api.DeleteTableInput{TableName: ptr("tab")})
			wantError(t, err, "")
			tab.is("DELETING")
			tab.readsFail("Requested resource not found")
			tab.deleteFails("Table is being deleted: tab")
			_, err = db.CreateTable(t.Context(), create)
			wantError(t, err, "Table is being deleted: tab")
			if l, _ := db.ListTables(t.Context(), &api.ListTablesInput{}); len(l.TableNames) != 1 {
				t.Errorf("%q are listed, want the table that is going", l.TableNames)
			}
			c.pass(takes)
			_, err = db.DescribeTable(t.Context(), &api.DescribeTableInput{TableName: ptr("tab")})
			wantError(t, err, "Requested resource not found: Table: tab not found")
			_, err = db.CreateTable(t.Context(), create)
			wantError(t, err, "")
			c.pass(takes)
			tab.is("ACTIVE", "byPK ACTIVE")
			if n := len(keysIn(t, db, "tab")); n != 0 {
				t.Errorf("a new table has %d items", n)
			}
		})
	}
}

type transitionTable struct {
	t  *testing.T
	db *engine.DB
}

// is wants the table and its indexes to have the given states.
func (tab *transitionTable) is(status string, indexes ...string) *api.TableDescription {
	tab.t.Helper()
	out, err := tab.db.DescribeTable(tab.t.Context(), &api.DescribeTableInput{TableName: ptr("tab")})
	wantError(tab.t, err, "")
	got := []string{}
	for _, x := range out.Table.GlobalSecondaryIndexes {
		got = append(got, x.IndexName+" "+x.IndexStatus)
	}
	if out.Table.TableStatus != status || len(got) != len(indexes) {
		tab.t.Fatalf("the table is %s with %q, want %s with %q", out.Table.TableStatus, got, status, indexes)
	}
	for i := range got {
		if got[i] != indexes[i] {
			tab.t.Errorf("%s, want %s", got[i], indexes[i])
		}
	}
	return out.Table
}

func (tab *transitionTable) readsFail(want string) {
	tab.t.Helper()
	_, err := tab.db.GetItem(tab.t.Context(), &api.GetItemInput{TableName: ptr("tab"), Key: js(tab.t, `{"pk":{"S":"a"}}`)})
	wantError(tab.t, err, want)
}

func (tab *transitionTable) updateFails(want string) {
	tab.t.Helper()
	_, err := tab.db.UpdateTable(tab.t.Context(), &api.UpdateTableInput{TableName: ptr("tab"), ProvisionedThroughput: throughput(9, 9)})
	wantError(tab.t, err, want)
}

func (tab *transitionTable) deleteFails(want string) {
	tab.t.Helper()
	_, err := tab.db.DeleteTable(tab.t.Context(), &api.DeleteTableInput{TableName: ptr("tab")})
	wantError(tab.t, err, want)
}

func (tab *transitionTable) updateIndex(u api.GlobalSecondaryIndexUpdate) {
	tab.t.Helper()
	_, err := tab.db.UpdateTable(tab.t.Context(), &api.UpdateTableInput{
		TableName:                   ptr("tab"),
		AttributeDefinitions:        []api.AttributeDefinition{{AttributeName: "pk", AttributeType: "S"}},
		GlobalSecondaryIndexUpdates: []api.GlobalSecondaryIndexUpdate{u},
	})
	wantError(tab.t, err, "")
}

// What belongs to tables takes its time, too.
func TestTransitionsOfTheRest(t *testing.T) {
	const takes = 10 * time.Second
	now := newClock()
	db := newDB(t, engine.WithClock(now.now), engine.WithTransitions(takes), engine.WithBuckets(t.TempDir()))
	c, ctx := db.Client(), t.Context()
	createTable(t, db, "pk")
	tab := aws.String("tab")
	_, err := c.CreateBackup(ctx, &dynamodb.CreateBackupInput{TableName: tab, BackupName: aws.String("early")})
	wantCode(t, err, "TableInUseException")
	_, err = c.UpdateContinuousBackups(ctx, &dynamodb.UpdateContinuousBackupsInput{TableName: tab, PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true)}})
	wantCode(t, err, "ContinuousBackupsUnavailableException")
	now.pass(takes)

	expiry := func(enabled bool, want string) {
		t.Helper()
		_, err := c.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{TableName: tab, TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("ttl"), Enabled: &enabled}})
		wantCode(t, err, want)
	}
	expiryIs := func(want types.TimeToLiveStatus) {
		t.Helper()
		d, err := c.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: tab})
		if err != nil || d.TimeToLiveDescription.TimeToLiveStatus != want {
			t.Errorf("the time to live is %+v, %v, want %s", d, err, want)
		}
	}
	for _, step := range []struct {
		enable       bool
		during, then types.TimeToLiveStatus
	}{{true, "ENABLING", "ENABLED"}, {false, "DISABLING", "DISABLED"}} {
		expiry(step.enable, "")
		expiryIs(step.during)
		expiry(!step.enable, "ValidationException")
		now.pass(takes)
		expiryIs(step.then)
	}

	made, err := c.CreateBackup(ctx, &dynamodb.CreateBackupInput{TableName: tab, BackupName: aws.String("first")})
	wantCode(t, err, "")
	arn := made.BackupDetails.BackupArn
	_, err = c.DeleteBackup(ctx, &dynamodb.DeleteBackupInput{BackupArn: arn})
	wantCode(t, err, "BackupInUseException")
	now.pass(takes)
	b, err := c.DescribeBackup(ctx, &dynamodb.DescribeBackupInput{BackupArn: arn})
	wantCode(t, err, "")
	if made.BackupDetails.BackupStatus != "CREATING" || b.BackupDescription.BackupDetails.BackupStatus != "AVAILABLE" {
		t.Errorf("the backup is %s, then %s", made.BackupDetails.BackupStatus, b.BackupDescription.BackupDetails.BackupStatus)
	}
	r, err := c.RestoreTableFromBackup(ctx, &dynamodb.RestoreTableFromBackupInput{BackupArn: arn, TargetTableName: aws.String("restored")})
	wantCode(t, err, "")
	if s := r.TableDescription.RestoreSummary; !*s.RestoreInProgress {
		t.Error("the restore is done at once")
	}
	now.pass(takes)
	d, err := c.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String("restored")})
	wantCode(t, err, "")
	if d.Table.TableStatus != "ACTIVE" || *d.Table.RestoreSummary.RestoreInProgress {
		t.Errorf("the restored table is %s", d.Table.TableStatus)
	}
	_, err = c.UpdateContinuousBackups(ctx, &dynamodb.UpdateContinuousBackupsInput{TableName: tab, PointInTimeRecoverySpecification: &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true)}})
	wantCode(t, err, "")
	e, err := c.ExportTableToPointInTime(ctx, &dynamodb.ExportTableToPointInTimeInput{TableArn: aws.String(tableARN), S3Bucket: aws.String("bucket")})
	wantCode(t, err, "")
	for _, want := range []types.ExportStatus{"IN_PROGRESS", "COMPLETED"} {
		d, err := c.DescribeExport(ctx, &dynamodb.DescribeExportInput{ExportArn: e.ExportDescription.ExportArn})
		wantCode(t, err, "")
		if d.ExportDescription.ExportStatus != want {
			t.Errorf("the export is %s, want %s", d.ExportDescription.ExportStatus, want)
		}
		now.pass(takes)
	}
}
