package verify

import (
	"context"
	"time"
)

// patience is how long wrong answers of an index are waited for. An endpoint that
// has shown to be quicker than it may be is believed to be so: or a model with
// many faults would take minutes.
type patience struct {
	lag  time.Duration // how long an index may lag behind its table
	late time.Duration // the longest that one was seen to
	vain int           // waits after which an answer was still wrong
}

// fullWaits is how many waits in vain last as long as an index may lag; later
// ones last shortWait of that, or longWait times as long as one was seen to.
const (
	fullWaits = 2
	shortWait = 10
	longWait  = 4
)

// wait is how long to wait for the next answer that is wrong.
func (p *patience) wait() time.Duration {
	if p.vain < fullWaits {
		return p.lag
	}
	return min(p.lag, max(p.lag/shortWait, longWait*p.late))
}

// await looks again and again until nothing is wrong any more, for as long as an
// index may lag. What is known to stay wrong is not waited for.
func (p *patience) await(ctx context.Context, known func(*failure) bool, look func() (*failure, error)) (*failure, error) {
	begin := time.Now()
	for again := false; ; again = true {
		f, err := look()
		switch took := time.Since(begin); {
		case err != nil:
			return nil, err
		case f == nil && again:
			p.late = max(p.late, took)
			return nil, nil
		case f == nil || p.lag == 0 || known(f):
			return f, nil
		case took >= p.wait():
			p.vain++
			return f, nil
		}
		if err := pause(ctx, p.lag/20); err != nil {
			return nil, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
