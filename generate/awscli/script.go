package awscli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/table"
	"github.com/dynmodel/dynmodel/generate/tree"
	"github.com/dynmodel/dynmodel/model"
)

// script is a script as far as it is written.
type script struct {
	table *model.Table
	text  strings.Builder
}

func (s *script) line(format string, args ...any) {
	fmt.Fprintf(&s.text, format+"\n", args...)
}

var plain = regexp.MustCompile(`^[A-Za-z0-9_.:/@%+=-]+$`)

// quote makes one word of a text.
func quote(text string) string {
	switch {
	case plain.MatchString(text):
		return text
	case !strings.Contains(text, "'"):
		return "'" + text + "'"
	case !strings.ContainsAny(text, "\"$`\\!"):
		return `"` + text + `"`
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// json is a document as one word.
func json(n tree.Node) string { return quote(tree.Compact(n)) }

const functions = `
# Queries for figures of the table or an index, as text: its key, such as
# "HASH PK, RANGE SK", its provisioned units, its on-demand limits (-1: none), and
# the status of what is not ready.
key="join(', ', KeySchema[].join(' ', [KeyType, AttributeName]))"
units="join(' ', ProvisionedThroughput.[ReadCapacityUnits, WriteCapacityUnits][].to_string(@))"
limits="join(' ', [OnDemandThroughput.MaxReadRequestUnits || '-1', OnDemandThroughput.MaxWriteRequestUnits || '-1'][].to_string(@))"
busy="[TableStatus, GlobalSecondaryIndexes[].IndexStatus, Replicas[].ReplicaStatus][] | [?@ && @ != 'ACTIVE'] | [0]"

say() { echo "$*" >&2; }
fail() { say "error: $*"; exit 1; }

# describe QUERY: a figure of the table as text; None when there is none.
describe() { aws dynamodb describe-table --table-name "$table" --query "$1" --output text; }

# until_active waits for the table and its indexes and replicas.
until_active() {
  while [ "$(describe "Table | $busy")" != None ]; do sleep 5; done
}

# change WHAT ARGUMENTS…: an update of the table.
change() {
  say "$1"
  aws dynamodb update-table --table-name "$table" "${@:2}" >/dev/null
  until_active
}

# set_to WHAT QUERY VALUE ARGUMENTS…: an update of the table, unless QUERY gives VALUE.
set_to() {
  if [ "$(describe "$2")" != "$3" ]; then change "$1" "${@:4}"; fi
}

# same WHAT QUERY VALUE: what cannot be changed is as it must be.
same() {
  local now
  now="$(describe "$2")"
  [ "$now" = "$3" ] || fail "$1 of $table cannot be changed: it is $now, and the model has $3"
}
`

func (s *script) header() {
	s.line("#!/usr/bin/env bash")
	s.line("# %s", generate.Mark)
	s.line("# Creates the table with the AWS CLI, or brings one that is there to what the model")
	s.line("# says. TABLE_NAME names another table; AWS_ENDPOINT_URL another DynamoDB.")
	s.line("set -euo pipefail")
	s.line("")
	s.line(`table="${TABLE_NAME:-%s}"`, s.table.Name.Text)
	s.line("export AWS_PAGER=''")
	if s.table.Region != "" {
		s.line("export AWS_REGION=%[1]s AWS_DEFAULT_REGION=%[1]s", quote(s.table.Region))
	}
	s.text.WriteString(functions)
}

// create makes the table when it is not there.
func (s *script) create() {
	s.line("")
	s.line(`if ! aws dynamodb describe-table --table-name "$table" >/dev/null 2>&1; then`)
	s.line(`  say "creating $table"`)
	s.line(`  aws dynamodb create-table --table-name "$table" --cli-input-json "$(cat <<'JSON'`)
	s.text.Write(tree.JSON(table.Document(table.Create(s.table))))
	s.line("JSON")
	s.line("  )\" >/dev/null")
	s.line(`  aws dynamodb wait table-exists --table-name "$table"`)
	s.line("fi")
	s.line("until_active")
}

// schemaText is a key schema as the script asks for it.
func schemaText(partition, sort []model.KeyAttribute) string {
	var parts []string
	for _, k := range partition {
		parts = append(parts, "HASH "+k.Name)
	}
	for _, k := range sort {
		parts = append(parts, "RANGE "+k.Name)
	}
	return strings.Join(parts, ", ")
}

// keys ends the script when the table has other keys.
func (s *script) keys() {
	s.line("")
	keys := s.table.Keys()
	s.line(`same 'the key' "Table | $key" %s`, quote(schemaText(keys[:1], keys[1:])))
	for _, x := range s.table.Indexes {
		if x.Local {
			s.line(`same %s "Table.LocalSecondaryIndexes[?IndexName=='%s'] | [0] | $key" %s`,
				quote("the local index "+x.Name.Text), x.Name.Text, quote(schemaText(x.PartitionKey, x.SortKey)))
		}
	}
}
