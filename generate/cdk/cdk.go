// Package cdk makes a construct of the AWS CDK, in TypeScript, with a model's
// table as a TableV2.
package cdk

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/table"
	"github.com/dynmodel/dynmodel/model"
)

// Target is the generator.
func Target() generate.Target {
	return generate.Target{
		Name:  "cdk",
		Title: "CDK: a TypeScript construct with the table",
		Text: `Makes a TypeScript file with a construct that holds the table as a TableV2:

  import { ShopTable } from './table';
  const { table } = new ShopTable(this, 'Shop');
  table.grantReadData(handler);

The class is named after the model, unless the option class says otherwise. The
table outlives the stack unless removalPolicy says otherwise. Replicas need a
stack whose region is known: new Stack(app, 'Data', { env: { region: … } }).
It needs a version of aws-cdk-lib whose TableV2 knows keys of several attributes,
if the model has such; it is tested with 2.276.0.`,
		Options: []generate.Option{{Name: "class", Text: "the name of the construct's class"}},
		Path:    "table.ts",
		Files:   files,
	}
}

func files(in generate.Input) ([]generate.File, error) {
	class := in.Options["class"]
	switch {
	case class == "":
		class = className(in.Model.Name)
	case !identifier.MatchString(class) || slices.Contains(taken, class):
		return nil, fmt.Errorf("the option class=%s is no name for a class; one has letters, digits and _, and is no word of TypeScript or the CDK", class)
	}
	properties, err := properties(in.Model.Table)
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	fmt.Fprintf(&out, header, generate.Mark, imports(in.Model.Table))
	fmt.Fprintf(&out, construct, class, keys(in.Model.Table), properties.write(2))
	return []generate.File{{Content: []byte(out.String())}}, nil
}

const header = `// %s

%s`

const construct = `import { Construct } from 'constructs';

export interface %[1]sProps {
  /** Name of the table; another one makes a new table. */
  readonly tableName?: string;
  /** What becomes of the table when it is taken out of the stack; it is kept by default. */
  readonly removalPolicy?: RemovalPolicy;
}

export class %[1]s extends Construct {
  readonly table: dynamodb.TableV2;

  constructor(scope: Construct, id: string, props: %[1]sProps = {}) {
    super(scope, id);
%[2]s    this.table = new dynamodb.TableV2(this, 'Table', %[3]s);
  }
}
`

func imports(t *model.Table) string {
	names, kms := "RemovalPolicy", ""
	if key := t.Encryption.KMSKey; key != "" {
		kms = "import * as kms from 'aws-cdk-lib/aws-kms';\n"
		if !strings.HasPrefix(key, "arn:") {
			names += ", Stack"
		}
	}
	return "import { " + names + " } from 'aws-cdk-lib';\nimport * as dynamodb from 'aws-cdk-lib/aws-dynamodb';\n" + kms
}

// properties are the arguments of the TableV2.
func properties(t *model.Table) (list, error) {
	d := table.Create(t)
	p := list{
		{"tableName", code(fmt.Sprintf("props.tableName ?? %s", quote(*d.TableName)))},
		{"removalPolicy", code("props.removalPolicy ?? RemovalPolicy.RETAIN")},
		{"partitionKey", attribute(t.PartitionKey)},
	}
	if t.SortKey != nil {
		p = append(p, property{"sortKey", attribute(*t.SortKey)})
	}
	p = append(p, property{"billing", billing(t.Capacity, d.ProvisionedThroughput)})
	p = addWarm(p, d.WarmThroughput)
	p = append(p, indexes(t, d)...)
	if t.TTL != nil {
		p = append(p, property{"timeToLiveAttribute", text(t.TTL.Text)})
	}
	if s := d.StreamSpecification; s != nil && len(table.OtherRegions(t)) == 0 {
		// A table with replicas has a stream of both images in any case.
		p = append(p, property{"dynamoStream", code("dynamodb.StreamViewType." + string(s.StreamViewType))})
	}
	p = append(p, property{"pointInTimeRecoverySpecification", recovery(t)})
	p = append(p, property{"deletionProtection", code(fmt.Sprint(t.DeletionProtection))})
	if d.TableClass != "" {
		p = append(p, property{"tableClass", code("dynamodb.TableClass." + string(d.TableClass))})
	}
	encryption, err := encryption(t)
	if err != nil {
		return nil, err
	}
	p = append(p, encryption...)
	p = append(p, replicas(t)...)
	return append(p, tags(t)...), nil
}

func recovery(t *model.Table) list {
	r := list{{"pointInTimeRecoveryEnabled", code(fmt.Sprint(t.PointInTimeRecovery.Enabled))}}
	if days := t.PointInTimeRecovery.Days; days > 0 {
		r = append(r, property{"recoveryPeriodInDays", code(fmt.Sprint(days))})
	}
	return r
}

func replicas(t *model.Table) list {
	var regions array
	for _, r := range table.OtherRegions(t) {
		regions = append(regions, list{{"region", text(r)}})
	}
	if regions == nil {
		return nil
	}
	p := list{{"replicas", regions}}
	if table.Strong(t) {
		p = append(p, property{"multiRegionConsistency", code("dynamodb.MultiRegionConsistency.STRONG")})
	}
	return p
}

func tags(t *model.Table) list {
	var tags array
	for _, tag := range t.Tags {
		tags = append(tags, list{{"key", text(tag.Key)}, {"value", text(tag.Value)}})
	}
	if tags == nil {
		return nil
	}
	return list{{"tags", tags}}
}
