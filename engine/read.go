package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
	"github.com/dynmodel/dynmodel/engine/store"
)

// pageBytes is where a page of a Query or Scan ends: with the item that
// reaches it.
const pageBytes = 1 << 20

// A scope is what a Query or Scan goes through: the items of a table or the
// entries of an index.
type scope struct {
	schema *schema
	index  *index // nil for the table
}

func newScope(s *schema, indexName *string) (scope, error) {
	if indexName == nil {
		return scope{schema: s}, nil
	}
	x := s.index(*indexName)
	if x == nil {
		return scope{}, api.Invalid("The table does not have the specified index: %s", *indexName)
	}
	return scope{schema: s, index: x}, nil
}

func (c scope) key() keySchema {
	if c.index != nil {
		return c.index.key
	}
	return c.schema.key
}

func (c scope) space() store.Space {
	if c.index != nil {
		return c.index.space
	}
	return c.schema.space
}

// global reports whether the scope is a global index, whose reads are
// eventually consistent and see projected attributes only.
func (c scope) global() bool { return c.index != nil && !c.index.local }

// cursor returns the key that tells where an item stands in the scope: that of
// the table together with that of the index.
func (c scope) cursor(item attr.Item) attr.Item {
	return item.Project(func(name string) bool {
		return c.schema.key.has(name) || c.index != nil && c.index.key.has(name)
	})
}

// place returns the storage key that belongs to a cursor.
func (c scope) place(cursor attr.Item) string {
	if c.index != nil {
		return c.index.place(cursor)
	}
	return c.schema.key.storageKey(cursor)
}

// checkCursor checks that an ExclusiveStartKey has exactly the attributes of a
// cursor, with values that can be keys.
func (c scope) checkCursor(start *attr.Item) error {
	if start == nil {
		return nil
	}
	cursor := *start
	if cursor.Len() != c.cursor(cursor).Len() || cursor.Len() != c.cursorLen() {
		return errStartKey
	}
	if !c.key().fits(cursor) {
		return errKeyShape
	}
	if !c.schema.key.fits(cursor) {
		return startKeyRefusal(errKeyShape)
	}
	return c.schema.key.checkValues(cursor, invalidParameter)
}

// cursorLen is how many attributes a cursor has.
func (c scope) cursorLen() int {
	n := len(c.schema.key.all)
	if c.index == nil {
		return n
	}
	for _, a := range c.index.key.all {
		if !c.schema.key.has(a.Name) {
			n++
		}
	}
	return n
}

var errStartKey = api.Invalid("The provided starting key is invalid")

// startKeyRefusal says of an ExclusiveStartKey what is wrong with a key.
func startKeyRefusal(err error) error {
	if err == nil {
		return nil
	}
	return api.Invalid("%s: %s", errStartKey.Message, err.(*api.Error).Message)
}

// checkRead checks what comes first among the members that Query and Scan share.
func checkRead(in *api.ReadInput) error {
	var index error
	if in.IndexName != nil {
		index = checkName("indexName", *in.IndexName)
	}
	return api.First(
		oneOf("select", in.Select, selectSpecific, selectCount, selectAll, selectProjected),
		index)
}

// The values of Select.
const (
	selectAll       = "ALL_ATTRIBUTES"
	selectProjected = "ALL_PROJECTED_ATTRIBUTES"
	selectSpecific  = "SPECIFIC_ATTRIBUTES"
	selectCount     = "COUNT"
)

// checkSelect checks Select against the other members of the request; doing
// says what the request does with an index.
func checkSelect(in *api.ReadInput, doing string) error {
	by := ""
	switch {
	case in.ProjectionExpression != nil:
		by = "ProjectionExpression"
	case in.AttributesToGet != nil:
		by = "AttributesToGet"
	}
	switch {
	case in.Select == selectProjected && in.IndexName == nil:
		return api.Invalid("ALL_PROJECTED_ATTRIBUTES can be used only when %s using an IndexName", doing)
	case in.Select == selectSpecific && by == "":
		return api.Invalid("Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES")
	case in.Select == selectCount && by != "":
		return api.Invalid("Cannot specify the %s when choosing to get only the Count", by)
	case in.Select != "" && in.Select != selectSpecific && by != "":
		return api.Invalid("Cannot specify the %s when choosing to get %s", by, in.Select)
	}
	return nil
}

// A reading is a Query or Scan that has been checked.
type reading struct {
	scope
	ranges     []store.Range // in the order of reading
	limit      int           // 0 is none
	consistent bool
	filter     expr.Condition
	project    func(attr.Item) attr.Item // nil is the whole item
	countOnly  bool
	single     bool        // there is at most one item to read
	fetches    bool        // whole items from the table, for a local index
	partition  string      // that is read; "" is several
	endsEarly  func() bool // nil is never
}

// newExprReading is newReading with a projection, which may be nil.
func newExprReading(c scope, in *api.ReadInput, filter expr.Condition, projection *expr.Projection) (*reading, error) {
	if projection == nil {
		return newReading(c, in, filter, nil, nil)
	}
	return newReading(c, in, filter, projection.Paths(), projection.Of)
}

