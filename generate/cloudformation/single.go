package cloudformation

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/generate/table"
	"github.com/dynmodel/dynmodel/generate/tree"
	"github.com/dynmodel/dynmodel/model"
)

// begin is what both kinds of table begin with.
func begin(d *dynamodb.CreateTableInput) tree.Map {
	return tree.Map{
		{Key: "TableName", Value: tree.Call{Function: "Ref", Argument: parameter}},
		{Key: "BillingMode", Value: tree.Text(d.BillingMode)},
		{Key: "AttributeDefinitions", Value: table.Attributes(d.AttributeDefinitions)},
		{Key: "KeySchema", Value: table.KeySchema(d.KeySchema)},
	}
}

// addStreamAndTTL adds what both kinds of table say alike.
func addStreamAndTTL(p *tree.Map, t *model.Table, d *dynamodb.CreateTableInput) {
	if s := d.StreamSpecification; s != nil {
		p.Add("StreamSpecification", tree.Map{{Key: "StreamViewType", Value: tree.Text(s.StreamViewType)}})
	}
	if t.TTL != nil {
		p.Add("TimeToLiveSpecification", tree.Map{{Key: "Enabled", Value: tree.Bool(true)}, {Key: "AttributeName", Value: tree.Text(t.TTL.Text)}})
	}
}

// single are the properties of an AWS::DynamoDB::Table.
func single(t *model.Table, d *dynamodb.CreateTableInput) tree.Map {
	p := begin(d)
	table.AddThroughput(&p, d.ProvisionedThroughput, d.OnDemandThroughput, d.WarmThroughput)
	table.AddIndexes(&p, d)
	addStreamAndTTL(&p, t, d)
	if s := d.SSESpecification; s != nil {
		sse := tree.Map{{Key: "SSEEnabled", Value: tree.Bool(true)}, {Key: "SSEType", Value: tree.Text(s.SSEType)}}
		if s.KMSMasterKeyId != nil {
			sse.Add("KMSMasterKeyId", tree.Text(*s.KMSMasterKeyId))
		}
		p.Add("SSESpecification", sse)
	}
	addOfReplica(&p, t, d)
	return p
}

// addOfReplica adds what a global table says of each replica, and any other
// table of itself.
func addOfReplica(p *tree.Map, t *model.Table, d *dynamodb.CreateTableInput) {
	p.Add("PointInTimeRecoverySpecification", table.Recovery(t))
	p.Add("DeletionProtectionEnabled", tree.Bool(t.DeletionProtection))
	if d.TableClass != "" {
		p.Add("TableClass", tree.Text(d.TableClass))
	}
	if len(d.Tags) > 0 {
		p.Add("Tags", table.Tags(d))
	}
}

// scaling are the resources that move the capacity of a table that is no global one.
func scaling(t *model.Table) tree.Map {
	var out tree.Map
	names := newNames()
	for _, s := range table.Scalings(t) {
		id := logicalID(names, s)
		out.Add(id, tree.Map{
			{Key: "Type", Value: tree.Text("AWS::ApplicationAutoScaling::ScalableTarget")},
			{Key: "Properties", Value: tree.Map{
				{Key: "ServiceNamespace", Value: tree.Text("dynamodb")},
				{Key: "ResourceId", Value: resourceID(s)},
				{Key: "ScalableDimension", Value: tree.Text(s.Dimension())},
				{Key: "MinCapacity", Value: tree.Number(s.Min)},
				{Key: "MaxCapacity", Value: tree.Number(s.Max)},
			}},
		})
		out.Add(id+"Policy", tree.Map{
			{Key: "Type", Value: tree.Text("AWS::ApplicationAutoScaling::ScalingPolicy")},
			{Key: "Properties", Value: tree.Map{
				{Key: "PolicyName", Value: tree.Text(id)},
				{Key: "PolicyType", Value: tree.Text("TargetTrackingScaling")},
				{Key: "ScalingTargetId", Value: tree.Call{Function: "Ref", Argument: id}},
				{Key: "TargetTrackingScalingPolicyConfiguration", Value: tree.Map{
					{Key: "TargetValue", Value: tree.Number(s.Target)},
					{Key: "PredefinedMetricSpecification", Value: tree.Map{{Key: "PredefinedMetricType", Value: tree.Text(s.Metric())}}},
				}},
			}},
		})
	}
	return out
}

func resourceID(s table.Scaling) tree.Node {
	id := "table/${" + resource + "}"
	if s.Index != "" {
		id += "/index/" + s.Index
	}
	return tree.Call{Function: "Sub", Argument: id}
}
