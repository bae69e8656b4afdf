package seed

import (
	"fmt"
	"time"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model/seed"
)

// patience is how long it may take before progress is shown.
const patience = 500 * time.Millisecond

// progress shows on a terminal how far it is.
type progress struct {
	streams  *terminal.Streams
	off      bool
	start    time.Time
	expected int
	shown    bool
}

func newProgress(streams *terminal.Streams, off bool, p *seed.Population) *progress {
	return &progress{streams: streams, off: off || !streams.ErrTerminal, start: time.Now(), expected: p.Expected()}
}

func (p *progress) show(items int) {
	took := time.Since(p.start)
	if p.off || took < patience {
		return
	}
	p.shown = true
	fmt.Fprintf(p.streams.Err, "\r\x1b[Kseeding: %d of about %d items, %.0f a second", items, p.expected, float64(items)/took.Seconds())
}

func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.streams.Err, "\r\x1b[K")
	}
}
