package terminal

import (
	"bytes"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	watched := &Streams{Err: &out, ErrTerminal: true}
	p := watched.Progress(false)
	p.Show("%d of %d", 1, 9)
	p.Clear()
	if out.Len() > 0 {
		t.Errorf("short work shows %q", out.String())
	}
	p.start = p.start.Add(-time.Minute)
	p.Show("%d of %d", 2, 9)
	p.Clear()
	p.Clear()
	if want := "\r\x1b[K2 of 9\r\x1b[K"; out.String() != want {
		t.Errorf("long work shows %q, want %q", out.String(), want)
	}
	out.Reset()
	late := watched.Progress(false)
	late.Show("%d of %d", 0, 9)
	late.late()
	late.Clear()
	late.late()
	if want := "\r\x1b[K0 of 9\r\x1b[K"; out.String() != want {
		t.Errorf("work that takes long to begin shows %q, want %q", out.String(), want)
	}
	out.Reset()
	for _, silent := range []*Progress{watched.Progress(true), (&Streams{Err: &out}).Progress(false)} {
		silent.start = silent.start.Add(-time.Minute)
		silent.Show("x")
		silent.Clear()
	}
	if out.Len() > 0 {
		t.Errorf("nobody wants to see %q", out.String())
	}
}
