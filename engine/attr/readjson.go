package attr

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Item reads an object of attribute values: an item, a key, or a map of
// expression values.
func (s *Scanner) Item() Item { return s.item(itemShape) }

// ItemPart is Item for an element of a list.
func (s *Scanner) ItemPart() Item { return s.item(itemShape.Part()) }

func (s *Scanner) item(want Shape) Item {
	s.buf = s.buf[:0]
	_, size := s.entries(1, want)
	if s.err != nil || s.invalid != nil {
		return Item{}
	}
	return makeItem(s.buf, size)
}

// Value reads one attribute value.
func (s *Scanner) Value() Value { return s.aValue(valueShape) }

// ValuePart is Value for an element of a list or an entry of a map.
func (s *Scanner) ValuePart() Value { return s.aValue(valueShape.Part()) }

func (s *Scanner) aValue(want Shape) Value {
	s.buf = s.buf[:0]
	s.value(1, want)
	if s.err != nil || s.invalid != nil {
		return Value{}
	}
	v, _ := cutValue(string(s.buf))
	return v
}

// entries reads an object of attribute values and appends its encoding to
// s.buf, in name order. Of fields with the same name the last one counts. It
// returns how many there are, and the size of their names and values.
func (s *Scanner) entries(depth int, want Shape) (n, size int) {
	base, start := len(s.spans), len(s.buf)
	sorted := true
	for s.Object(want); s.NextField(); {
		name := s.Field()
		switch {
		case len(name) == 0:
			s.Refuse(Invalidf("Empty attribute name"))
		case len(name) > MaxNameBytes:
			s.Refuse(Invalidf("Attribute name is too large, must be less than %d bytes", MaxNameBytes+1))
		}
		p := span{order: firstBytes(name), start: len(s.buf)}
		s.buf = appendBytes(s.buf, name)
		n++
		size += len(name)
		size += s.value(depth, valueShape.Part())
		p.end = len(s.buf)
		sorted = sorted && (len(s.spans) == base || s.before(&s.spans[len(s.spans)-1], &p))
		s.spans = append(s.spans, p)
	}
	if !sorted && s.err == nil && s.arrange(start, s.sortSpans(base)) > 0 && s.invalid == nil {
		n, size = measure(string(s.buf[start:]))
	}
	s.spans = s.spans[:base]
	return n, size
}

// value reads one attribute value, an object with one field named for the
// type, and appends its encoding to s.buf. A null counts as a field that is
// not there. It returns the value's size.
func (s *Scanner) value(depth int, want Shape) (size int) {
	if size, ok := s.plainScalar(); ok {
		return size
	}
	start := len(s.buf)
	typ, known := s.typedValue()
	switch {
	case known:
		s.buf = append(s.buf, byte(typ))
		size = s.payload(typ, depth)
	case s.Null():
		s.Refuse(errNoType)
		return 0
	default:
		s.Object(want)
	}
	for s.NextField() {
		t, known := ParseType(s.Field())
		switch {
		case !known:
			s.Skip()
			continue
		case s.Null():
			continue
		case typ == 0 || typ == t:
			typ = t
		default:
			s.Refuse(errManyTypes)
		}
		s.buf = append(s.buf[:start], byte(t))
		size = s.payload(t, depth)
	}
	if typ == 0 && s.err == nil {
		s.Refuse(errNoType)
	}
	return size
}

// typedValue reads the beginning of an attribute value up to the value itself
// if it stands there as nearly everyone writes it: {"S": without space or
// escapes, and no null behind it.
func (s *Scanner) typedValue() (t Type, ok bool) {
	at := s.data[s.pos:]
	if len(at) < 9 || at[0] != '{' || at[1] != '"' {
		return 0, false
	}
	n := 3 // of what stands before the colon, if the type's name has one letter
	for n < 7 && at[n] != ':' {
		n++
	}
	if at[n] != ':' || at[n-1] != '"' {
		return 0, false
	}
	if t, ok = ParseType(at[2 : n-1]); !ok || at[n+1] == 'n' || at[n+1] <= ' ' {
		return 0, false
	}
	s.pos += n + 1
	return t, true
}

var (
	errNoType    = Invalidf("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")
	errManyTypes = Invalidf("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")
)

// payload reads what a type's field holds and appends its length and encoding.
// It returns the value's size, which is that of Value.Size.
func (s *Scanner) payload(t Type, depth int) (size int) {
	at := len(s.buf)
	s.buf = append(s.buf, 0)
	if (t == L || t == M) && depth == MaxDepth {
		s.Refuse(ErrTooNested)
		s.Skip()
		return 0
	}
	switch t {
	case S, N, B:
		size = s.scalarPayload(t)
	case BOOL:
		bit := payloadFalse
		if s.Bool() {
			bit = payloadTrue
		}
		s.buf = append(s.buf, bit...)
		size = 1
	case NULL:
		size = 1
		if !s.Bool() {
			s.Refuse(Invalidf("One or more parameter values were invalid: Null attribute value types must have the value of true"))
		}
	case L:
		size = 3
		for s.Array(ListOf("AttributeValue")); s.NextElement(); {
			size += 1 + s.value(depth+1, valueShape.Part())
		}
	case M:
		n, entries := s.entries(depth+1, itemShape)
		size = 3 + n + entries
	case SS, NS, BS:
		size = s.setPayload(t)
	}
	s.closeLength(at)
	return size
}

