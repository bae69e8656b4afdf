package draft

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// kindOf is the type of a key attribute by DynamoDB's letter.
func kindOf(letter string) (value.Kind, bool) {
	switch letter {
	case "S":
		return value.String, true
	case "N":
		return value.Number, true
	case "B":
		return value.Binary, true
	}
	return value.String, false
}

// KeyKind reads the type of a key attribute. None is a string without a word,
// another letter is a fault.
func (n *Notes) KeyKind(node *yamltree.Node, key, attribute string) value.Kind {
	letter := n.Scalar(node, key)
	kind, ok := kindOf(letter)
	if !ok && letter != "" {
		n.Faultf(node.Get(key).At, "the key attribute `%s` has the type `%s`; a key is S, N or B. It is taken for a string", attribute, Clip(letter))
	}
	return kind
}

// CreateTable reads a table as DynamoDB's CreateTable has it, which is how
// DescribeTable and CloudFormation have it too.
func (d *Draft) CreateTable(n *yamltree.Node) {
	t := &d.Table
	t.At = n.At
	t.Name = model.Name{Text: d.Scalar(n, "TableName"), At: n.At}
	kinds := d.definitions(n)
	hash, sort := d.KeySchema(n, kinds)
	if len(hash) > 0 {
		t.PartitionKey = hash[0]
	}
	if len(sort) > 0 {
		t.SortKey = &sort[0]
	}
	if len(hash) > 1 || len(sort) > 1 {
		d.Faultf(n.At, "the table's key has more than two attributes; only indexes may")
	}
	for _, list := range []string{"GlobalSecondaryIndexes", "LocalSecondaryIndexes"} {
		for _, x := range d.List(n, list) {
			d.index(x, kinds, list == "LocalSecondaryIndexes")
		}
	}
	d.capacity(n)
	d.settings(n)
}

// definitions are the types of the key attributes by name.
func (d *Draft) definitions(n *yamltree.Node) map[string]value.Kind {
	kinds := map[string]value.Kind{}
	for _, a := range d.List(n, "AttributeDefinitions") {
		name := d.Scalar(a, "AttributeName")
		kinds[name] = d.KeyKind(a, "AttributeType", name)
	}
	return kinds
}

// KeySchema reads the attributes of a key: those of the partition key, and those
// of the sort key.
func (d *Draft) KeySchema(n *yamltree.Node, kinds map[string]value.Kind) (hash, sort []model.KeyAttribute) {
	for _, k := range d.List(n, "KeySchema") {
		name := d.Scalar(k, "AttributeName")
		kind, known := kinds[name]
		if !known {
			d.Faultf(k.At, "the key attribute `%s` is not among the AttributeDefinitions; it is taken for a string", name)
			kind = value.String
		}
		key := model.KeyAttribute{At: k.At, Name: name, Kind: kind}
		switch strings.ToUpper(d.Scalar(k, "KeyType")) {
		case "HASH":
			hash = append(hash, key)
		case "RANGE":
			sort = append(sort, key)
		default:
			d.Faultf(k.At, "the key attribute `%s` has no KeyType HASH or RANGE; it is left out", name)
		}
	}
	return hash, sort
}

func (d *Draft) index(n *yamltree.Node, kinds map[string]value.Kind, local bool) {
	x := &model.Index{At: n.At, Name: model.Name{Text: d.Scalar(n, "IndexName"), At: n.At}, Local: local}
	x.PartitionKey, x.SortKey = d.KeySchema(n, kinds)
	x.Projection = d.Projection(n)
	if c, ok := d.provisioned(n); ok {
		x.Capacity = c
	}
	d.AddIndex(x)
}

// Projection reads an index's projection.
func (d *Draft) Projection(n *yamltree.Node) model.Projection {
	p := model.Projection{Type: model.ProjectAll}
	node := d.Object(n, "Projection")
	if node == nil {
		return p
	}
	switch strings.ToUpper(d.Scalar(node, "ProjectionType")) {
	case "KEYS_ONLY":
		p.Type = model.ProjectKeysOnly
	case "INCLUDE":
		p.Type = model.ProjectInclude
		for _, a := range d.List(node, "NonKeyAttributes") {
			p.Attributes = append(p.Attributes, model.Name{Text: a.Text, At: a.At})
		}
		if len(p.Attributes) == 0 {
			d.Faultf(node.At, "the projection INCLUDE names no attributes; keys only are projected")
			p.Type = model.ProjectKeysOnly
		}
	}
	return p
}

// AddIndex adds an index to the table, unless its keys make none.
func (d *Draft) AddIndex(x *model.Index) {
	t := &d.Table
	switch {
	case x.Name.Text == "":
		d.Faultf(x.At, "an index has no name; it is left out")
		return
	case t.Index(x.Name.Text) != nil:
		d.Faultf(x.At, "two indexes are named `%s`; the second is left out", x.Name.Text)
		return
	case x.Local && len(x.SortKey) == 0:
		d.Faultf(x.At, "the local index `%s` has no sort key; it is left out", x.Name.Text)
		return
	case x.Local:
		x.PartitionKey = []model.KeyAttribute{t.PartitionKey}
		x.Capacity = nil
	case len(x.PartitionKey) == 0:
		d.Faultf(x.At, "the index `%s` has no partition key; it is left out", x.Name.Text)
		return
	}
	seen := map[string]bool{}
	for _, k := range x.Keys() {
		if seen[k.Name] {
			d.Faultf(x.At, "the index `%s` has the key attribute `%s` twice; it is left out", x.Name.Text, k.Name)
			return
		}
		seen[k.Name] = true
	}
	t.Indexes = append(t.Indexes, x)
}

