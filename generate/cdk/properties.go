package cdk

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/generate/table"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

var attributeTypes = map[value.Kind]string{value.String: "STRING", value.Number: "NUMBER", value.Binary: "BINARY"}

func attribute(k model.KeyAttribute) list {
	return list{{"name", text(k.Name)}, {"type", code("dynamodb.AttributeType." + attributeTypes[k.Kind])}}
}

// key is a key of an index: one attribute, or several.
func key(name string, attributes []model.KeyAttribute) list {
	switch len(attributes) {
	case 0:
		return nil
	case 1:
		return list{{name, attribute(attributes[0])}}
	}
	var all array
	for _, k := range attributes {
		all = append(all, attribute(k))
	}
	return list{{name + "s", all}}
}

func indexes(t *model.Table, d *dynamodb.CreateTableInput) list {
	var global, local array
	next := 0
	for _, x := range t.Indexes {
		p := list{{"indexName", text(x.Name.Text)}}
		if x.Local {
			p = append(p, key("sortKey", x.SortKey)...)
			local = append(local, append(p, projection(x)...))
			continue
		}
		made := d.GlobalSecondaryIndexes[next]
		next++
		p = append(p, key("partitionKey", x.PartitionKey)...)
		p = append(p, key("sortKey", x.SortKey)...)
		p = append(p, projection(x)...)
		capacity := t.Capacity
		if x.Capacity != nil {
			capacity = *x.Capacity
		}
		if made.ProvisionedThroughput != nil {
			p = append(p, provisioned(capacity, made.ProvisionedThroughput)...)
		} else {
			p = append(p, limits(capacity)...)
		}
		global = append(global, addWarm(p, made.WarmThroughput))
	}
	var out list
	if global != nil {
		out = append(out, property{"globalSecondaryIndexes", global})
	}
	if local != nil {
		out = append(out, property{"localSecondaryIndexes", local})
	}
	return out
}

func projection(x *model.Index) list {
	switch x.Projection.Type {
	case model.ProjectKeysOnly:
		return list{{"projectionType", code("dynamodb.ProjectionType.KEYS_ONLY")}}
	case model.ProjectInclude:
		var names []string
		for _, a := range x.Projection.Attributes {
			names = append(names, a.Text)
		}
		return list{{"projectionType", code("dynamodb.ProjectionType.INCLUDE")}, {"nonKeyAttributes", texts(names)}}
	}
	return list{{"projectionType", code("dynamodb.ProjectionType.ALL")}}
}

func billing(c model.Capacity, p *types.ProvisionedThroughput) code {
	if p != nil {
		return code("dynamodb.Billing.provisioned(" + provisioned(c, p).write(3) + ")")
	}
	if l := limits(c); l != nil {
		return code("dynamodb.Billing.onDemand(" + l.write(3) + ")")
	}
	return "dynamodb.Billing.onDemand()"
}

func limits(c model.Capacity) (l list) {
	if c.MaxRead > 0 {
		l = append(l, property{"maxReadRequestUnits", code(fmt.Sprint(c.MaxRead))})
	}
	if c.MaxWrite > 0 {
		l = append(l, property{"maxWriteRequestUnits", code(fmt.Sprint(c.MaxWrite))})
	}
	return l
}

// fixedTarget is the utilisation that is named for a capacity that is not moved;
// writes of a TableV2 are always scaled, if only from a figure to itself.
const fixedTarget = 70

func provisioned(c model.Capacity, p *types.ProvisionedThroughput) list {
	read, write := *p.ReadCapacityUnits, *p.WriteCapacityUnits
	if c.AutoScaling != nil {
		return list{{"readCapacity", autoscaled(c.AutoScaling, read)}, {"writeCapacity", autoscaled(c.AutoScaling, write)}}
	}
	return list{
		{"readCapacity", code(fmt.Sprintf("dynamodb.Capacity.fixed(%d)", read))},
		{"writeCapacity", autoscaled(&model.AutoScaling{Min: write, Max: write, Target: fixedTarget}, write)},
	}
}

func autoscaled(a *model.AutoScaling, units int64) code {
	p := list{
		{"minCapacity", code(fmt.Sprint(a.Min))},
		{"maxCapacity", code(fmt.Sprint(a.Max))},
		{"targetUtilizationPercent", code(fmt.Sprint(a.Target))},
	}
	if units != a.Min {
		p = append(p, property{"seedCapacity", code(fmt.Sprint(units))})
	}
	return code("dynamodb.Capacity.autoscaled(" + p.write(4) + ")")
}

func addWarm(p list, w *types.WarmThroughput) list {
	if w == nil {
		return p
	}
	var warm list
	if w.ReadUnitsPerSecond != nil {
		warm = append(warm, property{"readUnitsPerSecond", code(fmt.Sprint(*w.ReadUnitsPerSecond))})
	}
	if w.WriteUnitsPerSecond != nil {
		warm = append(warm, property{"writeUnitsPerSecond", code(fmt.Sprint(*w.WriteUnitsPerSecond))})
	}
	return append(p, property{"warmThroughput", warm})
}

// keys is the statement that finds the KMS key, when the model names one.
func keys(t *model.Table) string {
	if t.Encryption.KMSKey == "" {
		return ""
	}
	return "    const key = kms.Key.fromKeyArn(this, 'Key', " + keyARN(t.Encryption.KMSKey, "") + ");\n"
}

// keyARN is an expression for the ARN of a KMS key that is named by its ARN, its
// alias or its id; in a region, or in that of the stack when region is "".
func keyARN(key, region string) string {
	if strings.HasPrefix(key, "arn:") {
		return quote(key)
	}
	resource := "key"
	if alias, ok := strings.CutPrefix(key, "alias/"); ok {
		resource, key = "alias", alias
	}
	arn := list{{"service", text("kms")}, {"resource", text(resource)}, {"resourceName", text(key)}}
	if region != "" {
		arn = append(arn, property{"region", text(region)})
	}
	return "Stack.of(this).formatArn(" + arn.write(0) + ")"
}

func encryption(t *model.Table) (list, error) {
	switch t.Encryption.Kind {
	case "aws_managed":
		return list{{"encryption", code("dynamodb.TableEncryptionV2.awsManagedKey()")}}, nil
	case "kms_key":
		var replicas list
		for _, region := range table.OtherRegions(t) {
			key, err := table.KeyIn(region, t)
			if err != nil {
				return nil, err
			}
			replicas = append(replicas, property{quote(region), code(keyARN(key, region))})
		}
		arguments := "key"
		if replicas != nil {
			arguments += ", " + replicas.write(3)
		}
		return list{{"encryption", code("dynamodb.TableEncryptionV2.customerManagedKey(" + arguments + ")")}}, nil
	}
	return nil, nil
}
