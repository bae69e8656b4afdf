package engine_test

import (
	"context"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// wantCode checks the code of an SDK error; "" is no error.
func wantCode(t *testing.T, err error, code string) {
	t.Helper()
	var refusal smithy.APIError
	switch {
	case code == "" && err != nil:
		t.Errorf("unexpected error: %v", err)
	case code != "" && (!errors.As(err, &refusal) || refusal.ErrorCode() != code):
		t.Errorf("want %s, got %v", code, err)
	}
}

func TestResourcePolicies(t *testing.T) {
	db, ctx := newDB(t), context.Background()
	createTable(t, db, "pk")
	c := db.Client()
	arn := aws.String("arn:aws:dynamodb:us-east-1:000000000000:table/tab")
	_, err := c.GetResourcePolicy(ctx, &dynamodb.GetResourcePolicyInput{ResourceArn: arn})
	wantCode(t, err, "PolicyNotFoundException")
	put, err := c.PutResourcePolicy(ctx, &dynamodb.PutResourcePolicyInput{ResourceArn: arn, Policy: aws.String(`{"Version":"2012-10-17"}`), ExpectedRevisionId: aws.String("NO_POLICY")})
	wantCode(t, err, "")
	_, err = c.PutResourcePolicy(ctx, &dynamodb.PutResourcePolicyInput{ResourceArn: arn, Policy: aws.String(`{}`), ExpectedRevisionId: aws.String("NO_POLICY")})
	wantCode(t, err, "PolicyNotFoundException")
	_, err = c.PutResourcePolicy(ctx, &dynamodb.PutResourcePolicyInput{ResourceArn: arn, Policy: aws.String(`not json`)})
	wantCode(t, err, "ValidationException")
	got, err := c.GetResourcePolicy(ctx, &dynamodb.GetResourcePolicyInput{ResourceArn: arn})
	wantCode(t, err, "")
	if *got.Policy != `{"Version":"2012-10-17"}` || *got.RevisionId != *put.RevisionId {
		t.Errorf("policy %s of revision %s", *got.Policy, *got.RevisionId)
	}
	_, err = c.DeleteResourcePolicy(ctx, &dynamodb.DeleteResourcePolicyInput{ResourceArn: arn})
	wantCode(t, err, "")
	_, err = c.GetResourcePolicy(ctx, &dynamodb.GetResourcePolicyInput{ResourceArn: arn})
	wantCode(t, err, "PolicyNotFoundException")
}

func TestKinesisDestinations(t *testing.T) {
	db, ctx := newDB(t), context.Background()
	createTable(t, db, "pk")
	c := db.Client()
	stream := aws.String("arn:aws:kinesis:us-east-1:000000000000:stream/changes")
	on, err := c.EnableKinesisStreamingDestination(ctx, &dynamodb.EnableKinesisStreamingDestinationInput{TableName: aws.String("tab"), StreamArn: stream})
	wantCode(t, err, "")
	if on.DestinationStatus != types.DestinationStatusEnabling {
		t.Errorf("status %s", on.DestinationStatus)
	}
	_, err = c.EnableKinesisStreamingDestination(ctx, &dynamodb.EnableKinesisStreamingDestinationInput{TableName: aws.String("tab"), StreamArn: stream})
	wantCode(t, err, "ValidationException")
	_, err = c.UpdateKinesisStreamingDestination(ctx, &dynamodb.UpdateKinesisStreamingDestinationInput{TableName: aws.String("tab"), StreamArn: stream,
		UpdateKinesisStreamingConfiguration: &types.UpdateKinesisStreamingConfiguration{ApproximateCreationDateTimePrecision: types.ApproximateCreationDateTimePrecisionMicrosecond}})
	wantCode(t, err, "")
	d, err := c.DescribeKinesisStreamingDestination(ctx, &dynamodb.DescribeKinesisStreamingDestinationInput{TableName: aws.String("tab")})
	wantCode(t, err, "")
	if len(d.KinesisDataStreamDestinations) != 1 || d.KinesisDataStreamDestinations[0].DestinationStatus != types.DestinationStatusActive ||
		d.KinesisDataStreamDestinations[0].ApproximateCreationDateTimePrecision != types.ApproximateCreationDateTimePrecisionMicrosecond {
		t.Errorf("destinations %+v", d.KinesisDataStreamDestinations)
	}
	_, err = c.DisableKinesisStreamingDestination(ctx, &dynamodb.DisableKinesisStreamingDestinationInput{TableName: aws.String("tab"), StreamArn: stream})
	wantCode(t, err, "")
	_, err = c.DisableKinesisStreamingDestination(ctx, &dynamodb.DisableKinesisStreamingDestinationInput{TableName: aws.String("tab"), StreamArn: stream})
	wantCode(t, err, "ValidationException")
}

func TestContributorInsights(t *testing.T) {
	db, ctx := newDB(t), context.Background()
	createTable(t, db, "pk", indexSpec{name: "byKind", key: "kind", projects: "ALL"})
	c := db.Client()
	_, err := c.UpdateContributorInsights(ctx, &dynamodb.UpdateContributorInsightsInput{TableName: aws.String("tab"), IndexName: aws.String("byKind"), ContributorInsightsAction: "ENABLE"})
	wantCode(t, err, "")
	_, err = c.UpdateContributorInsights(ctx, &dynamodb.UpdateContributorInsightsInput{TableName: aws.String("tab"), IndexName: aws.String("nope"), ContributorInsightsAction: "ENABLE"})
	wantCode(t, err, "ResourceNotFoundException")
	for index, want := range map[string]types.ContributorInsightsStatus{"byKind": "ENABLED", "": "DISABLED"} {
		in := &dynamodb.DescribeContributorInsightsInput{TableName: aws.String("tab")}
		if index != "" {
			in.IndexName = &index
		}
		d, err := c.DescribeContributorInsights(ctx, in)
		wantCode(t, err, "")
		if d.ContributorInsightsStatus != want {
			t.Errorf("index %q: %s, want %s", index, d.ContributorInsightsStatus, want)
		}
	}
	l, err := c.ListContributorInsights(ctx, &dynamodb.ListContributorInsightsInput{})
	wantCode(t, err, "")
	if len(l.ContributorInsightsSummaries) != 1 {
		t.Errorf("list %+v", l.ContributorInsightsSummaries)
	}
}

func TestReplicas(t *testing.T) {
	db, ctx := newDB(t), context.Background()
	createTable(t, db, "pk")
	c := db.Client()
	update := func(u types.ReplicationGroupUpdate) error {
		_, err := c.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: aws.String("tab"), ReplicaUpdates: []types.ReplicationGroupUpdate{u}})
		return err
	}
	west := aws.String("us-west-2")
	wantCode(t, update(types.ReplicationGroupUpdate{Create: &types.CreateReplicationGroupMemberAction{RegionName: west, TableClassOverride: "STANDARD_INFREQUENT_ACCESS"}}), "")
	wantCode(t, update(types.ReplicationGroupUpdate{Create: &types.CreateReplicationGroupMemberAction{RegionName: west}}), "ValidationException")
	d, err := c.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String("tab")})
	wantCode(t, err, "")
	if r := d.Table.Replicas; len(r) != 1 || *r[0].RegionName != *west || r[0].ReplicaStatus != types.ReplicaStatusActive || r[0].ReplicaTableClassSummary.TableClass != types.TableClassStandardInfrequentAccess {
		t.Errorf("replicas %+v", r)
	}
	wantCode(t, update(types.ReplicationGroupUpdate{Delete: &types.DeleteReplicationGroupMemberAction{RegionName: west}}), "")
	wantCode(t, update(types.ReplicationGroupUpdate{Delete: &types.DeleteReplicationGroupMemberAction{RegionName: west}}), "ReplicaNotFoundException")

	_, err = c.CreateGlobalTable(ctx, &dynamodb.CreateGlobalTableInput{GlobalTableName: aws.String("tab"), ReplicationGroup: []types.Replica{{RegionName: west}}})
	wantCode(t, err, "")
	_, err = c.CreateGlobalTable(ctx, &dynamodb.CreateGlobalTableInput{GlobalTableName: aws.String("tab"), ReplicationGroup: []types.Replica{{RegionName: west}}})
	wantCode(t, err, "GlobalTableAlreadyExistsException")
	_, err = c.UpdateGlobalTable(ctx, &dynamodb.UpdateGlobalTableInput{GlobalTableName: aws.String("tab"), ReplicaUpdates: []types.ReplicaUpdate{{Create: &types.CreateReplicaAction{RegionName: aws.String("eu-west-1")}}}})
	wantCode(t, err, "")
	g, err := c.DescribeGlobalTable(ctx, &dynamodb.DescribeGlobalTableInput{GlobalTableName: aws.String("tab")})
	wantCode(t, err, "")
	if len(g.GlobalTableDescription.ReplicationGroup) != 2 {
		t.Errorf("global table %+v", g.GlobalTableDescription)
	}
	l, err := c.ListGlobalTables(ctx, &dynamodb.ListGlobalTablesInput{RegionName: aws.String("eu-west-1")})
	wantCode(t, err, "")
	if len(l.GlobalTables) != 1 {
		t.Errorf("global tables %+v", l.GlobalTables)
	}
}

