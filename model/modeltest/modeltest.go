// Package modeltest holds models that the tests of several packages share.
package modeltest

import (
	_ "embed"
)

//go:embed testdata/shop.yaml
var shop string

// Shop is the text of the model that the language's reference shows: orders of
// an online shop. It is read without findings.
func Shop() string { return shop }
