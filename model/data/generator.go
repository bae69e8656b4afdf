package data

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// Generator makes worlds and calls for the patterns of one model. It does not
// change once made, and may be used by many goroutines at a time.
type Generator struct {
	model   *model.Model
	options Options
	links   map[*model.Entity][]*link
	pools   map[*model.Attribute][]value.Value
	known   map[known]bool // the scalars in the pools
}

// New makes a Generator for a model.
func New(m *model.Model, o Options) *Generator {
	o = o.withDefaults()
	g := &Generator{model: m, options: o, links: map[*model.Entity][]*link{}, pools: map[*model.Attribute][]value.Value{}, known: map[known]bool{}}
	hints := hintsOf(m, o.Now)
	for _, e := range m.Entities {
		g.links[e] = linksOf(m, e)
		for _, a := range e.Attributes {
			g.pools[a] = pool(a, hints[a])
			if a.Default.Exists() {
				g.pools[a] = merge([]value.Value{a.Default}, g.pools[a])
			}
			for _, v := range g.pools[a] {
				if scalar(a, v) && ordinary(a, v) {
					g.known[known{a, v.Text(), false}], g.known[known{a, v.Text(), true}] = true, true
				}
			}
		}
	}
	return g
}

// Values is the attribute's pool: values of its domain, declared or default,
// that are worth trying, the plainest first and then the most telling. Of an
// attribute that belongs to no entity of the model, such as a declared
// parameter, it is made from the domain alone.
func (g *Generator) Values(a *model.Attribute) []value.Value {
	if values, ok := g.pools[a]; ok {
		return values
	}
	return pool(a, &hints{now: g.options.Now})
}

// random is the source of chance for one purpose of one pattern.
func (g *Generator) random(p *model.Pattern) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(p.Name.Text)) // never fails
	return rand.New(rand.NewPCG(g.options.Seed, h.Sum64()))
}

// merge is the first values and then the others, each once.
func merge(values, others []value.Value) []value.Value {
	out := values[:len(values):len(values)]
	for _, v := range others {
		if !contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
