package check

import (
	"fmt"
	"time"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
)

// patience is how long a check may take before progress is shown.
const patience = 500 * time.Millisecond

// progress shows on a terminal how far a long check is. It writes to standard
// error, and takes away what it wrote.
type progress struct {
	streams *terminal.Streams
	off     bool
	start   time.Time
	shown   bool
}

func newProgress(streams *terminal.Streams, off bool) *progress {
	return &progress{streams: streams, off: off || !streams.ErrTerminal, start: time.Now()}
}

func (p *progress) show(done, total int) {
	if p.off || time.Since(p.start) < patience {
		return
	}
	p.shown = true
	fmt.Fprintf(p.streams.Err, "\r\x1b[Kchecking: %d of %d access patterns", done, total)
}

func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.streams.Err, "\r\x1b[K")
	}
}
