package draft

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model/source"
)

// Kind is what a Note is about.
type Kind string

// The kinds of notes.
const (
	Fault Kind = "fault" // something is wrong in the input
	Lost  Kind = "lost"  // something could not be carried over
)

// Note is something to tell about an import.
type Note struct {
	Kind Kind
	At   source.Span // unknown where the input has no text, as a live table
	Text string      // without a final stop
}

// String is the note in one line: file:line:column: text.
func (n Note) String() string {
	if !n.At.Known() {
		return n.Text
	}
	from := n.At.From()
	return fmt.Sprintf("%s:%d:%d: %s", n.At.File.Name(), from.Line, from.Column, n.Text)
}

// MaxNotes is how many notes of one draft are kept; a person reads no more.
const MaxNotes = 500

// Notes gathers notes. The zero Notes is ready to use.
type Notes struct {
	list []Note
	more int
}

// Faultf notes something that is wrong in the input.
func (n *Notes) Faultf(at source.Span, format string, args ...any) {
	n.add(Note{Fault, at, fmt.Sprintf(format, args...)})
}

// Lostf notes something that could not be carried over.
func (n *Notes) Lostf(at source.Span, format string, args ...any) {
	n.add(Note{Lost, at, fmt.Sprintf(format, args...)})
}

func (n *Notes) add(note Note) {
	if len(n.list) >= MaxNotes {
		n.more++
		return
	}
	n.list = append(n.list, note)
}

// Join puts the notes of another list behind.
func (n *Notes) Join(other *Notes) {
	for _, note := range other.list {
		n.add(note)
	}
	n.more += other.more
}

// All are the notes in order of their places, each once.
func (n *Notes) All() []Note {
	out := slices.Clone(n.list)
	slices.SortStableFunc(out, func(a, b Note) int {
		if c := a.At.Compare(b.At); c != 0 {
			return c
		}
		return strings.Compare(a.Text, b.Text)
	})
	out = slices.Compact(out)
	if n.more > 0 {
		out = append(out, Note{Kind: Fault, Text: fmt.Sprintf("and %d more; they are left out", n.more)})
	}
	return out
}
