// Package seed makes realistic items of a model, as many as wanted: names that
// look like names, numbers in their domains, choices by their shares, children
// by the declared volumes, references that lead to items.
//
// Items come in families: an item that belongs to no other, with everything below
// it. A family is a function of the model, the seed and its number, so that
// families can be made in any order, at the same time, and again after a stop.
//
// Package data makes items too, to break a design with; here they are to look
// like those of a table in use.
package seed

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
)

// Options say what to make.
type Options struct {
	Seed  uint64 // 0: 1
	Items int    // about how many items in all
	// Now is the time at which the table is looked at: all times are before it,
	// save for those that say when something ends.
	Now time.Time
}

// Population is the items that a table is filled with.
type Population struct {
	model *model.Model
	Options
	roots []*kind
}

// kind is an entity with its place in the families.
type kind struct {
	entity   *model.Entity
	parent   *kind // nil: a family of its own
	children []*kind
	// up is the reference to the parent.
	up *model.Ref
	// count is, of a root, how many there are; mean, least and most are how many
	// a parent has.
	count, first int // first is the number of the first family
	mean         float64
	least, most  int
	links        []link
}

// link is a reference that does not lead to the parent.
type link struct {
	attribute *model.Attribute
	ref       *model.Ref
	target    *kind
}

// meanChildren is how many children an item has when no volume says.
const meanChildren = 3

// Circle is the error of items that cannot begin: each needs another one first.
type Circle struct{ Entities []string }

func (c *Circle) Error() string {
	return fmt.Sprintf("no first item can be made: %s refer to each other, and none of them can do without; make one of the references optional", strings.Join(c.Entities, ", "))
}

// New plans a population. The error is a *Circle.
func New(m *model.Model, planner *plan.Planner, o Options) (*Population, error) {
	if o.Seed == 0 {
		o.Seed = 1
	}
	p := &Population{model: m, Options: o}
	of := map[*model.Entity]*kind{}
	for _, e := range m.Entities {
		of[e] = &kind{entity: e}
	}
	for _, e := range m.Entities {
		adopt(of[e], of)
	}
	for _, e := range m.Entities {
		k := of[e]
		k.links = linksOf(k, of)
		if k.parent == nil {
			p.roots = append(p.roots, k)
		} else {
			k.parent.children = append(k.parent.children, k)
		}
	}
	for _, e := range m.Entities {
		if circle := of[e].circle(nil); circle != nil {
			return nil, &Circle{circle}
		}
	}
	p.size(planner)
	return p, nil
}

// circle are the entities through which a kind needs an item of itself before it
// can have one; nil when it does not.
func (k *kind) circle(above []*kind) []string {
	if i := slices.Index(above, k); i >= 0 {
		var names []string
		for _, other := range above[i:] {
			names = append(names, other.entity.Name.Text)
		}
		return names
	}
	above = append(above[:len(above):len(above)], k)
	if k.parent != nil {
		if c := k.parent.circle(above); c != nil {
			return c
		}
	}
	for _, l := range k.links {
		if !l.attribute.Optional && !k.below(l.target) {
			if c := l.target.circle(above); c != nil {
				return c
			}
		}
	}
	return nil
}

// below tells whether a kind is another one's descendant: then the reference
// leads to the ancestor.
func (k *kind) below(other *kind) bool {
	for up := k.parent; up != nil; up = up.parent {
		if up == other {
			return true
		}
	}
	return false
}

// adopt finds the parent of a kind: what its volume is counted by, else what it
// is identified under. What goes round in a circle is nobody's child.
func adopt(k *kind, of map[*model.Entity]*kind) {
	for _, v := range k.entity.Volumes {
		if v.PerAttribute != nil && v.PerAttribute.Ref != nil {
			k.under(of[v.PerAttribute.Ref.Entity], v.PerAttribute.Ref)
		}
		if k.parent != nil {
			k.counted(v)
			return
		}
	}
	for _, part := range k.entity.Identity {
		if r := part.Attribute.Ref; r != nil && !part.Attribute.Optional {
			k.under(of[r.Entity], r)
		}
		if k.parent != nil {
			k.mean, k.least, k.most = meanChildren, 0, 4*meanChildren
			return
		}
	}
}

// under makes the kind a child of another one, unless that is below it already.
func (k *kind) under(parent *kind, by *model.Ref) {
	for up := parent; up != nil; up = up.parent {
		if up == k {
			return
		}
	}
	k.parent, k.up = parent, by
}

// counted takes the number of children from a volume.
func (k *kind) counted(v *model.Volume) {
	switch {
	case v.Rate != nil:
		k.mean = v.Rate.PerSecond * v.Keep.Seconds()
	case v.Average > 0:
		k.mean = v.Average
	default:
		k.mean = float64(v.Count.Min+v.Count.Max) / 2
	}
	k.least, k.most = int(v.Count.Min), int(v.Count.Max)
	if k.most == 0 {
		k.most = math.MaxInt32
	}
}

