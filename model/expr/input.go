package expr

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model/source"
)

// The largest expression that is read. DynamoDB's own limit is 4 KB with every
// name and value replaced by a placeholder; written out it may be longer, but
// hostile input is to be refused before any work is done on it.
const (
	maxText  = 16 << 10 // bytes
	maxDepth = 64       // brackets, NOTs and calls inside one another
)

// Input is the text of an expression or template and where it stands.
type Input struct {
	// Text is the decoded text: what the YAML scalar means.
	Text string
	// At is the place of the scalar; findings stay within it.
	At source.Span
	// Offset maps a byte offset of Text (0 to len(Text)) to the byte offset in
	// the file. Nil: Text is At's text, byte for byte.
	Offset func(int) int
	// IsEntity tells whether a name before a dot is an entity's, as in
	// `Order.status`. Nil: none is.
	IsEntity func(name string) bool
}

// span is the place of a stretch of the text.
func (in Input) span(start, end int) source.Span {
	if in.Offset != nil {
		start, end = in.Offset(start)-in.At.Start, in.Offset(end)-in.At.Start
	}
	return in.At.Sub(start, end)
}

// Problem is what is wrong with an expression or a template.
type Problem struct {
	At      source.Span
	Message string // without a final stop
	Fix     string // what to write instead; may be ""
}

// String is the message with the fix.
func (p *Problem) String() string {
	if p.Fix == "" {
		return p.Message
	}
	return p.Message + ": " + p.Fix
}

// refuse tells of a text that is not read at all, or nil.
func (in Input) refuse() *Problem {
	if len(in.Text) > maxText {
		return &Problem{At: in.At, Message: fmt.Sprintf("an expression of %d bytes is too long; at most %d are read", len(in.Text), maxText)}
	}
	return nil
}
