package migration

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/sdk"
)

// Request is a call of the DynamoDB API that a step makes. Input is a pointer to
// the SDK's input of the operation.
type Request struct {
	Operation string // as the API names it, UpdateTable
	Input     any
}

// settingCall makes the calls of a setting, in order.
type settingCall func(t *tables) []Request

func (t *tables) name() *string { return aws.String(t.target()) }

// target is the name of the table that requests are for: where a new table takes
// the place of one with the same name, another name.
func (t *tables) target() string {
	if len(t.impossible) > 0 && t.old.Name.Text == t.new.Name.Text {
		return t.new.Name.Text + "-2"
	}
	return t.new.Name.Text
}

// update is an UpdateTable of the table that has its new name.
func (t *tables) update(fill func(*dynamodb.UpdateTableInput)) Request {
	in := &dynamodb.UpdateTableInput{TableName: t.name()}
	fill(in)
	return Request{"UpdateTable", in}
}

// updateCapacity sets the mode and the throughput of the table and of the
// indexes that both tables have: a change of mode needs all of them.
func updateCapacity(t *tables) []Request {
	d := sdk.Table(t.new)
	return []Request{t.update(func(in *dynamodb.UpdateTableInput) {
		in.BillingMode, in.ProvisionedThroughput = d.BillingMode, d.ProvisionedThroughput
		in.OnDemandThroughput, in.WarmThroughput = d.OnDemandThroughput, d.WarmThroughput
		for _, x := range d.GlobalSecondaryIndexes {
			if t.old.Index(*x.IndexName) == nil || x.ProvisionedThroughput == nil && x.OnDemandThroughput == nil && x.WarmThroughput == nil {
				continue
			}
			in.GlobalSecondaryIndexUpdates = append(in.GlobalSecondaryIndexUpdates, types.GlobalSecondaryIndexUpdate{Update: &types.UpdateGlobalSecondaryIndexAction{
				IndexName: x.IndexName, ProvisionedThroughput: x.ProvisionedThroughput, OnDemandThroughput: x.OnDemandThroughput, WarmThroughput: x.WarmThroughput,
			}})
		}
	})}
}

func updateClass(t *tables) []Request {
	class := sdk.Table(t.new).TableClass
	if class == "" {
		class = types.TableClassStandard
	}
	return []Request{t.update(func(in *dynamodb.UpdateTableInput) { in.TableClass = class })}
}

// updateStream turns a stream on or off; another view takes both, one after the
// other, and makes another stream.
func updateStream(t *tables) []Request {
	off := t.update(func(in *dynamodb.UpdateTableInput) {
		in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(false)}
	})
	on := t.update(func(in *dynamodb.UpdateTableInput) { in.StreamSpecification = sdk.Table(t.new).StreamSpecification })
	switch {
	case t.new.Stream == nil:
		return []Request{off}
	case t.old.Stream == nil:
		return []Request{on}
	}
	return []Request{off, on}
}

func updateBackups(t *tables) []Request {
	p := t.new.PointInTimeRecovery
	spec := &types.PointInTimeRecoverySpecification{PointInTimeRecoveryEnabled: aws.Bool(p.Enabled)}
	if p.Enabled && p.Days > 0 {
		spec.RecoveryPeriodInDays = aws.Int32(int32(p.Days))
	}
	return []Request{{"UpdateContinuousBackups", &dynamodb.UpdateContinuousBackupsInput{TableName: t.name(), PointInTimeRecoverySpecification: spec}}}
}

// updateTTL turns the old attribute off before it turns the new one on.
func updateTTL(t *tables) []Request {
	var out []Request
	ttl := func(n *model.Name, on bool) {
		if n != nil {
			out = append(out, Request{"UpdateTimeToLive", &dynamodb.UpdateTimeToLiveInput{TableName: t.name(),
				TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String(n.Text), Enabled: aws.Bool(on)}}})
		}
	}
	ttl(t.old.TTL, false)
	ttl(t.new.TTL, true)
	return out
}

func updateProtection(t *tables) []Request {
	return []Request{t.update(func(in *dynamodb.UpdateTableInput) { in.DeletionProtectionEnabled = aws.Bool(t.new.DeletionProtection) })}
}

func updateEncryption(t *tables) []Request {
	spec := sdk.Table(t.new).SSESpecification
	if spec == nil {
		spec = &types.SSESpecification{Enabled: aws.Bool(false)}
	}
	return []Request{t.update(func(in *dynamodb.UpdateTableInput) { in.SSESpecification = spec })}
}

