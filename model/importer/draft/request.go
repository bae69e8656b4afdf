package draft

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/format"
	"github.com/dynmodel/dynmodel/model/source"
)

// Request is an access pattern as other tools state it: a request to DynamoDB,
// said by its keys or by its parameters.
type Request struct {
	At                source.Span
	Name, Description string
	Operation         string // DynamoDB's name of it: GetItem, Query, …
	Index             string // "": the table
	Entity            string // whose items; "": those whose keys fit
	Mixed             bool   // items of several entities come back
	// Key are conditions on key attributes, where they are stated.
	Key []KeyTest
	// Parameters are what the caller gives, where that is stated. Those that bear
	// the name of an attribute are compared with it; the others are the ends of
	// Range.
	Parameters []Parameter
	Range      string   // the operator on the sort key: >=, between, begins_with, …
	Where      []string // further conditions, in the language
	Change     string   // of an update
	If         string   // of a write
	Consistent bool
	Count      bool
	Backward   bool
	Limit      int64
	Rate, Peak string
	Steps      []Step // of a transaction
}

// Parameter is something that a caller gives: a value, or an item of an entity.
type Parameter struct {
	Name   string
	Entity string // "": a value
}

// KeyTest is a condition on a key attribute. Values are texts as they would
// stand in the key; "" stands for one that is not known.
type KeyTest struct {
	Attribute string
	Op        string // =, <, <=, >, >=, between, begins_with
	Values    []string
}

// Step is one write or read of a transaction.
type Step struct {
	At        source.Span
	Operation model.Operation
	Entity    string
	If        string
	Change    string
}

// Pattern is an access pattern as it is printed: its keys and their values as
// written in the language.
type Pattern struct {
	Name, Description string
	Fields            []Field
	Guess             string // "" when it is stated
}

// Field is a key of a pattern with its value in YAML.
type Field struct {
	Key, Value string
}

// Add adds a key with its value in YAML, unless that is "".
func (p *Pattern) Add(key, value string) {
	if value != "" {
		p.Fields = append(p.Fields, Field{key, value})
	}
}

// AddText adds a key with a text, unless that is "".
func (p *Pattern) AddText(key, text string) {
	if text != "" {
		p.Add(key, format.Scalar(text))
	}
}
