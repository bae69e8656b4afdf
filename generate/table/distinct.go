package table

import "strconv"

// Distinct gives names in a narrower alphabet than that of indexes or patterns:
// different names stay different, as those that would be the same are numbered.
type Distinct struct {
	fold      func(string) string
	separator string // before the number
	given     map[string]string
	taken     map[string]bool
}

// NewDistinct makes a Distinct that folds names by the given function.
func NewDistinct(fold func(string) string, separator string) *Distinct {
	return &Distinct{fold, separator, map[string]string{}, map[string]bool{}}
}

// maxDistinct is how long a name becomes at most, without its number; the
// narrowest limit of those who use it is the 255 of files and logical ids.
const maxDistinct = 200

// Of is the name in the narrower alphabet, the same every time.
func (d *Distinct) Of(name string) string {
	if given := d.given[name]; given != "" {
		return given
	}
	base := d.fold(name)
	base = base[:min(len(base), maxDistinct)]
	given := base
	for i := 2; d.taken[given]; i++ {
		given = base + d.separator + strconv.Itoa(i)
	}
	d.taken[given] = true
	d.given[name] = given
	return given
}
