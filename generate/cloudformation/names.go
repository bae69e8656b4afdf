package cloudformation

import (
	"regexp"

	"github.com/dynmodel/dynmodel/generate/table"
)

// notInID is what logical ids do not have: they are letters and digits.
var notInID = regexp.MustCompile(`[^A-Za-z0-9]+`)

// newNames gives the logical ids of indexes.
func newNames() *table.Distinct {
	return table.NewDistinct(func(index string) string { return "Index" + notInID.ReplaceAllString(index, "") }, "No")
}

// logicalID is that of a scaling.
func logicalID(names *table.Distinct, s table.Scaling) string {
	id := resource
	if s.Index != "" {
		id = names.Of(s.Index)
	}
	if s.Write {
		return id + "WriteScaling"
	}
	return id + "ReadScaling"
}
