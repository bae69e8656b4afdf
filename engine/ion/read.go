package ion

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// ReadStruct reads a line: the struct on it, behind the version marker if there
// is one. Numbers may be integers, too, and names of fields strings, as JSON has
// them.
func ReadStruct(line string) (item attr.Item, err error) {
	r := reader{text: line}
	defer func() {
		if failure, ok := recover().(failure); ok {
			err = fmt.Errorf("the Ion text is wrong at character %d: %s", failure.at+1, failure.what)
		}
	}()
	if r.skipSpace(); strings.HasPrefix(r.text[r.pos:], strings.TrimSpace(Marker)) {
		r.pos += len(strings.TrimSpace(Marker))
	}
	if r.peek() != '{' || r.has("{{") {
		r.fail("a struct is expected")
	}
	item = r.structure(0)
	if r.peek() != 0 {
		r.fail("something follows the struct")
	}
	return item, nil
}

// A reader reads one text from start to end. What is wrong with it is thrown as
// a failure.
type reader struct {
	text string
	pos  int
}

type failure struct {
	at   int
	what string
}

func (r *reader) fail(format string, args ...any) {
	panic(failure{r.pos, fmt.Sprintf(format, args...)})
}

// peek skips space and comments, and returns the next byte, 0 at the end.
func (r *reader) peek() byte {
	r.skipSpace()
	if r.pos == len(r.text) {
		return 0
	}
	return r.text[r.pos]
}

func (r *reader) skipSpace() {
	for r.pos < len(r.text) {
		rest := r.text[r.pos:]
		switch {
		case strings.IndexByte(" \t\r\n\v\f", rest[0]) >= 0:
			r.pos++
		case strings.HasPrefix(rest, "//"):
			r.pos += len(upTo(rest, "\n"))
		case strings.HasPrefix(rest, "/*"):
			r.pos += len(upTo(rest[2:], "*/")) + 2
		default:
			return
		}
	}
}

// upTo returns what a text has up to and with an end, all of it if there is none.
func upTo(text, end string) string {
	if i := strings.Index(text, end); i >= 0 {
		return text[:i+len(end)]
	}
	return text
}

func (r *reader) has(token string) bool { return strings.HasPrefix(r.text[r.pos:], token) }

// take reads a token if it is next.
func (r *reader) take(token string) bool {
	r.skipSpace()
	if !r.has(token) {
		return false
	}
	r.pos += len(token)
	return true
}

func (r *reader) want(token string) {
	if !r.take(token) {
		r.fail("%q is expected", token)
	}
}

// maxDepth bounds nesting, so that no text can exhaust the stack. Items nest less.
const maxDepth = attr.MaxDepth + 1

func (r *reader) structure(depth int) attr.Item {
	var entries []attr.Entry
	r.want("{")
	for !r.take("}") {
		name := r.field()
		r.want(":")
		entries = append(entries, attr.Entry{Name: name, Value: r.value(depth + 1)})
		if !r.take(",") && r.peek() != '}' {
			r.fail("',' or '}' is expected")
		}
	}
	return attr.NewItem(entries...)
}

func (r *reader) field() string {
	switch c := r.peek(); {
	case c == '"' || r.has("'''"):
		return r.string()
	case c == '\'':
		r.pos++
		return r.quoted("'")
	}
	return r.word()
}

// word reads a symbol without quotes, or a keyword.
func (r *reader) word() string {
	r.skipSpace()
	start := r.pos
	for r.pos < len(r.text) && isWord(r.text[r.pos]) {
		r.pos++
	}
	if r.pos == start {
		r.fail("a name or a value is expected")
	}
	return r.text[start:r.pos]
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$'
}

func (r *reader) value(depth int) attr.Value {
	if depth > maxDepth {
		r.fail("it is nested too deeply")
	}
	switch c := r.peek(); {
	case r.has("{{"):
		return r.blob()
	case c == '{':
		return attr.Map(r.structure(depth))
	case c == '[':
		return attr.List(r.elements(depth)...)
	case c == '"' || r.has("'''"):
		return attr.String(r.string())
	case c == '-' || c >= '0' && c <= '9':
		return r.number()
	}
	start := r.pos
	word := r.field()
	if r.take("::") {
		return r.annotated(word, depth)
	}
	switch word {
	case "true", "false":
		return attr.Bool(word == "true")
	case "null":
		if r.has(".") {
			r.fail("a null of a type has no place in an item")
		}
		return attr.Null()
	}
	r.pos = start
	r.fail("%s is no value of an item", word)
	return attr.Value{}
}

