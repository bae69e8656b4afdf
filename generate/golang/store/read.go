package store

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// reading is a call of a query or a scan.
type reading struct {
	pattern  string
	params   any // what a cursor is bound to
	requests []request
	order    []by
	limit    int      // how many items are wanted; 0: all
	page     int      // how many are in a page, unless the caller says
	keys     []string // the attributes of which a position is made
}

// request is a query, or a scan, of which the pages are read one by one. Those
// of one group are merged; one group comes after the other.
type request struct {
	query *dynamodb.QueryInput
	scan  *dynamodb.ScanInput
	group int
}

// by is an attribute that items are merged by.
type by struct {
	attribute string
	desc      bool
}

// compare orders two items.
func compareItems(order []by, a, b stored) int {
	for _, o := range order {
		x, y := a[o.attribute], b[o.attribute]
		c, ok := compareValues(x, y)
		switch {
		case !ok && x == nil && y != nil:
			c = -1
		case !ok && x != nil && y == nil:
			c = 1
		}
		if o.desc {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

// builder makes the requests of a call, at a time that is the current one or
// that of the page before.
type builder func(now time.Time, o options) (reading, error)

// stream are the items of one request, in order.
type stream struct {
	request  request
	items    []stored // fetched, and not yet taken
	before   stored   // where the request of those items began; nil: at the beginning
	taken    stored   // the last one taken of them; nil: none
	from     stored   // where the next request begins
	finished bool     // there are no more to fetch
}

// head is the next item, nil at the end.
func (s *stream) head(ctx context.Context, t *Table, o options) (stored, error) {
	for len(s.items) == 0 && !s.finished {
		if err := s.fetch(ctx, t, o); err != nil {
			return nil, err
		}
	}
	if len(s.items) == 0 {
		return nil, nil
	}
	return s.items[0], nil
}

func (s *stream) fetch(ctx context.Context, t *Table, o options) error {
	items, _, next, err := t.send(ctx, s.request, s.from, o)
	if err != nil {
		return err
	}
	s.items, s.before, s.taken = items, s.from, nil
	s.from, s.finished = next, len(next) == 0
	return nil
}

func (s *stream) take() stored {
	s.taken, s.items = s.items[0], s.items[1:]
	return s.taken
}

// more tells whether there may be another item.
func (s *stream) more() bool { return len(s.items) > 0 || !s.finished }

// send sends a request for one page.
func (t *Table) send(ctx context.Context, r request, from stored, o options) (items []stored, count int32, next stored, err error) {
	if r.query != nil {
		in := *r.query
		in.ExclusiveStartKey, in.ReturnConsumedCapacity = from, o.capacity.wanted()
		out, err := t.db.Query(ctx, &in)
		if err != nil {
			return nil, 0, nil, err
		}
		o.capacity.add(one(out.ConsumedCapacity)...)
		return out.Items, out.Count, out.LastEvaluatedKey, nil
	}
	in := *r.scan
	in.ExclusiveStartKey, in.ReturnConsumedCapacity = from, o.capacity.wanted()
	out, err := t.db.Scan(ctx, &in)
	if err != nil {
		return nil, 0, nil, err
	}
	o.capacity.add(one(out.ConsumedCapacity)...)
	return out.Items, out.Count, out.LastEvaluatedKey, nil
}

// walk reads the items of a reading in order.
type walk struct {
	reading
	table   *Table
	options options
	now     time.Time
	streams []*stream
	group   int // whose streams are read
}

// begin makes the requests of a call and begins to walk through their items,
// where the cursor says, if there is one.
func (t *Table) begin(o options, build builder) (*walk, error) {
	at := position{Now: t.clock().UTC()}
	if o.after != "" {
		var err error
		if at, err = t.decode(o.after); err != nil {
			return nil, err
		}
	}
	r, err := build(at.Now, o)
	if err != nil && !errors.Is(err, ErrNoMatch) {
		return nil, err
	}
	w := &walk{reading: r, table: t, options: o, now: at.Now}
	for _, request := range r.requests {
		w.streams = append(w.streams, &stream{request: request})
	}
	if o.after != "" {
		return w, w.resume(at)
	}
	return w, nil
}

// next is the next item, nil at the end.
func (w *walk) next(ctx context.Context) (stored, error) {
	for ; ; w.group++ {
		var best *stream
		var least stored
		last := true
		for _, s := range w.streams {
			last = last && s.request.group <= w.group
			if s.request.group != w.group {
				continue
			}
			item, err := s.head(ctx, w.table, w.options)
			if err != nil {
				return nil, err
			}
			if item != nil && (best == nil || compareItems(w.order, item, least) < 0) {
				best, least = s, item
			}
		}
		if best != nil {
			return best.take(), nil
		}
		if last {
			return nil, nil
		}
	}
}

// more tells whether there may be another item.
func (w *walk) more() bool {
	for _, s := range w.streams {
		if s.more() {
			return true
		}
	}
	return false
}

// items are all items of a call, as they are stored.
func (t *Table) items(ctx context.Context, o options, build builder) iter.Seq2[stored, error] {
	return func(yield func(stored, error) bool) {
		w, err := t.begin(o, build)
		if err != nil {
			yield(nil, err)
			return
		}
		for n := 0; w.limit == 0 || n < w.limit; n++ {
			item, err := w.next(ctx)
			if err != nil {
				yield(nil, err)
				return
			}
			if item == nil || !yield(item, nil) {
				return
			}
		}
	}
}

// iterate are all items of a call.
func iterate[T any](ctx context.Context, t *Table, o options, build builder, read func(stored) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for item, err := range t.items(ctx, o, build) {
			var row T
			if err == nil {
				row, err = read(item)
			}
			if o.skip && errors.Is(err, ErrUnknownItem) {
				continue
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// only is the one item of a call.
func only[T any](ctx context.Context, t *Table, o options, build builder, read func(stored) (T, error)) (T, error) {
	var found, none T
	n := 0
	for row, err := range iterate(ctx, t, o, build, read) {
		if err != nil {
			return none, err
		}
		if found = row; n == 1 {
			return none, ErrNotOne
		}
		n++
	}
	if n == 0 {
		return none, ErrNotFound
	}
	return found, nil
}

// count is how many items there are for a call.
func (t *Table) count(ctx context.Context, o options, build builder) (int64, error) {
	w, err := t.begin(o, build)
	if err != nil {
		return 0, err
	}
	n := int64(0)
	for _, s := range w.streams {
		for from := stored(nil); ; {
			_, count, next, err := t.send(ctx, s.request, from, o)
			if err != nil {
				return 0, err
			}
			n += int64(count)
			if w.limit > 0 && n >= int64(w.limit) {
				return int64(w.limit), nil
			}
			if from = next; len(from) == 0 {
				break
			}
		}
	}
	return n, nil
}

// reading is a call whose requests are made: an ErrNoMatch when there are none.
// Of requests that are the same one stays.
func (f *fault) reading(r reading) (reading, error) {
	if f.err != nil {
		return r, f.err
	}
	if len(r.requests) == 0 {
		return r, ErrNoMatch
	}
	var once []request
	for _, one := range r.requests {
		if !slices.ContainsFunc(once, one.same) {
			once = append(once, one)
		}
	}
	r.requests = once
	return r, nil
}

// same tells whether two requests ask for the same.
func (r request) same(other request) bool {
	if r.query == nil || other.query == nil {
		return false
	}
	return *r.query.KeyConditionExpression == *other.query.KeyConditionExpression &&
		sameItem(r.query.ExpressionAttributeValues, other.query.ExpressionAttributeValues)
}

// or is the first thing that is wrong, else another error.
func (f *fault) or(err error) error {
	if f.err != nil {
		return f.err
	}
	return err
}

// backwards are texts from the last to the first.
func backwards(list []string) []string {
	out := slices.Clone(list)
	slices.Reverse(out)
	return out
}

// without are the texts of a list but for one.
func without(list []string, text string) []string {
	return slices.DeleteFunc(list, func(s string) bool { return s == text })
}
