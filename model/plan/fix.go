package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/keytext"
)

// fit is how a keyspace serves where for one entity.
type fit struct {
	space  keyspace
	entity *model.Entity
	terms  *terms
	keys   []keyTemplate // of the keyspace's key attributes, in order

	partition keyPart
	sort      keyPart
	// rest are the parts of the sort key that follow the fixed ones, and
	// prefix the literal text and fixed parts before them.
	rest   []sortPart
	prefix []Part

	reasons []Reason
}

// keyPart is what is found for the partition or the sort key.
type keyPart struct {
	conditions []KeyCondition
	fans       []*Fan
	exact      []expr.Cond // terms that hold for everything the conditions read
	boundary   []expr.Cond // terms that hold but for the excluded end of a range
	fixed      []string    // the attributes fixed, each once
	ranged     bool
}

// fix notes that a part is fixed.
func (k *keyPart) fix(p model.Part) {
	if p.Attribute != nil && !slices.Contains(k.fixed, p.Path.String()) {
		k.fixed = append(k.fixed, p.Path.String())
	}
}

// compared tells whether where compares anything in the key.
func (k *keyPart) compared() bool {
	return slices.ContainsFunc(k.conditions, func(c KeyCondition) bool {
		return slices.ContainsFunc(c.Values[0].Parts, func(p Part) bool { return p.Source != nil || p.Fan != nil && p.Fan.Kind == FanIn })
	})
}

// sortPart is a part of a sort key template with what follows it there.
type sortPart struct {
	model.Part
	key       model.KeyAttribute
	following []model.Part
}

// newFit analyses the keyspace for the entity; what speaks against it is in reasons.
func newFit(s keyspace, t *terms) *fit {
	f := &fit{space: s, entity: t.entity, terms: t}
	keys, missing := s.templates(t.entity)
	if len(missing) > 0 {
		f.against(NotInIndex, "%s has no %s", f.entity.Name.Text, strings.Join(missing, " and no "))
		return f
	}
	f.keys = keys
	f.fixPartition()
	if len(f.reasons) > 0 {
		for i := range f.reasons {
			f.reasons[i].near = f.partition.compared()
		}
		return f
	}
	f.fixSort()
	f.checkMembership()
	return f
}

// fixPartition makes an equality for each partition key attribute.
func (f *fit) fixPartition() {
	for i, attribute := range f.space.partition {
		template := f.keys[i].Template
		recipe := Recipe{Kind: recipeKind(attribute, template)}
		var loose []model.Part
		for _, p := range template.Parts {
			part, ok := f.fix(p, &f.partition, true)
			if !ok {
				loose = append(loose, p)
			}
			recipe.Parts = append(recipe.Parts, part)
		}
		if len(loose) > 0 {
			f.reasons = append(f.reasons, f.notFixed(attribute.Name, loose))
		}
		f.partition.conditions = append(f.partition.conditions,
			KeyCondition{Attribute: attribute, Op: model.KeyEq, Values: []Recipe{recipe}})
	}
}

// notFixed says what a partition key needs and where does not fix.
func (f *fit) notFixed(key string, loose []model.Part) Reason {
	r := Reason{Kind: NotFixed, Entity: f.entity.Name.Text}
	if path := f.openEnded(loose[0]); path != "" && len(loose) == 1 {
		r.Text = fmt.Sprintf("its partition key %s needs %s, and `where` states only one end of the range of %s", key, partText(loose[0]), path)
		r.Fix = fmt.Sprintf("state both ends of %s in `where`, and a `span`", path)
		return r
	}
	var names []string
	for _, p := range loose {
		names = append(names, partText(p))
	}
	r.Text = fmt.Sprintf("its partition key %s needs %s, which `where` does not fix", key, strings.Join(names, " and "))
	return r
}

// openEnded is the attribute of a bucket that a range with one end is over, ""
// when there is none.
func (f *fit) openEnded(p model.Part) string {
	if p.Attribute == nil {
		return ""
	}
	a, c := seen(p)
	if _, ok := unitOf(a, c); !ok || !slices.ContainsFunc(f.terms.ranges, func(r *spread) bool { return r.leadsTo(p, c) }) {
		return ""
	}
	return p.Path.String()
}

