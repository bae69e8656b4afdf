package infratest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclparse"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// arguments are what the blocks of a configuration may have, as the AWS provider
// documents it (7.48). hash_key and range_key of a global index are left out:
// they are deprecated.
var arguments = map[string][]string{
	"terraform":                 {"required_providers"},
	"required_providers":        {"aws"},
	"variable":                  {"type", "default", "description"},
	"output":                    {"value", "description"},
	"aws_dynamodb_table":        {"name", "region", "hash_key", "range_key", "billing_mode", "read_capacity", "write_capacity", "attribute", "table_class", "deletion_protection_enabled", "stream_enabled", "stream_view_type", "tags", "global_secondary_index", "local_secondary_index", "on_demand_throughput", "warm_throughput", "point_in_time_recovery", "server_side_encryption", "ttl", "replica", "lifecycle"},
	"attribute":                 {"name", "type"},
	"global_secondary_index":    {"name", "key_schema", "projection_type", "non_key_attributes", "read_capacity", "write_capacity", "on_demand_throughput", "warm_throughput"},
	"key_schema":                {"attribute_name", "key_type"},
	"local_secondary_index":     {"name", "range_key", "projection_type", "non_key_attributes"},
	"on_demand_throughput":      {"max_read_request_units", "max_write_request_units"},
	"warm_throughput":           {"read_units_per_second", "write_units_per_second"},
	"point_in_time_recovery":    {"enabled", "recovery_period_in_days"},
	"server_side_encryption":    {"enabled", "kms_key_arn"},
	"ttl":                       {"attribute_name", "enabled"},
	"replica":                   {"region_name", "kms_key_arn", "consistency_mode", "point_in_time_recovery", "propagate_tags", "deletion_protection_enabled"},
	"lifecycle":                 {"prevent_destroy", "ignore_changes"},
	"aws_appautoscaling_target": {"region", "service_namespace", "resource_id", "scalable_dimension", "min_capacity", "max_capacity"},
	"aws_appautoscaling_policy": {"region", "name", "policy_type", "service_namespace", "resource_id", "scalable_dimension", "target_tracking_scaling_policy_configuration"},
	"target_tracking_scaling_policy_configuration": {"target_value", "predefined_metric_specification"},
	"predefined_metric_specification":              {"predefined_metric_type"},
}

// TestTerraform holds each configuration against the provider's arguments and
// makes its table.
func TestTerraform(t *testing.T) {
	for _, s := range samples(t) {
		t.Run(s.name, func(t *testing.T) {
			file, problems := hclparse.NewParser().ParseHCL(made(t, s.in, "terraform", "", nil), "table.tf")
			if problems.HasErrors() {
				t.Fatal(problems)
			}
			body := file.Body.(*hclsyntax.Body)
			known(t, "", body)
			compare(t, fromTerraform(t, body), wanted(s.in.Model.Table))
		})
	}
}

// known reports arguments and blocks that the provider does not have.
func known(t *testing.T, name string, body *hclsyntax.Body) {
	t.Helper()
	for _, a := range body.Attributes {
		if !slices.Contains(arguments[name], a.Name) {
			t.Errorf("%s has no argument %s", name, a.Name)
		}
	}
	for _, b := range body.Blocks {
		kind := b.Type
		if kind == "resource" {
			kind = b.Labels[0]
		}
		if _, ok := arguments[kind]; !ok || name != "" && !slices.Contains(arguments[name], kind) {
			t.Errorf("%s has no block %s", name, kind)
		}
		known(t, kind, b.Body)
	}
}

// block is a block with the values of its arguments.
type block struct {
	t      *testing.T
	body   *hclsyntax.Body
	values map[string]cty.Value
}

