package cloudformation

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/generate/table"
	"github.com/dynmodel/dynmodel/generate/tree"
	"github.com/dynmodel/dynmodel/model"
)

// global are the properties of an AWS::DynamoDB::GlobalTable: writes are scaled
// for all replicas together, reads for each.
func global(t *model.Table, d *dynamodb.CreateTableInput) (tree.Map, error) {
	p := begin(d)
	addGlobalThroughput(&p, capacityOf(t, ""), d.ProvisionedThroughput, d.OnDemandThroughput, d.WarmThroughput)
	var indexes, local tree.List
	for _, x := range d.GlobalSecondaryIndexes {
		entry := table.Index(x.IndexName, x.KeySchema, x.Projection)
		addGlobalThroughput(&entry, capacityOf(t, *x.IndexName), x.ProvisionedThroughput, x.OnDemandThroughput, x.WarmThroughput)
		indexes = append(indexes, entry)
	}
	for _, x := range d.LocalSecondaryIndexes {
		local = append(local, table.Index(x.IndexName, x.KeySchema, x.Projection))
	}
	if len(indexes) > 0 {
		p.Add("GlobalSecondaryIndexes", indexes)
	}
	if len(local) > 0 {
		p.Add("LocalSecondaryIndexes", local)
	}
	addStreamAndTTL(&p, t, d)
	if s := d.SSESpecification; s != nil {
		p.Add("SSESpecification", tree.Map{{Key: "SSEEnabled", Value: tree.Bool(true)}, {Key: "SSEType", Value: tree.Text(s.SSEType)}})
	}
	if table.Strong(t) {
		p.Add("MultiRegionConsistency", tree.Text("STRONG"))
	}
	replicas, err := replicas(t, d)
	p.Add("Replicas", replicas)
	return p, err
}

// capacityOf is the capacity of an index, or of the table, which is that of an
// index without one of its own.
func capacityOf(t *model.Table, index string) model.Capacity {
	if x := t.Index(index); x != nil && x.Capacity != nil {
		return *x.Capacity
	}
	return t.Capacity
}

func addGlobalThroughput(m *tree.Map, c model.Capacity, p *types.ProvisionedThroughput, o *types.OnDemandThroughput, w *types.WarmThroughput) {
	if p != nil {
		m.Add("WriteProvisionedThroughputSettings", tree.Map{{Key: "WriteCapacityAutoScalingSettings", Value: autoScaling(c.AutoScaling, *p.WriteCapacityUnits)}})
	}
	if o != nil && o.MaxReadRequestUnits != nil {
		m.Add("ReadOnDemandThroughputSettings", tree.Map{{Key: "MaxReadRequestUnits", Value: tree.Number(*o.MaxReadRequestUnits)}})
	}
	if o != nil && o.MaxWriteRequestUnits != nil {
		m.Add("WriteOnDemandThroughputSettings", tree.Map{{Key: "MaxWriteRequestUnits", Value: tree.Number(*o.MaxWriteRequestUnits)}})
	}
	table.AddThroughput(m, nil, nil, w)
}

// fixedTarget is the utilisation that is named for a capacity that is not moved;
// the format wants one.
const fixedTarget = 70

// autoScaling are settings that move a capacity from units on between the bounds
// of a; without a they hold it where it is.
func autoScaling(a *model.AutoScaling, units int64) tree.Map {
	if a == nil {
		a = &model.AutoScaling{Min: units, Max: units, Target: fixedTarget}
	}
	out := tree.Map{{Key: "MinCapacity", Value: tree.Number(a.Min)}, {Key: "MaxCapacity", Value: tree.Number(a.Max)}}
	if units != a.Min {
		out.Add("SeedCapacity", tree.Number(units))
	}
	out.Add("TargetTrackingScalingPolicyConfiguration", tree.Map{{Key: "TargetValue", Value: tree.Number(a.Target)}})
	return out
}

// replicas are the table's own region, which is that of the stack when the model
// names none, and the others.
func replicas(t *model.Table, d *dynamodb.CreateTableInput) (tree.List, error) {
	var home tree.Node = tree.Call{Function: "Ref", Argument: "AWS::Region"}
	if t.Region != "" {
		home = tree.Text(t.Region)
	}
	out := tree.List{replica(home, t, d, t.Encryption.KMSKey)}
	for _, region := range table.OtherRegions(t) {
		key := ""
		if t.Encryption.KMSKey != "" {
			var err error
			if key, err = table.KeyIn(region, t); err != nil {
				return nil, err
			}
		}
		out = append(out, replica(tree.Text(region), t, d, key))
	}
	return out, nil
}

func replica(region tree.Node, t *model.Table, d *dynamodb.CreateTableInput, key string) tree.Map {
	r := tree.Map{{Key: "Region", Value: region}}
	if d.ProvisionedThroughput != nil {
		r.Add("ReadProvisionedThroughputSettings", reads(capacityOf(t, ""), d.ProvisionedThroughput))
		var indexes tree.List
		for _, x := range d.GlobalSecondaryIndexes {
			indexes = append(indexes, tree.Map{{Key: "IndexName", Value: tree.Text(*x.IndexName)},
				{Key: "ReadProvisionedThroughputSettings", Value: reads(capacityOf(t, *x.IndexName), x.ProvisionedThroughput)}})
		}
		if len(indexes) > 0 {
			r.Add("GlobalSecondaryIndexes", indexes)
		}
	}
	if key != "" {
		r.Add("SSESpecification", tree.Map{{Key: "KMSMasterKeyId", Value: tree.Text(key)}})
	}
	addOfReplica(&r, t, d)
	return r
}

func reads(c model.Capacity, p *types.ProvisionedThroughput) tree.Map {
	if c.AutoScaling != nil {
		return tree.Map{{Key: "ReadCapacityAutoScalingSettings", Value: autoScaling(c.AutoScaling, *p.ReadCapacityUnits)}}
	}
	return tree.Map{{Key: "ReadCapacityUnits", Value: tree.Number(*p.ReadCapacityUnits)}}
}