// fix is how where fixes a part of a template. In a partition key (fanOut) it
// may take a bucket or shard of its own; a sort key uses those there are.
func (f *fit) fix(p model.Part, into *keyPart, fanOut bool) (Part, bool) {
	switch {
	case p.Random > 0:
		return f.shard(p, p.Random, into, fanOut)
	case p.Attribute == nil:
		return Part{Literal: p.Literal}, true
	}
	a, c := seen(p)
	if e := f.equality(p, c); e != nil {
		return f.fixByEquality(p, c, e, into), true
	}
	if unit, ok := unitOf(a, c); ok {
		if part, ok := f.bucket(p, c, unit, into, fanOut); ok {
			return part, true
		}
	}
	if n := len(c); n > 0 && c[n-1].Name == expr.Shard {
		return f.shard(p, c[n-1].N, into, fanOut)
	}
	return Part{}, false
}

// equality is the best equality on a part: of one value before an IN, and the
// one that says most.
func (f *fit) equality(p model.Part, c []expr.Func) *equality {
	var best *equality
	for _, e := range f.terms.equal {
		if !e.leadsTo(p, c) {
			continue
		}
		if best == nil || best.in && !e.in || best.in == e.in && len(e.chain) > len(best.chain) {
			best = e
		}
	}
	return best
}

// leadsTo tells whether the value of the part follows from the subject's.
func (s subject) leadsTo(p model.Part, c []expr.Func) bool {
	return s.path.String() == p.Path.String() && len(s.chain) <= len(c) && slices.Equal(s.chain, c[:len(s.chain)])
}

// value is a part whose text is that of the operand, which the subject is compared with.
func (s subject) value(o expr.Operand, c []expr.Func) Part {
	return Part{Source: o, Attribute: s.attribute, Funcs: s.rest(c), chain: c}
}

// rest are the functions to apply to what the subject is compared with, to get
// a part seen through c.
func (s subject) rest(c []expr.Func) []expr.Func {
	return slices.Concat(s.stored, c[len(s.chain):])
}

func (f *fit) fixByEquality(p model.Part, c []expr.Func, e *equality, into *keyPart) Part {
	into.fix(p)
	part := Part{Attribute: e.attribute, Funcs: e.rest(c), chain: c}
	if tellsApart(e.attribute, c[len(e.chain):]) {
		part.term = e.term
		into.exact = append(into.exact, e.term)
	}
	if e.in {
		part.Fan = f.fanFor(into, &Fan{Kind: FanIn, Name: p.Path.String(), Attribute: e.attribute,
			Values: e.values, FromList: e.fromList})
	} else {
		part.Source = e.values[0]
	}
	return part
}

// bucket fixes a part that is a bucket of time by a range with both ends.
func (f *fit) bucket(p model.Part, c []expr.Func, unit expr.Func, into *keyPart, fanOut bool) (Part, bool) {
	for _, r := range f.terms.ranges {
		if !r.leadsTo(p, c) || r.low.Value == nil || r.high.Value == nil {
			continue
		}
		fan := &Fan{Kind: FanBucket, Name: partText(p), Attribute: keytext.Leaf(p), Unit: unit,
			Low: r.low, High: r.high, Funcs: c[len(r.chain):]}
		if fan = f.share(fan, into, fanOut); fan == nil {
			return Part{}, false
		}
		into.fix(p)
		if len(fan.Funcs) == 0 {
			into.exact = append(into.exact, r.terms()...)
		}
		return Part{Fan: fan, Attribute: fan.Attribute, chain: c}, true
	}
	return Part{}, false
}

func (f *fit) shard(p model.Part, n int, into *keyPart, fanOut bool) (Part, bool) {
	fan := f.share(&Fan{Kind: FanShard, Name: partText(p), Attribute: keytext.Leaf(p), Shards: n, Max: n}, into, fanOut)
	if fan == nil {
		return Part{}, false
	}
	into.fix(p)
	return Part{Fan: fan, Attribute: fan.Attribute, chain: []expr.Func{{Name: expr.Shard, N: n}}}, true
}

// share is the fan that does what the given one does, or that one itself when
// a new one is allowed; nil otherwise.
func (f *fit) share(fan *Fan, into *keyPart, fanOut bool) *Fan {
	if fanOut {
		return f.fanFor(into, fan)
	}
	return f.sameFan(fan)
}

// fanFor is the fan that does what the given one does, or the given one, added.
func (f *fit) fanFor(into *keyPart, fan *Fan) *Fan {
	if same := f.sameFan(fan); same != nil {
		return same
	}
	into.fans = append(into.fans, fan)
	return fan
}

func (f *fit) sameFan(fan *Fan) *Fan {
	for _, other := range slices.Concat(f.partition.fans, f.sort.fans) {
		// Two random shards are drawn apart; those of one attribute go together.
		if other.Kind == fan.Kind && other.Name == fan.Name && fan.Attribute != nil {
			return other
		}
	}
	return nil
}
