package schemas

import (
	_ "embed"
)

//go:embed simulate.schema.json
var simulate []byte

// Simulate is the JSON Schema (2020-12) of the JSON that simulate writes.
func Simulate() []byte { return append([]byte(nil), simulate...) }
