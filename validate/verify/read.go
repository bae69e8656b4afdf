package verify

import (
	"context"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/validate/oracle"
)

// pagedCalls is how many calls are run again in pages, and mostPaged how many
// items such a call may give, since each one costs a request.
const (
	pagedCalls = 2
	mostPaged  = 5
)

// A read of which one call takes very many requests is called fewer times: not
// again after so many requests, when it was called a few times.
const (
	mostRequests = 2000
	fewestCases  = 4
)

// proveRead runs a pattern that reads: on the generated world with every
// binding, and some of them again in small pages.
func (t *trial) proveRead(ctx context.Context, w *data.World) error {
	world := t.encoded(w.Instances)
	t.noteWorld(world)
	if err := t.stage.hold(ctx, world); err != nil {
		return err
	}
	paged := 0
	for _, b := range t.data.Bindings(t.pattern, w) {
		if t.settled() || t.spent.cases >= fewestCases && t.spent.requests > mostRequests {
			break
		}
		sc := scene{world: world, args: b.Args, now: b.Now}
		if !t.sensible(sc) {
			continue
		}
		f, err := t.attemptRead(ctx, sc)
		if err == nil && f == nil && paged < pagedCalls && t.worthPaging(sc) {
			paged++
			f, err = t.inPages(ctx, sc)
		}
		if err != nil {
			return err
		}
		t.note(f)
	}
	return nil
}

// worthPaging tells whether a call gives enough, and not too many, items for
// pages to tell anything.
func (t *trial) worthPaging(sc scene) bool {
	v := t.plan.For(sc.args)
	if v.Read == nil || (v.Read.API != plan.Query && v.Read.API != plan.Scan) {
		return false
	}
	n := sc.world.world.Read(sc.call(t.pattern)).Want
	return n >= 2 && n <= mostPaged
}

// inPages runs a call again one item and three items at a time.
func (t *trial) inPages(ctx context.Context, sc scene) (*failure, error) {
	for _, sc.paged = range []int{1, 3} {
		if f, err := t.attemptRead(ctx, sc); f != nil || err != nil {
			return f, err
		}
	}
	return nil, nil
}

// attemptRead runs a call on its world, which is stored already.
func (t *trial) attemptRead(ctx context.Context, sc scene) (*failure, error) {
	v := t.plan.For(sc.args)
	if !v.Served() {
		t.unserved++
		return nil, nil
	}
	answer := sc.world.world.Read(sc.call(t.pattern))
	var got result
	f, err := t.stage.await(ctx, t.known, func() (f *failure, err error) {
		got, f, err = t.readOnce(ctx, v, sc, answer)
		return f, err
	})
	if err != nil {
		return nil, err
	}
	if sc.paged == 0 {
		t.spent.count(got.sent, got.count, got.read)
	}
	return f, nil
}

// readOnce sends the requests of a call and judges what comes back.
func (t *trial) readOnce(ctx context.Context, v *plan.Variant, sc scene, answer oracle.Answer) (result, *failure, error) {
	got, err := t.stage.read(ctx, v, sc)
	if err != nil {
		f := &failure{scene: sc, records: sc.world.records, variant: v, requests: got.requests}
		f, err = f.unanswered(err)
		return got, f, err
	}
	t.filtered(v, sc, &got)
	f := t.judge(v, sc, answer, got)
	if f == nil && v.Then != nil && sc.paged == 0 {
		f, err = t.attemptThen(ctx, v, sc, got)
	}
	return got, f, err
}

// known tells whether a wrong answer need not be waited for: it is no matter of
// time, it is wrong in a way that is known of the pattern already, or all that is
// asked is whether a smaller scene fails in that way too.
func (t *trial) known(f *failure) bool {
	switch {
	case f.kind == refused || f.kind == objected || t.phase == shrinking:
		return true
	case t.phase == confirming:
		return false
	}
	return slices.ContainsFunc(t.failures, f.same)
}

// filtered applies what the reader of a get applies after the read: its `filter`,
// and that items are live.
func (t *trial) filtered(v *plan.Variant, sc scene, got *result) {
	if v.Read == nil || len(v.Read.Gets) == 0 {
		return
	}
	call := sc.call(t.pattern)
	var kept []plan.Stored
	for _, item := range got.items {
		if in, ok := t.decoded(item); !ok || call.Holds(v.Read.KeptByReader(in.Entity), in) {
			kept = append(kept, item)
		}
	}
	got.items, got.count = kept, len(kept)
}

// isSelect tells whether a PartiQL statement only reads.
func isSelect(statement string) bool {
	words := strings.Fields(statement)
	return len(words) > 0 && strings.EqualFold(words[0], "SELECT")
}