// scalarPayload reads a string, number or binary and appends its encoding. It
// returns the value's size.
func (s *Scanner) scalarPayload(t Type) (size int) {
	start := len(s.buf)
	switch t {
	case S:
		s.stringPayload()
	case N:
		return s.numberPayload()
	case B:
		s.binaryPayload()
	}
	return len(s.buf) - start
}

// closeLength writes the length of the payload behind the byte at. Most are
// short, and then the buffer stays as it is.
func (s *Scanner) closeLength(at int) {
	if n := len(s.buf) - at - 1; n < 0x80 {
		s.buf[at] = byte(n)
		return
	}
	s.buf = closeLength(s.buf, at)
}

func (s *Scanner) stringPayload() {
	if s.isText(stringShape) {
		s.stringText()
		s.buf = append(s.buf, s.Field()...)
	}
}

// isText checks that a JSON string is next.
func (s *Scanner) isText(want Shape) bool {
	if s.peek() == '"' {
		return true
	}
	s.mismatch(want)
	return false
}

func (s *Scanner) numberPayload() (size int) {
	if !s.isText(stringShape) {
		return 0
	}
	s.stringText()
	var d decimal
	if err := parseDecimal(&d, s.Field()); err != nil {
		s.Refuse(err)
		return 0
	}
	s.buf = d.append(s.buf)
	return d.size()
}

func (s *Scanner) binaryPayload() {
	if !s.isText(blobShape) {
		return
	}
	s.stringText()
	text := s.Field()
	out, err := base64.StdEncoding.Strict().AppendDecode(s.buf, text)
	switch {
	case s.err != nil:
	case err == nil && !bytes.ContainsAny(text, "\r\n"):
		s.buf = out
	case len(text)%4 != 0:
		s.fail(fmt.Sprintf("Base64 encoded length is expected a multiple of 4 bytes but found: %d", len(text)))
	default:
		s.fail(base64Problem(text, err))
	}
}

func base64Problem(text []byte, err error) string {
	var at base64.CorruptInputError
	if errors.As(err, &at) && int(at) < len(text) {
		alphabet := "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
		if c := text[at]; !strings.ContainsRune(alphabet, rune(c)) && c != '=' {
			return fmt.Sprintf("Invalid Base64 character: %q", c)
		}
	}
	return "Invalid last non-pad Base64 character dectected" // the service's own spelling
}

// setPayload reads an array of strings and appends the members' encodings in
// order. It returns the value's size.
func (s *Scanner) setPayload(t Type) (size int) {
	base, start := len(s.spans), len(s.buf)
	for s.Array(ListOf("String")); s.NextElement(); {
		if s.Null() {
			s.Refuse(Invalidf("One or more parameter values were invalid: An %s may not have a null string as a member", setWords(t)))
			continue
		}
		p := span{start: len(s.buf)}
		s.buf = append(s.buf, 0)
		size += s.scalarPayload(t.member())
		s.closeLength(p.start)
		p.end = len(s.buf)
		p.order = firstBytes(s.key(&p))
		s.spans = append(s.spans, p)
	}
	if s.err == nil && s.invalid == nil {
		s.arrangeSet(t, base, start)
	}
	s.spans = s.spans[:base]
	return size
}

func (s *Scanner) arrangeSet(t Type, base, start int) {
	if len(s.spans) == base {
		s.Refuse(emptySet(t))
		return
	}
	spans := s.sortSpans(base)
	for i := 1; i < len(spans); i++ {
		if s.same(&spans[i-1], &spans[i]) {
			s.Refuse(s.duplicates(t, spans))
			return
		}
	}
	s.arrange(start, spans)
}

func setWords(t Type) string {
	switch t {
	case NS:
		return "number set "
	case BS:
		return "binary set "
	}
	return "string set "
}

func emptySet(t Type) error {
	if t == BS {
		return Invalidf("One or more parameter values were invalid: Binary sets should not be empty")
	}
	return Invalidf("One or more parameter values were invalid: An %s may not be empty", setWords(t))
}

// duplicates is the refusal of a set with equal members; it lists them as they
// were written.
func (s *Scanner) duplicates(t Type, spans []span) error {
	if t == NS {
		return Invalidf("Input collection contains duplicates")
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	var list []string
	for i := range spans {
		key := s.key(&spans[i])
		text := string(key)
		if t == BS {
			text = base64.StdEncoding.EncodeToString(key)
		}
		list = append(list, text)
	}
	ofType := ""
	if t == BS {
		ofType = "of type BS"
	}
	return Invalidf("One or more parameter values were invalid: Input collection [%s]%s contains duplicates.",
		strings.Join(list, ", "), ofType)
}

// ParseItem reads an item in DynamoDB JSON.
func ParseItem(text []byte) (Item, error) {
	s := NewScanner(text)
	it := s.Item()
	return it, s.outcome()
}

// ParseValue reads a value in DynamoDB JSON.
func ParseValue(text []byte) (Value, error) {
	s := NewScanner(text)
	v := s.Value()
	return v, s.outcome()
}

func (s *Scanner) outcome() error {
	if err := s.End(); err != nil {
		return err
	}
	return s.invalid
}
