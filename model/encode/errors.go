package encode

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// Fault is why a key cannot be made.
type Fault string

// The faults.
const (
	Missing   Fault = "missing"    // an attribute of a table key is not there
	Empty     Fault = "empty"      // DynamoDB refuses an empty key
	TooLong   Fault = "too long"   // more bytes than a key may have
	WrongKind Fault = "wrong type" // the key attribute has another type
	NoText    Fault = "no text"    // a map, say, inside a text
	NotWhole  Fault = "not whole"  // pad or invert of something that is no whole number
	Negative  Fault = "negative"   // pad or invert of a negative number
	TooWide   Fault = "too wide"   // more digits than pad or invert has room for
	NoTime    Fault = "no time"    // a time cannot be read out of the value
	NotString Fault = "not string" // lower, upper or prefix of something else
)

// Error says why an item cannot be stored, or a function not applied.
type Error struct {
	Fault     Fault
	Entity    string      // the entity's name, or ""
	Key       string      // the key attribute, or ""
	Attribute string      // the attribute inside the key, or "" for the whole key
	Value     value.Value // what was given
	Func      expr.Func   // of the faults of functions
	Limit     int         // bytes, of TooLong
	Want      value.Kind  // of WrongKind
}

// Error says it in one line.
func (e *Error) Error() string {
	where := ""
	if e.Key != "" {
		where = fmt.Sprintf("key %s of %s: ", e.Key, e.Entity)
	}
	return where + e.what()
}

func (e *Error) what() string {
	subject := e.Value.String()
	if e.Attribute != "" {
		subject = e.Attribute + " = " + subject
	}
	switch e.Fault {
	case Missing:
		return e.Attribute + " is not there"
	case Empty:
		return "the value is empty, which DynamoDB refuses in a key"
	case TooLong:
		return fmt.Sprintf("%d bytes, of which a key may have %d", len(e.Value.Text()), e.Limit)
	case WrongKind:
		return fmt.Sprintf("%s is of type %s, the key attribute of type %s", subject, e.Value.Kind(), e.Want)
	case NoText:
		return subject + " has no text"
	case NotWhole:
		return fmt.Sprintf("%s is no whole number, as %s needs", subject, e.Func)
	case Negative:
		return fmt.Sprintf("%s is negative, and %s would not sort it", subject, e.Func)
	case TooWide:
		return fmt.Sprintf("%s does not fit into %s", subject, e.Func)
	case NoTime:
		return fmt.Sprintf("%s holds no time that %s could read", subject, e.Func)
	case NotString:
		return fmt.Sprintf("%s is no string, as %s needs", subject, e.Func)
	}
	return string(e.Fault)
}
