package verify

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// describeWrite is the rule a failure breaks, and what happened in a sentence.
func (t *trial) describeWrite(f *failure) (rule, message string) {
	name := t.pattern.Name.Text
	switch f.kind {
	case stopped:
		if !f.refusal.Conditional {
			return diag.WrongWrite, fmt.Sprintf("%s is refused by DynamoDB: %s", name, f.refusal.Message)
		}
		return diag.WrongWrite, fmt.Sprintf("%s is refused, though nothing in the model forbids it", name)
	case accepted:
		return diag.WrongWrite, fmt.Sprintf("%s is accepted, though %s", name, f.outcome.Refusal)
	case collided:
		return diag.KeyCollision, fmt.Sprintf("%s stores an item under the key of another one", name)
	case doubled:
		return diag.DuplicateIdentity, fmt.Sprintf("%s stores one %s under two primary keys", name, f.step.Entity.Name.Text)
	case unstorable:
		return diag.WrongWrite, fmt.Sprintf("%s cannot store an item that the model allows: %v", name, f.fault)
	case answered:
		return diag.WrongWrite, fmt.Sprintf("%s returns another item than it must", name)
	case partial:
		return diag.PartialItem, fmt.Sprintf("%s can create an item without %s", name, f.attribute)
	case outside:
		return diag.OutOfDomain, fmt.Sprintf("%s can leave %s of %s %s", name, f.attribute, f.step.Entity.Name.Text, outsideText(f))
	}
	return diag.WrongWrite, fmt.Sprintf("%s leaves %s", name, t.leftText(f))
}

// outsideText says how an attribute is outside of its domain.
func outsideText(f *failure) string {
	if v := f.values[1]; v.Exists() {
		return "at " + v.String() + ", outside of its domain"
	}
	return "absent"
}

// leftText says what a write leaves that is not as it must be.
func (t *trial) leftText(f *failure) string {
	what := "an item"
	if f.record.in.Entity != nil {
		what = "an item of " + f.record.in.Entity.Name.Text
	}
	if f.record.guard != nil {
		what = fmt.Sprintf("the guard of %s of %s", uniqueText(f.record.guard), f.record.in.Entity.Name.Text)
	}
	switch f.kind {
	case unstored:
		return what + " unstored"
	case leftover:
		return what + " that must be gone"
	}
	if x := t.indexOfKey(f.attribute); x != "" {
		return fmt.Sprintf("%s with a wrong %s, a key of %s", what, f.attribute, x)
	}
	return fmt.Sprintf("%s with a wrong %s", what, f.attribute)
}

func uniqueText(u *model.Unique) string {
	var names []string
	for _, a := range u.Of {
		names = append(names, a.Name.Text)
	}
	return strings.Join(names, " and ")
}

// indexOfKey is the index that an attribute is a key of, "" when it is of none.
func (t *trial) indexOfKey(name string) string {
	for _, x := range t.model.Table.Indexes {
		if slices.Contains(keyNames(x.Keys()), name) {
			return x.Name.Text
		}
	}
	return ""
}

// explainWrite says how a failure of a write comes about.
func (t *trial) explainWrite(f *failure) explanation {
	switch f.kind {
	case stopped:
		return t.explainStopped(f)
	case accepted:
		return t.explainAccepted(f)
	case doubled:
		return t.explainDoubled(f)
	case unstorable:
		return explanation{cause: "unstorable", why: "All of its attributes are within their declared domains, and its key cannot be made.",
			fix: "Declare the domain as narrow as the key needs it, or make the key so that it has room for all of it.", at: t.keyAtFault(f.fault)}
	case partial:
		return explanation{cause: "partial",
			why: fmt.Sprintf("`upsert` creates the item when there is none, and neither the key nor `change` gives it %s, which every %s must have.", f.attribute, f.step.Entity.Name.Text),
			fix: fmt.Sprintf("Set %s in `change`, declare it optional, or take `upsert` away.", f.attribute)}
	case outside:
		return t.explainOutside(f)
	case answered:
		return explanation{cause: "answered"}
	}
	return t.explainStored(f)
}

