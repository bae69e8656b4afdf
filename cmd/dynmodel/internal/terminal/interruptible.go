package terminal

import (
	"context"
	"io"
)

// Interruptible is a reader that ends with the context's error as soon as the
// context is done, even while nothing comes in. What is then still read is lost.
func Interruptible(ctx context.Context, in io.Reader) io.Reader {
	return &interruptible{ctx: ctx, in: in}
}

type interruptible struct {
	ctx context.Context
	in  io.Reader
}

type chunk struct {
	text []byte
	err  error
}

// Read reads into a buffer of its own, as p belongs to the caller again when
// Read returns.
func (r *interruptible) Read(p []byte) (int, error) {
	came := make(chan chunk, 1)
	go func() {
		text := make([]byte, len(p))
		n, err := r.in.Read(text)
		came <- chunk{text[:n], err}
	}()
	select {
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	case c := <-came:
		return copy(p, c.text), c.err
	}
}
