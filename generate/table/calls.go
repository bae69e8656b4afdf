package table

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/generate/tree"
	"github.com/dynmodel/dynmodel/model"
)

// Call is a call of the DynamoDB API.
type Call struct {
	Name  string // as the AWS CLI has it: create-table
	File  string // a name for a file with its input
	Does  string // what it does, a phrase
	Input tree.Map
}

// Calls are the calls that make the table with all its settings, in their order.
// Each but the first waits until the table is active.
func Calls(t *model.Table) []Call {
	calls := []Call{{"create-table", "create-table.json", "creates the table with its indexes", Document(Create(t))}}
	name := tree.Field{Key: "TableName", Value: tree.Text(t.Name.Text)}
	if t.TTL != nil {
		calls = append(calls, Call{"update-time-to-live", "update-time-to-live.json", "deletes items when their time has come", tree.Map{name,
			{Key: "TimeToLiveSpecification", Value: tree.Map{{Key: "Enabled", Value: tree.Bool(true)}, {Key: "AttributeName", Value: tree.Text(t.TTL.Text)}}}}})
	}
	if t.PointInTimeRecovery.Enabled {
		calls = append(calls, Call{"update-continuous-backups", "update-continuous-backups.json", "keeps backups of every second", tree.Map{name,
			{Key: "PointInTimeRecoverySpecification", Value: Recovery(t)}}})
	}
	return append(calls, replicas(t, name)...)
}

// Recovery is a PointInTimeRecoverySpecification that switches it on or off.
func Recovery(t *model.Table) tree.Map {
	p := t.PointInTimeRecovery
	out := tree.Map{{Key: "PointInTimeRecoveryEnabled", Value: tree.Bool(p.Enabled)}}
	if p.Enabled && p.Days > 0 {
		out.Add("RecoveryPeriodInDays", tree.Number(p.Days))
	}
	return out
}

// replicas are the calls that make the table a global one: of an eventually
// consistent one a call for each region, of a strongly consistent one a single
// call, since all its replicas must be made together.
func replicas(t *model.Table, name tree.Field) []Call {
	var calls []Call
	var updates tree.List
	for _, region := range OtherRegions(t) {
		update := tree.Map{{Key: "Create", Value: tree.Map{{Key: "RegionName", Value: tree.Text(region)}}}}
		updates = append(updates, update)
		if !Strong(t) {
			calls = append(calls, Call{"update-table", "add-replica-" + region + ".json", "adds the replica in " + region,
				tree.Map{name, {Key: "ReplicaUpdates", Value: tree.List{update}}}})
		}
	}
	if !Strong(t) {
		return calls
	}
	return []Call{{"update-table", "add-replicas.json", "adds the replicas", tree.Map{name,
		{Key: "ReplicaUpdates", Value: updates}, {Key: "MultiRegionConsistency", Value: tree.Text("STRONG")}}}}
}

// Document is the request that creates a table, in DynamoDB's JSON.
func Document(d *dynamodb.CreateTableInput) tree.Map {
	m := tree.Map{
		{Key: "TableName", Value: tree.Text(*d.TableName)},
		{Key: "AttributeDefinitions", Value: Attributes(d.AttributeDefinitions)},
		{Key: "KeySchema", Value: KeySchema(d.KeySchema)},
	}
	AddIndexes(&m, d)
	m.Add("BillingMode", tree.Text(d.BillingMode))
	AddThroughput(&m, d.ProvisionedThroughput, d.OnDemandThroughput, d.WarmThroughput)
	if s := d.StreamSpecification; s != nil {
		m.Add("StreamSpecification", tree.Map{{Key: "StreamEnabled", Value: tree.Bool(*s.StreamEnabled)}, {Key: "StreamViewType", Value: tree.Text(s.StreamViewType)}})
	}
	if s := d.SSESpecification; s != nil {
		sse := tree.Map{{Key: "Enabled", Value: tree.Bool(*s.Enabled)}, {Key: "SSEType", Value: tree.Text(s.SSEType)}}
		if s.KMSMasterKeyId != nil {
			sse.Add("KMSMasterKeyId", tree.Text(*s.KMSMasterKeyId))
		}
		m.Add("SSESpecification", sse)
	}
	if d.TableClass != "" {
		m.Add("TableClass", tree.Text(d.TableClass))
	}
	if d.DeletionProtectionEnabled != nil {
		m.Add("DeletionProtectionEnabled", tree.Bool(*d.DeletionProtectionEnabled))
	}
	if len(d.Tags) > 0 {
		m.Add("Tags", Tags(d))
	}
	return m
}

// AddIndexes adds the secondary indexes of a table, with their throughput.
func AddIndexes(m *tree.Map, d *dynamodb.CreateTableInput) {
	var global, local tree.List
	for _, x := range d.GlobalSecondaryIndexes {
		entry := Index(x.IndexName, x.KeySchema, x.Projection)
		AddThroughput(&entry, x.ProvisionedThroughput, x.OnDemandThroughput, x.WarmThroughput)
		global = append(global, entry)
	}
	for _, x := range d.LocalSecondaryIndexes {
		local = append(local, Index(x.IndexName, x.KeySchema, x.Projection))
	}
	if len(global) > 0 {
		m.Add("GlobalSecondaryIndexes", global)
	}
	if len(local) > 0 {
		m.Add("LocalSecondaryIndexes", local)
	}
}

// Tags are the table's tags.
func Tags(d *dynamodb.CreateTableInput) tree.List {
	out := make(tree.List, len(d.Tags))
	for i, t := range d.Tags {
		out[i] = tree.Map{{Key: "Key", Value: tree.Text(*t.Key)}, {Key: "Value", Value: tree.Text(*t.Value)}}
	}
	return out
}
