package store

// options are what a call was given beside its parameters.
type options struct {
	consistent bool
	after      Cursor
	size       int
	skip       bool
	capacity   *Capacity
}

// ReadOption changes how items are read by their keys.
type ReadOption interface{ read(*options) }

// QueryOption changes how a table or a local index is queried or scanned.
type QueryOption interface{ query(*options) }

// IndexOption changes how a global index is queried or scanned, which has no
// consistent reads.
type IndexOption interface{ index(*options) }

// WriteOption changes how items are written.
type WriteOption interface{ write(*options) }

// Consistent reads what all writes that were answered before have left.
func Consistent() interface {
	ReadOption
	QueryOption
} {
	return consistently{}
}

type consistently struct{}

func (consistently) read(o *options)  { o.consistent = true }
func (consistently) query(o *options) { o.consistent = true }

// After goes on where a page ended.
func After(c Cursor) interface {
	QueryOption
	IndexOption
} {
	return paging(func(o *options) { o.after = c })
}

// PageSize is how many items a page has, and how many one request of an
// iterator reads.
func PageSize(n int) interface {
	QueryOption
	IndexOption
} {
	return paging(func(o *options) { o.size = n })
}

// SkipUnknown passes over items of entities that this package does not know,
// which are an error otherwise.
func SkipUnknown() interface {
	QueryOption
	IndexOption
} {
	return paging(func(o *options) { o.skip = true })
}

type paging func(*options)

func (p paging) query(o *options) { p(o) }
func (p paging) index(o *options) { p(o) }

// Measure adds what a call consumes to c. Calls that run at the same time need
// a Capacity each.
func Measure(c *Capacity) interface {
	ReadOption
	QueryOption
	IndexOption
	WriteOption
} {
	return measuring{c}
}

type measuring struct{ to *Capacity }

func (m measuring) read(o *options)  { o.capacity = m.to }
func (m measuring) query(o *options) { o.capacity = m.to }
func (m measuring) index(o *options) { o.capacity = m.to }
func (m measuring) write(o *options) { o.capacity = m.to }

func readOptions(list []ReadOption) options {
	var o options
	for _, option := range list {
		option.read(&o)
	}
	return o
}

func queryOptions(list []QueryOption) options {
	var o options
	for _, option := range list {
		option.query(&o)
	}
	return o
}

func indexOptions(list []IndexOption) options {
	var o options
	for _, option := range list {
		option.index(&o)
	}
	return o
}

func writeOptions(list []WriteOption) options {
	var o options
	for _, option := range list {
		option.write(&o)
	}
	return o
}

// limit is the greatest number of items of one request: what the caller says, else
// that of the pattern, 0 for none.
func (o options) limit(pattern int32) *int32 {
	if o.size > 0 {
		pattern = int32(o.size)
	}
	if pattern == 0 {
		return nil
	}
	return &pattern
}

// yes is a pointer to true, nil for false.
func yes(b bool) *bool {
	if !b {
		return nil
	}
	return &b
}
