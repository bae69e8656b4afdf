package terminal

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestInterruptiblePassesOn(t *testing.T) {
	text := strings.Repeat("a model\n", 5000)
	got, err := io.ReadAll(Interruptible(t.Context(), strings.NewReader(text)))
	if err != nil || string(got) != text {
		t.Errorf("%d bytes and %v, want %d and no error", len(got), err, len(text))
	}
}

func TestInterruptibleEnds(t *testing.T) {
	silent, writer := io.Pipe()
	defer writer.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Interruptible(ctx, silent).Read(make([]byte, 1)); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}
