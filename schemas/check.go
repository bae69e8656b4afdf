package schemas

import (
	_ "embed"
)

//go:embed check.schema.json
var check []byte

// Check is the JSON Schema (2020-12) of the JSON that check writes.
func Check() []byte { return append([]byte(nil), check...) }
