package diff

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/model/migration"
	"github.com/dynmodel/dynmodel/model/sdk"
)

// writeShell writes the migration as a script of AWS CLI calls, which stops
// before every step that is not a call and asks.
func writeShell(w io.Writer, m outcome, _ style) error {
	var b strings.Builder
	b.WriteString(`#!/usr/bin/env bash
# Migrates a DynamoDB table, step by step. Each step waits for an answer, so that
# it can be left and taken up again: answer "s" to skip what is done already.
# AWS CLI settings are taken from the environment (AWS_PROFILE, AWS_DEFAULT_REGION,
# AWS_ENDPOINT_URL).
set -euo pipefail

ask() {
  local answer
  printf '\n%s\n' "$1"
  read -r -p 'Go on? [y]es, [s]kip, anything else stops: ' answer
  case "$answer" in
    y) return 0 ;;
    s) return 1 ;;
    *) echo 'Stopped.'; exit 1 ;;
  esac
}

# settled waits until a table and all its indexes are active.
settled() {
  local states
  while true; do
    states=$(aws dynamodb describe-table --table-name "$1" --output text \
      --query '[Table.TableStatus, Table.GlobalSecondaryIndexes[].IndexStatus] | []' 2>/dev/null || echo GONE)
    case "$states" in
      *ING*) sleep 5 ;;
      *) return 0 ;;
    esac
  done
}
`)
	fmt.Fprintf(&b, `
# backfill does a step that writes items again.
backfill() {
  local where=(--aws)
  [ -z "${AWS_ENDPOINT_URL:-}" ] || where=(--endpoint "$AWS_ENDPOINT_URL")
  dynmodel diff %s %s%s --backfill "$1" "${where[@]}"
}
`, quoted(m.Old.Model.File.Name()), quoted(m.New.Model.File.Name()), given(m))
	for _, s := range m.Steps {
		if err := shellStep(&b, s); err != nil {
			return err
		}
	}
	b.WriteString("\necho 'Done.'\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// given are the flags that make the same migration again. A copy needs another
// name for its table where both models have one.
func given(m outcome) string {
	var b strings.Builder
	for _, r := range m.renames {
		b.WriteString(" --rename " + quoted(r))
	}
	if name := m.New.Model.Table.Name.Text; m.Replaced && name == m.Old.Model.Table.Name.Text {
		b.WriteString(" --to-table " + quoted(name+"-2"))
	}
	return b.String()
}

func shellStep(b *strings.Builder, s *migration.Step) error {
	fmt.Fprintf(b, "\n# %d. %s\n", s.Number, oneLine(s.Title))
	for _, line := range stepLines(s) {
		fmt.Fprintf(b, "#    %s\n", oneLine(line))
	}
	switch {
	case s.Kind == migration.Rewrite && len(s.Backfill.Needs) == 0:
		fmt.Fprintf(b, "if ask %s; then\n  backfill %d\nfi\n", quoted(fmt.Sprintf("%d. %s", s.Number, s.Title)), s.Number)
		return nil
	case s.Kind != migration.Call:
		fmt.Fprintf(b, "ask %s || true\n", quoted(fmt.Sprintf("%d. %s. %s", s.Number, s.Title, s.Text)))
		return nil
	}
	fmt.Fprintf(b, "if ask %s; then\n", quoted(fmt.Sprintf("%d. %s", s.Number, s.Title)))
	for _, r := range s.Requests {
		input, err := sdk.JSON(r.Input)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "  aws dynamodb %s --cli-input-json %s >/dev/null\n", kebab(r.Operation), quoted(string(input)))
		if table := waitsFor(r.Input); table != "" {
			fmt.Fprintf(b, "  settled %s\n", quoted(table))
		}
	}
	b.WriteString("fi\n")
	return nil
}

// waitsFor is the table that is busy after a call; "" for none.
func waitsFor(input any) string {
	switch in := input.(type) {
	case *dynamodb.CreateTableInput:
		return *in.TableName
	case *dynamodb.UpdateTableInput:
		return *in.TableName
	}
	return ""
}

// kebab is an operation's name as the AWS CLI has it.
func kebab(operation string) string {
	var b strings.Builder
	for i, r := range operation {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// quoted is a text as one word of a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
