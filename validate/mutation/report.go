package mutation

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// Count adds up what became of mutants. Refused ones are in none of the figures.
type Count struct{ Mutants, Killed, Equivalent, Survived int }

func (c *Count) add(v Verdict) {
	switch v {
	case Refused:
		return
	case Killed:
		c.Killed++
	case Equivalent:
		c.Equivalent++
	case Survived:
		c.Survived++
	}
	c.Mutants++
}

// Score is the part of the mutants that behave differently which was noticed,
// from 0 to 1; 1 when there are none.
func (c Count) Score() float64 {
	if c.Mutants == c.Equivalent {
		return 1
	}
	return float64(c.Killed) / float64(c.Mutants-c.Equivalent)
}

// Count adds up the mutants of a model; of one operator, or of all when it is "".
func (m Model) Count(op Operator) Count {
	var c Count
	for _, j := range m.Mutants {
		if op == "" || j.Operator == op {
			c.add(j.Verdict)
		}
	}
	return c
}

// Count adds up the mutants of all models.
func (r Result) Count() Count {
	var c Count
	for _, m := range r.Models {
		for _, j := range m.Mutants {
			c.add(j.Verdict)
		}
	}
	return c
}

// Write writes the figures of each model by operator, the rules that killed,
// the arguments that excuse, and every survivor with what was changed. With
// all, it writes every mutant.
func (r Result) Write(w io.Writer, all bool) error {
	var b strings.Builder
	for _, m := range r.Models {
		if m.Unsound {
			fmt.Fprintf(&b, "%s\n  has errors itself; not broken further\n\n", m.Name)
			continue
		}
		m.write(&b, all)
	}
	c := r.Count()
	fmt.Fprintf(&b, "%d mutants: %d killed, %d equivalent, %d survived; score %.1f %%\n", c.Mutants, c.Killed, c.Equivalent, c.Survived, 100*c.Score())
	_, err := io.WriteString(w, b.String())
	return err
}

func (m Model) write(b *strings.Builder, all bool) {
	c := m.Count("")
	fmt.Fprintf(b, "%s: score %.1f %%\n", m.Name, 100*c.Score())
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\tmutants\tkilled\tequivalent\tsurvived\t\n")
	for _, op := range Operators() {
		if n := m.Count(op); n.Mutants > 0 {
			fmt.Fprintf(t, "  %s\t%d\t%d\t%d\t%d\t\n", op, n.Mutants, n.Killed, n.Equivalent, n.Survived)
		}
	}
	fmt.Fprintf(t, "  all\t%d\t%d\t%d\t%d\t\n", c.Mutants, c.Killed, c.Equivalent, c.Survived)
	t.Flush() // to memory, which does not fail
	for _, v := range []Verdict{Killed, Equivalent} {
		by := map[string]int{}
		for _, j := range m.Mutants {
			if j.Verdict == v {
				by[j.By]++
			}
		}
		for _, name := range slices.Sorted(maps.Keys(by)) {
			fmt.Fprintf(b, "  %s by %s: %d\n", v, name, by[name])
		}
	}
	for _, j := range m.Mutants {
		if all || j.Verdict == Survived {
			j.write(b)
		}
	}
	b.WriteString("\n")
}

// write writes one mutant as a difference of lines.
func (j Judged) write(b *strings.Builder) {
	fmt.Fprintf(b, "  %s %s, line %d", j.Verdict, j.Operator, j.Line)
	if j.By != "" {
		fmt.Fprintf(b, ", %s", j.By)
	}
	fmt.Fprintf(b, "\n    - %s\n", j.Before)
	if j.After != "" {
		fmt.Fprintf(b, "    + %s\n", j.After)
	}
}