// updateTags adds the tags that are new or other, and removes those that are
// gone. The calls name the table by its ARN, which only AWS knows.
func updateTags(t *tables) []Request {
	arn := aws.String("arn:aws:dynamodb:" + orText(t.new.Region, "REGION") + ":ACCOUNT:table/" + t.new.Name.Text)
	add := &dynamodb.TagResourceInput{ResourceArn: arn}
	for _, tag := range t.new.Tags {
		if !slices.Contains(t.old.Tags, tag) {
			add.Tags = append(add.Tags, types.Tag{Key: aws.String(tag.Key), Value: aws.String(tag.Value)})
		}
	}
	remove := &dynamodb.UntagResourceInput{ResourceArn: arn}
	for _, tag := range t.old.Tags {
		if !slices.ContainsFunc(t.new.Tags, func(n model.Tag) bool { return n.Key == tag.Key }) {
			remove.TagKeys = append(remove.TagKeys, tag.Key)
		}
	}
	var out []Request
	if len(add.Tags) > 0 {
		out = append(out, Request{"TagResource", add})
	}
	if len(remove.TagKeys) > 0 {
		out = append(out, Request{"UntagResource", remove})
	}
	return out
}

func orText(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// updateReplicas adds and removes replicas, one in each update.
func updateReplicas(t *tables) []Request {
	var out []Request
	replica := func(u types.ReplicationGroupUpdate) {
		out = append(out, t.update(func(in *dynamodb.UpdateTableInput) { in.ReplicaUpdates = []types.ReplicationGroupUpdate{u} }))
	}
	has := func(list []model.Name, region string) bool {
		return slices.ContainsFunc(list, func(n model.Name) bool { return n.Text == region })
	}
	for _, r := range t.new.Replicas {
		if !has(t.old.Replicas, r.Text) && r.Text != t.new.Region {
			replica(types.ReplicationGroupUpdate{Create: &types.CreateReplicationGroupMemberAction{RegionName: aws.String(r.Text)}})
		}
	}
	for _, r := range t.old.Replicas {
		if !has(t.new.Replicas, r.Text) && r.Text != t.new.Region {
			replica(types.ReplicationGroupUpdate{Delete: &types.DeleteReplicationGroupMemberAction{RegionName: aws.String(r.Text)}})
		}
	}
	return out
}

// makeIndex is the update that makes a global index of the new table.
func (t *tables) makeIndex(x *model.Index) Request {
	d := sdk.Table(t.new)
	return t.update(func(in *dynamodb.UpdateTableInput) {
		for _, g := range d.GlobalSecondaryIndexes {
			if *g.IndexName != x.Name.Text {
				continue
			}
			in.AttributeDefinitions = definitions(d.AttributeDefinitions, t.new.Keys(), x.Keys())
			in.GlobalSecondaryIndexUpdates = []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
				IndexName: g.IndexName, KeySchema: g.KeySchema, Projection: g.Projection,
				ProvisionedThroughput: g.ProvisionedThroughput, OnDemandThroughput: g.OnDemandThroughput, WarmThroughput: g.WarmThroughput,
			}}}
		}
	})
}

// dropIndex is the update that deletes a global index.
func (t *tables) dropIndex(name string) Request {
	return t.update(func(in *dynamodb.UpdateTableInput) {
		in.GlobalSecondaryIndexUpdates = []types.GlobalSecondaryIndexUpdate{{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: aws.String(name)}}}
	})
}

// definitions are those of the attributes in some keys.
func definitions(all []types.AttributeDefinition, keys ...[]model.KeyAttribute) []types.AttributeDefinition {
	named := slices.Concat(keys...)
	return slices.DeleteFunc(slices.Clone(all), func(d types.AttributeDefinition) bool {
		return !slices.ContainsFunc(named, func(k model.KeyAttribute) bool { return k.Name == *d.AttributeName })
	})
}

// makeTable are the calls that make the new table with its settings.
func (t *tables) makeTable() []Request {
	create := sdk.Table(t.new)
	create.TableName = t.name()
	out := []Request{{"CreateTable", create}}
	fresh := &tables{old: &model.Table{Name: t.old.Name}, new: t.new, impossible: t.impossible}
	if t.new.TTL != nil {
		out = append(out, updateTTL(fresh)...)
	}
	if t.new.PointInTimeRecovery.Enabled {
		out = append(out, updateBackups(fresh)...)
	}
	return append(out, updateReplicas(fresh)...)
}

// drops tells whether a call deletes the index.
func drops(r Request, index string) bool {
	in, ok := r.Input.(*dynamodb.UpdateTableInput)
	return ok && slices.ContainsFunc(in.GlobalSecondaryIndexUpdates, func(u types.GlobalSecondaryIndexUpdate) bool {
		return u.Delete != nil && *u.Delete.IndexName == index
	})
}
