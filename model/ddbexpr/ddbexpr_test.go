package ddbexpr_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/ddbexpr"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/modeltest"
)

const orders = `version: 1
name: orders
table: {name: orders, partition_key: PK}
entities:
  Order:
    attributes:
      id: ulid
      status: {type: string, stored: lower}
      total: integer
      expires: epoch
      sentAt: epoch_ms
      at: datetime
      notes: {type: map, items: string}
      lines: {type: list, items: string}
      tags: string_set?
    keys: {PK: "{id}"}
access_patterns: []
`

func writer(t *testing.T) ddbexpr.Writer {
	t.Helper()
	m := modeltest.Model(t, orders)
	amount := &model.Attribute{Name: model.Name{Text: "amount"}, Type: model.TypeNumber}
	return ddbexpr.Writer{Entities: m.Entities, Parameter: func(p *expr.Param) *model.Attribute {
		if p.Name == "amount" {
			return amount
		}
		return nil
	}}
}

// shown writes names as #a, those that parameters give as #$p, and values in braces
// with the attribute whose form they have.
func shown(text ddbexpr.Text) string {
	var b strings.Builder
	value := func(o expr.Operand, like *model.Attribute) {
		form := ""
		if like != nil {
			form = " as " + like.Name.Text
		}
		fmt.Fprintf(&b, "{%s%s}", expr.String(o), form)
	}
	for _, piece := range text {
		switch p := piece.(type) {
		case ddbexpr.Word:
			b.WriteString(string(p))
		case ddbexpr.Name:
			b.WriteString("#" + string(p))
		case ddbexpr.NameOf:
			b.WriteString("#$" + string(p))
		case ddbexpr.Value:
			value(p.Operand, p.Like)
		case ddbexpr.List:
			value(p.Operand, p.Like)
			b.WriteString("…")
		}
	}
	return b.String()
}

func TestCondition(t *testing.T) {
	w := writer(t)
	for _, c := range []struct{ text, want string }{
		{"status = $s", "#status = {$s as status}"},
		{"$amount < $other", "{$amount as amount} < {$other as amount}"},
		{"status = 'open' AND total > 3 AND at < $now", "#status = {'open' as status} AND #total > {3 as total} AND #at < {$now as at}"},
		{"(total = 1 OR total = 2) AND NOT total = $n", "(#total = {1 as total} OR #total = {2 as total}) AND (NOT #total = {$n as total})"},
		{"NOT (total = 1 OR status = 'x')", "NOT (#total = {1 as total} OR #status = {'x' as status})"},
		{"total BETWEEN $low AND $high", "#total BETWEEN {$low as total} AND {$high as total}"},
		{"total IN (1, $n)", "#total IN ({1 as total}, {$n as total})"},
		{"status IN $list", "#status IN ({$list as status}…)"},
		{"attribute_exists(notes.a)", "attribute_exists(#notes.#a)"},
		{"attribute_not_exists(notes[$key])", "attribute_not_exists(#notes.#$key)"},
		{"begins_with(status, $s)", "begins_with(#status, {$s as status})"},
		{"contains(lines, $line)", "contains(#lines, {$line as lines})"},
		{"lines[2] = $line", "#lines[2] = {$line as }"},
		{"size(lines) > 2", "size(#lines) > {2 as lines}"},
	} {
		cond, problem := expr.ParseCond(expr.Input{Text: c.text})
		if problem != nil {
			t.Fatalf("%s: %v", c.text, problem)
		}
		got, err := w.Condition(cond)
		if err != nil || shown(got) != c.want {
			t.Errorf("%s: got %s, %v; want %s", c.text, shown(got), err, c.want)
		}
	}
	if got, err := w.Condition(nil); got != nil || err != nil {
		t.Errorf("no condition: got %v, %v", got, err)
	}
}

func TestUpdate(t *testing.T) {
	w := writer(t)
	for _, c := range []struct{ text, want string }{
		{"SET status = $s, total = total + $n REMOVE tags", "SET #status = {$s as status}, #total = #total + {$n as total} REMOVE #tags"},
		{"SET total = if_not_exists(total, 0) - 1", "SET #total = if_not_exists(#total, {0 as total}) - {1 as total}"},
		{"SET lines = list_append(lines, $more)", "SET #lines = list_append(#lines, {$more as lines})"},
		{"SET expires = expires + 1h, sentAt = sentAt - 2s", "SET #expires = #expires + {3600}, #sentAt = #sentAt - {2000}"},
		{"SET expires = $now + 1h", "SET #expires = {$now + 1h as expires}"},
		{"ADD total $n DELETE tags $tags", "ADD #total {$n as total} DELETE #tags {$tags as tags}"},
		{"SET notes[$key] = $text", "SET #notes.#$key = {$text as }"},
	} {
		change, problem := expr.ParseUpdate(expr.Input{Text: c.text})
		if problem != nil {
			t.Fatalf("%s: %v", c.text, problem)
		}
		clauses, err := w.Update(change)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		texts, _ := ddbexpr.Render(clauses, func(text ddbexpr.Text) (string, error) { return shown(text), nil })
		if got := ddbexpr.Joined(texts); got != c.want {
			t.Errorf("%s: got %s; want %s", c.text, got, c.want)
		}
	}
}

// What DynamoDB cannot work out is an error that says what.
func TestNotComputable(t *testing.T) {
	w := writer(t)
	for text, want := range map[string]string{
		"lower(status) = $s":   "DynamoDB cannot work out lower(status)",
		"total = total + 1":    "",
		"at < at + 1h":         "DynamoDB cannot add 1h to a text",
		"pad(total, 3) = '01'": "DynamoDB cannot work out pad(total, 3)",
	} {
		cond, problem := expr.ParseCond(expr.Input{Text: text})
		if problem != nil {
			t.Fatalf("%s: %v", text, problem)
		}
		if _, err := w.Condition(cond); want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}
