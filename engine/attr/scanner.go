package attr

import (
	"strconv"
	"strings"
)

// Scanner reads JSON text from start to end without building a tree. The
// readers of attribute values stand on it, and so can the reader of a whole
// request:
//
//	s := attr.NewScanner(body)
//	for s.Object(attr.StructureOf("GetItemInput")); s.NextField(); {
//		switch string(s.Field()) {
//		case "TableName":
//			req.TableName = s.String()
//		case "Item":
//			req.Item = s.Item()
//		default:
//			s.Skip()
//		}
//	}
//	err := s.End()
//
// The first error stops the scanner: every later call returns a zero value and
// every loop ends, so one check at the end is enough. [Scanner.Err] is about
// text that is not the expected JSON; [Scanner.Invalid] about attribute values
// that DynamoDB refuses, which it does only after it has read the whole
// request.
type Scanner struct {
	data    []byte
	pos     int
	fresh   bool // just behind an opening bracket
	err     error
	invalid error

	nameStart, nameEnd int    // the current field's name in data,
	nameEscaped        bool   // or in names, if it had escapes
	names              []byte // the last such name

	buf     []byte // attribute values being encoded
	spans   []span // entries and members of the containers being encoded
	scratch []byte
}

// NewScanner returns a scanner of the given JSON text, which must not change
// while it is read.
func NewScanner(data []byte) *Scanner { return &Scanner{data: data} }

// Reset makes the scanner read other text, with the memory it already has.
func (s *Scanner) Reset(data []byte) {
	*s = Scanner{data: data, buf: s.buf[:0], spans: s.spans[:0], scratch: s.scratch[:0], names: s.names[:0]}
}

// Err returns the first error about the JSON itself, a [SerializationError].
func (s *Scanner) Err() error { return s.err }

// Invalid returns the first refusal of an attribute value, a
// [ValidationError].
func (s *Scanner) Invalid() error { return s.invalid }

// TakeInvalid returns what Invalid does, and forgets it.
func (s *Scanner) TakeInvalid() error {
	err := s.invalid
	s.invalid = nil
	return err
}

// End checks that nothing follows but space, and returns the scanner's error.
func (s *Scanner) End() error {
	if s.peek(); s.err == nil && s.pos < len(s.data) {
		s.failSyntax("unexpected text after the end of the document")
	}
	return s.err
}

func (s *Scanner) fail(message string) { s.stop(SerializationError{Message: message}) }

func (s *Scanner) failSyntax(message string) {
	s.stop(SerializationError{Message: message, Syntax: true})
}

func (s *Scanner) stop(err SerializationError) {
	if s.err == nil {
		s.err = &err
	}
	s.pos = len(s.data)
}

// Refuse notes a refusal of what was read, unless it is nil or there is one.
func (s *Scanner) Refuse(err error) {
	if s.invalid == nil {
		s.invalid = err
	}
}

const messageEOF = "Unexpected end of JSON input"

