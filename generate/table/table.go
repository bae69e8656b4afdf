// Package table says in DynamoDB's own terms what a model wants of its table: the
// calls that make it, and what of it other descriptions of infrastructure share.
package table

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/generate/tree"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/sdk"
)

// Create is the request that makes the table. A global table has a stream of both
// images in any case: CloudFormation and the CDK want one, and replicas that are
// eventually consistent are kept by it.
func Create(t *model.Table) *dynamodb.CreateTableInput {
	d := sdk.Table(t)
	if d.StreamSpecification == nil && len(OtherRegions(t)) > 0 {
		d.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewAndOldImages}
	}
	return d
}

// OtherRegions are the regions of the table's replicas, besides the one it is made in.
func OtherRegions(t *model.Table) []string {
	var out []string
	for _, r := range t.Replicas {
		if r.Text != t.Region && !slices.Contains(out, r.Text) {
			out = append(out, r.Text)
		}
	}
	return out
}

// Strong tells whether the table is a global table of multi-Region strong consistency.
func Strong(t *model.Table) bool { return t.Consistency == "strong" && len(OtherRegions(t)) > 0 }

// Attributes are the AttributeDefinitions.
func Attributes(list []types.AttributeDefinition) tree.List {
	out := make(tree.List, len(list))
	for i, a := range list {
		out[i] = tree.Map{{Key: "AttributeName", Value: tree.Text(*a.AttributeName)}, {Key: "AttributeType", Value: tree.Text(a.AttributeType)}}
	}
	return out
}

// KeySchema is a key schema.
func KeySchema(keys []types.KeySchemaElement) tree.List {
	out := make(tree.List, len(keys))
	for i, k := range keys {
		out[i] = tree.Map{{Key: "AttributeName", Value: tree.Text(*k.AttributeName)}, {Key: "KeyType", Value: tree.Text(k.KeyType)}}
	}
	return out
}

// Projection is what an index holds.
func Projection(p *types.Projection) tree.Map {
	out := tree.Map{{Key: "ProjectionType", Value: tree.Text(p.ProjectionType)}}
	if len(p.NonKeyAttributes) > 0 {
		out.Add("NonKeyAttributes", tree.Texts(p.NonKeyAttributes...))
	}
	return out
}

// Index is what the entry of an index begins with, global or local.
func Index(name *string, keys []types.KeySchemaElement, p *types.Projection) tree.Map {
	return tree.Map{
		{Key: "IndexName", Value: tree.Text(*name)},
		{Key: "KeySchema", Value: KeySchema(keys)},
		{Key: "Projection", Value: Projection(p)},
	}
}

// AddThroughput adds what is given of the throughput of a table or global index.
func AddThroughput(m *tree.Map, p *types.ProvisionedThroughput, o *types.OnDemandThroughput, w *types.WarmThroughput) {
	if p != nil {
		addUnits(m, "ProvisionedThroughput", "ReadCapacityUnits", p.ReadCapacityUnits, "WriteCapacityUnits", p.WriteCapacityUnits)
	}
	if o != nil {
		addUnits(m, "OnDemandThroughput", "MaxReadRequestUnits", o.MaxReadRequestUnits, "MaxWriteRequestUnits", o.MaxWriteRequestUnits)
	}
	if w != nil {
		addUnits(m, "WarmThroughput", "ReadUnitsPerSecond", w.ReadUnitsPerSecond, "WriteUnitsPerSecond", w.WriteUnitsPerSecond)
	}
}

func addUnits(m *tree.Map, key, readKey string, read *int64, writeKey string, write *int64) {
	var units tree.Map
	if read != nil {
		units.Add(readKey, tree.Number(*read))
	}
	if write != nil {
		units.Add(writeKey, tree.Number(*write))
	}
	m.Add(key, units)
}
