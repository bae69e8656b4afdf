package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/value"
)

// noIndex reports that nothing serves the pattern, and what keys would.
func (b *builder) noIndex(q *query, candidates []*Candidate) diag.Finding {
	f := diag.Finding{Rule: diag.NoIndex, Entity: b.entityName(), Why: b.reasons(), Span: b.pattern.Name.At}
	nearest := slices.MinFunc(candidates, func(a, b *Candidate) int { return a.distance() - b.distance() })
	f.Message = "no index can serve " + b.pattern.Name.Text
	if b.pattern.IndexPinned {
		f.Index = nearest.Name()
		f.Span = b.pattern.IndexAt
		f.Message = fmt.Sprintf("%s cannot serve %s, which names it: %s", placeOf(nearest.Index), b.pattern.Name.Text, nearest.reasonText())
	}
	f.Fix = q.proposal(b.spaces)
	if len(nearest.Reasons) == 1 && nearest.Reasons[0].Kind == NotFixed && nearest.Reasons[0].Fix != "" {
		f.Fix = nearest.Reasons[0].Fix + "; or " + f.Fix
	}
	if nearest.lacksOnly(NotMember) {
		f.Fix = "restrict `where` to what " + placeOf(nearest.Index) + " holds, or " + f.Fix
	}
	if other := choose(b.variant.Candidates, (*Candidate).Eligible); other != nil {
		f.Fix = "leave `index` out: " + placeOf(other.Index) + " serves it"
	}
	return f
}

// distance tells how far a candidate is from serving.
func (c *Candidate) distance() int {
	n := 0
	for _, r := range c.Reasons {
		switch r.Kind {
		case NotInIndex:
			n += 100
		case NotFixed, NotOnePartition:
			n += 30
			if r.near {
				n -= 10
			}
			if r.Fix != "" {
				n -= 10
			}
		default:
			n++
		}
	}
	return n
}

// proposal is an index and keys that would serve the query, in words.
func (q *query) proposal(spaces []keyspace) string {
	keys := make([]proposedKeys, len(q.terms))
	for i, t := range q.terms {
		keys[i] = t.propose(model.OrderWithin(q.pattern.Order, t.entity), len(q.terms) > 1)
	}
	partition, sort, place := q.room(spaces)
	var each []string
	for i, t := range q.terms {
		each = append(each, fmt.Sprintf("%s the keys %s: %q and %s: %q", t.entity.Name.Text, partition, keys[i].partition, sort, keys[i].sort))
	}
	give := "give " + strings.Join(each, ", ")
	if place != "" {
		return fmt.Sprintf("%s, in index %s, where there is room", give, place)
	}
	name := freeName(q.model.Table)
	return fmt.Sprintf("add index %s: {partition_key: %s, sort_key: %s} and %s", name, partition, sort, give)
}

// room is an existing global index in which none of the entities has keys yet,
// or the names of a new one (place "").
func (q *query) room(spaces []keyspace) (partition, sort, place string) {
	for _, s := range spaces {
		if s.global() && s.isPlain() && !slices.ContainsFunc(q.terms, func(t *terms) bool { return !s.hasRoom(t.entity) }) {
			return s.partition[0].Name, s.sort[0].Name, s.name()
		}
	}
	name := freeName(q.model.Table)
	return name + "PK", name + "SK", ""
}

// isPlain tells whether the index has one partition and one sort key attribute
// of text and holds everything.
func (s keyspace) isPlain() bool {
	return len(s.partition) == 1 && len(s.sort) == 1 && s.partition[0].Kind == value.String && s.sort[0].Kind == value.String &&
		s.index.Projection.Type == model.ProjectAll
}

// hasRoom tells whether the entity makes none of the index's keys, nor has
// attributes of their names.
func (s keyspace) hasRoom(e *model.Entity) bool {
	_, missing := s.templates(e)
	return len(missing) == len(s.keys()) &&
		!slices.ContainsFunc(s.keys(), func(k model.KeyAttribute) bool { return e.Attribute(k.Name) != nil })
}

// freeName is the first of GSI1, GSI2, … that no index has.
func freeName(t *model.Table) string {
	for n := 1; ; n++ {
		if name := fmt.Sprintf("GSI%d", n); t.Index(name) == nil {
			return name
		}
	}
}

// proposedKeys are templates of a partition and a sort key.
type proposedKeys struct{ partition, sort string }

