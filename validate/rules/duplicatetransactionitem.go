package rules

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate"
)

func duplicateTransactionItem() *validate.Rule {
	return &validate.Rule{
		Name: diag.DuplicateTransactionItem, Severity: diag.Error, FoundBy: validate.ByRule, Check: checkDuplicateTransactionItem,
		Title: "a transaction or batch addresses one item twice",
		Text:  "DynamoDB refuses a transaction, and a batch, that names one item in two of its actions, also when one of them only checks it. Where two steps always have the same key, no call can succeed. Where they have it for some parameter values only, such as a transfer from an account to itself, it is a remark: those calls are refused.",
		Bad: `version: 1
table: bank
entities:
  Account:
    attributes: {accountId: ulid, balance: {type: integer, min: 0, max: 1000000}, open: boolean}
    keys: {PK: "ACCOUNT#{accountId}", SK: ACCOUNT}
access_patterns:
  - {name: account, get: Account}
  - name: close
    transact_write:
      - {check: Account, if: balance = 0}
      - {update: Account, change: SET open = false}
`,
		Good: `version: 1
table: bank
entities:
  Account:
    attributes: {accountId: ulid, balance: {type: integer, min: 0, max: 1000000}, open: boolean}
    keys: {PK: "ACCOUNT#{accountId}", SK: ACCOUNT}
access_patterns:
  - {name: account, get: Account}
  - {name: close, update: Account, change: SET open = false, if: balance = 0}
`,
		Fix: "fold the steps into one, or give them keys that differ; where equal parameters would make them meet, declare that they differ: `require: $from <> $to`",
	}
}

func checkDuplicateTransactionItem(p *validate.Pass) {
	for _, pl := range p.Plans {
		w := pl.Variants[0].Write
		if w == nil {
			continue
		}
		for i, a := range w.Actions {
			for _, b := range w.Actions[:i] {
				if a.Step == b.Step {
					continue
				}
				reportMeeting(p, pl, a, b)
			}
		}
	}
}

func reportMeeting(p *validate.Pass, pl *plan.Plan, a, b *plan.Action) {
	f := diag.Finding{Span: a.Step.OperationAt, Pattern: pl.Pattern.Name.Text, Entity: a.Entity.Name.Text,
		Related: []diag.Related{{Span: b.Step.OperationAt, Text: "the other step"}}}
	switch met, at := meeting(pl.Pattern, a, b); met {
	case always:
		f.Message = fmt.Sprintf("%s addresses one %s in two steps, and DynamoDB refuses every such call", pl.Pattern.Name.Text, a.Entity.Name.Text)
		f.Fix = "fold the two steps into one"
	case sometimes:
		if keptApart(pl.Pattern.Require, a, b) {
			return
		}
		f.Severity = diag.Info
		f.Message = fmt.Sprintf("%s addresses one %s in two steps when their keys are equal, and DynamoDB then refuses the call", pl.Pattern.Name.Text, a.Entity.Name.Text)
		f.Fix = "see to it that callers do not pass equal keys"
		if at[0] != nil {
			f.Fix += fmt.Sprintf(", and say so by `require`, as in `require: %s <> %s`", expr.String(at[0]), expr.String(at[1]))
		}
	default:
		return
	}
	p.Report(f)
}

// encounter tells whether two actions can be on one item.
type encounter int

const (
	never encounter = iota
	sometimes
	always
)

// meeting compares the keys of two actions part by part, and says which operands
// have to be equal for them to meet sometimes. Keys of one entity are built alike;
// of two entities, only keys that are equal throughout count.
func meeting(p *model.Pattern, a, b *plan.Action) (encounter, [2]expr.Operand) {
	var at [2]expr.Operand
	if len(a.Key) != len(b.Key) {
		return never, at
	}
	met := always
	for i := range a.Key {
		here, operands := meetingKeys(p, a.Key[i].Value.Parts, b.Key[i].Value.Parts)
		if met = min(met, here); at[0] == nil {
			at = operands
		}
	}
	if met == sometimes && a.Entity != b.Entity {
		return never, at
	}
	if met == always && (len(a.ForEach) > 0) != (len(b.ForEach) > 0) {
		return sometimes, at
	}
	return met, at
}

