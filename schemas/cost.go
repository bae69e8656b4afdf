package schemas

import (
	_ "embed"
)

//go:embed cost.schema.json
var cost []byte

// Cost is the JSON Schema (2020-12) of the JSON that cost writes.
func Cost() []byte { return append([]byte(nil), cost...) }