// propose makes keys that serve the terms: what is equal becomes the partition,
// what is ordered by or ranged over leads the sort key, and the rest of the
// identity keeps items apart.
func (t *terms) propose(by []model.OrderBy, together bool) proposedKeys {
	name := strings.ToUpper(t.entity.Name.Text)
	var partition, sort []string
	used := map[string]bool{}
	for _, e := range t.equal {
		if !used[e.path.String()] {
			used[e.path.String()] = true
			partition = append(partition, bracedPart(e.subject))
		}
	}
	lead, leads := t.leading(by)
	if len(partition) == 0 {
		partition = t.bucketOf(lead)
	}
	if len(partition) == 0 && !together {
		partition = t.shards()
	}
	alone := false
	if lead != "" && !used[lead] {
		used[lead] = true
		sort = append(sort, leads)
		alone = t.runsOn(lead)
	}
	for _, part := range t.entity.Identity {
		if n := part.Attribute.Name.Text; !used[n] && !alone {
			sort = append(sort, proposedPart(t.entity, n))
		}
	}
	head := name
	if together {
		head = "GROUP"
		sort = append([]string{name}, sort...)
	}
	if len(sort) == 0 {
		sort = []string{name}
	}
	return proposedKeys{partition: strings.Join(append([]string{head}, partition...), "#"), sort: strings.Join(sort, "#")}
}

// leading is the attribute that the sort key should begin with, "" for none, and
// the part it is there.
func (t *terms) leading(by []model.OrderBy) (path, part string) {
	of := func(s subject) (string, string) {
		if len(s.chain) > len(s.stored) {
			return s.path.String(), bracedPart(s)
		}
		return s.path.String(), proposedPart(t.entity, s.path.String())
	}
	switch {
	case len(by) > 0:
		return by[0].Attribute, proposedPart(t.entity, by[0].Attribute)
	case len(t.ranges) > 0:
		return of(t.ranges[0].subject)
	case len(t.begins) > 0:
		return of(t.begins[0].subject)
	}
	return "", ""
}

// runsOn tells whether the texts of an attribute can hold the delimiter, so that
// what a key has behind one would be taken for a piece of it. An index can do
// without, for its keys need not be unique.
func (t *terms) runsOn(path string) bool {
	a := t.entity.Attribute(path)
	return a != nil && a.Type.Kind() == value.String && keytext.Of(a, nil).Width() == 0 && keytext.Of(a, nil).Has('#')
}

// bucketOf is a day's bucket of a time that has both ends, so that not all
// items share one partition.
func (t *terms) bucketOf(lead string) []string {
	for _, r := range t.ranges {
		if r.path.String() == lead && r.attribute.Type.HasTime() && r.low.Value != nil && r.high.Value != nil && len(r.chain) == 0 {
			if r.attribute.Type == model.TypeMonth || r.attribute.Type == model.TypeDate {
				return []string{"{" + lead + "}"}
			}
			return []string{"{" + lead + "|day}"}
		}
	}
	return nil
}

// fewItems is how many items may share one partition without a second thought.
const fewItems = 1000

// shards keep all items of an entity from sharing one partition, unless few are
// declared.
func (t *terms) shards() []string {
	few := func(v *model.Volume) bool {
		return v.PerAttribute == nil && v.PerEntity == nil && v.Count.Max > 0 && v.Count.Max <= fewItems
	}
	if slices.ContainsFunc(t.entity.Volumes, few) || len(t.entity.Identity) == 0 {
		return nil
	}
	return []string{"{" + t.entity.Identity[0].Attribute.Name.Text + "|shard(8)}"}
}

func bracedPart(s subject) string {
	out := s.path.String()
	for _, f := range s.chain[len(s.stored):] {
		out += "|" + f.String()
	}
	return "{" + out + "}"
}

// proposedPart is an attribute in a form that sorts in a key.
func proposedPart(e *model.Entity, name string) string {
	a := e.Attribute(name)
	if a == nil || plainSorts(a) == ascending {
		return "{" + name + "}"
	}
	if a.Type == model.TypeDatetime || a.Type == model.TypeNumber {
		return "{" + name + "}"
	}
	return fmt.Sprintf("{%s|pad(%d)}", name, digitsOf(a))
}

// digitsOf is the number of digits that a whole number needs.
func digitsOf(a *model.Attribute) int {
	if n, ok := a.Domain.Max.Int(); ok && n >= 0 {
		return len(value.OfInt(n).Text())
	}
	switch a.Type {
	case model.TypeEpoch:
		return 10
	case model.TypeEpochMS:
		return 13
	}
	return 15
}
