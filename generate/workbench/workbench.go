// Package workbench makes a model of NoSQL Workbench for DynamoDB.
package workbench

import (
	"errors"
	"path/filepath"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/document/example"
	"github.com/dynmodel/dynmodel/generate/tree"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/importer/workbench"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// Target is the generator.
func Target() generate.Target {
	return generate.Target{
		Name:  "workbench",
		Title: "NoSQL Workbench JSON: tables, facets and sample data to look at",
		Text: `Makes a model of version 3.0 for NoSQL Workbench for DynamoDB: open it there with
"Import data model". Each entity is a facet, whose aliases are the key templates,
with the samples of the model as its data; an entity without samples has items
that are made up.

The format has no place for local indexes, multi-attribute keys, time to live,
streams, templates of index keys and access patterns. The key "Dynmodel", which
Workbench passes over, holds the model itself, so that "dynmodel import" gives
it back whole.`,
		Path:  "workbench.json",
		Files: files,
	}
}

// The dates that the format asks for. They are the same each time, so that the
// file is.
const date = "Jan 01, 2026, 12:00 AM"

func files(in generate.Input) ([]generate.File, error) {
	m := in.Model
	doc := tree.Map{
		{Key: "ModelName", Value: tree.Text(m.Name)},
		{Key: "ModelMetadata", Value: tree.Map{
			{Key: "Author", Value: tree.Text(generate.Mark)},
			{Key: "DateCreated", Value: tree.Text(date)},
			{Key: "DateLastModified", Value: tree.Text(date)},
			{Key: "Description", Value: tree.Text(m.Description)},
			{Key: "AWSService", Value: tree.Text("Amazon DynamoDB")},
			{Key: "Version", Value: tree.Text("3.0")},
		}},
		{Key: "DataModel", Value: tree.List{table(m)}},
	}
	digest, err := workbench.Digest(source.NewFile("workbench.json", string(tree.JSON(doc))))
	if err != nil {
		return nil, err
	}
	texts, err := textsOf(m)
	if err != nil {
		return nil, err
	}
	doc.Add(workbench.Key, tree.Map{{Key: "Digest", Value: tree.Text(digest)}, {Key: "Files", Value: texts}})
	return []generate.File{{Content: tree.JSON(doc)}}, nil
}

// textsOf are the model's own files, the model first, with names from its folder.
func textsOf(m *model.Model) (tree.List, error) {
	folder := filepath.Dir(m.File.Name())
	out := tree.List{file(filepath.Base(m.File.Name()), m.File)}
	for _, f := range m.Files {
		if f == m.File {
			continue
		}
		name, err := filepath.Rel(folder, f.Name())
		if err != nil {
			return nil, errors.New(f.Name() + " does not lie below the model's folder")
		}
		out = append(out, file(filepath.ToSlash(name), f))
	}
	return out, nil
}

func file(name string, f *source.File) tree.Map {
	return tree.Map{{Key: "Name", Value: tree.Text(name)}, {Key: "Text", Value: tree.Text(f.Text())}}
}

// table is the one table of a model.
func table(m *model.Model) tree.Map {
	t := m.Table
	world := example.New(m)
	out := tree.Map{
		{Key: "TableName", Value: tree.Text(t.Name.Text)},
		{Key: "KeyAttributes", Value: keys([]model.KeyAttribute{t.PartitionKey}, sortKey(t))},
		{Key: "NonKeyAttributes", Value: declarations(m, world)},
		{Key: "TableFacets", Value: facets(m, world)},
	}
	if list := indexes(t); len(list) > 0 {
		out.Add("GlobalSecondaryIndexes", list)
	}
	out.Add("DataAccess", tree.Map{{Key: "MySql", Value: tree.Map{}}})
	addCapacity(&out, t.Capacity)
	return out
}

func sortKey(t *model.Table) []model.KeyAttribute {
	if t.SortKey == nil {
		return nil
	}
	return []model.KeyAttribute{*t.SortKey}
}

// keys are the KeyAttributes of a table or an index.
func keys(partition, sort []model.KeyAttribute) tree.Map {
	out := tree.Map{{Key: "PartitionKey", Value: attribute(partition[0].Name, partition[0].Kind)}}
	if len(sort) > 0 {
		out.Add("SortKey", attribute(sort[0].Name, sort[0].Kind))
	}
	return out
}

func attribute(name string, kind value.Kind) tree.Map {
	return tree.Map{{Key: "AttributeName", Value: tree.Text(name)}, {Key: "AttributeType", Value: tree.Text(kind.String())}}
}

// indexes are the global indexes of at most one attribute in each key; the
// format has no others.
func indexes(t *model.Table) tree.List {
	var out tree.List
	for _, x := range t.Indexes {
		if x.Local || len(x.PartitionKey) > 1 || len(x.SortKey) > 1 {
			continue
		}
		projection := tree.Map{{Key: "ProjectionType", Value: tree.Text(projectionTypes[x.Projection.Type])}}
		if x.Projection.Type == model.ProjectInclude {
			var names []string
			for _, a := range x.Projection.Attributes {
				names = append(names, a.Text)
			}
			projection.Add("NonKeyAttributes", tree.Texts(names...))
		}
		out = append(out, tree.Map{
			{Key: "IndexName", Value: tree.Text(x.Name.Text)},
			{Key: "KeyAttributes", Value: keys(x.PartitionKey, x.SortKey)},
			{Key: "Projection", Value: projection},
		})
	}
	return out
}

var projectionTypes = map[model.ProjectionType]string{
	model.ProjectAll: "ALL", model.ProjectKeysOnly: "KEYS_ONLY", model.ProjectInclude: "INCLUDE",
}

// addCapacity says how the table is paid for. Provisioned capacity without
// scaling is scaled from and to what it is, as the format always has bounds.
func addCapacity(out *tree.Map, c model.Capacity) {
	if c.OnDemand {
		out.Add("BillingMode", tree.Text("PAY_PER_REQUEST"))
		return
	}
	out.Add("BillingMode", tree.Text("PROVISIONED"))
	settings := tree.Map{{Key: "ProvisionedThroughput", Value: tree.Map{
		{Key: "ReadCapacityUnits", Value: tree.Number(c.Read)}, {Key: "WriteCapacityUnits", Value: tree.Number(c.Write)},
	}}}
	if s := c.AutoScaling; s != nil {
		scaling := tree.Map{
			{Key: "ScalableTargetRequest", Value: tree.Map{
				{Key: "MinCapacity", Value: tree.Number(s.Min)}, {Key: "MaxCapacity", Value: tree.Number(s.Max)},
				{Key: "ServiceRole", Value: tree.Text("AWSServiceRoleForApplicationAutoScaling_DynamoDBTable")},
			}},
			{Key: "ScalingPolicyConfiguration", Value: tree.Map{{Key: "TargetValue", Value: tree.Number(s.Target)}}},
		}
		settings.Add("AutoScalingRead", scaling)
		settings.Add("AutoScalingWrite", scaling)
	}
	out.Add("ProvisionedCapacitySettings", settings)
}