func linksOf(k *kind, of map[*model.Entity]*kind) []link {
	var out []link
	for _, a := range k.entity.Attributes {
		refs := a.Refs
		if a.Ref != nil {
			refs = []*model.Ref{a.Ref}
		}
		if len(refs) > 0 && (k.up == nil || refs[0] != k.up) {
			out = append(out, link{a, refs[0], of[refs[0].Entity]})
		}
	}
	slices.SortStableFunc(out, func(a, b link) int { return cmp.Compare(len(b.ref.With), len(a.ref.With)) })
	return out
}

// size makes the numbers such that about as many items come out as wanted: roots in
// proportion to their volumes, and children as they are declared, unless a single
// family would then be a large part of everything.
func (p *Population) size(planner *plan.Planner) {
	wanted := float64(max(p.Items, len(p.roots)))
	most := max(wanted/float64(largePart*len(p.roots)), leastFamily)
	declared := make([]float64, len(p.roots))
	var all float64
	for i, k := range p.roots {
		declared[i] = 1
		if n, known := planner.Count(k.entity); known {
			declared[i] = max(n, 1)
		}
		if k.family() > most {
			k.shrink(most)
		}
		all += declared[i] * k.family()
	}
	first := 0
	for i, k := range p.roots {
		k.count, k.first = int(min(max(1, math.Round(declared[i]*wanted/all)), identities(k.entity))), first
		first += k.count
	}
}

// identities is how many items an entity can have by the choices of its identity
// alone; infinite when something else is in it.
func identities(e *model.Entity) float64 {
	n := 1.0
	for _, part := range e.Identity {
		choices := len(part.Attribute.Domain.Values)
		if choices == 0 {
			return math.Inf(1)
		}
		n *= float64(choices)
	}
	return n
}

// A family is at most one in largePart times the number of roots of all items,
// or leastFamily items.
const (
	largePart   = 4
	leastFamily = 10
)

// shrink lowers the numbers of children so that a family is of the given size:
// those kinds of which there are the most in a family come down to one level.
func (k *kind) shrink(size float64) {
	low, high := 0.0, size
	for range 50 {
		level := (low + high) / 2
		if k.leveled(level, 1, false) > size {
			high = level
		} else {
			low = level
		}
	}
	k.leveled(low, 1, true)
}

// leveled is the size of a family in which no kind has more than level items, of
// so many items of k; with set, it becomes so.
func (k *kind) leveled(level, of float64, set bool) float64 {
	sum := of
	for _, c := range k.children {
		n := min(of*c.mean, level)
		sum += c.leveled(level, n, set)
		if set && of > 0 && n < of*c.mean {
			c.lower(n / of / c.mean)
		}
	}
	return sum
}

// lower makes the number of children smaller by a factor.
func (k *kind) lower(factor float64) {
	k.mean *= factor
	k.least = int(float64(k.least) * factor)
	k.most = max(k.least+1, int(math.Ceil(float64(k.most)*factor)))
}

// family is how many items a family has on average.
func (k *kind) family() float64 {
	n := 1.0
	for _, c := range k.children {
		n += c.mean * c.family()
	}
	return n
}

// Expected is about how many items there will be.
func (p *Population) Expected() int {
	n := 0.0
	for _, k := range p.roots {
		n += float64(k.count) * k.family()
	}
	return int(math.Round(n))
}

// Families is how many families there are.
func (p *Population) Families() int {
	last := p.roots[len(p.roots)-1]
	return last.first + last.count
}

// Family is the items of a family, the root first; Left says which were left out.
func (p *Population) Family(number int) []model.Instance {
	i, found := slices.BinarySearchFunc(p.roots, number, func(k *kind, n int) int { return cmp.Compare(k.first, n) })
	if !found {
		i--
	}
	k := p.roots[i]
	f := &family{population: p, seen: map[string]bool{}}
	f.grow(k, path{number - k.first}, nil)
	f.count()
	return f.items
}

// path is the way from a root to an item: which of its kind it is at each step.
type path []int

// dice are the random numbers of one item.
func (p *Population) dice(k *kind, at path) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprint(h, k.entity.Name.Text, at)
	return rand.New(rand.NewPCG(p.Seed, h.Sum64()))
}

// many draws how many children of a kind an item has: most have few, some many.
func (k *kind) many(dice *rand.Rand) int {
	n := float64(k.least) + max(0, k.mean-float64(k.least))*dice.ExpFloat64()
	return min(int(math.Floor(n+0.5)), k.siblings())
}

// siblings is how many children of a kind an item has at most. The draw goes to
// many times the mean once in an age only.
func (k *kind) siblings() int { return int(min(float64(k.most), math.Ceil(50*k.mean)+10)) }
