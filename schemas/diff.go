package schemas

import (
	_ "embed"
)

//go:embed diff.schema.json
var diff []byte

// Diff is the JSON Schema (2020-12) of the JSON that diff writes.
func Diff() []byte { return append([]byte(nil), diff...) }
