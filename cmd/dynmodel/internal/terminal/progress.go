package terminal

import (
	"fmt"
	"time"
)

// patience is how long work may take before its progress is shown.
const patience = 500 * time.Millisecond

// Progress shows on a terminal how far long work is. It writes to standard
// error, and takes away what it wrote. It is used by one goroutine at a time.
type Progress struct {
	streams *Streams
	off     bool
	start   time.Time
	shown   bool
}

// Progress begins now. It shows nothing when off, or when nobody watches.
func (s *Streams) Progress(off bool) *Progress {
	return &Progress{streams: s, off: off || !s.ErrTerminal, start: time.Now()}
}

// Elapsed is the time since the work began.
func (p *Progress) Elapsed() time.Duration { return time.Since(p.start) }

// Show shows a line in place of the one before, once the work takes long.
func (p *Progress) Show(format string, args ...any) {
	if p.off || p.Elapsed() < patience {
		return
	}
	p.shown = true
	fmt.Fprintf(p.streams.Err, "\r\x1b[K"+format, args...)
}

// Clear takes the line away.
func (p *Progress) Clear() {
	if p.shown {
		fmt.Fprint(p.streams.Err, "\r\x1b[K")
		p.shown = false
	}
}