// keyAtFault is the template of the key that could not be made.
func (t *trial) keyAtFault(fault error) (at source.Span) {
	var e *encode.Error
	if !errors.As(fault, &e) {
		return at
	}
	if entity := t.model.Entity(e.Entity); entity != nil && entity.Key(e.Key) != nil {
		at = entity.Key(e.Key).Template.At
	}
	return at
}

func (t *trial) explainStopped(f *failure) explanation {
	if !f.refusal.Conditional {
		return explanation{cause: "stopped", why: "DynamoDB answers " + f.refusal.Code + ": " + f.refusal.Message + "."}
	}
	return explanation{cause: "stopped", why: "The conditions that the write is sent with do not hold, though those that the model states do."}
}

func (t *trial) explainAccepted(f *failure) explanation {
	e := explanation{cause: "accepted " + string(f.outcome.Refusal)}
	switch f.outcome.Refusal {
	case oracle.Taken:
		e.cause = "guard " + uniqueText(f.outcome.Unique)
		e.why = fmt.Sprintf("Another %s holds the value, and no guard item that the write puts stands in the way.", f.step.Entity.Name.Text)
		e.fix = "Let the pattern keep the guards: give the old value by `old`, or set `read_first: true`."
	case oracle.Stale:
		e.why = "The caller has read another version than the one that is stored, and overwrites what was written since."
		e.fix = "Take `unversioned: true` away."
	}
	return e
}

// explainDoubled explains a create that is accepted a second time: something in
// the table key differs that does not identify the item.
func (t *trial) explainDoubled(f *failure) explanation {
	for _, in := range f.step.Inputs {
		if t.inTableKey(f.step.Entity, in.Attribute) && !identifies(f.step.Entity, in.Attribute) {
			name := in.Attribute.Name.Text
			return explanation{cause: "doubled",
				why: fmt.Sprintf("%s is part of the primary key and not of the identity: the second create brings another %s, gets another key, and is not refused.", name, name),
				fix: fmt.Sprintf("Take %s out of the table's keys, or add it to `identity`.", name)}
		}
	}
	return explanation{cause: "doubled", why: "The second create gets another primary key than the first."}
}

// explainOutside explains an attribute that a write takes out of its domain.
func (t *trial) explainOutside(f *failure) explanation {
	a := f.step.Entity.Attribute(f.attribute)
	before, after := f.values[0], f.values[1]
	e := explanation{cause: "outside " + f.attribute}
	if !after.Exists() {
		e.why = fmt.Sprintf("Every %s must have %s.", f.step.Entity.Name.Text, f.attribute)
		if a.PresentWith != nil {
			e.why = fmt.Sprintf("%s is there exactly when %s is.", f.attribute, a.PresentWith.Name.Text)
		}
		e.fix = fmt.Sprintf("Keep %s in `change`, or declare it optional.", f.attribute)
		if a.PresentWith != nil {
			e.fix = fmt.Sprintf("Set or remove %s and %s together in `change`.", f.attribute, a.PresentWith.Name.Text)
		}
		return e
	}
	from := "its new value is " + after.String()
	if before.Exists() {
		from = fmt.Sprintf("it goes from %s to %s", before, after)
	}
	e.why = fmt.Sprintf("%s: %s, and %s is accepted.", boundText(a), from, t.guardText(f))
	e.fix = fmt.Sprintf("Let `if` hold only where the new %s is within its domain%s.", f.attribute, t.bound(f, a, before, after))
	return e
}

// boundText is the declared domain of an attribute in words.
func boundText(a *model.Attribute) string {
	switch d := a.Domain; {
	case d.Min.Exists() && d.Max.Exists():
		return fmt.Sprintf("%s is from %s to %s", a.Name.Text, d.Min, d.Max)
	case d.Min.Exists():
		return fmt.Sprintf("%s is at least %s", a.Name.Text, d.Min)
	case d.Max.Exists():
		return fmt.Sprintf("%s is at most %s", a.Name.Text, d.Max)
	}
	return a.Name.Text + " has a declared domain"
}

func (t *trial) guardText(f *failure) string {
	if f.step.If == nil {
		return "without an `if` the call"
	}
	return fmt.Sprintf("with `if: %s` the call", f.step.If.Text)
}

