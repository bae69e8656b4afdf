package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/cost"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate"
)

func sparseIndexCandidate() *validate.Rule {
	return &validate.Rule{
		Name: diag.SparseIndexCandidate, Severity: diag.Info, FoundBy: validate.ByRule, Check: checkSparseIndexCandidate,
		Title: "a filter looks for a rare value",
		Text: "The pattern reads all items and keeps those with one value of an enumeration that, by its declared share, few of them have. DynamoDB charges for what is read, not for what is left. " +
			"An index whose key is only written while the item has that value (`when`) holds nothing else, and costs a write only when an item enters or leaves it.",
		Bad: `version: 1
table:
  name: outbox
  partition_key: topic
  sort_key: messageId
entities:
  Message:
    attributes: {topic: slug, messageId: ulid, state: {values: {waiting: 60%, failed: 2%, sent: 38%}}, body: string}
access_patterns:
  - {name: message, get: Message}
  - {name: failed-messages, query: Message, where: topic = $topic AND state = 'failed', allow_filter: true}
`,
		Good: `version: 1
table:
  name: outbox
  partition_key: topic
  sort_key: messageId
  indexes:
    Failed: {partition_key: FailedPK, sort_key: messageId}
entities:
  Message:
    attributes: {topic: slug, messageId: ulid, state: {values: {waiting: 60%, failed: 2%, sent: 38%}}, body: string}
    keys:
      FailedPK: {template: "FAILED#{topic}", when: state = 'failed'}
access_patterns:
  - {name: message, get: Message}
  - {name: failed-messages, query: Message, where: topic = $topic AND state = 'failed'}
`,
		Fix: "give an index a key that is written only `when` the attribute has that value",
	}
}

// rareShare is the share below which a filtered value is worth an index of its own.
const rareShare = 0.1

func checkSparseIndexCandidate(p *validate.Pass) {
	for _, pl := range p.Plans {
		read := pl.Variants[0].Read
		if read == nil {
			continue
		}
		for _, c := range expr.Conjuncts(expr.All(read.Residual, read.UserFilter)) {
			for _, e := range pl.Pattern.Entities {
				a, words, share := rare(e, c)
				if a == nil || share > rareShare {
					continue
				}
				p.Report(diag.Finding{Span: pl.Pattern.Name.At, Pattern: pl.Pattern.Name.Text, Entity: e.Name.Text, Index: indexName(read.Index),
					Message: fmt.Sprintf("%s filters for %s %s, which %s of the %s items have: the others are read and paid for as well", pl.Pattern.Name.Text, a.Name.Text, words, cost.Percent(share), e.Name.Text),
					Fix:     fmt.Sprintf("add an index with a key that is written `when: %s = %s` only", a.Name.Text, words)})
			}
		}
	}
}

// rare is the enumeration that a condition compares with literals, those words,
// and the declared share of the items that have one of them; nil when it is
// another condition or no share is declared.
func rare(e *model.Entity, c expr.Cond) (a *model.Attribute, words string, share float64) {
	path, values := comparedWith(c)
	if len(values) == 0 || !path.Top() {
		return nil, "", 0
	}
	a = e.Attribute(path.Name)
	if a == nil || !slices.ContainsFunc(a.Domain.Values, func(c model.Choice) bool { return c.Share > 0 }) {
		return nil, "", 0
	}
	var quoted []string
	for _, v := range values {
		quoted = append(quoted, "'"+v.Text()+"'")
		for _, c := range a.Domain.Values {
			if value.Equal(c.Value, v) {
				share += c.Share
			}
		}
	}
	return a, strings.Join(quoted, " or "), share
}

// comparedWith is an attribute and the literals that a condition holds it against.
func comparedWith(c expr.Cond) (path expr.Path, values []value.Value) {
	var x expr.Operand
	var list []expr.Operand
	switch c := c.(type) {
	case *expr.In:
		x, list = c.X, c.List
	case *expr.Compare:
		if c.Op != expr.Eq {
			return path, nil
		}
		x, list = c.Left, []expr.Operand{c.Right}
		if _, ok := x.(*expr.Literal); ok {
			x, list = c.Right, []expr.Operand{c.Left}
		}
	}
	a, ok := x.(*expr.Attr)
	if !ok {
		return path, nil
	}
	for _, o := range list {
		l, ok := o.(*expr.Literal)
		if !ok {
			return path, nil
		}
		values = append(values, l.Value)
	}
	return a.Path, values
}
