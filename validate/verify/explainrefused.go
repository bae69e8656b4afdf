package verify

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// explainRefused explains a request that DynamoDB does not take as such.
func (t *trial) explainRefused(f *failure) explanation {
	return explanation{cause: string(f.kind), why: f.refusal.answer(), at: t.keyTooLong(f)}
}

// objectionText says that a plan makes no request of a call.
func objectionText(name string, f *failure) string {
	return fmt.Sprintf("%s makes no request of a call that the model allows: %v", name, f.fault)
}

// explainObjected explains a call of which the plan makes no request: the values
// allowed are more than those that the request has room for.
func (t *trial) explainObjected(f *failure) explanation {
	e := explanation{cause: string(f.kind), at: t.keyOfAnotherType(f), why: "The arguments are in the domains of their parameters, and the request cannot be made of them.",
		fix: "Declare the parameters, or what they are compared with, as narrowly as the request needs them."}
	var fault *encode.Error
	if !errors.As(f.fault, &fault) {
		return e
	}
	for _, q := range t.pattern.Parameters {
		if q.Declared != nil && value.Equal(f.scene.args[q.Name], fault.Value) {
			e.at = q.Declared.Name.At
			e.fix = fmt.Sprintf("Declare $%s in `params` as narrowly as the request needs it", q.Name)
			if q.Like != nil {
				e.fix += ", or not at all: then it is like " + q.Like.Name.Text
			}
			e.fix += "."
		}
	}
	return e
}

// keyOfAnotherType is the template, of those for the index read, whose values are
// not of the key's type; nowhere when there is none.
func (t *trial) keyOfAnotherType(f *failure) (at source.Span) {
	x := f.index()
	if x == nil {
		return at
	}
	for _, e := range t.model.Entities {
		for _, k := range x.Keys() {
			if template, made := t.templateOf(e, k.Name); made && t.about(e) && makesAnother(template, k) {
				return template.At
			}
		}
	}
	return at
}

// keyTooLong is the template of the key for whose length a request was refused;
// nowhere when it was refused for something else.
func (t *trial) keyTooLong(f *failure) (at source.Span) {
	keys, limit := keyNames([]model.KeyAttribute{t.model.Table.PartitionKey}), encode.MaxPartitionKey
	if x := f.index(); x != nil {
		keys = keyNames(x.PartitionKey)
	}
	switch message := f.refusal.Message; { // in the service's own words
	case strings.Contains(message, "Size of hashkey"):
	case strings.Contains(message, "size of all range keys"):
		keys, limit = t.sortKeys(f), encode.MaxSortKey
	default:
		return at
	}
	for _, e := range t.model.Entities {
		for _, k := range keys {
			template, made := t.templateOf(e, k)
			if made && t.about(e) && keytext.MaxBytes(template) > limit {
				return template.At
			}
		}
	}
	return at
}
