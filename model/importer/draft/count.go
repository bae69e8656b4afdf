package draft

import (
	"fmt"
	"strings"
)

// Tally is what came out of an import.
type Tally struct {
	Entities, Templates, Patterns int
	Items                         int // that the input has
	Fitting                       int // of them, those that the model makes again as they are
	Faults, Lost                  int
}

// Count counts what came out of a draft that is complete.
func Count(d *Draft) Tally {
	t := Tally{Entities: len(d.Entities), Patterns: len(d.Patterns), Items: d.Total, Fitting: d.Fitting}
	for _, e := range d.Entities {
		for _, k := range e.Keys {
			if k.Parts != nil {
				t.Templates++
			}
		}
	}
	for _, n := range d.All() {
		if n.Kind == Fault {
			t.Faults++
		} else {
			t.Lost++
		}
	}
	return t
}

// Add adds what came out of another import.
func (t *Tally) Add(o Tally) {
	t.Entities += o.Entities
	t.Templates += o.Templates
	t.Patterns += o.Patterns
	t.Items += o.Items
	t.Fitting += o.Fitting
	t.Faults += o.Faults
	t.Lost += o.Lost
}

// String says it in one line.
func (t Tally) String() string {
	out := []string{counted(t.Entities, "entity", "entities"), counted(t.Templates, "key template", "key templates"), counted(t.Patterns, "access pattern", "access patterns")}
	if t.Items > 0 {
		out = append(out, fmt.Sprintf("%d of %s fit", t.Fitting, counted(t.Items, "item", "items")))
	}
	if t.Faults > 0 {
		out = append(out, counted(t.Faults, "fault", "faults")+" in the input")
	}
	if t.Lost > 0 {
		out = append(out, fmt.Sprintf("%d not carried over", t.Lost))
	}
	return strings.Join(out, ", ")
}

func counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}
