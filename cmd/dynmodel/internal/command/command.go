// Package command holds what the commands share; each command is a package below it.
package command

import "errors"

// ErrFindings says that the job was done and that something was found at or
// above --fail-on. What was found has been written already.
var ErrFindings = errors.New("findings")