// capacity reads the capacity mode. Without a BillingMode it is PROVISIONED, as
// in the API; without figures there is nothing to carry over.
func (d *Draft) capacity(n *yamltree.Node) {
	mode := d.Scalar(n, "BillingMode")
	if mode == "" {
		mode = d.Scalar(d.Object(n, "BillingModeSummary"), "BillingMode")
	}
	c, ok := d.provisioned(n)
	if strings.EqualFold(mode, "PAY_PER_REQUEST") || !ok {
		c = d.onDemand(n)
	}
	d.Table.Capacity = *c
}

func (d *Draft) onDemand(n *yamltree.Node) *model.Capacity {
	c := &model.Capacity{OnDemand: true}
	if limits := d.Object(n, "OnDemandThroughput"); limits != nil {
		c.MaxRead, c.MaxWrite = d.Number(limits, "MaxReadRequestUnits"), d.Number(limits, "MaxWriteRequestUnits")
	}
	if warm := d.Object(n, "WarmThroughput"); warm != nil {
		c.WarmRead, c.WarmWrite = d.Number(warm, "ReadUnitsPerSecond"), d.Number(warm, "WriteUnitsPerSecond")
	}
	// -1 is how DynamoDB says that there is no limit.
	c.MaxRead, c.MaxWrite = max(c.MaxRead, 0), max(c.MaxWrite, 0)
	return c
}

// provisioned reads a ProvisionedThroughput; false when there is none, or one of
// zeros, with which DescribeTable answers for on-demand tables.
func (d *Draft) provisioned(n *yamltree.Node) (*model.Capacity, bool) {
	p := d.Object(n, "ProvisionedThroughput")
	if p == nil {
		return nil, false
	}
	c := &model.Capacity{Read: d.Number(p, "ReadCapacityUnits"), Write: d.Number(p, "WriteCapacityUnits")}
	return c, c.Read > 0 && c.Write > 0
}

// settings reads what else a table may have.
func (d *Draft) settings(n *yamltree.Node) {
	t := &d.Table
	if s := d.Object(n, "StreamSpecification"); s != nil {
		if view := strings.ToLower(d.Scalar(s, "StreamViewType")); view != "" && !strings.EqualFold(d.Scalar(s, "StreamEnabled"), "false") {
			t.Stream = &model.Stream{View: view}
		}
	}
	ttl := d.Object(n, "TimeToLiveSpecification")
	if name := d.Scalar(ttl, "AttributeName"); name != "" && !strings.EqualFold(d.Scalar(ttl, "Enabled"), "false") {
		t.TTL = &model.Name{Text: name, At: ttl.At}
	}
	if p := d.Object(n, "PointInTimeRecoverySpecification"); d.True(p, "PointInTimeRecoveryEnabled") {
		t.PointInTimeRecovery = model.PointInTimeRecovery{Enabled: true, Days: int(d.Number(p, "RecoveryPeriodInDays"))}
	}
	t.DeletionProtection = d.True(n, "DeletionProtectionEnabled")
	class := d.Scalar(n, "TableClass")
	if class == "" {
		class = d.Scalar(d.Object(n, "TableClassSummary"), "TableClass")
	}
	if class == "STANDARD_INFREQUENT_ACCESS" {
		t.Class = "infrequent_access"
	}
	d.encryption(n)
	for _, tag := range d.List(n, "Tags") {
		if key := d.Scalar(tag, "Key"); key != "" {
			t.Tags = append(t.Tags, model.Tag{Key: key, Value: d.Scalar(tag, "Value")})
		}
	}
	slices.SortFunc(t.Tags, func(a, b model.Tag) int { return strings.Compare(a.Key, b.Key) })
}

func (d *Draft) encryption(n *yamltree.Node) {
	for _, key := range []string{"SSESpecification", "SSEDescription"} {
		s := d.Object(n, key)
		if s == nil {
			continue
		}
		kms := d.Scalar(s, "KMSMasterKeyId")
		if kms == "" {
			kms = d.Scalar(s, "KMSMasterKeyArn")
		}
		on := d.True(s, "SSEEnabled") || d.True(s, "Enabled") || d.Scalar(s, "Status") == "ENABLED"
		switch {
		case kms != "":
			d.Table.Encryption = model.Encryption{Kind: "kms_key", KMSKey: kms}
		case on:
			d.Table.Encryption = model.Encryption{Kind: "aws_managed"}
		}
	}
}

// Complete holds what every reader must have found: a table name and a partition
// key. It fills in names where they are missing and reports that.
func (d *Draft) Complete(at source.Span) {
	t := &d.Table
	if t.Name.Text == "" {
		d.Faultf(at, "the table has no name; it is named `table`")
		t.Name.Text = "table"
	}
	if t.PartitionKey.Name == "" {
		d.Faultf(at, "the table `%s` has no partition key; it is given `PK`", t.Name.Text)
		t.PartitionKey = model.KeyAttribute{Name: "PK", Kind: value.String}
	}
	if t.SortKey != nil && t.SortKey.Name == "" {
		d.Faultf(at, "the sort key of the table `%s` has no name; it is left out", t.Name.Text)
		t.SortKey = nil
	}
	if t.SortKey != nil && t.SortKey.Name == t.PartitionKey.Name {
		d.Faultf(at, "the table `%s` has one attribute for both its keys; the sort key is left out", t.Name.Text)
		t.SortKey = nil
	}
}
