package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Faults make a DB behave like the service on a bad day, so that programs can
// test how they retry, page and read stale data. The zero Faults are none.
//
// Shares are from 0, never, to 1, always. Which requests they hit follows from
// the Seed and the order of requests.
type Faults struct {
	Seed uint64

	// Latency is how long a request waits on average, half as long at least.
	Latency time.Duration

	// Throttle is the share of reads and writes that are refused because of
	// their throughput; in batches they are left unprocessed.
	Throttle float64

	// Capacity refuses what goes beyond the capacity of a table or index, as it
	// is provisioned or limited on demand, or beyond 3,000 read and 1,000 write
	// units per second of one partition key value (service quotas, DynamoDB
	// developer guide), by the DB's clock.
	Capacity bool

	// Unprocessed is the share of a batch's parts that it leaves for the next
	// one; the first is always processed.
	Unprocessed float64

	// Conflicts is the share of writes, and of transactions, that meet another
	// transaction on the same item.
	Conflicts float64

	// Lag is how old the state is that eventually consistent reads see, of
	// tables and of indexes, by the DB's clock. It cannot be asked for by a
	// single request.
	Lag time.Duration

	// ShortPages is the share of items after which the page of a Query or Scan
	// ends early.
	ShortPages float64
}

// FaultHeader is the header of a request that has faults of its own, in the
// form of [ParseFaults], instead of the DB's.
const FaultHeader = "X-Dynmodel-Fault"

// ParseFaults reads faults as in "throttle=0.1,latency=50ms,capacity". The names
// are those of the fields: seed, latency, throttle, capacity, unprocessed,
// conflicts, lag, short-pages.
func ParseFaults(text string) (Faults, error) {
	var f Faults
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		if err := f.set(strings.TrimSpace(name), strings.TrimSpace(value)); err != nil {
			return Faults{}, fmt.Errorf("fault %q: %w", part, err)
		}
	}
	return f, nil
}

func (f *Faults) set(name, value string) (err error) {
	switch name {
	case "seed":
		f.Seed, err = strconv.ParseUint(value, 10, 64)
	case "latency":
		f.Latency, err = parsePositive(value)
	case "lag":
		f.Lag, err = parsePositive(value)
	case "throttle":
		f.Throttle, err = parseShare(value)
	case "unprocessed":
		f.Unprocessed, err = parseShare(value)
	case "conflicts":
		f.Conflicts, err = parseShare(value)
	case "short-pages":
		f.ShortPages, err = parseShare(value)
	case "capacity":
		if f.Capacity = value == ""; !f.Capacity {
			err = fmt.Errorf("capacity has no value")
		}
	default:
		err = fmt.Errorf("there are seed, latency, throttle, capacity, unprocessed, conflicts, lag and short-pages")
	}
	return err
}

func parseShare(text string) (float64, error) {
	share, err := strconv.ParseFloat(text, 64)
	if err != nil || !(share >= 0 && share <= 1) {
		return 0, fmt.Errorf("a share is a number from 0 to 1")
	}
	return share, nil
}

func parsePositive(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("a time is written like 50ms or 2s")
	}
	return d, nil
}

// WithFaults makes the DB behave badly, unless there are no faults.
func WithFaults(f Faults) Option {
	return func(db *DB) {
		if db.faults = nil; f != (Faults{Seed: f.Seed}) {
			db.faults = newMischief(f)
		}
	}
}

// A mischief carries faults out; nil has none.
type mischief struct {
	Faults
	mu   sync.Mutex
	dice *rand.Rand
}

func newMischief(f Faults) *mischief {
	return &mischief{Faults: f, dice: rand.New(rand.NewPCG(f.Seed, f.Seed))}
}

// draw returns a number from 0 up to 1.
func (m *mischief) draw() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.dice.Float64()
}

// hits reports whether something happens that has a share.
func (m *mischief) hits(share float64) bool { return share > 0 && m.draw() < share }

// delay waits for the latency, or until the request is given up.
func (m *mischief) delay(ctx context.Context) {
	if m == nil || m.Latency == 0 {
		return
	}
	timer := time.NewTimer(time.Duration((0.5 + m.draw()) * float64(m.Latency)))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// mischiefKey is that of a request's own faults in its context.
type mischiefKey struct{}

// mischiefOf returns the faults of a request.
func (db *DB) mischiefOf(ctx context.Context) *mischief {
	if own, ok := ctx.Value(mischiefKey{}).(*mischief); ok {
		return own
	}
	return db.faults
}

// withOwnFaults returns the context of a request that has faults of its own.
func withOwnFaults(ctx context.Context, text string) (context.Context, error) {
	f, err := ParseFaults(text)
	if err != nil {
		return nil, err
	}
	if f.Lag > 0 {
		return nil, fmt.Errorf("fault lag: the endpoint has to be started with it, so that it knows former states")
	}
	return context.WithValue(ctx, mischiefKey{}, newMischief(f)), nil
}
