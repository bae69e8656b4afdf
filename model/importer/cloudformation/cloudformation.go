// Package cloudformation reads the DynamoDB tables of CloudFormation and SAM
// templates, in YAML or JSON: Table, GlobalTable and SimpleTable.
//
// Parameters are taken at their defaults. What intrinsic functions make of
// anything else is not known here; it becomes text, and is noted.
package cloudformation

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// Read reads a template: a draft for each of its tables. The error says that the
// file is no template, or has no table.
func Read(file *source.File) ([]*draft.Draft, error) {
	var notes draft.Notes
	root, tags, err := parse(file, &notes)
	if err != nil {
		return nil, err
	}
	resources := notes.Object(root, "Resources")
	if all := notes.All(); resources == nil && len(all) > 0 {
		return nil, errors.New(all[0].String())
	}
	if resources == nil {
		return nil, errors.New(file.Name() + ": no CloudFormation template: there is no object `Resources` at its top")
	}
	var drafts []*draft.Draft
	for _, r := range resources.Entries {
		read := reader(notes.Scalar(r.Value, "Type"))
		if read == nil {
			continue
		}
		d := &draft.Draft{Format: "a CloudFormation template"}
		v := &resolver{notes: &d.Notes, parameters: notes.Object(root, "Parameters"), tags: tags, done: map[*yamltree.Node]*yamltree.Node{}}
		properties := v.resolve(r.Value.Get("Properties"))
		if properties == nil || properties.Kind != yamltree.Mapping {
			properties = &yamltree.Node{Kind: yamltree.Mapping, At: r.Key.At}
		}
		read(d, properties)
		d.Table.At = r.Key.At
		name(d, r.Key)
		d.Complete(r.Key.At)
		drafts = append(drafts, d)
	}
	if len(drafts) == 0 {
		return nil, fmt.Errorf("%s: the template has no DynamoDB table", file.Name())
	}
	drafts[0].Join(&notes)
	return drafts, nil
}

// Recognised tells whether a document is a template.
func Recognised(root *yamltree.Node) bool {
	n := root.Get("Resources")
	return n != nil && n.Kind == yamltree.Mapping
}

// parse reads JSON or YAML.
func parse(file *source.File, notes *draft.Notes) (*yamltree.Node, tags, error) {
	if strings.HasPrefix(strings.TrimSpace(file.Text()), "{") {
		root, err := draft.ReadJSON(file, notes)
		return root, nil, err
	}
	if len(file.Text()) > yamltree.MaxSize {
		return nil, nil, fmt.Errorf("%s: larger than %d MB, which no template is", file.Name(), yamltree.MaxSize>>20)
	}
	blanked, tags := blankTags(file.Text())
	var list diag.List
	root := yamltree.Parse(source.NewFile(file.Name(), blanked), &list)
	for _, f := range list.All() {
		notes.Faultf(f.Span, "%s", f.Message)
	}
	if all := notes.All(); root == nil && len(all) > 0 {
		return nil, nil, errors.New(all[0].String())
	}
	if root == nil {
		return nil, nil, errors.New(file.Name() + ": the file is empty")
	}
	return root, tags, nil
}

// reader is what reads the properties of a type of resource; nil for others.
func reader(kind string) func(*draft.Draft, *yamltree.Node) {
	switch kind {
	case "AWS::DynamoDB::Table":
		return table
	case "AWS::DynamoDB::GlobalTable":
		return globalTable
	case "AWS::Serverless::SimpleTable":
		return simpleTable
	}
	return nil
}

// name gives a table without a name that of its resource.
func name(d *draft.Draft, key *yamltree.Node) {
	if d.Table.Name.Text == "" {
		d.Lostf(key.At, "the table has no TableName, so that CloudFormation makes one; it is named as its resource")
		d.Table.Name = model.Name{Text: key.Text, At: key.At}
	}
}

// The properties that are read, or whose absence in the language does no harm to
// what the table is.
var read = []string{
	"TableName", "AttributeDefinitions", "KeySchema", "BillingMode", "ProvisionedThroughput", "GlobalSecondaryIndexes", "LocalSecondaryIndexes",
	"StreamSpecification", "SSESpecification", "PointInTimeRecoverySpecification", "TimeToLiveSpecification", "DeletionProtectionEnabled",
	"TableClass", "Tags", "OnDemandThroughput", "WarmThroughput", "Replicas", "MultiRegionConsistency", "WriteProvisionedThroughputSettings",
	"ReadProvisionedThroughputSettings", "WriteOnDemandThroughputSettings", "ReadOnDemandThroughputSettings", "PrimaryKey",
}

