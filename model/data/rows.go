package data

import (
	"strconv"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// rows are what the items of an entity are to be, the most telling first: the
// plainest in two scopes, another like it in each (where there is room for
// another), then each dimension varied alone and, in turn with that, all at
// once so that every value is reached; then the same again.
func (b *builder) rows(s *shape, most int) []row {
	scopes, locals := b.scopes(s), b.locals(s, most)
	join := func(scope, local row) row {
		r := make(row, len(s.dims))
		for i, d := range s.dims {
			if d.scope {
				r[i] = scope[i]
			} else {
				r[i] = local[i]
			}
		}
		return r
	}
	var out []row
	if s.tight() {
		for n := range min(most, max(len(scopes), len(locals))) {
			out = append(out, join(scopes[n%len(scopes)], locals[n%len(locals)]))
		}
		return out
	}
	l, k := 0, 1
	for ; l < min(2, len(locals)); l++ {
		out = append(out, join(scopes[0], locals[l]))
		if len(scopes) > 1 {
			out = append(out, join(scopes[1], locals[l]))
			k = 2
		}
	}
	for len(out) < most && (l < len(locals) || k < len(scopes)) {
		for n := 0; n < 2 && l < len(locals); n++ {
			out = append(out, join(scopes[0], locals[l]))
			if n == 1 && len(scopes) > 1 {
				out = append(out, join(scopes[1], locals[l]))
			}
			l++
		}
		if k < len(scopes) {
			out = append(out, join(scopes[k], locals[k%len(locals)]))
			k++
		}
	}
	for n := 0; len(out) < most; n++ {
		out = append(out, out[n])
	}
	return out[:most]
}

// scopes vary each scope dimension alone. The last item of a reference's
// targets is left out where there are some: it stays without children.
func (b *builder) scopes(s *shape) []row {
	out := []row{make(row, len(s.dims))}
	for n := 1; ; n++ {
		more := false
		for i, d := range s.dims {
			size := b.size(d)
			if d.link != nil && size > 2 && len(b.placed[d.link.target]) > 0 && !s.tight() {
				size--
			}
			if d.scope && n < size {
				r := make(row, len(s.dims))
				r[i] = n
				out = append(out, r)
				more = true
			}
		}
		if !more {
			return out
		}
	}
}

// tight tells whether the identity is made of references alone: there are no
// more items than combinations of what they refer to.
func (s *shape) tight() bool {
	for _, d := range s.dims {
		if d.identity && d.link == nil {
			return false
		}
	}
	return len(s.minted) == 0
}

// size is how many values a dimension has now.
func (b *builder) size(d dim) int {
	if d.link == nil {
		return len(d.values)
	}
	n := len(b.placed[d.link.target])
	switch {
	case d.link.optional:
		return n + 1
	case n == 0:
		return promisesMax
	}
	return n
}

// locals vary what is not scope: each dimension that matters alone and, in
// turn with that, all of them at once, so that what comes late is reached too.
func (b *builder) locals(s *shape, most int) []row {
	plain := make(row, len(s.dims))
	out := []row{plain}
	if !s.tight() {
		out = append(out, plain)
	}
	alone, longest := b.alone(s)
	for n := 2; len(out) < most && (len(alone) > 0 || n < max(longest, 4)); n++ {
		for range min(2, len(alone)) {
			out, alone = append(out, alone[0]), alone[1:]
		}
		if n >= max(longest, 4) {
			continue
		}
		r := make(row, len(s.dims))
		for i, d := range s.dims {
			if !d.scope {
				r[i] = diagonal(d, i, n, b.size(d))
			}
		}
		out = append(out, r)
	}
	return out
}

// alone are the rows in which one dimension is not at its plainest: at its
// next value, and absent; and one in which all are that hardly matter. Longest
// is the most values of a dimension that matters.
func (b *builder) alone(s *shape) (out []row, longest int) {
	at := func(i, n int) {
		r := make(row, len(s.dims))
		r[i] = n
		out = append(out, r)
	}
	others := make(row, len(s.dims))
	for i, d := range s.dims {
		size := b.size(d)
		switch {
		case d.scope:
		case d.weight == 0:
			others[i] = min(1, size-1)
		default:
			longest = max(longest, size)
			if size > 1 {
				at(i, 1)
			}
			if n, ok := d.absent(size); ok && n > 1 {
				at(i, n)
			}
		}
	}
	return append(out, others), longest
}

// diagonal is the value a dimension takes in the n-th row in which all vary.
// What the pattern looks for stays as it is mostly; what hardly matters varies
// a little.
func diagonal(d dim, i, n, size int) int {
	switch {
	case size < 2:
		return 0
	case d.fixed && n%3 != 0:
		return 0
	case d.fixed:
		return 1 + n/3%(size-1)
	case d.weight == weightRange:
		return n % size
	case d.weight == 0:
		if absent, ok := d.absent(size); ok && (n+i)%4 == 1 {
			return absent
		}
		return (n + i) / 2 % size
	}
	return (n + i) % size
}

// add places an item of a row. Where its identity or a unique value is taken,
// or its parent is full, it takes the next value there is for those.
func (b *builder) add(s *shape, r row, pins model.Item) bool {
	item, ok := b.settle(s, r, pins)
	if ok {
		b.place(s.entity, item)
	}
	return ok
}

// settleTries bounds the search for an item that may join the others.
const settleTries = 20

// settle drafts an item of a row that may join those that are there.
func (b *builder) settle(s *shape, r row, pins model.Item) (model.Item, bool) {
	r = append(row(nil), r...)
	fresh := model.Item{}
	for name, v := range pins {
		fresh[name] = v
	}
	for range settleTries {
		item, ok := b.draft(s, r, fresh)
		if !ok || !b.whole(s.entity, item) {
			return nil, false
		}
		if b.room(s.entity, item) {
			return item, true
		}
		if !b.giveWay(s, r, item, fresh, pins) {
			return nil, false
		}
	}
	return nil, false
}

// giveWay changes a row where the item made of it clashes with others; false
// when there is nothing left to change.
func (b *builder) giveWay(s *shape, r row, item, fresh, pins model.Item) bool {
	e := s.entity
	moved := false
	if b.taken[identityOf(e, item)] {
		moved = b.nextOf(s, fresh, pins, func(d dim) bool { return d.identity && !d.scope }) ||
			b.nextOf(s, fresh, pins, func(d dim) bool { return d.identity && d.link == nil }) ||
			b.turn(s, r, pins)
	}
	for n, u := range e.Unique {
		if claim, there := uniqueOf(e, n, u, item); there && b.taken[claim] {
			of := func(d dim) bool {
				for _, a := range u.Of {
					if d.attr == a {
						return true
					}
				}
				return false
			}
			moved = b.nextOf(s, fresh, pins, of) || b.turn(s, r, pins) || moved
		}
	}
	for _, h := range b.g.holders(e, item) {
		if int64(b.counts[h.key]) >= h.most {
			return b.turn(s, r, pins) || moved
		}
	}
	return moved
}

// nextOf gives the last attribute of a kind its next value, first from the
// pool, then made up.
func (b *builder) nextOf(s *shape, fresh, pins model.Item, is func(dim) bool) bool {
	for i := len(s.dims) - 1; i >= 0; i-- {
		d := s.dims[i]
		if d.link != nil || !is(d) {
			continue
		}
		if _, given := pins[d.attr.Name.Text]; given {
			continue
		}
		n := s.next(i)
		v := value.Value{}
		if n < len(d.values) {
			v = d.values[n]
		} else {
			v = another(d.attr, n)
		}
		if v.Exists() && Valid(d.attr, v) {
			fresh[d.attr.Name.Text] = v
			return true
		}
		if n < len(d.values) {
			return true // the next one may do
		}
	}
	return false
}

// next counts through the values of a dimension.
func (s *shape) next(i int) int {
	if s.cursor == nil {
		s.cursor = make([]int, len(s.dims))
	}
	s.cursor[i]++
	return s.cursor[i]
}

// turn moves the references of a row that are not given to the next combination
// of targets.
func (b *builder) turn(s *shape, r row, pins model.Item) bool {
	for i := len(s.dims) - 1; i >= 0; i-- {
		l := s.dims[i].link
		if l == nil || l.given(pins) {
			continue
		}
		if r[i]++; r[i] < len(b.placed[l.target]) {
			return true
		}
		r[i] = 0
	}
	return false
}

// another makes up the n-th further value of an attribute; absent where the
// domain has no room for it.
func another(a *model.Attribute, n int) value.Value {
	text := strconv.Itoa(n)
	candidates := []value.Value{value.OfInt(int64(n)), value.OfString("a" + text), value.OfString("u" + text + "@example.com"),
		value.OfString("https://example.com/" + text), value.OfBinary("a" + text)}
	if a.Type.IsTime() {
		low, _ := timeBounds(a)
		candidates = []value.Value{shift(a, low, n+100)}
	}
	if a.Type.IsID() {
		low, _ := timeBounds(a)
		candidates = []value.Value{Mint(a.Type, low, uint64(n)<<48)}
	}
	if len(a.Domain.Values) > 0 {
		return value.Value{}
	}
	if low, ok := a.Domain.Min.Int(); ok {
		candidates = append(candidates, value.OfInt(low+int64(n)))
	}
	for _, v := range append(candidates, numbered(a, text)...) {
		if Valid(a, v) {
			return v
		}
	}
	return value.Value{}
}

// numbered are texts of an attribute's pattern that end with a number.
func numbered(a *model.Attribute, number string) []value.Value {
	if a.Domain.Pattern == nil || a.Type.Kind() != value.String {
		return nil
	}
	var out []value.Value
	for _, text := range matching(a.Domain.Pattern, nil, leastLength(a)) {
		if n := len(text) - len(number); n >= 0 {
			out = append(out, value.OfString(text[:n]+number))
		}
	}
	return out
}