// peek skips space and returns the next byte, 0 at the end.
func (s *Scanner) peek() byte {
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; c {
		case ' ', '\n', '\r', '\t':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of JSON values. KindNone is the end of the text or no value.
const (
	KindNone Kind = iota
	KindNull
	KindBool
	KindNumber
	KindString
	KindArray
	KindObject
)

// Kind returns the kind of the next value without reading it.
func (s *Scanner) Kind() Kind {
	switch c := s.peek(); c {
	case '"':
		return KindString
	case '{':
		return KindObject
	case '[':
		return KindArray
	case 'n':
		return KindNull
	case 't', 'f':
		return KindBool
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return KindNumber
	}
	return KindNone
}

// mismatch reports a value of another shape than the one wanted.
func (s *Scanner) mismatch(want Shape) {
	switch kind := s.Kind(); {
	case s.err != nil:
	case s.pos == len(s.data):
		s.failSyntax(messageEOF)
	case kind == KindNone:
		s.failSyntax("Unexpected character in JSON input: " + strconv.QuoteRune(rune(s.data[s.pos])))
	case kind == KindObject:
		s.fail("Start of structure or map found where not expected")
	case kind == KindArray:
		s.fail("Unrecognized collection type " + want.class())
	default:
		s.fail(want.noScalar(s.tokenName()))
	}
}

// tokenName names the scalar ahead as the service does in its messages.
func (s *Scanner) tokenName() string {
	switch s.data[s.pos] {
	case '"':
		return "STRING_VALUE"
	case 't':
		return "TRUE_VALUE"
	case 'f':
		return "FALSE_VALUE"
	case 'n':
		return "NULL_VALUE"
	}
	for _, c := range s.data[s.pos:] {
		switch c {
		case '.', 'e', 'E':
			return "DECIMAL_VALUE"
		case ',', '}', ']', ' ':
			return "NUMBER_VALUE"
		}
	}
	return "NUMBER_VALUE"
}

// Object enters an object, whose fields [Scanner.NextField] then gives.
func (s *Scanner) Object(want Shape) { s.open('{', want) }

// Array enters an array, whose elements [Scanner.NextElement] announces.
func (s *Scanner) Array(want Shape) { s.open('[', want) }

func (s *Scanner) open(bracket byte, want Shape) {
	if s.peek() != bracket {
		s.mismatch(want)
		return
	}
	s.pos++
	s.fresh = true
}

// NextField moves to the value of the next field of an object, and returns
// false when the object has ended.
func (s *Scanner) NextField() bool {
	if s.plainField() {
		return true
	}
	if !s.next('}') {
		return false
	}
	if c := s.peek(); c != '"' {
		s.unexpected(c, "a field name")
		return false
	}
	s.stringText()
	if c := s.peek(); c != ':' {
		s.unexpected(c, "':'")
		return false
	}
	s.pos++
	return true
}

// Field returns the name of the current field; it is valid until the next
// string is read.
func (s *Scanner) Field() []byte {
	if s.nameEscaped {
		return s.names
	}
	return s.data[s.nameStart:s.nameEnd]
}

// stringText reads a string, which [Scanner.Field] then returns, without
// copying it if it has no escapes.
func (s *Scanner) stringText() {
	start := s.pos + 1
	end := start + plainPrefix(s.data[start:])
	s.nameEscaped = end == len(s.data) || s.data[end] != '"'
	if s.nameEscaped {
		s.names = s.appendString(s.names[:0])
		return
	}
	s.nameStart, s.nameEnd, s.pos = start, end, end+1
}

// NextElement moves to the next element of an array, and returns false when
// the array has ended.
func (s *Scanner) NextElement() bool { return s.next(']') }

func (s *Scanner) next(closing byte) bool {
	c := s.peek()
	switch {
	case s.err != nil:
		return false
	case c == closing:
		s.pos++
		s.fresh = false
		return false
	case s.fresh:
		s.fresh = false
	case c == ',':
		s.pos++
	default:
		s.unexpected(c, "',' or '"+string(rune(closing))+"'")
		return false
	}
	return true
}

// unexpected reports that c, the next byte, is not what must stand there.
func (s *Scanner) unexpected(c byte, want string) {
	if c == 0 {
		s.failSyntax(messageEOF)
		return
	}
	s.failSyntax("Unexpected token where " + want + " was expected")
}

// Null reads a null if it is next, and reports whether it was.
func (s *Scanner) Null() bool {
	return s.peek() == 'n' && s.literal("null")
}

// Bool reads true or false.
func (s *Scanner) Bool() bool {
	switch s.peek() {
	case 't':
		return s.literal("true")
	case 'f':
		s.literal("false")
	case '"':
		return s.quotedBool()
	default:
		s.mismatch(booleanShape)
	}
	return false
}

// quotedBool reads the texts that the service takes for true and false.
func (s *Scanner) quotedBool() bool {
	at := *s
	s.stringText()
	switch text := strings.ToLower(string(s.Field())); {
	case s.err != nil:
	case text == "true", text == "yes", text == "1":
		return true
	case text != "false" && text != "no" && text != "0":
		*s = at
		s.mismatch(booleanShape)
	}
	return false
}

func (s *Scanner) literal(word string) bool {
	if len(s.data)-s.pos < len(word) || string(s.data[s.pos:s.pos+len(word)]) != word {
		s.failSyntax("Unrecognized token in JSON input")
		return false
	}
	s.pos += len(word)
	return true
}

// Int reads a number of Java's type int, of which only the integer part counts.
func (s *Scanner) Int() int64 { return s.integer(integerShape) }

// Long is Int for a number of Java's type long.
func (s *Scanner) Long() int64 { return s.integer(longShape) }

func (s *Scanner) integer(want Shape) int64 {
	text := s.numberText(want)
	i, err := strconv.ParseInt(string(text), 10, 64)
	if err == nil || s.err != nil {
		return i
	}
	f, _ := strconv.ParseFloat(string(text), 64)
	return int64(min(max(f, -1<<53), 1<<53))
}

// Float reads a number.
func (s *Scanner) Float() float64 { return s.float(doubleShape) }

// Date reads a moment: its seconds since 1970.
func (s *Scanner) Date() float64 { return s.float(dateShape) }

func (s *Scanner) float(want Shape) float64 {
	text := s.numberText(want)
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		s.fail("NUMBER_VALUE cannot be converted to " + want.of)
	}
	return f
}

// numberText reads the text of a JSON number.
func (s *Scanner) numberText(want Shape) []byte {
	if s.Kind() != KindNumber {
		s.mismatch(want)
		return nil
	}
	start := s.pos
	n, ok := numberLength(s.data[start:])
	if !ok {
		s.failSyntax("Malformed number in JSON input")
		return nil
	}
	s.pos += n
	return s.data[start:s.pos]
}

// numberLength returns the length of the JSON number that text begins with.
func numberLength(text []byte) (n int, ok bool) {
	digits := func() bool {
		start := n
		for n < len(text) && '0' <= text[n] && text[n] <= '9' {
			n++
		}
		return n > start
	}
	at := func(chars string) bool {
		if n < len(text) && strings.IndexByte(chars, text[n]) >= 0 {
			n++
			return true
		}
		return false
	}
	at("-")
	if !at("0") && !digits() {
		return 0, false
	}
	if at(".") && !digits() {
		return 0, false
	}
	if at("eE") {
		at("+-")
		if !digits() {
			return 0, false
		}
	}
	return n, true
}

// String reads a string.
func (s *Scanner) String() string {
	if s.peek() != '"' {
		s.mismatch(stringShape)
		return ""
	}
	s.stringText()
	return string(s.Field())
}

// maxSkipDepth bounds the nesting of JSON that nobody looks at; the deepest
// well-formed request needs less than a tenth of it.
const maxSkipDepth = 1024

// Skip reads one value of any kind and forgets it.
func (s *Scanner) Skip() {
	var objects [maxSkipDepth / 8]byte // one bit per level: an object, or an array
	depth := 0
	isObject := func() bool { return objects[(depth-1)/8]>>((depth-1)%8)&1 == 1 }
	for s.err == nil {
		switch kind := s.Kind(); kind {
		case KindObject, KindArray:
			if depth == maxSkipDepth {
				s.failSyntax("JSON input is nested too deeply")
				return
			}
			bit := byte(1) << (depth % 8)
			objects[depth/8] &^= bit
			if kind == KindObject {
				objects[depth/8] |= bit
			}
			depth++
			s.open(s.data[s.pos], Shape{})
		default:
			s.skipScalar(kind)
		}
		// Leave all containers that end here; stop in front of a value.
		for depth > 0 && s.err == nil {
			if isObject() && s.NextField() || !isObject() && s.NextElement() {
				break
			}
			depth--
		}
		if depth == 0 {
			return
		}
	}
}

func (s *Scanner) skipScalar(kind Kind) {
	switch kind {
	case KindNull:
		s.Null()
	case KindBool:
		s.Bool()
	case KindNumber:
		s.numberText(doubleShape)
	case KindString:
		s.stringText()
	default:
		s.mismatch(Shape{})
	}
}

// Raw returns the text of the next value, and skips it.
func (s *Scanner) Raw() []byte {
	s.peek()
	start := s.pos
	s.Skip()
	if s.err != nil {
		return nil
	}
	return s.data[start:s.pos]
}
