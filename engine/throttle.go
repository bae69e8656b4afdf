package engine

import (
	"errors"
	"sync"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/store"
)

// What one partition serves, in units per second (service quotas, DynamoDB
// developer guide).
const (
	partitionReadUnits  = 3000
	partitionWriteUnits = 1000
)

// burstSeconds is for how many seconds unused capacity of a table or index is
// saved up (burst capacity, DynamoDB developer guide).
const burstSeconds = 300

// A demand is what an operation is about to take capacity of.
type demand struct {
	schema    *schema
	index     *index // nil is the table
	partition string // the encoded partition key; "" is of several
	writes    bool
}

// demandOf is the demand of an operation on the item of a key.
func (s *schema) demandOf(key attr.Item, writes bool) demand {
	partition, _ := s.key.appendPartition(nil, key)
	return demand{schema: s, partition: string(partition), writes: writes}
}

func (d demand) space() store.Space {
	if d.index != nil {
		return d.index.space
	}
	return d.schema.space
}

// admit refuses what is to be throttled, before anything is done.
func (db *DB) admit(bad *mischief, d demand) error {
	switch {
	case bad == nil:
		return nil
	case bad.hits(bad.Throttle):
		return d.refuse(false, keyRangeExceeded)
	case bad.Capacity:
		return db.governor.check(d, db.now())
	}
	return nil
}

// charge takes what an operation has consumed.
func (db *DB) charge(bad *mischief, d demand, consumed *meter) {
	if bad == nil || !bad.Capacity {
		return
	}
	now := db.now()
	if d.index == nil {
		db.governor.take(d, consumed.table, now)
	}
	for _, x := range consumed.indexes {
		of := d
		if !x.index.local && x.index != d.index {
			of = demand{schema: d.schema, index: x.index, writes: d.writes}
		}
		db.governor.take(of, x.units, now)
	}
}

// spend admits and charges the reading of an item.
func (db *DB) spend(bad *mischief, key attr.Item, m *meter) error {
	if bad == nil {
		return nil
	}
	d := m.schema.demandOf(key, m.writes)
	if err := db.admit(bad, d); err != nil {
		return err
	}
	db.charge(bad, d, m)
	return nil
}

// chargeItem is charge for an operation on an item.
func (db *DB) chargeItem(bad *mischief, key attr.Item, m *meter) {
	if bad != nil && bad.Capacity {
		db.charge(bad, m.schema.demandOf(key, m.writes), m)
	}
}

// partOf returns the meter of a part of what m measures: m itself, unless the
// part has to be charged.
func (m *meter) partOf(bad *mischief) *meter {
	if bad == nil {
		return m
	}
	return &meter{schema: m.schema, writes: m.writes}
}

// account charges a part that has a meter of its own, and adds it to m.
func (db *DB) account(bad *mischief, key attr.Item, part, m *meter) {
	if part != m {
		db.chargeItem(bad, key, part)
		m.add(part)
	}
}

// admitWrite refuses the write of an item that is to be throttled, or to meet a
// transaction.
func (db *DB) admitWrite(bad *mischief, s *schema, key attr.Item) error {
	switch {
	case bad == nil:
		return nil
	case bad.hits(bad.Conflicts):
		return errConflict
	}
	return db.admit(bad, s.demandOf(key, true))
}

// admitTransaction cancels a transaction for what would refuse its writes: one
// of them meets the other transaction of a conflict.
func (db *DB) admitTransaction(bad *mischief, tx []transactWrite, tables map[string]locked) error {
	if bad == nil {
		return nil
	}
	why := newReasons(len(tx))
	for i, w := range tx {
		if err := db.admit(bad, tables[w.table].schema.demandOf(w.item, true)); err != nil {
			why.add(i, err)
		}
	}
	if bad.hits(bad.Conflicts) {
		why.add(int(bad.draw()*float64(len(tx))), errConflict)
	}
	return why.cancelled()
}

// parts count what a batch has done.
type parts struct {
	done    int
	refused error // why a part was left
}

// errLeft says that a part of a batch is left though it could be processed.
var errLeft = errors.New("left unprocessed")

// leave says why a part of a batch is to be left unprocessed, nil if it is not.
func (db *DB) leave(bad *mischief, p *parts, s *schema, key attr.Item, writes bool) error {
	var err error
	switch {
	case bad == nil:
	case p.done > 0 && bad.hits(bad.Unprocessed):
		return errLeft
	default:
		err = db.admit(bad, s.demandOf(key, writes))
	}
	if err == nil {
		p.done++
	} else {
		p.refused = err
	}
	return err
}

// none returns why all of a batch was left, which the service answers with an
// error.
func (p *parts) none() error {
	if p.done > 0 {
		return nil
	}
	return p.refused
}

// The kinds of limits, as reasons of throttling name them.
const (
	provisionedExceeded = "ProvisionedThroughputExceeded"
	onDemandExceeded    = "MaxOnDemandThroughputExceeded"
	keyRangeExceeded    = "KeyRangeThroughputExceeded"
)

