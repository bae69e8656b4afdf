package store

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The most bytes that the values of keys may have (Developer Guide, "Quotas").
const (
	maxPartitionKey = 2048
	maxSortKey      = 1024
)

// maxText sorts after every text that is stored.
const maxText = "\U0010FFFF"

// fault keeps the first thing that is wrong while keys and items are made, so
// that those read as the texts they make.
type fault struct{ err error }

func (f *fault) set(err error) {
	if f.err == nil {
		f.err = err
	}
}

func (f *fault) invalid(attribute, problem string, args ...any) {
	f.set(&ValueError{attribute, fmt.Sprintf(problem, args...)})
}

// some is a text inside a key that must not be empty.
func (f *fault) some(attribute, text string) string {
	if text == "" {
		f.invalid(attribute, "is empty, and stands in a key")
	}
	return text
}

// apart is a text inside a key that must not hold what follows it there: the
// key could be read in two ways.
func (f *fault) apart(attribute, text, delimiter string) string {
	if strings.Contains(text, delimiter) {
		f.invalid(attribute, "holds %q, which ends it in a key", delimiter)
	}
	return text
}

// key is the text of a key, held against DynamoDB's limits.
func (f *fault) key(name, text string, most int) string {
	switch {
	case text == "":
		f.invalid(name, "is empty, which DynamoDB refuses in a key")
	case len(text) > most:
		f.invalid(name, "has %d bytes, of which a key may have %d", len(text), most)
	}
	return text
}

// keyBytes is the binary value of a key, held against DynamoDB's limits.
func (f *fault) keyBytes(name string, b []byte, most int) []byte {
	f.key(name, string(b), most)
	return b
}

// pad writes a whole number with n digits.
func (f *fault) pad(attribute string, number int64, n int) string {
	return f.digits(attribute, strconv.FormatInt(number, 10), n)
}

// invert writes what a whole number lacks to the greatest one of n digits.
func (f *fault) invert(attribute string, number int64, n int) string {
	return inverted(f.pad(attribute, number, n))
}

// digits writes a number's text with n digits.
func (f *fault) digits(attribute, text string, n int) string {
	switch {
	case strings.Trim(text, "-0123456789") != "" || text == "":
		f.invalid(attribute, "= %s is no whole number", text)
	case text[0] == '-':
		f.invalid(attribute, "= %s is negative, and would not sort in its key", text)
	case len(text) > n:
		f.invalid(attribute, "= %s has more than the %d digits of its key", text, n)
	default:
		return strings.Repeat("0", n-len(text)) + text
	}
	return ""
}

// within writes a number to look for with n digits: what no stored key can hold
// sorts before or after all that one can.
func (f *fault) within(attribute, text string, n int) string {
	switch {
	case strings.HasPrefix(text, "-"):
		return "/" // before 0
	case len(text) > n && strings.Trim(text, "0123456789") == "":
		return ":" // after 9
	}
	return f.digits(attribute, text, n)
}

// inverted turns digits, and what sorts before or after them, around.
func inverted(digits string) string {
	b := []byte(digits)
	for i, c := range b {
		switch {
		case c == '/':
			b[i] = ':'
		case c == ':':
			b[i] = '/'
		default:
			b[i] = '9' - (c - '0')
		}
	}
	return string(b)
}

// prefix is the first n characters of a text, or all of it.
func prefix(text string, n int) string {
	end := 0
	for ; n > 0 && end < len(text); n-- {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	return text[:end]
}

// shard is one of n shards, by the FNV-1a hash of a text.
func shard(text string, n uint32) string {
	h := fnv.New32a()
	h.Write([]byte(text)) // never fails
	return strconv.Itoa(int(h.Sum32() % n))
}

// textAfter is the next text.
func textAfter(text string) string { return text + "\x00" }

// textBefore is a text such that nothing that is stored lies between it and the
// one given.
func textBefore(text string) string {
	if text == "" {
		return text
	}
	last, size := utf8.DecodeLastRuneInString(text)
	head := text[:len(text)-size]
	switch last {
	case 0:
		return head
	case 0xE000: // after the gap of surrogates
		last = 0xD7FF
	default:
		last--
	}
	return head + string(last) + maxText
}

// bytesAfter is the next binary value.
func bytesAfter(b []byte) []byte { return append(b[:len(b):len(b)], 0) }

// bytesBefore is the binary value before, as far as a key can hold it.
func bytesBefore(b []byte) []byte {
	if len(b) == 0 || b[len(b)-1] == 0 {
		return b[:max(len(b)-1, 0)]
	}
	out := append([]byte(nil), b...)
	out[len(out)-1]--
	for len(out) < maxSortKey {
		out = append(out, 0xff)
	}
	return out
}

// item is an item that is made, nil when something is wrong with it.
func (f *fault) item(item stored) (stored, error) {
	if f.err != nil {
		return nil, f.err
	}
	return item, nil
}
