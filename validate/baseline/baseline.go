// Package baseline accepts the findings of a day, so that a check fails on what
// comes after. A baseline is a file that is kept beside the models: it names
// each finding by what does not change when lines move (report.Key), and how
// many of that name there are.
package baseline

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate/report"
)

// version is the version of the file's form.
const version = 1

// Baseline are the findings that are accepted.
type Baseline struct {
	counts map[report.Key]int
}

// entry is a line of the file.
type entry struct {
	report.Key
	Count int `json:"count"`
}

type file struct {
	Version  int     `json:"version"`
	Findings []entry `json:"findings"`
}

// Of is the baseline that accepts all of a report's findings.
func Of(r report.Report) Baseline {
	b := Baseline{counts: map[report.Key]int{}}
	for _, m := range r.Models {
		for _, f := range m.Findings {
			b.counts[m.KeyOf(f)]++
		}
	}
	return b
}

// Read reads a baseline. The error says what is wrong with the file.
func Read(r io.Reader) (Baseline, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return Baseline{}, err
	}
	var f file
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		return Baseline{}, fmt.Errorf("no baseline: %w", err)
	}
	if f.Version != version {
		return Baseline{}, fmt.Errorf("a baseline of version %d; this dynmodel reads version %d", f.Version, version)
	}
	b := Baseline{counts: map[report.Key]int{}}
	for _, e := range f.Findings {
		if e.Rule == "" || e.Count < 1 {
			return Baseline{}, errors.New("no baseline: an entry has no rule or no count")
		}
		b.counts[e.Key] += e.Count
	}
	return b, nil
}

// Write writes the baseline, in an order that depends on nothing but its entries.
func (b Baseline) Write(w io.Writer) error {
	f := file{Version: version, Findings: []entry{}}
	for key, n := range b.counts {
		f.Findings = append(f.Findings, entry{Key: key, Count: n})
	}
	slices.SortFunc(f.Findings, func(a, b entry) int { return compare(a.Key, b.Key) })
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(f)
}

func compare(a, b report.Key) int {
	return cmp.Or(cmp.Compare(a.Model, b.Model), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Pattern, b.Pattern),
		cmp.Compare(a.Entity, b.Entity), cmp.Compare(a.Index, b.Index), cmp.Compare(a.Text, b.Text))
}

// Len is the number of findings that the baseline accepts.
func (b Baseline) Len() int {
	n := 0
	for _, count := range b.counts {
		n += count
	}
	return n
}

// reason is what is said of a finding that a baseline accepts.
const reason = "in the baseline"

// Apply moves findings that the baseline accepts from the report's findings to
// those accepted. It returns the keys of entries of the report's models that
// nothing was found for, in order.
func (b Baseline) Apply(r report.Report) (applied report.Report, stale []report.Key) {
	left := map[report.Key]int{}
	checked := map[string]bool{}
	for key, n := range b.counts {
		left[key] = n
	}
	for _, m := range r.Models {
		checked[m.Name] = true
		var standing []diag.Finding
		accepted := slices.Clone(m.Accepted)
		for _, f := range m.Findings {
			if key := m.KeyOf(f); left[key] > 0 {
				left[key]--
				accepted = append(accepted, report.Accepted{Finding: f, Reason: reason, Baseline: true})
				continue
			}
			standing = append(standing, f)
		}
		m.Findings, m.Accepted = standing, accepted
		applied.Models = append(applied.Models, m)
	}
	for key, n := range left {
		if n > 0 && checked[key.Model] {
			stale = append(stale, key)
		}
	}
	slices.SortFunc(stale, compare)
	return applied, stale
}