// bound proposes the condition that keeps a number within its domain, where it
// is counted up or down by a fixed step, or an amount is taken from it.
func (t *trial) bound(f *failure, a *model.Attribute, before, after value.Value) string {
	if before.Kind() != value.Number || after.Kind() != value.Number {
		return ""
	}
	if taken := takenFrom(f.step, a); taken != "" {
		if a.Domain.Min.Exists() && a.Domain.Min.Text() == "0" {
			return fmt.Sprintf(": `%s >= $%s`", a.Name.Text, taken)
		}
		return ""
	}
	step, err := after.Add(before.Neg())
	if err != nil {
		return ""
	}
	op, limit := ">=", a.Domain.Min
	if c, _ := value.Compare(step, value.OfInt(0)); c > 0 {
		op, limit = "<=", a.Domain.Max
	}
	if !limit.Exists() || !countsByLiteral(f.step, a) {
		return ""
	}
	if limit, err = limit.Add(step.Neg()); err != nil {
		return ""
	}
	return fmt.Sprintf(": `%s %s %s`", a.Name.Text, op, limit)
}

// takenFrom is the parameter that an update takes from an attribute, "" when it
// does something else.
func takenFrom(step *model.Step, a *model.Attribute) string {
	sum := sumOf(step, a)
	if sum == nil || !sum.Minus {
		return ""
	}
	if p, ok := sum.Right.(*expr.Param); ok {
		return p.Name
	}
	return ""
}

// countsByLiteral tells whether an update adds a fixed number to an attribute,
// or takes it away.
func countsByLiteral(step *model.Step, a *model.Attribute) bool {
	if sum := sumOf(step, a); sum != nil {
		_, ok := sum.Right.(*expr.Literal)
		return ok
	}
	return step.Change != nil && slices.ContainsFunc(step.Change.Update.Add, func(add expr.AddAction) bool {
		_, ok := add.Value.(*expr.Literal)
		return ok && add.Target.Path.Top() && add.Target.Path.Name == a.Name.Text
	})
}

// sumOf is `a + x` or `a - x` where an update sets the attribute a to that, else nil.
func sumOf(step *model.Step, a *model.Attribute) *expr.Arith {
	if step.Change == nil {
		return nil
	}
	for _, set := range step.Change.Update.Set {
		sum, ok := set.Value.(*expr.Arith)
		if !ok || !set.Target.Path.Top() || set.Target.Path.Name != a.Name.Text {
			continue
		}
		if left, ok := sum.Left.(*expr.Attr); ok && left.Path.Top() && left.Path.Name == a.Name.Text {
			return sum
		}
	}
	return nil
}

// explainStored explains an item that is stored otherwise than the model says.
func (t *trial) explainStored(f *failure) explanation {
	r := f.record
	switch {
	case r.guard != nil && f.kind == unstored:
		return explanation{cause: "guard " + uniqueText(r.guard),
			why: fmt.Sprintf("Nothing puts the guard of the new value of %s, so that another item can take it too.", uniqueText(r.guard)),
			fix: fmt.Sprintf("Give the old value by `old: {%s: $old…}`, or set `read_first: true`, so that the guards can be kept.", r.guard.Of[0].Name.Text)}
	case r.guard != nil:
		return explanation{cause: "guard " + uniqueText(r.guard),
			why: fmt.Sprintf("The guard of the old value of %s stays, so that no other item can ever take it.", uniqueText(r.guard)),
			fix: fmt.Sprintf("Give the old value by `old: {%s: $old…}`, or set `read_first: true`, so that the guards can be kept.", r.guard.Of[0].Name.Text)}
	case f.kind == unlike && t.indexOfKey(f.attribute) != "":
		return t.explainStaleKey(f)
	case f.kind == unlike && r.in.Entity != nil && isCopy(r.in.Entity, f.attribute):
		return explanation{cause: "copy " + f.attribute,
			why: fmt.Sprintf("%s is a copy, the write changes its source, and stores %s where the source has %s.", f.attribute, f.stored[f.attribute], f.expected[f.attribute]),
			fix: fmt.Sprintf("Set %s to the same value as its source.", f.attribute)}
	case f.kind == unlike:
		return explanation{cause: "stored " + f.attribute,
			why: fmt.Sprintf("%s is stored as %s, and must be %s.", f.attribute, f.stored[f.attribute], f.expected[f.attribute])}
	}
	if r.in.Entity != nil && !slices.ContainsFunc(f.outcome.Changes, func(c oracle.Change) bool {
		return c.Before != nil && oracle.Identity(*c.Before) == r.id || c.After != nil && oracle.Identity(*c.After) == r.id
	}) {
		return explanation{cause: "same key", why: fmt.Sprintf("The call is about another item, whose key is also that of this %s.", r.in.Entity.Name.Text)}
	}
	return explanation{cause: string(f.kind)}
}

