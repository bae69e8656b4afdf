package verify

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/source"
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
	case objected:
		return diag.WrongWrite, objectionText(name, f)
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
	case broken:
		return diag.OutOfDomain, fmt.Sprintf("%s can leave items of %s for which `%s` does not hold", name, f.step.Entity.Name.Text, f.invariant.Text)
	}
	return diag.WrongWrite, fmt.Sprintf("%s leaves %s", name, t.leftText(f))
}

// outsideText says how an attribute is outside of its domain.
func outsideText(f *failure) string {
	if v := f.after; v.Exists() {
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
	case objected:
		return t.explainObjected(f)
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
	case broken:
		return t.explainBroken(f)
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
		return t.explainRefused(f)
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
				why: fmt.Sprintf("%s is part of the primary key and not of the identity: with another %s the same %s gets another key, beside the one it has.", name, name, f.step.Entity.Name.Text),
				fix: fmt.Sprintf("Take %s out of the table's keys, or add it to `identity`.", name)}
		}
	}
	return explanation{cause: "doubled", why: "The second one gets another primary key than the first."}
}

// explainStored explains an item that is stored otherwise than the model says.
func (t *trial) explainStored(f *failure) explanation {
	r := f.record
	switch {
	case t.pattern.Operation.WritesEach() && r.in.Entity != nil && !f.changes(r.id):
		return explanation{cause: "found " + r.in.Entity.Name.Text,
			why: fmt.Sprintf("What the query reads (%s) holds this %s too, and every item that is found is written.", f.variant.Read.KeyConditionText(), r.in.Entity.Name.Text),
			fix: "Let the query ask for all that `where` says, and let the keys of other entities begin differently; `allow_filter: true` filters on the entity type."}
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
	case f.kind == unlike && r.in.Entity != nil && aggregate(r.in.Entity, f.attribute) != nil:
		return t.explainAggregate(f)
	case f.kind == unlike:
		return explanation{cause: "stored " + f.attribute,
			why: fmt.Sprintf("%s is stored as %s, and must be %s.", f.attribute, f.stored[f.attribute], f.expected[f.attribute])}
	}
	if r.in.Entity != nil && !f.changes(r.id) {
		return explanation{cause: "same key", why: fmt.Sprintf("The call is about another item, whose key is also that of this %s.", r.in.Entity.Name.Text)}
	}
	return explanation{cause: string(f.kind)}
}

// changes tells whether the call has to change the item of that identity.
func (f *failure) changes(id string) bool {
	return slices.ContainsFunc(f.outcome.Changes, func(c oracle.Change) bool {
		return c.Before != nil && oracle.Identity(*c.Before) == id || c.After != nil && oracle.Identity(*c.After) == id
	})
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