// variables are what expressions may refer to: the variable, and by the labels of
// resources their arguments.
func evaluate(t *testing.T, body *hclsyntax.Body, scope map[string]cty.Value) block {
	t.Helper()
	b := block{t, body, map[string]cty.Value{}}
	for name, a := range body.Attributes {
		if name == "ignore_changes" || name == "type" && scope == nil {
			continue
		}
		v, problems := a.Expr.Value(&hcl.EvalContext{Variables: scope})
		if problems.HasErrors() {
			t.Fatal(problems)
		}
		b.values[name] = v
	}
	return b
}

func (b block) text(name string) string {
	v, ok := b.values[name]
	if !ok {
		return ""
	}
	return v.AsString()
}

func (b block) is(name string) bool { v, ok := b.values[name]; return ok && v.True() }

func (b block) number(name string) *int64 {
	v, ok := b.values[name]
	if !ok {
		return nil
	}
	n, _ := v.AsBigFloat().Int64()
	return &n
}

func (b block) texts(name string) (out []string) {
	if v, ok := b.values[name]; ok {
		for _, item := range v.AsValueSlice() {
			out = append(out, item.AsString())
		}
	}
	return out
}

func (b block) blocks(kind string, scope map[string]cty.Value) (out []block) {
	for _, inner := range b.body.Blocks {
		if inner.Type == kind {
			out = append(out, evaluate(b.t, inner.Body, scope))
		}
	}
	return out
}

func fromTerraform(t *testing.T, body *hclsyntax.Body) description {
	t.Helper()
	root := block{t, body, nil}
	name := root.blocks("variable", nil)[0].values["default"]
	scope := map[string]cty.Value{"var": cty.ObjectVal(map[string]cty.Value{"table_name": name})}
	var d description
	policies := map[string]block{}
	for _, b := range body.Blocks {
		if b.Type == "resource" && b.Labels[0] == "aws_dynamodb_table" {
			d = tableOf(evaluate(t, b.Body, scope), scope)
		}
	}
	scope["aws_dynamodb_table"] = cty.ObjectVal(map[string]cty.Value{"table": cty.ObjectVal(map[string]cty.Value{"name": name})})
	targets := map[string]cty.Value{}
	for _, b := range body.Blocks {
		if b.Type == "resource" && b.Labels[0] == "aws_appautoscaling_target" {
			targets[b.Labels[1]] = cty.ObjectVal(evaluate(t, b.Body, scope).values)
		}
	}
	scope["aws_appautoscaling_target"] = cty.ObjectVal(targets)
	for _, b := range body.Blocks {
		if b.Type == "resource" && b.Labels[0] == "aws_appautoscaling_policy" {
			policies[b.Labels[1]] = evaluate(t, b.Body, scope)
		}
	}
	for label, target := range targets {
		at := block{t: t, values: target.AsValueMap()}
		_, index, _ := strings.Cut(at.text("resource_id"), "/index/")
		s := scaling{Index: index, Write: strings.Contains(at.text("scalable_dimension"), "Write"), Min: *at.number("min_capacity"), Max: *at.number("max_capacity")}
		if p, ok := policies[label]; ok && p.text("resource_id") == at.text("resource_id") {
			s.Target = *p.blocks("target_tracking_scaling_policy_configuration", scope)[0].number("target_value")
		}
		d.scaling = append(d.scaling, s)
	}
	return d
}