// newReading puts together what the request says beside the keys to read.
// paths are what project takes of an item.
func newReading(c scope, in *api.ReadInput, filter expr.Condition, paths []expr.Path, project func(attr.Item) attr.Item) (*reading, error) {
	r := &reading{scope: c, consistent: in.ConsistentRead, filter: filter, project: project, countOnly: in.Select == selectCount}
	if in.Limit != nil {
		r.limit = int(*in.Limit)
	}
	if c.index == nil {
		return r, nil
	}
	if c.global() && in.ConsistentRead {
		return nil, api.Invalid("Consistent reads are not supported on global secondary indexes")
	}
	projected, filtered := c.index.notProjected(paths, filter)
	switch {
	case c.global() && in.Select == selectAll && !c.index.projection.all:
		return nil, api.InvalidParameter("Select type ALL_ATTRIBUTES is not supported for global secondary index %s because its projection type is not ALL", c.index.name)
	case c.global() && len(projected) > 0:
		return nil, api.InvalidParameter("Global secondary index %s does not project [%s]", c.index.name, strings.Join(projected, ", "))
	case len(filtered) > 0:
		return nil, api.InvalidParameter("Secondary index %s does not project one or more filter attributes: [%s]", c.index.name, strings.Join(filtered, ", "))
	}
	r.fetches = !c.index.projection.all && (in.Select == selectAll || len(projected) > 0)
	return r, nil
}

// notProjected returns the attributes that the request wants in the answer, or
// looks at in the filter, and that the index does not have.
func (x *index) notProjected(paths []expr.Path, filter expr.Condition) (projected, filtered []string) {
	add := func(list []string, name string) []string {
		if x.projection.has(name) || slices.Contains(list, name) {
			return list
		}
		return append(list, name)
	}
	for _, p := range paths {
		projected = add(projected, p.Top())
	}
	if filter != nil {
		for p := range expr.Paths(filter) {
			filtered = add(filtered, p.Top())
		}
	}
	return projected, filtered
}

// startAfter leaves out of the ranges what a cursor has passed. It reports
// whether the cursor was in one of them.
func (r *reading) startAfter(cursor attr.Item) bool {
	at := r.place(cursor)
	for i, keys := range r.ranges {
		if at < keys.From || keys.To != "" && at >= keys.To {
			continue
		}
		if keys.Down {
			keys.To = at
		} else {
			keys.From = at + "\x00"
		}
		r.ranges = append([]store.Range{keys}, r.ranges[i+1:]...)
		return true
	}
	return false
}

// readPage reads one page, as far as faults let it.
func (db *DB) readPage(ctx context.Context, r *reading, snapshot store.Snapshot, wantCapacity string) (*api.ReadOutput, error) {
	if err := db.checkReadable(r.index); err != nil {
		return nil, err
	}
	bad, m := db.mischiefOf(ctx), meter{schema: r.schema}
	d := demand{schema: r.schema, partition: r.partition}
	if r.global() {
		d.index = r.index
	}
	if err := db.admit(bad, d); err != nil {
		return nil, err
	}
	if stale := db.stale(r.consistent); stale != nil {
		defer stale.Close()
		snapshot = stale
	}
	if bad != nil && bad.ShortPages > 0 {
		r.endsEarly = func() bool { return bad.hits(bad.ShortPages) }
	}
	out, err := r.page(snapshot, &m)
	if err != nil {
		return nil, err
	}
	db.charge(bad, d, &m)
	out.ConsumedCapacity = m.consumed(wantCapacity)
	return out, nil
}

// page reads one page and meters it.
func (r *reading) page(snapshot store.Snapshot, m *meter) (*api.ReadOutput, error) {
	out := new(api.ReadOutput)
	if !r.countOnly {
		out.Items = []attr.Item{}
	}
	size, full := 0, false
	var failed error
	read := func(_ string, entry attr.Item) bool {
		size += entry.Size()
		out.ScannedCount++
		item := entry
		if r.fetches {
			if item, failed = r.fetch(snapshot, entry, m); failed != nil {
				return false
			}
		}
		r.take(out, item)
		if full = out.ScannedCount == r.limit || size >= pageBytes || r.endsEarly != nil && r.endsEarly(); full && !r.single {
			out.LastEvaluatedKey = r.cursor(entry)
		}
		return !full
	}
	for _, keys := range r.ranges {
		if err := first(snapshot.Range(r.space(), keys, read), failed); err != nil {
			return nil, err
		}
		if full {
			break
		}
	}
	if units := readUnits(size, r.consistent); r.index != nil {
		m.addIndex(r.index, units)
	} else {
		m.table += units
	}
	return out, nil
}

// fetch reads the whole item of an entry of a local index, which costs as much
// as reading it alone.
func (r *reading) fetch(snapshot store.Snapshot, entry attr.Item, m *meter) (attr.Item, error) {
	item, _, err := snapshot.Get(r.schema.space, r.schema.key.storageKey(entry))
	m.table += readUnits(item.Size(), r.consistent)
	return item, err
}

// take filters and projects an item for the answer.
func (r *reading) take(out *api.ReadOutput, item attr.Item) {
	if r.filter != nil && !r.filter.Holds(item) {
		return
	}
	out.Count++
	if r.countOnly {
		return
	}
	if r.project != nil {
		item = r.project(item)
	}
	out.Items = append(out.Items, item)
}