// refuse returns the error of a limit that was reached.
func (d demand) refuse(provisioned bool, limit string) error {
	reason := api.ThrottlingReason{Resource: arnPrefix + d.schema.table}
	if d.index == nil {
		reason.Reason = "Table"
	} else {
		reason.Reason, reason.Resource = "Index", reason.Resource+"/index/"+d.index.name
	}
	if d.writes {
		reason.Reason += "Write"
	} else {
		reason.Reason += "Read"
	}
	reason.Reason += limit
	err := api.Errorf(api.Throttling, "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly. If exceptions persist, check if you have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html")
	if provisioned || limit == keyRangeExceeded {
		err = api.Errorf(api.ThroughputExceeded, "The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.")
	}
	err.Throttled = []api.ThrottlingReason{reason}
	return err
}

// A governor measures out capacity.
type governor struct {
	mu      sync.Mutex
	limits  map[store.Space]limit
	buckets map[bucketKey]*bucket
}

// A limit is the capacity of a table or index, in units per second; 0 is no
// limit.
type limit struct {
	read, write float64
	provisioned bool
}

type bucketKey struct {
	space     store.Space
	partition string
	writes    bool
}

// A bucket holds the units that are left. It fills up as time passes; whoever
// finds something in it may take more than there is.
type bucket struct {
	rate, most float64
	left       float64
	filled     time.Time
}

func (b *bucket) fill(now time.Time) {
	if passed := now.Sub(b.filled).Seconds(); passed > 0 {
		b.left = min(b.most, b.left+passed*b.rate)
	}
	b.filled = now
}

// limit notes the capacity of a table, which is locked, and its indexes.
func (g *governor) limit(t *table) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.limits == nil {
		g.limits = make(map[store.Space]limit)
	}
	s, d := t.schema.Load(), &t.description
	g.limits[s.space] = limitOf(d.ProvisionedThroughput, d.OnDemandThroughput)
	for _, x := range d.GlobalSecondaryIndexes {
		g.limits[s.index(x.IndexName).space] = limitOf(x.ProvisionedThroughput, x.OnDemandThroughput)
	}
}

func limitOf(p *api.ProvisionedThroughputDescription, o *api.OnDemandThroughput) limit {
	if p != nil && p.ReadCapacityUnits > 0 {
		return limit{float64(p.ReadCapacityUnits), float64(p.WriteCapacityUnits), true}
	}
	var l limit
	if o != nil && o.MaxReadRequestUnits != nil {
		l.read = float64(max(*o.MaxReadRequestUnits, 0)) // -1 is no limit
	}
	if o != nil && o.MaxWriteRequestUnits != nil {
		l.write = float64(max(*o.MaxWriteRequestUnits, 0))
	}
	return l
}

// check refuses a demand whose partition, table or index has nothing left. A
// write needs something of every global index, too.
func (g *governor) check(d demand, now time.Time) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if b := g.partition(d, now); b != nil && b.left <= 0 {
		return d.refuse(false, keyRangeExceeded)
	}
	if err := g.checkWhole(d, now); err != nil || !d.writes {
		return err
	}
	for _, x := range d.schema.indexes {
		if err := g.checkWhole(demand{schema: d.schema, index: x, writes: true}, now); err != nil {
			return err
		}
	}
	return nil
}

func (g *governor) checkWhole(d demand, now time.Time) error {
	b, provisioned := g.whole(d, now)
	switch {
	case b == nil || b.left > 0:
		return nil
	case provisioned:
		return d.refuse(true, provisionedExceeded)
	}
	return d.refuse(false, onDemandExceeded)
}

func (g *governor) take(d demand, units float64, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if b := g.partition(d, now); b != nil {
		b.left -= units
	}
	if b, _ := g.whole(d, now); b != nil {
		b.left -= units
	}
}

// partition returns the bucket of the demand's partition, if it has one.
func (g *governor) partition(d demand, now time.Time) *bucket {
	if d.partition == "" {
		return nil
	}
	rate := float64(partitionReadUnits)
	if d.writes {
		rate = partitionWriteUnits
	}
	return g.bucket(bucketKey{d.space(), d.partition, d.writes}, rate, 1, now)
}

// whole returns the bucket of the demand's table or index, if that is limited.
func (g *governor) whole(d demand, now time.Time) (_ *bucket, provisioned bool) {
	l := g.limits[d.space()]
	rate := l.read
	if d.writes {
		rate = l.write
	}
	if rate == 0 {
		return nil, false
	}
	seconds := 1.0
	if l.provisioned {
		seconds = burstSeconds
	}
	return g.bucket(bucketKey{space: d.space(), writes: d.writes}, rate, seconds, now), l.provisioned
}

// maxBuckets is when buckets that are full, and so as good as new, are dropped.
const maxBuckets = 10_000

// bucket returns a bucket, which begins with the units of a second, as it is
// now.
func (g *governor) bucket(key bucketKey, rate, seconds float64, now time.Time) *bucket {
	b := g.buckets[key]
	if b == nil {
		if len(g.buckets) >= maxBuckets {
			g.dropFull(now)
		}
		if g.buckets == nil {
			g.buckets = make(map[bucketKey]*bucket)
		}
		b = &bucket{left: rate, filled: now}
		g.buckets[key] = b
	}
	b.rate, b.most = rate, rate*seconds
	b.fill(now)
	return b
}

func (g *governor) dropFull(now time.Time) {
	for key, b := range g.buckets {
		if b.fill(now); b.left >= b.most {
			delete(g.buckets, key)
		}
	}
}
