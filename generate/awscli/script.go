package awscli

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/table"
	"github.com/dynmodel/dynmodel/generate/tree"
	"github.com/dynmodel/dynmodel/model"
)

// script is a script as far as it is written: its steps, and the figures of the
// table that they look at. All figures are asked for at once, since a call of the
// AWS CLI takes a good part of a second.
type script struct {
	table   *model.Table
	steps   strings.Builder
	figures []figure
}

// figure is something that the script asks of the table.
type figure struct{ name, query string }

func (s *script) line(format string, args ...any) {
	fmt.Fprintf(&s.steps, format+"\n", args...)
}

// ask adds a figure, and returns its name as a word of the script.
func (s *script) ask(name, query string) string {
	s.figures = append(s.figures, figure{name, query})
	return quote(name)
}

// set writes a step that updates the table, unless a figure has the value wanted.
func (s *script) set(name, query, value, arguments string) {
	s.line("set_to %s %s %s", s.ask(name, query), quote(value), arguments)
}

// same writes a step that ends the script, unless a figure has the value wanted.
func (s *script) same(name, query, value string) {
	s.line("same %s %s", s.ask(name, query), quote(value))
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

const header = `#!/usr/bin/env bash
# %s
# Creates the table with the AWS CLI, or brings one that is there to what the model
# says. TABLE_NAME names another table; AWS_ENDPOINT_URL another DynamoDB.
# --replace-indexes deletes indexes with another key or projection and makes them
# again; until that is done, queries of them fail.
set -euo pipefail

table="${TABLE_NAME:-%s}"
export AWS_PAGER=''
`

const expressions = `
# What is asked of a table or an index, in JMESPath: its key and projection, its
# provisioned units, and its on-demand limits (-1: none).
key="KeySchema[].join(' ', [KeyType, AttributeName])"
index="join(', ', [$key, [Projection.ProjectionType], sort([Projection.NonKeyAttributes][])][])"
units="join(' ', ProvisionedThroughput.[ReadCapacityUnits, WriteCapacityUnits][].to_string(@))"
limits="join(' ', [OnDemandThroughput.MaxReadRequestUnits || '-1', OnDemandThroughput.MaxWriteRequestUnits || '-1'][].to_string(@))"
`

const functions = `
say() { echo "$*" >&2; }
fail() { say "error: $*"; exit 1; }

case "${1:-}" in
  '' | --replace-indexes) replace="${1:-}" ;;
  *) fail "there is no argument $1; --replace-indexes is the only one" ;;
esac

# look asks for the figures, until the table, its indexes and replicas are ready.
look() {
  while true; do
    figures="$(aws dynamodb describe-table --table-name "$table" --query "$query" --output text)"
    if [ "$(figure 'not ready')" = None ]; then return; fi
    sleep 5
  done
}

# figure NAME: what was found under a name; None when there is none.
figure() {
  local name value
  while IFS=$'\t' read -r name value; do
    if [ "$name" = "$1" ]; then echo "$value"; fi
  done <<<"$figures"
}

# change WHAT ARGUMENTS…: an update of the table.
change() {
  say "$1"
  aws dynamodb update-table --table-name "$table" "${@:2}" >/dev/null
  look
}

# set_to NAME VALUE ARGUMENTS…: an update of the table, unless the figure has the value.
set_to() {
  if [ "$(figure "$1")" != "$2" ]; then change "$1" "${@:3}"; fi
}

# same NAME VALUE: what cannot be changed is as it must be.
same() {
  local now
  now="$(figure "$1")"
  [ "$now" = "$2" ] || fail "$1 of $table cannot be changed: it is $now, and the model has $2"
}
`

// whole is the text of the script.
func (s *script) whole() string {
	var b strings.Builder
	fmt.Fprintf(&b, header, generate.Mark, s.table.Name.Text)
	if s.table.Region != "" {
		fmt.Fprintf(&b, "export AWS_REGION=%[1]s AWS_DEFAULT_REGION=%[1]s\n", quote(s.table.Region))
	}
	b.WriteString(expressions)
	b.WriteString("query=\"[\n")
	b.WriteString("  ['not ready', Table.[TableStatus, GlobalSecondaryIndexes[].IndexStatus, Replicas[].ReplicaStatus][] | [?@ != 'ACTIVE'] | [0]]")
	for _, f := range s.figures {
		fmt.Fprintf(&b, ",\n  ['%s', %s]", f.name, f.query)
	}
	b.WriteString("\n]\"\n")
	b.WriteString(functions)
	b.WriteString(s.steps.String())
	return b.String()
}

// create makes the table when it is not there.
func (s *script) create() {
	s.line("")
	s.line(`if ! said="$(aws dynamodb describe-table --table-name "$table" --query Table.TableStatus --output text 2>&1)"; then`)
	s.line(`  [[ "$said" == *ResourceNotFoundException* ]] || fail "$said"`)
	s.line(`  say "creating $table"`)
	s.line(`  read -r -d '' input <<'JSON' || true`)
	s.steps.Write(tree.JSON(table.Document(table.Create(s.table))))
	s.line("JSON")
	s.line(`  aws dynamodb create-table --table-name "$table" --cli-input-json "$input" >/dev/null`)
	s.line(`  aws dynamodb wait table-exists --table-name "$table"`)
	s.line("fi")
	s.line("look")
}

// keyText is a key schema as the script asks for it.
func keyText(partition, sort []model.KeyAttribute) []string {
	var parts []string
	for _, k := range partition {
		parts = append(parts, "HASH "+k.Name)
	}
	for _, k := range sort {
		parts = append(parts, "RANGE "+k.Name)
	}
	return parts
}

// indexText is an index as the script asks for it.
func indexText(x *model.Index, p *types.Projection) string {
	attributes := slices.Sorted(slices.Values(p.NonKeyAttributes))
	return strings.Join(slices.Concat(keyText(x.PartitionKey, x.SortKey), []string{string(p.ProjectionType)}, attributes), ", ")
}

// keys ends the script when the table has other keys.
func (s *script) keys() {
	s.line("")
	keys := s.table.Keys()
	s.same("the key", "Table.join(', ', $key)", strings.Join(keyText(keys[:1], keys[1:]), ", "))
	for _, x := range table.Create(s.table).LocalSecondaryIndexes {
		s.same("the local index "+*x.IndexName, "Table.LocalSecondaryIndexes[?IndexName=='"+*x.IndexName+"'].$index | [0]",
			indexText(s.table.Index(*x.IndexName), x.Projection))
	}
}
