// Package schemas holds the JSON Schemas of what dynmodel reads and writes.
//
// They are for editors and other tools. The parser does not use them: its own
// checks say more, know where, and cost less.
package schemas

import (
	_ "embed"
)

//go:embed model.schema.json
var model []byte

// Model is the JSON Schema (2020-12) of the model language. It refuses what the
// parser refuses for its form alone: unknown keys, wrong kinds of values, bad
// units; what names mean is for the parser.
func Model() []byte { return append([]byte(nil), model...) }