func meetingKeys(p *model.Pattern, a, b []plan.Part) (met encounter, at [2]expr.Operand) {
	if len(a) != len(b) {
		return never, at
	}
	met = always
	for i := range a {
		switch {
		case a[i].Literal != b[i].Literal || (a[i].Source == nil) != (b[i].Source == nil):
			return never, at
		case a[i].Source == nil:
		case !expr.EqualOperands(a[i].Source, b[i].Source) || !slices.Equal(a[i].Funcs, b[i].Funcs):
			if differ(a[i], b[i]) || apart(p, a[i], b[i]) {
				return never, at
			}
			if met = sometimes; at[0] == nil {
				at = [2]expr.Operand{b[i].Source, a[i].Source}
			}
		}
	}
	return met, at
}

// apart tells whether two parts are numbers of which the one is always less than
// the other.
func apart(p *model.Pattern, a, b plan.Part) bool {
	less := func(x, y value.Value) bool {
		c, ok := value.Compare(x, y)
		return x.Kind() == value.Number && y.Kind() == value.Number && ok && c < 0
	}
	low, high := bounds(p, a.Source)
	otherLow, otherHigh := bounds(p, b.Source)
	return !slices.ContainsFunc(slices.Concat(a.Funcs, b.Funcs), lossy) && (less(high, otherLow) || less(otherHigh, low))
}

// bounds are the least and the greatest number that an operand can be; absent when
// there is no bound.
func bounds(p *model.Pattern, o expr.Operand) (low, high value.Value) {
	switch o := o.(type) {
	case *expr.Literal:
		return o.Value, o.Value
	case *expr.Param:
		if q := p.Parameter(o.Name); q != nil && q.Domain() != nil {
			return q.Domain().Domain.Min, q.Domain().Domain.Max
		}
	case *expr.Arith:
		low, high = bounds(p, o.Left)
		otherLow, otherHigh := bounds(p, o.Right)
		if o.Minus {
			otherLow, otherHigh = negative(otherHigh), negative(otherLow)
		}
		return sum(low, otherLow), sum(high, otherHigh)
	}
	return low, high
}

func negative(v value.Value) value.Value {
	if v.Kind() != value.Number {
		return value.Value{}
	}
	return v.Neg()
}

func sum(v, w value.Value) value.Value {
	if v.Kind() != value.Number || w.Kind() != value.Number {
		return value.Value{}
	}
	out, err := v.Add(w)
	if err != nil {
		return value.Value{}
	}
	return out
}

// keptApart tells whether what a pattern requires of its parameters keeps two
// actions from meeting: it says that two of them differ of which their keys, at
// one place, hold one each.
func keptApart(require *model.Condition, a, b *plan.Action) bool {
	if require == nil {
		return false
	}
	for i := range a.Key {
		for j, part := range a.Key[i].Value.Parts {
			if other := b.Key[i].Value.Parts[j]; part.Source != nil && differBy(require.Cond, part, other) {
				return true
			}
		}
	}
	return false
}

// lossy tells whether a function may give two values one text: all do but those
// that give each number a text of its own.
func lossy(f expr.Func) bool { return f.Name != expr.Pad && f.Name != expr.Invert }

// differBy tells whether a condition says that two parts of keys differ. Parts
// made by a lossy function may be equal all the same.
func differBy(c expr.Cond, a, b plan.Part) bool {
	return !slices.ContainsFunc(a.Funcs, lossy) && slices.ContainsFunc(expr.Conjuncts(c), func(term expr.Cond) bool {
		ne, ok := term.(*expr.Compare)
		return ok && ne.Op == expr.Ne &&
			(expr.EqualOperands(ne.Left, a.Source) && expr.EqualOperands(ne.Right, b.Source) ||
				expr.EqualOperands(ne.Left, b.Source) && expr.EqualOperands(ne.Right, a.Source))
	})
}

// differ tells whether two parts are literals that are not equal.
func differ(a, b plan.Part) bool {
	x, ok := a.Source.(*expr.Literal)
	y, also := b.Source.(*expr.Literal)
	return ok && also && x.Value.Text() != y.Value.Text()
}
