package awscli

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/generate/table"
	"github.com/dynmodel/dynmodel/generate/tree"
)

// indexes adds the global indexes that are missing, one after another as
// DynamoDB wants it, and names those that the model does not have.
func (s *script) indexes() {
	d := table.Create(s.table)
	names := []string{" "}
	for _, x := range d.GlobalSecondaryIndexes {
		names = append(names, *x.IndexName+" ")
		s.index(d, x)
	}
	s.line("")
	s.line(`for index in $(describe 'Table.GlobalSecondaryIndexes[].IndexName'); do`)
	s.line(`  case %s in`, quote(strings.Join(names, "")))
	s.line(`    *" $index "*) ;;`)
	s.line(`    *) if [ "$index" != None ]; then say "the index $index is not in the model; it is left"; fi ;;`)
	s.line(`  esac`)
	s.line(`done`)
}

func (s *script) index(d *dynamodb.CreateTableInput, x types.GlobalSecondaryIndex) {
	entry := table.Index(x.IndexName, x.KeySchema, x.Projection)
	table.AddThroughput(&entry, x.ProvisionedThroughput, x.OnDemandThroughput, x.WarmThroughput)
	var attributes []types.AttributeDefinition
	for _, a := range d.AttributeDefinitions {
		for _, k := range append(x.KeySchema[:len(x.KeySchema):len(x.KeySchema)], d.KeySchema...) {
			if *k.AttributeName == *a.AttributeName {
				attributes = append(attributes, a)
				break
			}
		}
	}
	index := s.table.Index(*x.IndexName)
	s.line("")
	s.line(`index="Table.GlobalSecondaryIndexes[?IndexName=='%s'] | [0]"`, *x.IndexName)
	s.line(`set_to %s "$index.IndexName" %s \`, quote("adding the index "+*x.IndexName), *x.IndexName)
	s.line("  --attribute-definitions %s \\", json(table.Attributes(attributes)))
	s.line("  --global-secondary-index-updates %s", json(tree.List{tree.Map{{Key: "Create", Value: entry}}}))
	s.line(`same %s "$index | $key" %s`, quote("the key of the index "+*x.IndexName), quote(schemaText(index.PartitionKey, index.SortKey)))
	s.line(`same %s "$index.Projection.ProjectionType" %s`, quote("the projection of the index "+*x.IndexName), string(x.Projection.ProjectionType))
	updates := func(key string) func(tree.Map) string {
		return func(units tree.Map) string {
			return "--global-secondary-index-updates " + json(tree.List{updateOf(*x.IndexName, key, units)})
		}
	}
	what := "the index " + *x.IndexName
	if x.ProvisionedThroughput == nil {
		s.limits(what, "$index", x.OnDemandThroughput, updates("OnDemandThroughput"))
		s.warm(what, "$index", x.WarmThroughput, updates("WarmThroughput"))
	} else if !scaledIndex(s.table, *x.IndexName) {
		s.line(`set_to %s "$index | $units" %s %s`, quote("capacity of "+what), quote(unitsText(x.ProvisionedThroughput)),
			updates("ProvisionedThroughput")(units(x.ProvisionedThroughput)))
	}
}

// settings sets what an update of the table can set.
func (s *script) settings() {
	d := table.Create(s.table)
	s.line("")
	if v := d.StreamSpecification; v != nil {
		view := string(v.StreamViewType)
		s.line("if [ \"$(describe 'Table.StreamSpecification.StreamViewType')\" != None ]; then")
		s.line("  same 'what the stream shows' 'Table.StreamSpecification.StreamViewType' %s", view)
		s.line("fi")
		s.line("set_to 'stream' 'Table.StreamSpecification.StreamViewType' %s \\", view)
		s.line("  --stream-specification StreamEnabled=true,StreamViewType=%s", view)
	} else {
		s.line("if [ \"$(describe 'Table.StreamSpecification.StreamEnabled')\" = True ]; then say 'the table has a stream, which the model has not; it is left'; fi")
	}
	class := "STANDARD"
	if d.TableClass != "" {
		class = string(d.TableClass)
	}
	s.line(`set_to 'class' "Table.TableClassSummary.TableClass || 'STANDARD'" %[1]s --table-class %[1]s`, class)
	if e := d.SSESpecification; e != nil {
		s.encryption(e)
	}
}

// encryption sets the key. A key may be named in several ways, so that the one
// there is not compared.
func (s *script) encryption(e *types.SSESpecification) {
	sse := tree.Map{{Key: "Enabled", Value: tree.Bool(true)}, {Key: "SSEType", Value: tree.Text(e.SSEType)}}
	if e.KMSMasterKeyId != nil {
		sse.Add("KMSMasterKeyId", tree.Text(*e.KMSMasterKeyId))
	}
	s.line("set_to 'encryption' 'Table.SSEDescription.SSEType' %s --sse-specification %s", string(e.SSEType), json(sse))
}

// timeToLive switches time to live on. The attribute can be changed only an hour
// after the last change, so that this is left to a person.
func (s *script) timeToLive() {
	if s.table.TTL == nil {
		return
	}
	attribute := s.table.TTL.Text
	s.line("")
	s.line(`ttl="$(aws dynamodb describe-time-to-live --table-name "$table" --query 'TimeToLiveDescription.AttributeName' --output text)"`)
	s.line(`case "$ttl" in`)
	s.line(`  %s) ;;`, quote(attribute))
	s.line(`  None)`)
	s.line(`    say 'time to live'`)
	s.line(`    aws dynamodb update-time-to-live --table-name "$table" \`)
	s.line(`      --time-to-live-specification %s >/dev/null ;;`, json(tree.Map{{Key: "Enabled", Value: tree.Bool(true)}, {Key: "AttributeName", Value: tree.Text(attribute)}}))
	s.line(`  *) fail "time to live is by $ttl, and the model has" %s"; switch it off, and run this an hour later" ;;`, quote(attribute))
	s.line(`esac`)
}

// replicas adds the replicas that are missing.
func (s *script) replicas() {
	others := table.OtherRegions(s.table)
	if len(others) == 0 {
		return
	}
	s.line("")
	query := func(region string) string {
		return quote("Table.Replicas[?RegionName=='" + region + "'] | [0].RegionName")
	}
	for _, c := range table.Calls(s.table) {
		if c.Name != "update-table" {
			continue
		}
		region := others[0]
		if !table.Strong(s.table) {
			region, others = others[0], others[1:]
		}
		s.line("set_to %s %s %s --cli-input-json %s", quote(c.Does), query(region), quote(region), json(c.Input[1:]))
	}
}

// perRegion sets what every replica has of its own.
func (s *script) perRegion() {
	t := s.table
	regions := append([]string{""}, table.OtherRegions(t)...)
	s.line("")
	s.line("# own_settings ARGUMENTS…: what every replica of a table has of its own.")
	s.line("own_settings() {")
	protection := "--no-deletion-protection-enabled"
	wanted := "False"
	if t.DeletionProtection {
		protection, wanted = "--deletion-protection-enabled", "True"
	}
	s.line(`  local now`)
	s.line(`  now="$(aws dynamodb describe-table --table-name "$table" --query 'Table.DeletionProtectionEnabled' --output text "$@")"`)
	s.line(`  if [ "${now/None/False}" != %s ]; then`, wanted)
	s.line(`    say 'deletion protection'`)
	s.line(`    aws dynamodb update-table --table-name "$table" %s "$@" >/dev/null`, protection)
	s.line(`  fi`)
	s.recovery()
	s.tags()
	s.line("}")
	for _, region := range regions {
		if region == "" {
			s.line("own_settings")
		} else {
			s.line("own_settings --region %s", quote(region))
		}
	}
}

func (s *script) recovery() {
	p := s.table.PointInTimeRecovery
	status := "DISABLED"
	query := "ContinuousBackupsDescription.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus"
	if p.Enabled {
		status = "ENABLED"
	}
	if p.Enabled && p.Days > 0 {
		query = "ContinuousBackupsDescription.PointInTimeRecoveryDescription | join(' ', [PointInTimeRecoveryStatus, to_string(RecoveryPeriodInDays)])"
		status += " " + tree.Compact(tree.Number(p.Days))
	}
	s.line(`  now="$(aws dynamodb describe-continuous-backups --table-name "$table" \`)
	s.line(`    --query %s --output text "$@")"`, quote(query))
	s.line(`  if [ "$now" != %s ]; then`, quote(status))
	s.line(`    say 'point-in-time recovery'`)
	s.line(`    aws dynamodb update-continuous-backups --table-name "$table" \`)
	s.line(`      --point-in-time-recovery-specification %s "$@" >/dev/null`, json(table.Recovery(s.table)))
	s.line(`  fi`)
}

func (s *script) tags() {
	d := table.Create(s.table)
	if len(d.Tags) == 0 {
		return
	}
	s.line(`  now="$(aws dynamodb describe-table --table-name "$table" --query 'Table.TableArn' --output text "$@")"`)
	s.line(`  aws dynamodb tag-resource --resource-arn "$now" --tags %s "$@"`, json(table.Tags(d)))
}
