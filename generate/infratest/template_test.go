package infratest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// properties are those of a table in CloudFormation, of either kind. What it says
// as the API does stands in CreateTableInput.
type properties struct {
	dynamodb.CreateTableInput
	SSESpecification *struct {
		SSEEnabled     bool
		SSEType        types.SSEType
		KMSMasterKeyId *string
	}
	StreamSpecification              *struct{ StreamViewType types.StreamViewType }
	TimeToLiveSpecification          *struct{ AttributeName string }
	PointInTimeRecoverySpecification *types.PointInTimeRecoverySpecification
	MultiRegionConsistency           string
	Replicas                         []replica
	GlobalSecondaryIndexes           []index
	throughput
}

type replica struct {
	Region                           string
	SSESpecification                 *struct{ KMSMasterKeyId string }
	PointInTimeRecoverySpecification *types.PointInTimeRecoverySpecification
	DeletionProtectionEnabled        *bool
	TableClass                       types.TableClass
	Tags                             []types.Tag
	GlobalSecondaryIndexes           []index
	throughput
}

type index struct {
	types.GlobalSecondaryIndex
	throughput
}

// throughput is how a global table states that of itself, a replica or an index.
type throughput struct {
	WriteProvisionedThroughputSettings *struct{ WriteCapacityAutoScalingSettings *autoScaling }
	ReadProvisionedThroughputSettings  *struct {
		ReadCapacityUnits               *int64
		ReadCapacityAutoScalingSettings *autoScaling
	}
	ReadOnDemandThroughputSettings  *struct{ MaxReadRequestUnits *int64 }
	WriteOnDemandThroughputSettings *struct{ MaxWriteRequestUnits *int64 }
}

type autoScaling struct {
	MinCapacity, MaxCapacity                 int64
	SeedCapacity                             *int64
	TargetTrackingScalingPolicyConfiguration struct{ TargetValue float64 }
}

// units are what is provisioned at first.
func (a *autoScaling) units() int64 {
	if a.SeedCapacity != nil {
		return *a.SeedCapacity
	}
	return a.MinCapacity
}

// resolver puts values in place of intrinsic functions.
type resolver struct {
	parameters map[string]any
	region     string
}

func (r resolver) resolve(v any) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = r.resolve(v[i])
		}
		return out
	case map[string]any:
		if len(v) == 1 {
			for key, argument := range v {
				if got := r.call(key, argument); got != nil {
					return got
				}
			}
		}
		out := map[string]any{}
		for key, member := range v {
			out[key] = r.resolve(member)
		}
		return out
	}
	return v
}

func (r resolver) call(function string, argument any) any {
	switch function {
	case "Ref":
		switch argument {
		case "AWS::Region":
			return r.region
		case "AWS::Partition":
			return "aws"
		}
		if p, ok := r.parameters[argument.(string)].(map[string]any); ok {
			return p["Default"]
		}
		return argument // a resource, by its logical id
	case "Fn::Sub":
		return argument
	case "Fn::Join":
		var parts []string
		for _, part := range r.resolve(argument.([]any)[1]).([]any) {
			parts = append(parts, part.(string))
		}
		return strings.Join(parts, argument.([]any)[0].(string))
	}
	return nil
}

// fromTemplate is what a template in JSON says; region is that of its stack.
func fromTemplate(t *testing.T, template any, region string) description {
	t.Helper()
	if region == "" {
		region = "eu-north-1"
	}
	doc := template.(map[string]any)
	parameters, _ := doc["Parameters"].(map[string]any)
	resources := resolver{parameters: parameters, region: region}.resolve(doc["Resources"]).(map[string]any)
	var d description
	var targets, policies []map[string]any
	for _, r := range resources {
		r := r.(map[string]any)
		switch r["Type"] {
		case "AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable":
			var p properties
			remarshal(t, r["Properties"], &p)
			d = p.description(region)
		case "AWS::ApplicationAutoScaling::ScalableTarget":
			targets = append(targets, r["Properties"].(map[string]any))
		case "AWS::ApplicationAutoScaling::ScalingPolicy":
			policies = append(policies, r["Properties"].(map[string]any))
		}
	}
	for _, target := range targets {
		d.scaling = append(d.scaling, scaled(t, resources, target, policies))
	}
	return d
}

// scaled is a scalable target with its policy.
func scaled(t *testing.T, resources map[string]any, target map[string]any, policies []map[string]any) scaling {
	t.Helper()
	dimension := target["ScalableDimension"].(string)
	_, index, _ := strings.Cut(target["ResourceId"].(string), "/index/")
	s := scaling{Index: index, Write: strings.Contains(dimension, "Write"),
		Min: int64(target["MinCapacity"].(float64)), Max: int64(target["MaxCapacity"].(float64))}
	for _, p := range policies {
		of := resources[p["ScalingTargetId"].(string)].(map[string]any)["Properties"].(map[string]any)
		if of["ResourceId"] == target["ResourceId"] && of["ScalableDimension"] == dimension {
			s.Target = int64(p["TargetTrackingScalingPolicyConfiguration"].(map[string]any)["TargetValue"].(float64))
		}
	}
	return s
}

