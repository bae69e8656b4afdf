package awscli

import (
	"slices"
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
	s.line("")
	if len(d.GlobalSecondaryIndexes) > 0 {
		s.line("%s", indexFunction)
	}
	names := []string{" "}
	for _, x := range d.GlobalSecondaryIndexes {
		names = append(names, *x.IndexName+" ")
		s.index(d, x)
	}
	s.line(`for name in $(figure %s); do`, s.ask("indexes", ofTable("join(' ', [GlobalSecondaryIndexes[].IndexName][])")))
	s.line(`  case %s in`, quote(strings.Join(names, "")))
	s.line(`    *" $name "*) ;;`)
	s.line(`    *) say "the index $name is not in the model; it is left" ;;`)
	s.line(`  esac`)
	s.line(`done`)
}

const indexFunction = `# index NAME VALUE ARGUMENTS…: adds an index, if need be in the place of another.
index() {
  local now
  now="$(figure "the index $1")"
  if [ "$now" = "$2" ]; then return; fi
  if [ "$now" != None ]; then
    [ "$replace" ] || fail "the index $1 of $table cannot be changed: it is $now, and the model has $2; --replace-indexes deletes it and makes it again"
    change "deleting the index $1" --global-secondary-index-updates "[{\"Delete\":{\"IndexName\":\"$1\"}}]"
  fi
  change "adding the index $1" "${@:3}"
}
`

func (s *script) index(d *dynamodb.CreateTableInput, x types.GlobalSecondaryIndex) {
	name := *x.IndexName
	what, of := "the index "+name, ofIndex(name)
	entry := table.Index(x.IndexName, x.KeySchema, x.Projection)
	table.AddThroughput(&entry, x.ProvisionedThroughput, x.OnDemandThroughput, x.WarmThroughput)
	s.ask(what, of("$index"))
	s.line("index %s %s \\", name, quote(indexText(s.table.Index(name), x.Projection)))
	s.line("  --attribute-definitions %s \\", json(table.Attributes(definitions(d, x))))
	s.line("  --global-secondary-index-updates %s", json(tree.List{tree.Map{{Key: "Create", Value: entry}}}))
	updates := func(key string) func(tree.Map) string {
		return func(units tree.Map) string {
			return "--global-secondary-index-updates " + json(tree.List{updateOf(name, key, units)})
		}
	}
	if x.ProvisionedThroughput == nil {
		s.limits(what, of, x.OnDemandThroughput, updates("OnDemandThroughput"))
		s.warm(what, of, x.WarmThroughput, updates("WarmThroughput"))
	} else if !scaledIndex(s.table, name) {
		s.set("capacity of "+what, of("$units"), unitsText(x.ProvisionedThroughput), updates("ProvisionedThroughput")(units(x.ProvisionedThroughput)))
	}
	s.line("")
}

// definitions are the types of the attributes of an index's key and the table's.
func definitions(d *dynamodb.CreateTableInput, x types.GlobalSecondaryIndex) []types.AttributeDefinition {
	keys := slices.Concat(x.KeySchema, d.KeySchema)
	var out []types.AttributeDefinition
	for _, a := range d.AttributeDefinitions {
		if slices.ContainsFunc(keys, func(k types.KeySchemaElement) bool { return *k.AttributeName == *a.AttributeName }) {
			out = append(out, a)
		}
	}
	return out
}

// settings sets what an update of the table can set.
func (s *script) settings() {
	d := table.Create(s.table)
	s.line("")
	if v := d.StreamSpecification; v != nil {
		view := string(v.StreamViewType)
		query := ofTable("StreamSpecification.StreamViewType")
		s.same("what the stream shows", query+" || '"+view+"'", view)
		s.set("stream", query, view, "--stream-specification StreamEnabled=true,StreamViewType="+view)
	} else {
		s.left("stream", ofTable("StreamSpecification.StreamEnabled"))
	}
	class := "STANDARD"
	if d.TableClass != "" {
		class = string(d.TableClass)
	}
	s.set("class", ofTable("TableClassSummary.TableClass || 'STANDARD'"), class, "--table-class "+class)
	if d.SSESpecification == nil {
		s.left("KMS key", ofTable("SSEDescription.KMSMasterKeyArn"))
		return
	}
	s.encryption(d.SSESpecification)
}

