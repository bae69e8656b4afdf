package verify

import (
	"errors"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// judge compares what a read gave with what it must give. It is nil when they agree.
func (t *trial) judge(v *plan.Variant, sc scene, answer oracle.Answer, got result) *failure {
	f := &failure{scene: sc, records: sc.world.records, variant: v, requests: got.requests, want: answer.Want}
	if t.pattern.One && len(answer.Matches) > 1 {
		return f.of(ambiguous, answer.Matches...)
	}
	if t.pattern.Count {
		if got.count != answer.Want {
			f.counted = got.count
			return f.of(miscount, answer.Matches...)
		}
		return nil
	}
	f.got = t.recognise(sc.world, answer, got)
	for _, check := range []func(*failure, oracle.Answer) *failure{t.extraItems, t.missingItems, t.lackingAttributes, disordered, t.leaking} {
		if g := check(f, answer); g != nil {
			return g
		}
	}
	return nil
}

// of completes the failure.
func (f *failure) of(k kind, culprits ...model.Instance) *failure {
	f.kind, f.culprits = k, culprits
	return f
}

// unanswered makes it the failure of a call to which there is no answer: DynamoDB
// refuses its request, or the plan makes none of it. Other errors are returned.
func (f *failure) unanswered(err error) (*failure, error) {
	var no *refusal
	var u *unfit
	switch {
	case errors.As(err, &no):
		f.refusal = no
		return f.of(refused), nil
	case errors.As(err, &u):
		f.fault = u.error
		return f.of(objected), nil
	}
	return nil, err
}

// recognise finds out which record each item is that came back: by its table
// key, or, where a projection leaves that out, by being what the projection
// leaves of the record. Of records that look alike, those that match come first.
func (t *trial) recognise(world *set, answer oracle.Answer, got result) []returnedItem {
	out := make([]returnedItem, len(got.items))
	var views map[string][]int
	for i, item := range got.items {
		out[i].item = item
		if t.hasKey(item) {
			if at, known := world.byKey[keyText(t.model.Table, item)]; known {
				out[i].record = world.records[at]
			}
			continue
		}
		if views == nil {
			views = t.views(world, answer, got)
		}
		view := viewText(item)
		if alike := views[view]; len(alike) > 0 {
			out[i].record = world.records[alike[0]]
			views[view] = alike[1:]
		}
	}
	return out
}

func (t *trial) hasKey(item plan.Stored) bool {
	for _, k := range t.model.Table.Keys() {
		if !item[k.Name].Exists() {
			return false
		}
	}
	return true
}

// views are the records by what the projection of the requests leaves of them.
func (t *trial) views(world *set, answer oracle.Answer, got result) map[string][]int {
	matches := make(map[string]bool, len(answer.Matches))
	for _, id := range answer.Identities {
		matches[id] = true
	}
	names := projected(got)
	views := map[string][]int{}
	for _, wanted := range []bool{true, false} {
		for i, r := range world.records {
			if (r.guard == nil && matches[r.id]) != wanted {
				continue
			}
			view := viewText(restricted(r.item, names))
			views[view] = append(views[view], i)
		}
	}
	return views
}

// projected are the attributes that the requests ask for; of a statement those
// that came.
func projected(got result) []string {
	var names []string
	if r := got.requests[0]; r.Projection != "" {
		for _, name := range strings.Split(r.Projection, ",") {
			name = strings.TrimSpace(name)
			if real, ok := r.Names[name]; ok {
				name = real
			}
			names = append(names, name)
		}
		return names
	}
	for _, item := range got.items {
		for name := range item {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func restricted(item plan.Stored, names []string) plan.Stored {
	out := plan.Stored{}
	for _, name := range names {
		if v, ok := item[name]; ok {
			out[name] = v
		}
	}
	return out
}

// viewText is an item as one text, equal for equal items.
func viewText(item plan.Stored) string {
	names := make([]string, 0, len(item))
	for name := range item {
		names = append(names, name)
	}
	slices.Sort(names)
	var text []byte
	for _, name := range names {
		text = append(append(text, name...), 0)
		text = append(item[name].Append(text), 0)
	}
	return string(text)
}

// extraItems looks for items that do not match, or came twice.
func (t *trial) extraItems(f *failure, answer oracle.Answer) *failure {
	left := make(map[string]int, len(answer.Matches))
	for _, id := range answer.Identities {
		left[id]++
	}
	var culprits []model.Instance
	found := false
	for _, g := range f.got {
		if g.record != nil && g.record.guard == nil {
			if left[g.record.id]--; left[g.record.id] >= 0 {
				continue
			}
		}
		found = true
		if g.record != nil {
			culprits = append(culprits, g.record.in)
		}
	}
	if !found {
		return nil
	}
	return f.of(extra, culprits...)
}

// missingItems looks for matching items that did not come. Under a limit any of
// them will do, unless an order says which.
func (t *trial) missingItems(f *failure, answer oracle.Answer) *failure {
	if len(f.got) > answer.Want {
		return f.of(surplus)
	}
	if len(f.got) == answer.Want {
		return nil
	}
	came := make(map[string]bool, len(f.got))
	for _, g := range f.got {
		came[g.record.id] = true
	}
	var culprits []model.Instance
	for i, in := range answer.Matches {
		if !came[answer.Identities[i]] {
			culprits = append(culprits, in)
		}
	}
	return f.of(missing, culprits...)
}

// lackingAttributes looks for attributes that are wanted and did not come with
// their item.
func (t *trial) lackingAttributes(f *failure, _ oracle.Answer) *failure {
	for _, g := range f.got {
		for _, name := range t.wanted(g.record.in.Entity) {
			if !value.Equal(g.record.in.Item[name], g.item[name]) {
				f.attribute = name
				return f.of(lacking, g.record.in)
			}
		}
	}
	return nil
}

// wanted are the attributes that a caller of the pattern gets of an entity. A
// statement says itself which ones it gives.
func (t *trial) wanted(e *model.Entity) []string {
	var names []string
	for _, a := range e.Attributes {
		selected := func(n model.Name) bool { return n.Text == a.Name.Text }
		if t.pattern.Select == nil && t.pattern.Statement == nil || slices.ContainsFunc(t.pattern.Select, selected) {
			names = append(names, a.Name.Text)
		}
	}
	return names
}

// disordered looks for items in another order than the one asked for.
func disordered(f *failure, answer oracle.Answer) *failure {
	var came []model.Instance
	for _, g := range f.got {
		came = append(came, g.record.in)
	}
	if answer.Prefix(came) {
		return nil
	}
	return f.of(disorder, came...)
}

// namedInKeys tells whether the members of a list of keys hold the attribute.
func (t *trial) namedInKeys(attribute string) bool {
	return t.pattern.Operation == model.BatchGet && slices.ContainsFunc(t.pattern.Parameters, func(list *model.Parameter) bool {
		return slices.ContainsFunc(list.Fields, func(q *model.Parameter) bool { return q.Name == attribute })
	})
}

// leaking looks for items of two values of the attribute that separates whose
// data is whose. A caller who names the value for each item wants just that.
func (t *trial) leaking(f *failure, _ oracle.Answer) *failure {
	by := t.model.Table.IsolateBy
	if by == nil || t.pattern.Across || t.namedInKeys(by.Text) {
		return nil
	}
	for _, g := range f.got {
		for _, h := range f.got {
			v, w := g.record.in.Item[by.Text], h.record.in.Item[by.Text]
			if v.Exists() && w.Exists() && !value.Equal(v, w) {
				f.attribute = by.Text
				return f.of(leak, g.record.in, h.record.in)
			}
		}
	}
	return nil
}
