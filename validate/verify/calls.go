package verify

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// foreseenCall is a call of a write with what it must do.
type foreseenCall struct {
	scene
	out oracle.Outcome
}

// foreseen asks the oracle what a call must do.
func (t *trial) foreseen(sc scene) foreseenCall {
	return foreseenCall{sc, sc.world.world.Write(sc.call(t.pattern))}
}

// changedWorlds is how many calls are made again without what stands in their
// way, and how many without what they find.
const changedWorlds = 3

// calls are the scenes of a write, those that must be refused and the others.
// Those on the loaded world come first. One that is refused because an item
// exists or a value is taken is also made where that is not so, and one that
// finds items also where they are not. They are cut short when ctx ends.
func (t *trial) calls(ctx context.Context, world *set, w *data.World) (refused, accepted []foreseenCall) {
	add := func(c foreseenCall) {
		if c.out.Refusal == "" {
			accepted = append(accepted, c)
		} else {
			refused = append(refused, c)
		}
	}
	// One that is accepted takes three requests: the call, a look, and putting
	// things right. So there are half as many.
	most := (t.config.Cases + 1) / 2
	freed, emptied, edged, presses, overflows := 0, 0, 0, map[expr.Cond]int{}, overflows{}
	for _, b := range t.data.Bindings(t.pattern, w) {
		if ctx.Err() != nil {
			break
		}
		sc := scene{world: world, args: b.Args, now: b.Now}
		if !t.sensible(sc) {
			continue
		}
		c := t.foreseen(sc)
		if t.pattern.Operation.WritesEach() && c.out.Refusal != "" {
			continue // it is not atomic: what is written before that is as good as any
		}
		if c.out.Refusal != "" || len(accepted) < most {
			add(c)
		}
		if c.out.Refusal != "" && freed < changedWorlds {
			if free := t.freed(c); free.out.Refusal == "" {
				freed++
				add(free)
			}
		}
		if emptied < changedWorlds {
			if empty := t.emptied(c); empty.world != c.world {
				emptied++
				add(empty)
			}
		}
		if c.out.Refusal == "" && edged < changedWorlds {
			edged++
			for _, edge := range t.edged(c) {
				add(edge)
			}
		}
		for _, over := range t.overflowing(c, overflows) {
			add(over)
		}
		for _, pressed := range t.pressed(c, presses) {
			add(pressed)
		}
	}
	loadedFirst := func(a, b foreseenCall) int { return cmp.Compare(changed(a, world), changed(b, world)) }
	slices.SortStableFunc(refused, loadedFirst)
	slices.SortStableFunc(accepted, loadedFirst)
	return refused, accepted
}

// changed is 1 for a call on another world than the given one, else 0.
func changed(c foreseenCall, world *set) int {
	if c.world == world {
		return 0
	}
	return 1
}

// exchange puts another item in the place of one in the scene's world; false
// when it breaks an invariant or cannot be stored, or its key is taken.
func (t *trial) exchange(sc *scene, in, other model.Instance) bool {
	records, err := recordsOf(t.model, other, first(0))
	rest := sc.world.without(in)
	if err != nil || oracle.Breaks(other) != nil || rest.holder(records) >= 0 {
		return false
	}
	sc.world = rest.with(rest.world.With(other), records)
	return true
}

// freed is the call in a world without the items that stand in its way.
func (t *trial) freed(c foreseenCall) foreseenCall {
	for range 4 {
		if c.out.Found == nil || c.out.Refusal != oracle.Exists && c.out.Refusal != oracle.Taken || counts(*c.out.Found) {
			break
		}
		c.world = c.world.without(*c.out.Found)
		c = t.foreseen(c.scene)
	}
	return c
}

// emptied is the call in a world without the items that it finds.
func (t *trial) emptied(c foreseenCall) foreseenCall {
	sc := c.scene
	for _, change := range c.out.Changes {
		if change.Before != nil && !counts(*change.Before) {
			sc.world = sc.world.without(*change.Before)
		}
	}
	if sc.world == c.world {
		return c
	}
	return t.foreseen(sc)
}

// counts tells whether an item counts or sums up others that are there: it is not
// missing while they belong to it.
func counts(in model.Instance) bool {
	return slices.ContainsFunc(in.Entity.Attributes, func(a *model.Attribute) bool {
		v := in.Item[a.Name.Text]
		return a.Aggregate != nil && v.Exists() && !value.Equal(v, value.OfInt(0))
	})
}

// later is how much later a call is made again, so that other buckets of time
// are meant by $now.
const later = 25 * time.Hour

// again are calls that follow on one that was accepted: the same one once more,
// at a later time, and one that brings other values for all that does not
// identify the item.
func (t *trial) again(c foreseenCall) ([]scene, error) {
	world, err := t.next(c.world, c.out)
	if err != nil {
		return nil, err
	}
	next := c.scene
	next.world = world
	next.now = c.now.Add(later)
	scenes := []scene{next}
	if varied, ok := t.varied(next, c.out); ok {
		scenes = append(scenes, varied)
	}
	return slices.DeleteFunc(scenes, func(sc scene) bool { return !t.sensible(sc) }), nil
}

// varied is a call that creates the same items with other values of the
// attributes that do not identify them, taken from what the world holds.
func (t *trial) varied(sc scene, out oracle.Outcome) (scene, bool) {
	args := maps.Clone(sc.args)
	changed := false
	for _, c := range out.Changes {
		if c.Step.Operation != model.Create || minted(c.Step.Entity) {
			continue
		}
		for _, in := range c.Step.Inputs {
			if q := t.pattern.Parameter(parameterOf(in)); q == nil || identifies(c.Step.Entity, in.Attribute) || t.shared(q.Name, in) {
				continue
			}
			for _, other := range sc.world.stored {
				v := other.Item[in.Attribute.Name.Text]
				if other.Entity == c.Step.Entity && v.Exists() && !value.Equal(v, args[parameterOf(in)]) {
					args[parameterOf(in)], changed = v, true
					break
				}
			}
		}
	}
	sc.args = args
	return sc, changed
}

// minted tells whether an entity is identified by something that no two items
// ever share, so that the same one is never made twice with other attributes.
func minted(e *model.Entity) bool {
	return slices.ContainsFunc(e.Identity, func(p model.IdentityPart) bool { return p.Attribute.Minted })
}

func identifies(e *model.Entity, a *model.Attribute) bool {
	return slices.ContainsFunc(e.Identity, func(p model.IdentityPart) bool { return p.Attribute == a })
}

// shared tells whether a parameter is also an input of another step.
func (t *trial) shared(param string, of *model.Assignment) bool {
	return slices.ContainsFunc(t.pattern.AllSteps(), func(s *model.Step) bool {
		return slices.ContainsFunc(s.Inputs, func(in *model.Assignment) bool { return in != of && parameterOf(in) == param })
	})
}

// parameterOf is the name of the parameter that an attribute takes its value
// from, "" when it takes it from elsewhere.
func parameterOf(in *model.Assignment) string {
	if p, ok := in.Value.(*expr.Param); ok {
		return p.Name
	}
	return ""
}