func tableOf(b block, scope map[string]cty.Value) description {
	in := &dynamodb.CreateTableInput{TableName: aws.String(b.text("name")), BillingMode: types.BillingMode(b.text("billing_mode")),
		TableClass: types.TableClass(b.text("table_class")), DeletionProtectionEnabled: aws.Bool(b.is("deletion_protection_enabled"))}
	d := description{create: in}
	in.KeySchema = keySchema(b.text("hash_key"), b.text("range_key"))
	for _, a := range b.blocks("attribute", scope) {
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: aws.String(a.text("name")), AttributeType: types.ScalarAttributeType(a.text("type"))})
	}
	in.ProvisionedThroughput = b.provisioned()
	in.OnDemandThroughput, in.WarmThroughput = b.limits(scope)
	for _, x := range b.blocks("global_secondary_index", scope) {
		index := types.GlobalSecondaryIndex{IndexName: aws.String(x.text("name")), Projection: x.projection(), ProvisionedThroughput: x.provisioned()}
		index.OnDemandThroughput, index.WarmThroughput = x.limits(scope)
		for _, k := range x.blocks("key_schema", scope) {
			index.KeySchema = append(index.KeySchema, types.KeySchemaElement{AttributeName: aws.String(k.text("attribute_name")), KeyType: types.KeyType(k.text("key_type"))})
		}
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, index)
	}
	for _, x := range b.blocks("local_secondary_index", scope) {
		in.LocalSecondaryIndexes = append(in.LocalSecondaryIndexes, types.LocalSecondaryIndex{IndexName: aws.String(x.text("name")),
			KeySchema: keySchema(b.text("hash_key"), x.text("range_key")), Projection: x.projection()})
	}
	if b.is("stream_enabled") {
		in.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewType(b.text("stream_view_type"))}
	}
	for _, e := range b.blocks("server_side_encryption", scope) {
		in.SSESpecification = &types.SSESpecification{Enabled: aws.Bool(e.is("enabled")), SSEType: types.SSETypeKms}
		if key := e.text("kms_key_arn"); key != "" {
			in.SSESpecification.KMSMasterKeyId = &key
		}
	}
	if tags, ok := b.values["tags"]; ok {
		for key, v := range tags.AsValueMap() {
			in.Tags = append(in.Tags, types.Tag{Key: aws.String(key), Value: aws.String(v.AsString())})
		}
	}
	for _, ttl := range b.blocks("ttl", scope) {
		d.ttl = ttl.text("attribute_name")
	}
	for _, p := range b.blocks("point_in_time_recovery", scope) {
		d.recovery = p.is("enabled")
		d.days = int32(aws.ToInt64(p.number("recovery_period_in_days")))
	}
	for _, r := range b.blocks("replica", scope) {
		d.replicas = append(d.replicas, r.text("region_name"))
		d.strong = r.text("consistency_mode") == "STRONG"
	}
	return d
}

func keySchema(hash, sort string) []types.KeySchemaElement {
	out := []types.KeySchemaElement{{AttributeName: &hash, KeyType: types.KeyTypeHash}}
	if sort != "" {
		out = append(out, types.KeySchemaElement{AttributeName: &sort, KeyType: types.KeyTypeRange})
	}
	return out
}

func (b block) projection() *types.Projection {
	return &types.Projection{ProjectionType: types.ProjectionType(b.text("projection_type")), NonKeyAttributes: b.texts("non_key_attributes")}
}

func (b block) provisioned() *types.ProvisionedThroughput {
	if b.number("read_capacity") == nil {
		return nil
	}
	return &types.ProvisionedThroughput{ReadCapacityUnits: b.number("read_capacity"), WriteCapacityUnits: b.number("write_capacity")}
}

func (b block) limits(scope map[string]cty.Value) (o *types.OnDemandThroughput, w *types.WarmThroughput) {
	for _, l := range b.blocks("on_demand_throughput", scope) {
		o = &types.OnDemandThroughput{MaxReadRequestUnits: l.number("max_read_request_units"), MaxWriteRequestUnits: l.number("max_write_request_units")}
	}
	for _, l := range b.blocks("warm_throughput", scope) {
		w = &types.WarmThroughput{ReadUnitsPerSecond: l.number("read_units_per_second"), WriteUnitsPerSecond: l.number("write_units_per_second")}
	}
	return o, w
}

// TestTerraformFormat has Terraform itself look at the layout, and so at the syntax.
func TestTerraformFormat(t *testing.T) {
	tool := installed(t, "terraform")
	folder := t.TempDir()
	for _, s := range samples(t) {
		write(t, filepath.Join(folder, s.name+".tf"), made(t, s.in, "terraform", "", nil))
	}
	cmd := exec.Command(tool, "fmt", "-check", "-diff", folder)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}
