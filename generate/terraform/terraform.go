// Package terraform makes a Terraform configuration of a model's table: an
// aws_dynamodb_table, and its auto scaling.
package terraform

import (
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/table"
	"github.com/dynmodel/dynmodel/model"
)

// providerVersion is the AWS provider that has key_schema blocks in indexes, the
// only form for keys of several attributes, and not the faults of the first
// releases that had them (6.29 to 6.34).
const providerVersion = ">= 6.35"

// Target is the generator.
func Target() generate.Target {
	return generate.Target{
		Name:  "terraform",
		Title: "Terraform: the table with all its settings",
		Text: `Makes a Terraform file with an aws_dynamodb_table, and its replicas and auto scaling
when the model has them. The table's name is the variable table_name; its name,
ARN and stream are outputs. It needs the AWS provider ` + providerVersion + `, in which
indexes have key_schema blocks. "terraform destroy" refuses to delete the table
until prevent_destroy is taken out.

The provider is not configured here: that is the business of the root module.`,
		Path:  "table.tf",
		Files: files,
	}
}

func files(in generate.Input) ([]generate.File, error) {
	f := hclwrite.NewEmptyFile()
	body := f.Body()
	comment(body, generate.Mark)
	body.AppendNewline()
	requirements(body)
	t := in.Model.Table
	body.AppendNewline()
	variable := body.AppendNewBlock("variable", []string{"table_name"}).Body()
	variable.SetAttributeRaw("type", hclwrite.TokensForIdentifier("string"))
	text(variable, "default", t.Name.Text)
	text(variable, "description", "Name of the table; another one makes a new table")
	body.AppendNewline()
	if err := resource(body, t); err != nil {
		return nil, err
	}
	scaling(body, t)
	outputs(body, table.Create(t).StreamSpecification != nil)
	return []generate.File{{Content: hclwrite.Format(f.Bytes())}}, nil
}

func requirements(body *hclwrite.Body) {
	required := body.AppendNewBlock("terraform", nil).Body().AppendNewBlock("required_providers", nil).Body()
	required.SetAttributeValue("aws", cty.ObjectVal(map[string]cty.Value{
		"source": cty.StringVal("hashicorp/aws"), "version": cty.StringVal(providerVersion),
	}))
}

func outputs(body *hclwrite.Body, stream bool) {
	output := func(name, attribute, description string) {
		body.AppendNewline()
		o := body.AppendNewBlock("output", []string{name}).Body()
		reference(o, "value", "aws_dynamodb_table", "table", attribute)
		text(o, "description", description)
	}
	output("table_name", "name", "Name of the table")
	output("table_arn", "arn", "ARN of the table")
	if stream {
		output("stream_arn", "stream_arn", "ARN of the table's stream")
	}
}

// scaling adds the resources that move capacities.
func scaling(body *hclwrite.Body, t *model.Table) {
	labels := newLabels()
	for _, s := range table.Scalings(t) {
		name := label(labels, s)
		id := []string{"table/", "aws_dynamodb_table.table.name", ""}
		if s.Index != "" {
			id[2] = "/index/" + s.Index
		}
		body.AppendNewline()
		target := body.AppendNewBlock("resource", []string{"aws_appautoscaling_target", name}).Body()
		region(target, t)
		text(target, "service_namespace", "dynamodb")
		target.SetAttributeRaw("resource_id", interpolated(id))
		text(target, "scalable_dimension", s.Dimension())
		number(target, "min_capacity", s.Min)
		number(target, "max_capacity", s.Max)

		body.AppendNewline()
		policy := body.AppendNewBlock("resource", []string{"aws_appautoscaling_policy", name}).Body()
		region(policy, t)
		text(policy, "name", name)
		text(policy, "policy_type", "TargetTrackingScaling")
		for _, shared := range []string{"service_namespace", "resource_id", "scalable_dimension"} {
			reference(policy, shared, "aws_appautoscaling_target", name, shared)
		}
		tracking := policy.AppendNewBlock("target_tracking_scaling_policy_configuration", nil).Body()
		number(tracking, "target_value", s.Target)
		text(tracking.AppendNewBlock("predefined_metric_specification", nil).Body(), "predefined_metric_type", s.Metric())
	}
}

// region says where a resource is, when the model does.
func region(b *hclwrite.Body, t *model.Table) {
	if t.Region != "" {
		text(b, "region", t.Region)
	}
}