func isCopy(e *model.Entity, name string) bool {
	a := e.Attribute(name)
	return a != nil && a.CopyOf != nil
}

// explainStaleKey explains an index key that an update has left behind.
func (t *trial) explainStaleKey(f *failure) explanation {
	e := explanation{cause: "stale " + t.indexOfKey(f.attribute)}
	entity := f.record.in.Entity
	if entity == nil {
		return e
	}
	template, _ := t.templateOf(entity, f.attribute)
	stored, expected := "is not stored", "must be removed: the item is no longer in the index"
	if v := f.stored[f.attribute]; v.Exists() {
		stored = "is stored as " + shownKey(v)
	}
	if v := f.expected[f.attribute]; v.Exists() {
		expected = "must be " + shownKey(v)
	}
	e.why = fmt.Sprintf("%s %s, and %s (%s). The update changes what the key is made of and does not write the key as it has to be.", f.attribute, stored, expected, quoted(f.attribute, template))
	e.fix = "Give the present values of the key's other attributes by `if` or `old`, or set `read_first: true`."
	return e
}

// writeItems are the items of a counterexample of a write.
func (t *trial) writeItems(f *failure) []diag.CounterItem {
	var items []diag.CounterItem
	add := func(role string, in *model.Instance) {
		if in != nil && in.Entity != nil {
			items = append(items, t.shown(f, role, *in))
		}
	}
	switch f.kind {
	case unlike, unstored, leftover:
		for _, c := range f.outcome.Changes {
			if f.record.in.Entity == nil || c.Before != nil && oracle.Identity(*c.Before) == f.record.id {
				add("before", c.Before)
			}
		}
		return append(items, t.compared(f)...)
	case partial, outside, answered:
		for _, c := range f.outcome.Changes {
			if c.Step != f.step && f.step != nil {
				continue
			}
			add("before", c.Before)
			if c.After != nil {
				after := t.shown(f, "after", *c.After)
				after.Keys = nil
				items = append(items, after)
			}
		}
		return items
	}
	role := "stored"
	if f.kind == unstorable {
		role = "item"
	}
	for i := range f.culprits {
		add(role, &f.culprits[i])
	}
	return items
}

// compared are what is stored and what has to be, of the item that differs.
func (t *trial) compared(f *failure) []diag.CounterItem {
	var items []diag.CounterItem
	for _, side := range []struct {
		role string
		item map[string]value.Value
	}{{"stored", f.stored}, {"expected", f.expected}} {
		if side.item == nil {
			continue
		}
		item := diag.CounterItem{Role: side.role, Keys: t.keysShown(&failure{}, side.item)}
		if f.attribute != "" && !slices.ContainsFunc(item.Keys, func(b diag.Binding) bool { return b.Name == f.attribute }) {
			shown := "(absent)"
			if v := side.item[f.attribute]; v.Exists() {
				shown = v.Text()
				if !v.Kind().IsKey() {
					shown = v.String()
				}
			}
			item.Keys = append(item.Keys, diag.Binding{Name: f.attribute, Value: shown})
		}
		if f.record.in.Entity != nil && f.record.guard == nil {
			item.Entity = f.record.in.Entity.Name.Text
			for _, a := range f.record.in.Entity.Attributes {
				if v := side.item[a.Name.Text]; v.Exists() && t.matters(f, f.record.in.Entity, a) {
					item.Attributes = append(item.Attributes, diag.Binding{Name: a.Name.Text, Value: v.String()})
				}
			}
		}
		if f.record.guard != nil {
			item.Role = "guard " + side.role
		}
		items = append(items, item)
	}
	return items
}
