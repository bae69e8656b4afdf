// Package cloudformation makes a CloudFormation template of a model's table:
// AWS::DynamoDB::Table, or AWS::DynamoDB::GlobalTable of a table with replicas.
package cloudformation

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/table"
	"github.com/dynmodel/dynmodel/generate/tree"
	"github.com/dynmodel/dynmodel/model"
)

// Target is the generator.
func Target() generate.Target {
	return generate.Target{
		Name:  "cloudformation",
		Title: "CloudFormation template: the table with all its settings",
		Text: `Makes a template with the table: AWS::DynamoDB::Table, or AWS::DynamoDB::GlobalTable
when the model names replicas. Its name is the parameter TableName; its name, ARN
and stream are outputs. The table outlives the stack (DeletionPolicy: Retain).
The resource can be copied into a SAM template as it is.

CloudFormation adds or removes one index in an update of a table: a change of
several is several deployments.`,
		Options: []generate.Option{{Name: "format", Text: "the syntax of the template", Values: []string{"yaml", "json"}, Default: "yaml"}},
		Path:    "table.yaml",
		Files:   files,
	}
}

func files(in generate.Input) ([]generate.File, error) {
	doc, err := template(in.Model)
	if err != nil {
		return nil, err
	}
	if in.Options["format"] == "json" {
		doc = slices.Insert(doc, 2, tree.Field{Key: "Metadata", Value: tree.Map{{Key: "Origin", Value: tree.Text(generate.Mark)}}})
		return []generate.File{{Content: tree.JSON(doc)}}, nil
	}
	return []generate.File{{Content: append([]byte("# "+generate.Mark+"\n"), tree.YAML(doc)...)}}, nil
}

// retain keeps the data when the stack, or the resource in it, goes.
var retain = tree.Text("Retain")

// The names of the table's resource, parameter and outputs.
const (
	resource  = "Table"
	parameter = "TableName"
)

func template(m *model.Model) (tree.Map, error) {
	t := m.Table
	d := table.Create(t)
	kind, properties := "AWS::DynamoDB::Table", single(t, d)
	if len(table.OtherRegions(t)) > 0 {
		var err error
		if properties, err = global(t, d); err != nil {
			return nil, err
		}
		kind = "AWS::DynamoDB::GlobalTable"
	}
	resources := tree.Map{{Key: resource, Value: tree.Map{
		{Key: "Type", Value: tree.Text(kind)},
		{Key: "DeletionPolicy", Value: retain},
		{Key: "UpdateReplacePolicy", Value: retain},
		{Key: "Properties", Value: properties},
	}}}
	if len(table.OtherRegions(t)) == 0 {
		resources = append(resources, scaling(t)...)
	}
	return tree.Map{
		{Key: "AWSTemplateFormatVersion", Value: tree.Text("2010-09-09")},
		{Key: "Description", Value: tree.Text("DynamoDB table of the model " + clip(m.Name))},
		{Key: "Parameters", Value: tree.Map{{Key: parameter, Value: tree.Map{
			{Key: "Type", Value: tree.Text("String")},
			{Key: "Default", Value: tree.Text(*d.TableName)},
			{Key: "Description", Value: tree.Text("Name of the table; another one makes a new table")},
			{Key: "AllowedPattern", Value: tree.Text("[a-zA-Z0-9_.-]{3,255}")},
		}}}},
		{Key: "Resources", Value: resources},
		{Key: "Outputs", Value: outputs(d)},
	}, nil
}

// clip keeps a name short enough for a description, which has at most 1,024 bytes.
func clip(name string) string {
	if r := []rune(name); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return name
}

func outputs(d *dynamodb.CreateTableInput) tree.Map {
	output := func(text string, value tree.Node) tree.Map {
		return tree.Map{{Key: "Description", Value: tree.Text(text)}, {Key: "Value", Value: value}}
	}
	out := tree.Map{
		{Key: "TableName", Value: output("Name of the table", tree.Call{Function: "Ref", Argument: resource})},
		{Key: "TableArn", Value: output("ARN of the table", tree.Call{Function: "GetAtt", Argument: resource + ".Arn"})},
	}
	if d.StreamSpecification != nil {
		out.Add("StreamArn", output("ARN of the table's stream", tree.Call{Function: "GetAtt", Argument: resource + ".StreamArn"}))
	}
	return out
}