func notRead(d *draft.Draft, n *yamltree.Node) {
	for _, e := range n.Entries {
		if !slices.Contains(read, e.Key.Text) {
			d.Lostf(e.Key.At, "the property `%s` is not carried over", e.Key.Text)
		}
	}
}

func table(d *draft.Draft, n *yamltree.Node) {
	d.CreateTable(n)
	notRead(d, n)
}

// globalTable reads a table whose settings stand with its replicas, of which the
// first is taken for all.
func globalTable(d *draft.Draft, n *yamltree.Node) {
	d.CreateTable(n)
	notRead(d, n)
	t := &d.Table
	replicas := d.List(n, "Replicas")
	for i, r := range replicas {
		region := model.Name{Text: d.Scalar(r, "Region"), At: r.At}
		if region.Text == "" {
			d.Faultf(r.At, "a replica has no Region; it is left out")
			continue
		}
		if i == 0 {
			t.Region = region.Text
			settings(d, r)
			continue
		}
		t.Replicas = append(t.Replicas, region)
	}
	if d.Scalar(n, "MultiRegionConsistency") == "STRONG" {
		t.Consistency = "strong"
	}
	if w := d.Object(n, "WriteProvisionedThroughputSettings"); w != nil && d.Scalar(n, "BillingMode") != "PAY_PER_REQUEST" && len(replicas) > 0 {
		provisioned(d, w, replicas[0])
	}
}

// settings reads what a replica says of the table.
func settings(d *draft.Draft, n *yamltree.Node) {
	t := &d.Table
	if p := d.Object(n, "PointInTimeRecoverySpecification"); d.True(p, "PointInTimeRecoveryEnabled") {
		t.PointInTimeRecovery = model.PointInTimeRecovery{Enabled: true, Days: int(d.Number(p, "RecoveryPeriodInDays"))}
	}
	t.DeletionProtection = d.True(n, "DeletionProtectionEnabled")
	if d.Scalar(n, "TableClass") == "STANDARD_INFREQUENT_ACCESS" {
		t.Class = "infrequent_access"
	}
	if key := d.Scalar(d.Object(n, "SSESpecification"), "KMSMasterKeyId"); key != "" {
		t.Encryption = model.Encryption{Kind: "kms_key", KMSKey: key}
	}
	for _, tag := range d.List(n, "Tags") {
		t.Tags = append(t.Tags, model.Tag{Key: d.Scalar(tag, "Key"), Value: d.Scalar(tag, "Value")})
	}
	slices.SortFunc(t.Tags, func(a, b model.Tag) int { return strings.Compare(a.Key, b.Key) })
}

// provisioned reads auto scaling of writes, and reads as the first replica has
// them; the least capacity is what the table begins with.
func provisioned(d *draft.Draft, write, replica *yamltree.Node) {
	w := d.Object(write, "WriteCapacityAutoScalingSettings")
	c := model.Capacity{Write: d.Number(w, "MinCapacity")}
	c.AutoScaling = &model.AutoScaling{
		Min: d.Number(w, "MinCapacity"), Max: d.Number(w, "MaxCapacity"),
		Target: d.Number(d.Object(w, "TargetTrackingScalingPolicyConfiguration"), "TargetValue"),
	}
	r := d.Object(replica, "ReadProvisionedThroughputSettings")
	c.Read = max(d.Number(r, "ReadCapacityUnits"), d.Number(d.Object(r, "ReadCapacityAutoScalingSettings"), "MinCapacity"), 1)
	if s := c.AutoScaling; s.Min <= 0 || s.Max < s.Min {
		return
	} else if s.Target <= 0 {
		s.Target = 70
	}
	d.Table.Capacity = c
}

// simpleTable reads a table of SAM: one key, `id` unless it says otherwise.
func simpleTable(d *draft.Draft, n *yamltree.Node) {
	d.CreateTable(n)
	d.Format = "a SAM template"
	key := model.KeyAttribute{Name: "id", Kind: value.String}
	if k := d.Object(n, "PrimaryKey"); k != nil {
		if name := d.Scalar(k, "Name"); name != "" {
			key.Name = name
		}
		switch strings.ToLower(d.Scalar(k, "Type")) {
		case "number":
			key.Kind = value.Number
		case "binary":
			key.Kind = value.Binary
		}
	}
	d.Table.PartitionKey = key
	simpleTags(d, n.Get("Tags"))
}

// simpleTags reads tags written as an object.
func simpleTags(d *draft.Draft, n *yamltree.Node) {
	if n == nil || n.Kind != yamltree.Mapping {
		return
	}
	for _, e := range n.Entries {
		d.Table.Tags = append(d.Table.Tags, model.Tag{Key: e.Key.Text, Value: e.Value.Text})
	}
}
