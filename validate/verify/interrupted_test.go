package verify

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// notes has patterns whose calls are made up for minutes, if so many are asked for.
const notes = `version: 1
name: notes
table: notes
entities:
  Note:
    attributes: {user: slug, note: slug, text: string, size: integer}
    keys: {PK: "USER#{user}", SK: "NOTE#{note}"}
access_patterns:
  - {name: add-note, create: Note}
  - {name: change-note, update: Note, change: "SET text = $text, size = $size"}
`

// TestInterrupted ends a proof at various moments, of which most are while it
// makes up calls: what it has by then is never given as its result.
func TestInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.yaml")
	if err := os.WriteFile(path, []byte(notes), 0o600); err != nil {
		t.Fatal(err)
	}
	m, plans := load(t, path)
	for after := range 12 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(1<<after)*100*time.Microsecond)
		r, err := Run(ctx, Config{Model: m, Plans: plans, Endpoint: embedded(), Cases: 1_000_000})
		if cancel(); r != nil || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a proof that is broken off gives %v and the error %v, want none and %v", r, err, context.DeadlineExceeded)
		}
	}
}
