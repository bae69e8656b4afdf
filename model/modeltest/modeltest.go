// Package modeltest holds what the tests of several packages share: models, how
// models are read, golden files.
package modeltest

import (
	_ "embed"
)

//go:embed testdata/shop.yaml
var shop string

// Shop is the text of the model that the language's reference shows: orders of
// an online shop. It is read without findings.
func Shop() string { return shop }
