package verify

import (
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/source"
)

// explainRefused explains a request that DynamoDB does not take as such.
func (t *trial) explainRefused(f *failure) explanation {
	return explanation{cause: string(f.kind), why: f.refusal.answer(), at: t.keyTooLong(f)}
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
