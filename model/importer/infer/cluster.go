package infer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/value"
)

// proposal is a reading and the items that may be read so.
type proposal struct {
	reading
	likeness int   // how well the names in it agree with the texts before them
	items    []int // indexes of items
}

// proposals are the readings of items in common, each with the items it is of.
func (r *reader) proposals(subjects []*subject, keys []string) []*proposal {
	byText := map[string]*proposal{}
	var out []*proposal
	for i, s := range subjects {
		var all [][]reading
		for _, key := range keys {
			if _, ok := s.item.Values[key]; ok {
				all = append(all, r.readings(s, key))
			}
		}
		combined := product(all)
		if len(keys) == 2 && len(all) == 2 && value.Equal(s.item.Values[keys[0]], s.item.Values[keys[1]]) {
			combined = alike(all[0], keys[1])
		}
		for _, read := range combined {
			text := read.text()
			p := byText[text]
			if p == nil {
				p = &proposal{reading: read, likeness: likeness(read)}
				byText[text] = p
				out = append(out, p)
			}
			p.items = append(p.items, i)
		}
	}
	return out
}

// alike are the readings of an item whose two keys are one text: both are made
// the same way.
func alike(readings []reading, second string) []reading {
	out := make([]reading, len(readings))
	for i, r := range readings {
		out[i] = reading{keys: append(slices.Clone(r.keys), second), parts: [][]draft.Part{r.parts[0], r.parts[0]}, rank: 2 * r.rank}
	}
	return out
}

// cluster is items that are read by one template.
type cluster struct {
	reading
	subjects []*subject
}

// clusters groups items by how their keys are made: again and again the reading
// that explains most of the items that are left, the plainest among equals.
func (r *reader) clusters(subjects []*subject, keys []string) []cluster {
	proposals := r.proposals(subjects, keys)
	taken := make([]bool, len(subjects))
	var out []cluster
	for {
		best, members := pick(proposals, func(p *proposal) []int { return p.members(subjects, taken, keys) }, taken)
		if len(members) == 0 {
			return merged(out)
		}
		c := cluster{reading: best.reading}
		for _, i := range members {
			taken[i] = true
			c.subjects = append(c.subjects, subjects[i])
		}
		c.doubtful()
		out = append(out, c)
	}
}

// members are the items left that a proposal is a reading of: those it was made
// for and, unless it has holes, which anything fits into, all others it explains.
func (p *proposal) members(subjects []*subject, taken []bool, keys []string) []int {
	out := slices.Clone(p.items)
	for i, s := range subjects {
		if p.holes() == 0 && !taken[i] && !slices.Contains(p.items, i) && hasKeys(s, p.keys, keys) && p.fits(s) {
			out = append(out, i)
		}
	}
	return out
}

// hasKeys tells whether an item has exactly those of the keys that a reading is of.
func hasKeys(s *subject, read, keys []string) bool {
	n := 0
	for _, key := range keys {
		if _, ok := s.item.Values[key]; ok {
			n++
		}
	}
	return n == len(read)
}

// maxContenders is how many proposals are tried on all items that are left.
const maxContenders = 24

// pick is the proposal that explains most of the items not taken, and which they
// are. Those that were made for most of them are tried.
func pick(proposals []*proposal, members func(*proposal) []int, taken []bool) (best *proposal, most []int) {
	for _, p := range proposals {
		p.items = slices.DeleteFunc(p.items, func(i int) bool { return taken[i] })
	}
	slices.SortStableFunc(proposals, func(a, b *proposal) int { return cmp.Compare(len(b.items), len(a.items)) })
	for _, p := range proposals[:min(len(proposals), maxContenders)] {
		if len(p.items) == 0 {
			break
		}
		found := members(p)
		if len(found) > len(most) || len(found) == len(most) && better(p, best) {
			best, most = p, found
		}
	}
	return best, most
}

// better decides between two readings of the same number of items.
func better(a, b *proposal) bool {
	return cmp.Or(
		cmp.Compare(a.holes(), b.holes()),
		cmp.Compare(b.likeness, a.likeness),
		cmp.Compare(a.rank, b.rank),
		strings.Compare(a.text(), b.text()),
	) < 0
}

// likeness counts the attributes of a reading whose names have a word of the
// literal before them: ORDER#{orderId}.
func likeness(r reading) int {
	n := 0
	for _, parts := range r.parts {
		for i, p := range parts {
			if i == 0 || p.Attribute == "" || parts[i-1].Literal == "" {
				continue
			}
			before := splitWords(parts[i-1].Literal)
			for _, w := range splitWords(p.Attribute) {
				if len(w) > 1 && slices.ContainsFunc(before, func(b string) bool { return strings.HasPrefix(b, w) || strings.HasPrefix(w, b) && len(b) > 1 }) {
					n++
					break
				}
			}
		}
	}
	return n
}
