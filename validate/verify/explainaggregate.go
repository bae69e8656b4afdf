package verify

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
)

// aggregate is the count or sum that an attribute of an entity is, or nil.
func aggregate(e *model.Entity, name string) *model.Aggregate {
	if a := e.Attribute(name); a != nil {
		return a.Aggregate
	}
	return nil
}

// explainAggregate explains a count or sum that a write leaves wrong.
func (t *trial) explainAggregate(f *failure) explanation {
	entity := f.record.in.Entity
	a := aggregate(entity, f.attribute)
	what := fmt.Sprintf("%s of %s counts items of %s", f.attribute, entity.Name.Text, a.Source.Name.Text)
	if a.Sum != nil {
		what = fmt.Sprintf("%s of %s sums up %s of %s", f.attribute, entity.Name.Text, a.Sum.Name.Text, a.Source.Name.Text)
	}
	if a.Where != nil {
		what += fmt.Sprintf(" with `%s`", a.Where.Text)
	}
	fix := fmt.Sprintf("Change %s of %s by as much in the same transaction, or declare `kept_by: stream` if a consumer of the stream keeps it.", f.attribute, entity.Name.Text)
	if t.pattern.Operation.WritesEach() {
		fix = "Nothing that is written item by item keeps it: declare `kept_by: stream` and let a consumer of the stream do so, or write the items one by one in transactions."
	}
	return explanation{cause: "aggregate " + f.attribute, at: a.At, fix: fix,
		why: fmt.Sprintf("%s: after the call it must be %s, and %s is stored.", what, f.expected[f.attribute], f.stored[f.attribute])}
}
