// Package items looks into a table that exists: how it is made, and what is
// stored in it. It only reads, and no more than it is allowed to.
package items

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/sdk"
	"github.com/dynmodel/dynmodel/model/value"
)

// Options bound what is read of a table. The zero Options are the defaults.
type Options struct {
	Limit    int // most items; default DefaultLimit
	Segments int // scans at a time; default 4
	// Rate is the most read units a second, over all scans; default DefaultRate.
	Rate float64
	// Sleep waits between pages; nil: it really waits.
	Sleep func(context.Context, time.Duration) error
}

// The defaults of Options.
const (
	DefaultLimit = 1000
	DefaultRate  = 25
	segments     = 4
)

func (o Options) withDefaults() Options {
	if o.Limit <= 0 {
		o.Limit = DefaultLimit
	}
	o.Limit = min(o.Limit, draft.MaxItems)
	if o.Segments <= 0 {
		o.Segments = segments
	}
	if o.Rate <= 0 {
		o.Rate = DefaultRate
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	return o
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// Read describes a table and samples its items. The error says what could not be
// read; what only adds to the description, and may not be asked for, is noted.
func Read(ctx context.Context, client *dynamodb.Client, table string, o Options) (*draft.Draft, error) {
	o = o.withDefaults()
	out, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: aws.String(table)})
	if err != nil {
		return nil, explain(table, err)
	}
	d := &draft.Draft{Format: "the table " + table}
	describe(d, out.Table)
	more(ctx, client, d, out.Table)
	if d.Items, err = sample(ctx, client, table, o); err != nil {
		return nil, fmt.Errorf("the items of the table %s: %w", table, err)
	}
	return d, nil
}

func explain(table string, err error) error {
	var missing *types.ResourceNotFoundException
	if errors.As(err, &missing) {
		return fmt.Errorf("there is no table named %s", table)
	}
	return fmt.Errorf("the table %s cannot be described: %w", table, err)
}

// describe reads how a table is made.
func describe(d *draft.Draft, t *types.TableDescription) {
	kinds := map[string]value.Kind{}
	for _, a := range t.AttributeDefinitions {
		kinds[aws.ToString(a.AttributeName)] = map[types.ScalarAttributeType]value.Kind{
			types.ScalarAttributeTypeS: value.String, types.ScalarAttributeTypeN: value.Number, types.ScalarAttributeTypeB: value.Binary,
		}[a.AttributeType]
	}
	m := &d.Table
	m.Name.Text = aws.ToString(t.TableName)
	hash, sort := keys(t.KeySchema, kinds)
	if len(hash) > 0 {
		m.PartitionKey = hash[0]
	}
	if len(sort) > 0 {
		m.SortKey = &sort[0]
	}
	m.Capacity = capacity(t)
	for _, x := range t.GlobalSecondaryIndexes {
		index := &model.Index{Name: model.Name{Text: aws.ToString(x.IndexName)}, Projection: projection(x.Projection)}
		index.PartitionKey, index.SortKey = keys(x.KeySchema, kinds)
		d.AddIndex(index)
	}
	for _, x := range t.LocalSecondaryIndexes {
		index := &model.Index{Name: model.Name{Text: aws.ToString(x.IndexName)}, Local: true, Projection: projection(x.Projection)}
		_, index.SortKey = keys(x.KeySchema, kinds)
		d.AddIndex(index)
	}
	slices.SortFunc(m.Indexes, func(a, b *model.Index) int { return strings.Compare(a.Name.Text, b.Name.Text) })
	if s := t.StreamSpecification; s != nil && aws.ToBool(s.StreamEnabled) {
		m.Stream = &model.Stream{View: strings.ToLower(string(s.StreamViewType))}
	}
	if c := t.TableClassSummary; c != nil && c.TableClass == types.TableClassStandardInfrequentAccess {
		m.Class = "infrequent_access"
	}
	m.DeletionProtection = aws.ToBool(t.DeletionProtectionEnabled)
	for _, r := range t.Replicas {
		m.Replicas = append(m.Replicas, model.Name{Text: aws.ToString(r.RegionName)})
	}
	d.Complete(m.At)
}

func keys(schema []types.KeySchemaElement, kinds map[string]value.Kind) (hash, sort []model.KeyAttribute) {
	for _, k := range schema {
		name := aws.ToString(k.AttributeName)
		key := model.KeyAttribute{Name: name, Kind: kinds[name]}
		if k.KeyType == types.KeyTypeHash {
			hash = append(hash, key)
		} else {
			sort = append(sort, key)
		}
	}
	return hash, sort
}

func projection(p *types.Projection) model.Projection {
	out := model.Projection{Type: model.ProjectAll}
	if p == nil {
		return out
	}
	switch p.ProjectionType {
	case types.ProjectionTypeKeysOnly:
		out.Type = model.ProjectKeysOnly
	case types.ProjectionTypeInclude:
		out.Type = model.ProjectInclude
		for _, name := range p.NonKeyAttributes {
			out.Attributes = append(out.Attributes, model.Name{Text: name})
		}
	}
	return out
}