// left has the script name something that the model does not have.
func (s *script) left(name, query string) {
	s.line(`case "$(figure %s)" in None | False) ;; *) say %s ;; esac`, s.ask(name, query), quote("the table has a "+name+", which the model has not; it is left"))
}

// managedKey is the alias of the key that AWS keeps for DynamoDB in an account.
const managedKey = "alias/aws/dynamodb"

// encryption sets the key. The table knows its key by the ARN; that of an alias is
// asked of KMS.
func (s *script) encryption(e *types.SSESpecification) {
	sse := tree.Map{{Key: "Enabled", Value: tree.Bool(true)}, {Key: "SSEType", Value: tree.Text(e.SSEType)}}
	key := managedKey
	if e.KMSMasterKeyId != nil {
		key = *e.KMSMasterKeyId
		sse.Add("KMSMasterKeyId", tree.Text(key))
	}
	s.ask("KMS key", ofTable("SSEDescription.KMSMasterKeyArn"))
	s.line("%s", encryptFunction)
	s.line("encrypt %s --sse-specification %s", quote(key), json(sse))
}

const encryptFunction = `
# encrypt KEY ARGUMENTS…: the key, an ARN, an id, or an alias whose ARN KMS knows.
encrypt() {
  local now wanted="$1"
  now="$(figure 'KMS key')"
  case "$now" in "$wanted" | *":key/$wanted") return ;; esac
  if [[ "$now" != None && "$wanted" == *alias/* ]]; then
    wanted="$(aws kms describe-key --key-id "$1" --query KeyMetadata.Arn --output text)" ||
      { say "KMS does not tell which key $1 is; that of the table is left"; return; }
    if [ "$now" = "$wanted" ]; then return; fi
  fi
  change 'encryption' "${@:2}"
}
`

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
	for _, c := range table.Calls(s.table) {
		if c.Name != "update-table" {
			continue
		}
		region := others[0]
		if !table.Strong(s.table) {
			region, others = others[0], others[1:]
		}
		s.set(c.Does, ofTable("Replicas[?RegionName=='"+region+"'].RegionName | [0]"), region, "--cli-input-json "+json(c.Input[1:]))
	}
}

// perRegion sets what every replica has of its own.
func (s *script) perRegion() {
	t := s.table
	regions := append([]string{""}, table.OtherRegions(t)...)
	s.line("")
	s.line("# where_known CALL ARGUMENTS…: a call that not every DynamoDB has, as DynamoDB Local.")
	s.line("where_known() {")
	s.line("  local said")
	s.line(`  if said="$(aws dynamodb "$@" 2>&1)"; then`)
	s.line(`    echo "$said"`)
	s.line(`  elif [[ "$said" == *UnknownOperationException* ]]; then`)
	s.line(`    say "this DynamoDB has no $1; it is passed over"`)
	s.line("  else")
	s.line(`    fail "$said"`)
	s.line("  fi")
	s.line("}")
	s.line("")
	s.line("# own_settings ARGUMENTS…: what every replica of a table has of its own.")
	s.line("own_settings() {")
	protection, wanted := "--no-deletion-protection-enabled", "False"
	if t.DeletionProtection {
		protection, wanted = "--deletion-protection-enabled", "True"
	}
	s.line(`  local now protected arn`)
	s.line(`  now="$(aws dynamodb describe-table --table-name "$table" --query 'Table.[DeletionProtectionEnabled, TableArn]' --output text "$@")"`)
	s.line(`  read -r protected arn <<<"$now"`)
	s.line(`  if [ "${protected/None/False}" != %s ]; then`, wanted)
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
	s.line(`  now="$(where_known describe-continuous-backups --table-name "$table" \`)
	s.line(`    --query %s --output text "$@")"`, quote(query))
	s.line(`  if [ -n "$now" ] && [ "$now" != %s ]; then`, quote(status))
	s.line(`    say 'point-in-time recovery'`)
	s.line(`    aws dynamodb update-continuous-backups --table-name "$table" \`)
	s.line(`      --point-in-time-recovery-specification %s "$@" >/dev/null`, json(table.Recovery(s.table)))
	s.line(`  fi`)
}

func (s *script) tags() {
	if d := table.Create(s.table); len(d.Tags) > 0 {
		s.line(`  where_known tag-resource --resource-arn "$arn" --tags %s "$@" >/dev/null`, json(table.Tags(d)))
	}
}