func TestAutoScaling(t *testing.T) {
	db, ctx := newDB(t), context.Background()
	c := db.Client()
	_, err := c.CreateTable(ctx, &dynamodb.CreateTableInput{
		TableName:             aws.String("tab"),
		AttributeDefinitions:  []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: "S"}},
		KeySchema:             []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"}},
		ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(1), WriteCapacityUnits: aws.Int64(1)},
	})
	wantCode(t, err, "")
	set := &types.AutoScalingSettingsUpdate{
		MinimumUnits: aws.Int64(5), MaximumUnits: aws.Int64(50),
		ScalingPolicyUpdate: &types.AutoScalingPolicyUpdate{TargetTrackingScalingPolicyConfiguration: &types.AutoScalingTargetTrackingScalingPolicyConfigurationUpdate{TargetValue: aws.Float64(70)}},
	}
	_, err = c.UpdateTableReplicaAutoScaling(ctx, &dynamodb.UpdateTableReplicaAutoScalingInput{TableName: aws.String("tab"), ProvisionedWriteCapacityAutoScalingUpdate: set})
	wantCode(t, err, "")
	_, err = c.UpdateTableReplicaAutoScaling(ctx, &dynamodb.UpdateTableReplicaAutoScalingInput{TableName: aws.String("tab"), ReplicaUpdates: []types.ReplicaAutoScalingUpdate{{RegionName: aws.String("us-west-2")}}})
	wantCode(t, err, "ResourceNotFoundException")
	d, err := c.DescribeTableReplicaAutoScaling(ctx, &dynamodb.DescribeTableReplicaAutoScalingInput{TableName: aws.String("tab")})
	wantCode(t, err, "")
	writes := d.TableAutoScalingDescription.Replicas[0].ReplicaProvisionedWriteCapacityAutoScalingSettings
	if *writes.MaximumUnits != 50 || *writes.ScalingPolicies[0].TargetTrackingScalingPolicyConfiguration.TargetValue != 70 {
		t.Errorf("settings %+v", writes)
	}
}

