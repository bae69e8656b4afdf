package terminal

import (
	"fmt"
	"sync"
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

	mu    sync.Mutex // guards what follows from the timer
	line  string     // the latest
	timer *time.Timer
	shown bool
}

// Progress begins now. It shows nothing when off, or when nobody watches.
func (s *Streams) Progress(off bool) *Progress {
	return &Progress{streams: s, off: off || !s.ErrTerminal, start: time.Now()}
}

// Elapsed is the time since the work began.
func (p *Progress) Elapsed() time.Duration { return time.Since(p.start) }

// Show shows a line in place of the one before, once the work takes long: also
// when nothing is done until then.
func (p *Progress) Show(format string, args ...any) {
	if p.off {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line = fmt.Sprintf(format, args...)
	switch wait := patience - p.Elapsed(); {
	case wait <= 0:
		p.write()
	case p.timer == nil:
		p.timer = time.AfterFunc(wait, p.late)
	}
}

// late shows the latest line, unless the work has ended.
func (p *Progress) late() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.line != "" && !p.shown {
		p.write()
	}
}

func (p *Progress) write() {
	p.shown = true
	fmt.Fprint(p.streams.Err, "\r\x1b[K"+p.line)
}

// Clear takes the line away.
func (p *Progress) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.streams.Err, "\r\x1b[K")
	}
	p.line, p.shown = "", false
}
