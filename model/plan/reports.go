package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model/diag"
)

// reports gathers what is found in the variants of one pattern, in their order.
// A rule that finds something at one place in several variants for which
// parameters are left out has one finding, about the first of them.
type reports struct {
	entries []report
}

// report is a finding, the parameters left out, and in how many more variants
// that leave some out the rule finds something at the place.
type report struct {
	finding diag.Finding
	absent  []string
	more    int
}

func (r *reports) add(f diag.Finding, absent []string) {
	i := slices.IndexFunc(r.entries, func(e report) bool {
		return e.finding.Rule == f.Rule && e.finding.Span == f.Span && (len(absent) > 0 || e.finding.Message == f.Message)
	})
	switch {
	case i < 0:
		r.entries = append(r.entries, report{finding: f, absent: absent})
	case len(r.entries[i].absent) > 0 && !slices.Equal(r.entries[i].absent, absent):
		r.entries[i].more++
	}
}

// all are the findings with what is left out where they hold.
func (r *reports) all() []diag.Finding {
	var list diag.List
	for _, e := range r.entries {
		if n := len(e.absent); n > 0 {
			e.finding.Message += fmt.Sprintf(", when %s %s left out", strings.Join(e.absent, " and "), isOrAre(n))
		}
		if e.more > 0 {
			e.finding.Message += fmt.Sprintf(" (and so in %d more combinations of optional parameters)", e.more)
		}
		list.Add(e.finding)
	}
	return list.All()
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
