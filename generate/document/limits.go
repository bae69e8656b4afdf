package document

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/plan"
)

// Limit is a limit of DynamoDB with how much of it the design uses at most.
type Limit struct {
	Name  string
	Of    string // what comes nearest to it
	Used  float64
	Most  float64
	Bytes bool   // the figures are bytes
	Note  string // how the figure was reached, or what it leaves out
}

// Share is the part of the limit that is used; more than 1 is beyond it.
func (l Limit) Share() float64 { return l.Used / l.Most }

// Text is how much is used of how much.
func (l Limit) Text() string {
	if l.Bytes {
		return Bytes(l.Used) + " of " + Bytes(l.Most)
	}
	return Count(l.Used) + " of " + Count(l.Most)
}

// Headroom is the part of the limit that is left, or that it is exceeded.
func (l Limit) Headroom() string {
	if l.Used > l.Most {
		return "exceeded"
	}
	return Percent(1 - l.Share())
}

// DynamoDB's limits (Developer Guide, "Quotas").
const (
	maxItem          = 400 << 10
	maxGlobalIndexes = 20 // by default
	maxLocalIndexes  = 5
	maxProjected     = 100      // attributes named by the projections of all indexes
	maxCollection    = 10 << 30 // of a table with local indexes
	maxTableUnits    = 40000    // read or write units a second, by default
)

func (b *builder) limits() []Limit {
	out := []Limit{b.largestItem(), b.longestKey(false)}
	if b.model.Table.SortKey != nil {
		out = append(out, b.longestKey(true))
	}
	global, local, projected := b.indexCounts()
	out = append(out, Limit{Name: "Global indexes", Used: global, Most: maxGlobalIndexes, Note: "a default that AWS raises on request"})
	if local > 0 {
		out = append(out, Limit{Name: "Local indexes", Used: local, Most: maxLocalIndexes}, b.largestCollection())
	}
	if projected > 0 {
		out = append(out, Limit{Name: "Projected attributes", Used: projected, Most: maxProjected, Note: "those that projections name, over all indexes"})
	}
	if l := b.longestTransaction(); l.Used > 0 {
		out = append(out, l)
	}
	if b.load.Declared() {
		out = append(out, b.busiest()...)
	}
	return out
}

// largestItem is the entity whose items are expected to be the largest.
func (b *builder) largestItem() Limit {
	l := Limit{Name: "Item size", Most: maxItem, Bytes: true, Note: "as expected of samples and declared lengths"}
	for _, e := range b.model.Entities {
		if n := b.planner.ItemSize(e); n > l.Used {
			l.Used, l.Of = n, e.Name.Text
		}
	}
	return l
}

// longestKey is the longest partition or sort key, of the table and all indexes.
func (b *builder) longestKey(sort bool) Limit {
	l := Limit{Name: "Partition key", Most: encode.MaxPartitionKey, Bytes: true, Note: "at the declared lengths; an attribute without one counts nothing"}
	if sort {
		l.Name, l.Most = "Sort key", encode.MaxSortKey
	}
	for _, x := range b.spaces() {
		keys, sorts := b.keysOf(x)
		if sort {
			keys = sorts
		}
		for _, k := range keys {
			for _, e := range b.model.Entities {
				template, ok := encode.KeyTemplate(b.model.Table, e, k.Name)
				if n := float64(keytext.MaxBytes(template)); ok && n > l.Used {
					l.Used, l.Of = n, k.Name+" of "+e.Name.Text
				}
			}
		}
	}
	return l
}

func (b *builder) indexCounts() (global, local, projected float64) {
	for _, x := range b.model.Table.Indexes {
		if x.Local {
			local++
		} else {
			global++
		}
		if x.Projection.Type == model.ProjectInclude {
			projected += float64(len(x.Projection.Attributes))
		}
	}
	return global, local, projected
}

// largestCollection is the entity of which the most bytes can stand under one
// partition key, by the greatest declared counts.
func (b *builder) largestCollection() Limit {
	l := Limit{Name: "Item collection", Most: maxCollection, Bytes: true, Note: "of one entity, at the greatest declared count; what local indexes hold comes on top"}
	for _, e := range b.model.Entities {
		template, _ := encode.KeyTemplate(b.model.Table, e, b.model.Table.PartitionKey.Name)
		for _, v := range e.Volumes {
			n := float64(v.Count.Max)
			if v.Rate != nil {
				n = v.Rate.PerSecond * v.Keep.Seconds()
			}
			if n *= b.planner.ItemSize(e); v.PerAttribute != nil && isOf(template, v.By()) && n > l.Used {
				l.Used, l.Of = n, e.Name.Text
			}
		}
	}
	return l
}

// isOf tells whether a template has nothing in it but text and some attributes.
func isOf(t model.Template, attributes []*model.Attribute) bool {
	return !slices.ContainsFunc(t.Parts, func(p model.Part) bool {
		return p.Random > 0 || p.Attribute != nil && !slices.Contains(attributes, p.Attribute)
	})
}

// longestTransaction is the pattern that can put the most actions into one
// transaction.
func (b *builder) longestTransaction() Limit {
	l := Limit{Name: "Transaction", Most: plan.MaxTransaction, Note: "actions, at the greatest declared counts, guards of unique attributes included"}
	for _, p := range b.plans {
		for _, v := range p.Variants {
			if v.Write == nil || v.Write.API != plan.TransactWriteItems {
				continue
			}
			if n := actions(v.Write); n > l.Used {
				l.Used, l.Of = n, p.Pattern.Name.Text
			}
		}
	}
	return l
}

// actions are how many actions a write has at most.
func actions(w *plan.Write) float64 {
	total := 0.0
	for _, a := range w.Actions {
		each, times := 1.0, 1.0
		for _, g := range a.Guards {
			if g.Old != nil {
				each++
			}
			if g.New != nil {
				each++
			}
		}
		for _, f := range a.ForEach {
			times *= float64(f.Count.Max)
		}
		total += each * times
	}
	return total
}

// busiest are the greatest read and write peaks of the table and its indexes.
func (b *builder) busiest() []Limit {
	reads := Limit{Name: "Read throughput", Most: maxTableUnits, Note: "units a second when all patterns are at their peak; a default that AWS raises on request"}
	writes := reads
	writes.Name = "Write throughput"
	for _, x := range b.throughputs() {
		peak := b.load.Peak(x)
		if peak.Reads > reads.Used {
			reads.Used, reads.Of = peak.Reads, spaceName(x)
		}
		if peak.Writes > writes.Used {
			writes.Used, writes.Of = peak.Writes, spaceName(x)
		}
	}
	return slices.DeleteFunc([]Limit{reads, writes}, func(l Limit) bool { return l.Used == 0 })
}

// Accepted is a finding that the model accepts, with the reason.
type Accepted struct {
	Rule   string
	On     string // the part it is accepted on: "the model", "access pattern recent-orders"
	Reason string
}

func (b *builder) accepted() []Accepted {
	var out []Accepted
	add := func(on string, ignores []*model.Ignore) {
		for _, i := range ignores {
			out = append(out, Accepted{Rule: i.Rule.Text, On: on, Reason: i.Reason})
		}
	}
	add("the model", b.model.Ignores)
	for _, x := range b.model.Table.Indexes {
		add(fmt.Sprintf("index %s", x.Name.Text), x.Ignores)
	}
	for _, e := range b.model.Entities {
		add(fmt.Sprintf("entity %s", e.Name.Text), e.Ignores)
	}
	for _, p := range b.model.Patterns {
		add(fmt.Sprintf("access pattern %s", p.Name.Text), p.Ignores)
	}
	return out
}