func TestGlobalTableSettings(t *testing.T) {
	db, ctx := newDB(t), context.Background()
	createTable(t, db, "pk", indexSpec{name: "byKind", key: "kind", projects: "ALL"})
	c := db.Client()
	_, err := c.DescribeGlobalTableSettings(ctx, &dynamodb.DescribeGlobalTableSettingsInput{GlobalTableName: aws.String("tab")})
	wantCode(t, err, "GlobalTableNotFoundException")
	_, err = c.CreateGlobalTable(ctx, &dynamodb.CreateGlobalTableInput{GlobalTableName: aws.String("tab"), ReplicationGroup: []types.Replica{{RegionName: aws.String("us-east-1")}, {RegionName: aws.String("eu-west-1")}}})
	wantCode(t, err, "")
	_, err = c.UpdateGlobalTableSettings(ctx, &dynamodb.UpdateGlobalTableSettingsInput{
		GlobalTableName:                          aws.String("tab"),
		GlobalTableProvisionedWriteCapacityUnits: aws.Int64(7),
		GlobalTableGlobalSecondaryIndexSettingsUpdate: []types.GlobalTableGlobalSecondaryIndexSettingsUpdate{
			{IndexName: aws.String("byKind"), ProvisionedWriteCapacityUnits: aws.Int64(5)}},
		ReplicaSettingsUpdate: []types.ReplicaSettingsUpdate{{RegionName: aws.String("eu-west-1"), ReplicaProvisionedReadCapacityUnits: aws.Int64(3),
			ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate: &types.AutoScalingSettingsUpdate{MaximumUnits: aws.Int64(30)}}},
	})
	wantCode(t, err, "")
	_, err = c.UpdateGlobalTableSettings(ctx, &dynamodb.UpdateGlobalTableSettingsInput{GlobalTableName: aws.String("tab"),
		ReplicaSettingsUpdate: []types.ReplicaSettingsUpdate{{RegionName: aws.String("ap-south-1")}}})
	wantCode(t, err, "ReplicaNotFoundException")
	d, err := c.DescribeGlobalTableSettings(ctx, &dynamodb.DescribeGlobalTableSettingsInput{GlobalTableName: aws.String("tab")})
	wantCode(t, err, "")
	if len(d.ReplicaSettings) != 2 {
		t.Fatalf("settings %+v", d.ReplicaSettings)
	}
	us, eu := d.ReplicaSettings[0], d.ReplicaSettings[1]
	if *us.ReplicaProvisionedWriteCapacityUnits != 7 || us.ReplicaProvisionedReadCapacityUnits != nil || *us.ReplicaGlobalSecondaryIndexSettings[0].ProvisionedWriteCapacityUnits != 5 {
		t.Errorf("us-east-1: %+v", us)
	}
	if *eu.ReplicaProvisionedReadCapacityUnits != 3 || *eu.ReplicaProvisionedReadCapacityAutoScalingSettings.MaximumUnits != 30 {
		t.Errorf("eu-west-1: %+v", eu)
	}
}
