package infratest

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/generate/table"
	"github.com/dynmodel/dynmodel/model"
)

// description is all that a description of infrastructure says of a table.
type description struct {
	create   *dynamodb.CreateTableInput
	ttl      string
	recovery bool
	days     int32
	replicas []string // regions besides the table's own, in order
	strong   bool
	scaling  []scaling
}

// scaling moves a capacity.
type scaling struct {
	Index            string
	Write            bool
	Min, Max, Target int64
}

// wanted is what the model says.
func wanted(t *model.Table) description {
	d := description{create: table.Create(t), recovery: t.PointInTimeRecovery.Enabled, days: int32(t.PointInTimeRecovery.Days),
		replicas: table.OtherRegions(t), strong: table.Strong(t)}
	if t.TTL != nil {
		d.ttl = t.TTL.Text
	}
	for _, s := range table.Scalings(t) {
		d.scaling = append(d.scaling, scaling{s.Index, s.Write, s.Min, s.Max, s.Target})
	}
	return d
}

// compare makes both tables on engines and holds what DynamoDB then says of them
// against each other.
func compare(t *testing.T, got, want description) {
	t.Helper()
	g, w := described(t, got), described(t, want)
	if g != w {
		t.Errorf("the table is\n%s\nand not\n%s", g, w)
	}
}

// described makes a table and returns what the engine says of it, and what the
// engine has no word for.
func described(t *testing.T, d description) string {
	t.Helper()
	db := engine.New()
	defer db.Close()
	create(t, db.Client(), d)
	slices.SortFunc(d.scaling, func(a, b scaling) int {
		if c := cmp.Compare(a.Index, b.Index); c != 0 || a.Write == b.Write {
			return c
		}
		if a.Write {
			return 1
		}
		return -1
	})
	slices.Sort(d.replicas)
	return standing(t, db.Client(), *d.create.TableName) + text(t, map[string]any{"replicas": d.replicas, "strong": d.strong, "scaling": d.scaling})
}

// create makes a table with its settings, but for replicas.
func create(t *testing.T, client *dynamodb.Client, d description) {
	t.Helper()
	ctx := context.Background()
	if _, err := client.CreateTable(ctx, d.create); err != nil {
		t.Fatal(err)
	}
	if d.ttl != "" {
		_, err := client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{TableName: d.create.TableName,
			TimeToLiveSpecification: &types.TimeToLiveSpecification{Enabled: aws.Bool(true), AttributeName: aws.String(d.ttl)}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if d.recovery {
		spec := &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(true)}
		if d.days > 0 {
			spec.RecoveryPeriodInDays = aws.Int32(d.days)
		}
		_, err := client.UpdateContinuousBackups(ctx, &dynamodb.UpdateContinuousBackupsInput{TableName: d.create.TableName, PointInTimeRecoverySpecification: spec})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// standing is what the engine says of a table, without what is of the moment.
func standing(t *testing.T, client *dynamodb.Client, name string) string {
	t.Helper()
	ctx := context.Background()
	got, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		t.Fatal(err)
	}
	d := got.Table
	tags, err := client.ListTagsOfResource(ctx, &dynamodb.ListTagsOfResourceInput{ResourceArn: d.TableArn})
	if err != nil {
		t.Fatal(err)
	}
	ttl, err := client.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: &name})
	if err != nil {
		t.Fatal(err)
	}
	backups, err := client.DescribeContinuousBackups(ctx, &dynamodb.DescribeContinuousBackupsInput{TableName: &name})
	if err != nil {
		t.Fatal(err)
	}
	recovery := backups.ContinuousBackupsDescription.PointInTimeRecoveryDescription
	if recovery != nil {
		recovery.EarliestRestorableDateTime, recovery.LatestRestorableDateTime = nil, nil
	}
	plain(d)
	slices.SortFunc(tags.Tags, func(a, b types.Tag) int { return cmp.Compare(*a.Key, *b.Key) })
	return text(t, map[string]any{"table": d, "tags": tags.Tags, "ttl": ttl.TimeToLiveDescription, "recovery": recovery})
}

// plain takes out of a description what is of the moment, and puts what has no
// order of its own into one.
func plain(d *types.TableDescription) {
	d.CreationDateTime, d.TableId, d.LatestStreamArn, d.LatestStreamLabel = nil, nil, nil, nil
	if b := d.BillingModeSummary; b != nil && b.BillingMode == types.BillingModeProvisioned {
		d.BillingModeSummary = nil // there is one only if the table was on demand before
	} else if b != nil {
		b.LastUpdateToPayPerRequestDateTime = nil
	}
	if d.TableClassSummary != nil {
		d.TableClassSummary.LastUpdateDateTime = nil
	}
	if d.ProvisionedThroughput != nil {
		d.ProvisionedThroughput.LastIncreaseDateTime, d.ProvisionedThroughput.LastDecreaseDateTime = nil, nil
	}
	if o := d.OnDemandThroughput; o != nil && aws.ToInt64(o.MaxReadRequestUnits) < 0 && aws.ToInt64(o.MaxWriteRequestUnits) < 0 {
		d.OnDemandThroughput = nil // limits that were taken away
	}
	slices.SortFunc(d.AttributeDefinitions, func(a, b types.AttributeDefinition) int { return cmp.Compare(*a.AttributeName, *b.AttributeName) })
	slices.SortFunc(d.GlobalSecondaryIndexes, func(a, b types.GlobalSecondaryIndexDescription) int { return cmp.Compare(*a.IndexName, *b.IndexName) })
	for i := range d.GlobalSecondaryIndexes {
		if p := d.GlobalSecondaryIndexes[i].ProvisionedThroughput; p != nil {
			p.LastIncreaseDateTime, p.LastDecreaseDateTime = nil, nil
		}
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	out, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
