package cloudformation

import (
	"fmt"
	"regexp"

	"github.com/dynmodel/dynmodel/generate/table"
)

// names are logical ids, which have letters and digits only: those of indexes
// that differ in other characters alone are numbered.
type names struct {
	ofIndex map[string]string
	taken   map[string]bool
}

func newNames() *names { return &names{map[string]string{}, map[string]bool{}} }

var notInID = regexp.MustCompile(`[^A-Za-z0-9]+`)

// of is the logical id of a scaling.
func (n *names) of(s table.Scaling) string {
	base := "Table"
	if s.Index != "" {
		base = n.index(s.Index)
	}
	if s.Write {
		return base + "WriteScaling"
	}
	return base + "ReadScaling"
}

func (n *names) index(name string) string {
	if id := n.ofIndex[name]; id != "" {
		return id
	}
	base := "Index" + notInID.ReplaceAllString(name, "")
	if len(base) > 200 {
		base = base[:200]
	}
	id := base
	for i := 2; n.taken[id]; i++ {
		id = fmt.Sprintf("%sNo%d", base, i)
	}
	n.taken[id] = true
	n.ofIndex[name] = id
	return id
}
