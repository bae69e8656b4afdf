package attr

import "fmt"

// ValidationError is a refusal that DynamoDB answers as a ValidationException,
// with its message.
type ValidationError struct{ Message string }

func (e *ValidationError) Error() string { return e.Message }

// Invalidf returns a ValidationError with the formatted message.
func Invalidf(format string, args ...any) error {
	if len(args) == 0 {
		return &ValidationError{Message: format}
	}
	return &ValidationError{Message: fmt.Sprintf(format, args...)}
}

// ErrTooNested is the refusal of a value whose [Value.Depth] is above
// [MaxDepth].
var ErrTooNested = Invalidf("Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit")

// SerializationError is a refusal of text that is not the JSON DynamoDB
// expects. The service answers it as a SerializationException, before it
// validates anything.
type SerializationError struct {
	Message string
	Syntax  bool // the text is no JSON at all, on which the service wastes no words
}

func (e *SerializationError) Error() string { return e.Message }
