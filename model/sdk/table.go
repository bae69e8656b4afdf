package sdk

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/model"
)

// Structure is the request that makes a table of the given name with the keys
// and indexes of t, on demand and without any other setting. An index that is
// not wanted is left out, with the attributes that only it is keyed by.
func Structure(name string, t *model.Table, wanted func(*model.Index) bool) *dynamodb.CreateTableInput {
	d := &dynamodb.CreateTableInput{TableName: aws.String(name), BillingMode: types.BillingModePayPerRequest}
	defined := attributeSet{}
	d.KeySchema = defined.schema(t.Keys()[:1], t.Keys()[1:])
	for _, x := range t.Indexes {
		if !wanted(x) {
			continue
		}
		keys, name, projection := defined.schema(x.PartitionKey, x.SortKey), aws.String(x.Name.Text), projectionOf(x)
		if x.Local {
			d.LocalSecondaryIndexes = append(d.LocalSecondaryIndexes, types.LocalSecondaryIndex{IndexName: name, KeySchema: keys, Projection: projection})
		} else {
			d.GlobalSecondaryIndexes = append(d.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{IndexName: name, KeySchema: keys, Projection: projection})
		}
	}
	d.AttributeDefinitions = defined.list
	return d
}

// Table is the request that makes the table as the model has it: structure,
// capacity, stream, class, protection, encryption and tags.
func Table(t *model.Table) *dynamodb.CreateTableInput {
	d := Structure(t.Name.Text, t, func(*model.Index) bool { return true })
	d.TableClass = types.TableClass(strings.ToUpper(t.Class))
	if t.Class == "infrequent_access" {
		d.TableClass = types.TableClassStandardInfrequentAccess
	}
	if t.DeletionProtection {
		d.DeletionProtectionEnabled = aws.Bool(true)
	}
	if t.Stream != nil {
		d.StreamSpecification = &types.StreamSpecification{StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewType(strings.ToUpper(t.Stream.View))}
	}
	switch t.Encryption.Kind {
	case "aws_managed":
		d.SSESpecification = &types.SSESpecification{Enabled: aws.Bool(true), SSEType: types.SSETypeKms}
	case "kms_key":
		d.SSESpecification = &types.SSESpecification{Enabled: aws.Bool(true), SSEType: types.SSETypeKms, KMSMasterKeyId: aws.String(t.Encryption.KMSKey)}
	}
	for _, tag := range t.Tags {
		d.Tags = append(d.Tags, types.Tag{Key: aws.String(tag.Key), Value: aws.String(tag.Value)})
	}
	setCapacity(d, t)
	return d
}

// setCapacity puts the capacity of the table and its global indexes into d,
// whose indexes are those of t in the order of t. An index without a capacity
// of its own has that of the table.
func setCapacity(d *dynamodb.CreateTableInput, t *model.Table) {
	if t.Capacity.OnDemand {
		d.OnDemandThroughput = onDemand(t.Capacity)
		d.WarmThroughput = warm(t.Capacity)
	} else {
		d.BillingMode, d.ProvisionedThroughput = types.BillingModeProvisioned, provisioned(t.Capacity)
	}
	global := 0
	for _, x := range t.Indexes {
		if x.Local {
			continue
		}
		in := &d.GlobalSecondaryIndexes[global]
		global++
		capacity := t.Capacity
		if x.Capacity != nil {
			capacity = *x.Capacity
		}
		if t.Capacity.OnDemand {
			in.OnDemandThroughput, in.WarmThroughput = onDemand(capacity), warm(capacity)
		} else {
			in.ProvisionedThroughput = provisioned(capacity)
		}
	}
}

func provisioned(c model.Capacity) *types.ProvisionedThroughput {
	read, write := c.Read, c.Write
	if a := c.AutoScaling; a != nil {
		read, write = max(read, a.Min), max(write, a.Min)
	}
	return &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(max(read, 1)), WriteCapacityUnits: aws.Int64(max(write, 1))}
}

func onDemand(c model.Capacity) *types.OnDemandThroughput {
	if c.MaxRead == 0 && c.MaxWrite == 0 {
		return nil
	}
	return &types.OnDemandThroughput{MaxReadRequestUnits: given(c.MaxRead), MaxWriteRequestUnits: given(c.MaxWrite)}
}

func warm(c model.Capacity) *types.WarmThroughput {
	if c.WarmRead == 0 && c.WarmWrite == 0 {
		return nil
	}
	return &types.WarmThroughput{ReadUnitsPerSecond: given(c.WarmRead), WriteUnitsPerSecond: given(c.WarmWrite)}
}

func given(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}

// An attributeSet collects the attributes that keys are made of, each once, in
// the order of their first use.
type attributeSet struct {
	list []types.AttributeDefinition
	seen map[string]bool
}

// schema is a key schema; its attributes are added to the set.
func (s *attributeSet) schema(partition, sort []model.KeyAttribute) []types.KeySchemaElement {
	out := make([]types.KeySchemaElement, 0, len(partition)+len(sort))
	for _, k := range partition {
		out = append(out, s.element(k, types.KeyTypeHash))
	}
	for _, k := range sort {
		out = append(out, s.element(k, types.KeyTypeRange))
	}
	return out
}

func (s *attributeSet) element(k model.KeyAttribute, role types.KeyType) types.KeySchemaElement {
	if !s.seen[k.Name] {
		if s.seen == nil {
			s.seen = map[string]bool{}
		}
		s.seen[k.Name] = true
		s.list = append(s.list, types.AttributeDefinition{AttributeName: aws.String(k.Name), AttributeType: types.ScalarAttributeType(k.Kind.String())})
	}
	return types.KeySchemaElement{AttributeName: aws.String(k.Name), KeyType: role}
}

func projectionOf(x *model.Index) *types.Projection {
	switch x.Projection.Type {
	case model.ProjectKeysOnly:
		return &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}
	case model.ProjectInclude:
		p := &types.Projection{ProjectionType: types.ProjectionTypeInclude}
		for _, a := range x.Projection.Attributes {
			p.NonKeyAttributes = append(p.NonKeyAttributes, a.Text)
		}
		return p
	}
	return &types.Projection{ProjectionType: types.ProjectionTypeAll}
}
