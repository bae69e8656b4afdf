package engine

import (
	"maps"
	"slices"
)

// Targets returns the targets of all operations.
func Targets() []string { return slices.Sorted(maps.Keys(operations)) }