func remarshal(t *testing.T, from, to any) {
	t.Helper()
	text, err := json.Marshal(from)
	if err != nil {
		t.Fatal(err)
	}
	unmarshal(t, text, to)
}

func (p properties) description(region string) description {
	d := description{create: &p.CreateTableInput, strong: p.MultiRegionConsistency == "STRONG"}
	if p.TimeToLiveSpecification != nil {
		d.ttl = p.TimeToLiveSpecification.AttributeName
	}
	if s := p.StreamSpecification; s != nil {
		d.create.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: s.StreamViewType}
	}
	if s := p.SSESpecification; s != nil && s.SSEEnabled {
		d.create.SSESpecification = &types.SSESpecification{Enabled: aws.Bool(true), SSEType: s.SSEType, KMSMasterKeyId: s.KMSMasterKeyId}
	}
	recovery := p.PointInTimeRecoverySpecification
	var home replica
	for _, r := range p.Replicas {
		if r.Region != region {
			d.replicas = append(d.replicas, r.Region)
			continue
		}
		home, recovery = r, r.PointInTimeRecoverySpecification
		d.create.TableClass, d.create.Tags, d.create.DeletionProtectionEnabled = r.TableClass, r.Tags, r.DeletionProtectionEnabled
		if r.SSESpecification != nil {
			d.create.SSESpecification.KMSMasterKeyId = &r.SSESpecification.KMSMasterKeyId
		}
	}
	if recovery != nil && aws.ToBool(recovery.PointInTimeRecoveryEnabled) {
		d.recovery, d.days = true, aws.ToInt32(recovery.RecoveryPeriodInDays)
	}
	if global, on := p.throughput.settle(home.throughput, "", &d); global {
		d.create.ProvisionedThroughput = on.provisioned
		d.create.OnDemandThroughput = on.demand
	}
	for _, x := range p.GlobalSecondaryIndexes {
		var at throughput
		if i := slices.IndexFunc(home.GlobalSecondaryIndexes, func(y index) bool { return *y.IndexName == *x.IndexName }); i >= 0 {
			at = home.GlobalSecondaryIndexes[i].throughput
		}
		if global, on := x.throughput.settle(at, *x.IndexName, &d); global {
			x.ProvisionedThroughput, x.OnDemandThroughput = on.provisioned, on.demand
		}
		d.create.GlobalSecondaryIndexes = append(d.create.GlobalSecondaryIndexes, x.GlobalSecondaryIndex)
	}
	return d
}

type settled struct {
	provisioned *types.ProvisionedThroughput
	demand      *types.OnDemandThroughput
}

// settle is the throughput of a global table or an index of it, whose reads may
// be stated by the replica; false when none is stated. What moves is added to d.
func (w throughput) settle(r throughput, index string, d *description) (bool, settled) {
	var out settled
	if s := w.WriteProvisionedThroughputSettings; s != nil {
		out.provisioned = &types.ProvisionedThroughput{WriteCapacityUnits: aws.Int64(s.WriteCapacityAutoScalingSettings.units())}
		d.moves(index, true, s.WriteCapacityAutoScalingSettings)
	}
	for _, t := range []throughput{w, r} {
		if s := t.ReadProvisionedThroughputSettings; s != nil {
			out.provisioned.ReadCapacityUnits = s.ReadCapacityUnits
			if a := s.ReadCapacityAutoScalingSettings; a != nil {
				out.provisioned.ReadCapacityUnits = aws.Int64(a.units())
				d.moves(index, false, a)
			}
		}
		if t.ReadOnDemandThroughputSettings != nil || t.WriteOnDemandThroughputSettings != nil {
			if out.demand == nil {
				out.demand = &types.OnDemandThroughput{}
			}
			if s := t.ReadOnDemandThroughputSettings; s != nil {
				out.demand.MaxReadRequestUnits = s.MaxReadRequestUnits
			}
			if s := t.WriteOnDemandThroughputSettings; s != nil {
				out.demand.MaxWriteRequestUnits = s.MaxWriteRequestUnits
			}
		}
	}
	return out.provisioned != nil || out.demand != nil, out
}

// moves notes a scaling, unless it only holds a capacity where it is.
func (d *description) moves(index string, write bool, a *autoScaling) {
	if a.MinCapacity < a.MaxCapacity {
		d.scaling = append(d.scaling, scaling{index, write, a.MinCapacity, a.MaxCapacity, int64(a.TargetTrackingScalingPolicyConfiguration.TargetValue)})
	}
}