func capacity(t *types.TableDescription) model.Capacity {
	onDemand := t.BillingModeSummary != nil && t.BillingModeSummary.BillingMode == types.BillingModePayPerRequest
	if p := t.ProvisionedThroughput; p != nil && !onDemand && aws.ToInt64(p.ReadCapacityUnits) > 0 && aws.ToInt64(p.WriteCapacityUnits) > 0 {
		return model.Capacity{Read: *p.ReadCapacityUnits, Write: *p.WriteCapacityUnits}
	}
	c := model.Capacity{OnDemand: true}
	if l := t.OnDemandThroughput; l != nil {
		c.MaxRead, c.MaxWrite = max(aws.ToInt64(l.MaxReadRequestUnits), 0), max(aws.ToInt64(l.MaxWriteRequestUnits), 0)
	}
	return c
}

// more asks for what the description of a table leaves out.
func more(ctx context.Context, client *dynamodb.Client, d *draft.Draft, t *types.TableDescription) {
	ttl, err := client.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: t.TableName})
	switch {
	case err != nil:
		d.Lostf(d.Table.At, "the time to live could not be asked for")
	case ttl.TimeToLiveDescription != nil && ttl.TimeToLiveDescription.TimeToLiveStatus == types.TimeToLiveStatusEnabled:
		d.Table.TTL = &model.Name{Text: aws.ToString(ttl.TimeToLiveDescription.AttributeName)}
	}
	backups, err := client.DescribeContinuousBackups(ctx, &dynamodb.DescribeContinuousBackupsInput{TableName: t.TableName})
	switch {
	case err != nil:
		d.Lostf(d.Table.At, "the point-in-time recovery could not be asked for")
	case backups.ContinuousBackupsDescription != nil && backups.ContinuousBackupsDescription.PointInTimeRecoveryDescription != nil:
		p := backups.ContinuousBackupsDescription.PointInTimeRecoveryDescription
		d.Table.PointInTimeRecovery = model.PointInTimeRecovery{
			Enabled: p.PointInTimeRecoveryStatus == types.PointInTimeRecoveryStatusEnabled, Days: int(aws.ToInt32(p.RecoveryPeriodInDays)),
		}
	}
	tags, err := client.ListTagsOfResource(ctx, &dynamodb.ListTagsOfResourceInput{ResourceArn: t.TableArn})
	if err != nil {
		d.Lostf(d.Table.At, "the tags could not be asked for")
		return
	}
	for _, tag := range tags.Tags {
		d.Table.Tags = append(d.Table.Tags, model.Tag{Key: aws.ToString(tag.Key), Value: aws.ToString(tag.Value)})
	}
	slices.SortFunc(d.Table.Tags, func(a, b model.Tag) int { return strings.Compare(a.Key, b.Key) })
}

// sample scans a table from several places at a time, each for its share of the
// items, so that no one partition is all that is seen.
func sample(ctx context.Context, client *dynamodb.Client, table string, o Options) ([]*draft.Item, error) {
	group, ctx := errgroup.WithContext(ctx)
	found := make([][]*draft.Item, o.Segments)
	share := (o.Limit + o.Segments - 1) / o.Segments
	for segment := range o.Segments {
		group.Go(func() error {
			s := scan{client: client, table: table, segment: segment, options: o, want: share}
			var err error
			found[segment], err = s.run(ctx)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	all := slices.Concat(found...)
	return all[:min(len(all), o.Limit)], nil
}

// scan reads one segment of a table.
type scan struct {
	client  *dynamodb.Client
	table   string
	segment int
	options Options
	want    int
}

// pageItems is how many items one request asks for at most.
const pageItems = 100

func (s scan) run(ctx context.Context) ([]*draft.Item, error) {
	var out []*draft.Item
	var start map[string]types.AttributeValue
	for len(out) < s.want {
		page, err := s.client.Scan(ctx, &dynamodb.ScanInput{
			TableName: aws.String(s.table), ExclusiveStartKey: start,
			Segment: aws.Int32(int32(s.segment)), TotalSegments: aws.Int32(int32(s.options.Segments)),
			Limit:                  aws.Int32(int32(min(pageItems, s.want-len(out)))),
			ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		})
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			values, err := sdk.FromItem(item)
			if err != nil {
				return nil, err
			}
			maps.DeleteFunc(values, func(_ string, v value.Value) bool { return v.Kind() == value.Null })
			out = append(out, &draft.Item{Values: values})
		}
		if start = page.LastEvaluatedKey; start == nil {
			break
		}
		if err := s.pause(ctx, page.ConsumedCapacity); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// pause waits until the units that a page took are within the rate again.
func (s scan) pause(ctx context.Context, used *types.ConsumedCapacity) error {
	if used == nil || used.CapacityUnits == nil {
		return nil
	}
	share := s.options.Rate / float64(s.options.Segments)
	return s.options.Sleep(ctx, time.Duration(*used.CapacityUnits/share*float64(time.Second)))
}