func (r *reader) elements(depth int) []attr.Value {
	var all []attr.Value
	r.want("[")
	for !r.take("]") {
		all = append(all, r.value(depth+1))
		if !r.take(",") && r.peek() != ']' {
			r.fail("',' or ']' is expected")
		}
	}
	return all
}

// annotated reads what stands behind an annotation. Those that are not of
// DynamoDB say nothing about an item.
func (r *reader) annotated(name string, depth int) attr.Value {
	kind, ok := sets[name]
	if !ok {
		return r.value(depth + 1)
	}
	start := r.pos
	members := r.elements(depth)
	for _, m := range members {
		if m.Type() != kind {
			r.pos = start
			r.fail("a set has members of one type")
		}
	}
	if set := attr.Set(members...); set.Exists() && set.Len() == len(members) {
		return set
	}
	r.pos = start
	r.fail("a set is empty, or has a member twice")
	return attr.Value{}
}

func (r *reader) number() attr.Value {
	start := r.pos
	for r.pos < len(r.text) && (isWord(r.text[r.pos]) || strings.IndexByte("+-.", r.text[r.pos]) >= 0) {
		r.pos++
	}
	text := r.text[start:r.pos]
	plain := strings.NewReplacer("_", "", "d", "e", "D", "e").Replace(text)
	v, err := attr.ParseNumber(strings.TrimSuffix(strings.Replace(plain, ".e", "e", 1), "."))
	if err != nil || strings.ContainsAny(text, "eExXbB") || strings.HasPrefix(text, "+") {
		r.pos = start
		r.fail("%s is no decimal that an item can have", text)
	}
	return v
}

func (r *reader) blob() attr.Value {
	start := r.pos
	inside, _, ok := strings.Cut(r.text[r.pos+2:], "}}")
	packed := strings.Join(strings.Fields(inside), "")
	bytes, err := base64.StdEncoding.DecodeString(packed)
	if !ok || err != nil {
		r.fail("a blob of Base64 is expected")
	}
	r.pos = start + 2 + len(inside) + 2
	return attr.Binary(bytes)
}

// string reads a string: in double quotes, or in parts in three single ones.
func (r *reader) string() string {
	if r.take(`"`) {
		return r.quoted(`"`)
	}
	var all strings.Builder
	for r.take("'''") {
		all.WriteString(r.quoted("'''"))
	}
	return all.String()
}

// quoted reads up to the closing quote.
func (r *reader) quoted(quote string) string {
	var text strings.Builder
	for !r.has(quote) {
		switch {
		case r.pos == len(r.text):
			r.fail("a closing quote is missing")
		case r.has(`\`):
			text.WriteString(r.escape())
		default:
			text.WriteByte(r.text[r.pos])
			r.pos++
		}
	}
	r.pos += len(quote)
	if !utf8.ValidString(text.String()) {
		r.fail("text is not UTF-8")
	}
	return text.String()
}

// escapes are what a character behind a backslash stands for.
var escapes = map[byte]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", 'n': "\n", 'f': "\f", 'r': "\r", 'v': "\v",
	'?': "?", '/': "/", '\'': "'", '"': `"`, '\\': `\`, '\n': "",
}

// digitsOf are how many digits follow the escapes of characters by number.
var digitsOf = map[byte]int{'x': 2, 'u': 4, 'U': 8}

func (r *reader) escape() string {
	if r.pos+1 == len(r.text) {
		r.fail("an escape is cut off")
	}
	c := r.text[r.pos+1]
	if text, ok := escapes[c]; ok {
		r.pos += 2
		return text
	}
	n := digitsOf[c]
	end := r.pos + 2 + n
	if n == 0 || end > len(r.text) {
		r.fail("there is no such escape")
	}
	code, err := strconv.ParseInt(r.text[r.pos+2:end], 16, 32)
	if err != nil || !utf8.ValidRune(rune(code)) {
		r.fail("an escape names no character")
	}
	r.pos = end
	return string(rune(code))
}
