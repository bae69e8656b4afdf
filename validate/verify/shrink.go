package verify

import (
	"context"
	"maps"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// mostAttempts bounds the executions spent on making one failure smaller.
const mostAttempts = 160

// shrinker makes a failing scene smaller as long as it fails in the same way.
type shrinker struct {
	trial    *trial
	best     *failure
	attempts int
}

// shrink makes a failure smaller. Where indexes lag, it is made sure that the
// smaller one is not of that.
func (t *trial) shrink(ctx context.Context, f *failure) (*failure, error) {
	t.phase = shrinking
	smaller, err := t.smallest(ctx, f)
	if err != nil || smaller == f || t.stage.lag == 0 {
		return smaller, err
	}
	t.phase = confirming
	if g, err := t.attempt(ctx, smaller.scene); err != nil || !smaller.same(g) {
		return f, err
	}
	return smaller, nil
}

// smallest makes a failure as small as it can: first it drops items, then it
// simplifies values, until neither gets any further.
func (t *trial) smallest(ctx context.Context, f *failure) (*failure, error) {
	s := &shrinker{trial: t, best: f}
	if err := s.onlyCulprits(ctx); err != nil {
		return nil, err
	}
	for progress := true; progress && s.attempts < mostAttempts; {
		progress = false
		for _, pass := range []func(context.Context) (bool, error){s.dropItems, s.leaveOut, s.simplify} {
			smaller, err := pass(ctx)
			if err != nil {
				return nil, err
			}
			progress = progress || smaller
		}
	}
	return s.best, nil
}

// items are those of the smallest scene so far.
func (s *shrinker) items() []model.Instance { return s.best.scene.world.stored }

// tryItems runs the call on other items.
func (s *shrinker) tryItems(ctx context.Context, items []model.Instance) (bool, error) {
	return s.try(ctx, items, s.best.scene.args)
}

// try runs a scene, which becomes the best when it fails in the same way.
func (s *shrinker) try(ctx context.Context, items []model.Instance, args model.Args) (bool, error) {
	if s.attempts >= mostAttempts {
		return false, nil
	}
	s.attempts++
	sc := s.best.scene
	sc.world, sc.args = s.trial.encoded(oracle.Tallied(items)), args
	if len(sc.world.stored) < len(items) {
		return false, nil
	}
	f, err := s.trial.attempt(ctx, sc)
	if err != nil || !s.best.same(f) {
		return false, err
	}
	s.best = f
	return true, nil
}

// onlyCulprits tries at once what shrinking mostly comes to.
func (s *shrinker) onlyCulprits(ctx context.Context) error {
	kept := func(culprits []model.Instance) []model.Instance {
		return slices.DeleteFunc(slices.Clone(s.items()), func(in model.Instance) bool {
			return !slices.ContainsFunc(culprits, func(c model.Instance) bool { return oracle.Identity(c) == oracle.Identity(in) })
		})
	}
	for _, n := range []int{1, 2, len(s.best.culprits)} {
		if n > len(s.best.culprits) || n >= len(s.items()) {
			continue
		}
		if smaller, err := s.tryItems(ctx, kept(s.best.culprits[:n])); smaller || err != nil {
			return err
		}
	}
	return nil
}

// dropItems leaves out stretches of items, shorter and shorter ones.
func (s *shrinker) dropItems(ctx context.Context) (progress bool, err error) {
	for size := (len(s.items()) + 1) / 2; size > 0; size /= 2 {
		for from := 0; from < len(s.items()); {
			to := min(from+size, len(s.items()))
			smaller, err := s.tryItems(ctx, slices.Delete(slices.Clone(s.items()), from, to))
			if err != nil {
				return progress, err
			}
			if smaller {
				progress = true
			} else {
				from = to
			}
		}
	}
	return progress, nil
}

// leaveOut leaves out optional attributes, one after another.
func (s *shrinker) leaveOut(ctx context.Context) (progress bool, err error) {
	for i := range s.items() {
		for again := true; again; {
			again = false
			for _, smaller := range data.Without(s.items()[i]) {
				items := slices.Clone(s.items())
				items[i] = smaller
				if again, err = s.tryItems(ctx, items); again || err != nil {
					break
				}
			}
			if err != nil {
				return progress, err
			}
			progress = progress || again
		}
	}
	return progress, nil
}

// simplify replaces values by simpler ones. A value is replaced wherever it
// stands, so that what refers to something keeps referring to it.
func (s *shrinker) simplify(ctx context.Context) (progress bool, err error) {
	for _, v := range valuesOf(s.items(), s.best.scene.args, s.trial.pattern) {
		for again := true; again; {
			again = false
			for _, simpler := range firstFew(data.Simpler(v.like, v.value)) {
				items, args, ok := replaced(s.items(), s.best.scene.args, s.trial.pattern, v.value, simpler)
				if !ok || !coherent(items) {
					continue
				}
				if again, err = s.try(ctx, items, args); err != nil {
					return progress, err
				}
				if again {
					progress, v.value = true, simpler
					break
				}
			}
		}
	}
	return progress, nil
}

func firstFew(values []value.Value) []value.Value { return values[:min(4, len(values))] }

// place is a value that stands somewhere in a scene, with the attribute whose
// domain it is of.
type place struct {
	value value.Value
	like  *model.Attribute
}

// valuesOf are the different values of a call and its items: in the order of the pattern's
// parameters, then of the items' attributes. Values that others are computed
// from, or that are, stay as they are.
func valuesOf(items []model.Instance, args model.Args, p *model.Pattern) []place {
	var out []place
	add := func(v value.Value, like *model.Attribute) {
		known := func(q place) bool { return value.Equal(q.value, v) }
		if v.Exists() && like != nil && !slices.ContainsFunc(out, known) {
			out = append(out, place{v, like})
		}
	}
	for _, q := range p.Parameters {
		if !q.List {
			add(args[q.Name], q.Domain())
		}
	}
	for _, in := range items {
		for _, a := range in.Entity.Attributes {
			if !computes(in.Entity, a) {
				add(in.Item[a.Name.Text], a)
			}
		}
	}
	return out
}

// computes tells whether the entity computes an attribute from this one, or
// this one from another.
func computes(e *model.Entity, a *model.Attribute) bool {
	return a.Derive != nil || a.Version || a.Aggregate != nil || slices.ContainsFunc(e.Attributes, func(b *model.Attribute) bool { return b.Derive != nil })
}

// replaced are the items and arguments with one value for another everywhere;
// false when that would be outside of a domain.
func replaced(items []model.Instance, args model.Args, p *model.Pattern, from, to value.Value) ([]model.Instance, model.Args, bool) {
	nextArgs := maps.Clone(args)
	for _, q := range p.Parameters {
		next := replacedIn(args[q.Name], from, to)
		if value.Equal(next, args[q.Name]) {
			continue
		}
		if d := q.Domain(); !q.List && (d == nil || !data.Valid(d, next)) {
			return nil, nil, false
		}
		nextArgs[q.Name] = next
	}
	next := slices.Clone(items)
	for i, in := range items {
		for _, a := range in.Entity.Attributes {
			if !value.Equal(in.Item[a.Name.Text], from) {
				continue
			}
			if !data.Valid(a, to) || computes(in.Entity, a) {
				return nil, nil, false
			}
			next[i] = with(next[i], a, to)
		}
	}
	return next, nextArgs, true
}

// replacedIn replaces a value, or members of lists and maps that are it.
func replacedIn(v, from, to value.Value) value.Value {
	switch {
	case value.Equal(v, from):
		return to
	case v.Kind() == value.List:
		items := make([]value.Value, len(v.Items()))
		for i, m := range v.Items() {
			items[i] = replacedIn(m, from, to)
		}
		return value.OfList(items...)
	case v.Kind() == value.Map:
		fields := make([]value.Field, len(v.Fields()))
		for i, f := range v.Fields() {
			fields[i] = value.Field{Name: f.Name, Value: replacedIn(f.Value, from, to)}
		}
		return value.OfMap(fields...)
	}
	return v
}

// coherent tells whether the items are a world: all keep their invariants, no two
// are of one identity, and no two share a value no two may share.
func coherent(instances []model.Instance) bool {
	seen := map[string]bool{}
	for _, in := range instances {
		if oracle.Breaks(in) != nil {
			return false
		}
		for _, claim := range append(oracle.Claims(in), oracle.Identity(in)) {
			if seen[claim] {
				return false
			}
			seen[claim] = true
		}
	}
	return true
}
