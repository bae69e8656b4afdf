package golang

import (
	"fmt"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scope hands out identifiers, each once.
type scope map[string]bool

// take is the name itself, or with a number when it is taken.
func (s scope) take(name string) string {
	out := name
	for n := 2; s[out]; n++ {
		out = fmt.Sprintf("%s%d", name, n)
	}
	s[out] = true
	return out
}

// takeOr is the name itself, or with the suffix when it is taken.
func (s scope) takeOr(name, suffix string) string {
	if s[name] {
		name += suffix
	}
	return s.take(name)
}

// initialisms are the words that Go writes in one letter case.
var initialisms = map[string]bool{
	"ACL": true, "API": true, "ASCII": true, "CPU": true, "CSS": true, "DNS": true, "GUID": true, "HTML": true, "HTTP": true, "HTTPS": true,
	"ID": true, "IP": true, "JSON": true, "KSUID": true, "SKU": true, "SQL": true, "SSH": true, "TCP": true, "TLS": true, "TTL": true, "UDP": true, "UI": true,
	"ULID": true, "URI": true, "URL": true, "UTC": true, "UTF8": true, "UUID": true, "XML": true,
}

// exported is a name as an exported identifier: CustomerID of customerId. What
// an identifier cannot hold parts words.
func exported(name string) string {
	var b strings.Builder
	for _, word := range words(name) {
		switch upper := strings.ToUpper(word); {
		case initialisms[upper]:
			b.WriteString(upper)
		case strings.HasSuffix(upper, "S") && initialisms[upper[:len(upper)-1]] && len(upper) > 2:
			b.WriteString(upper[:len(upper)-1] + "s")
		default:
			r, size := utf8.DecodeRuneInString(word)
			b.WriteString(string(unicode.ToUpper(r)) + word[size:])
		}
	}
	out := b.String()
	if first, _ := utf8.DecodeRuneInString(out); !unicode.IsUpper(first) {
		out = "X" + out // begins with a digit, or with a letter that has no case
	}
	return out
}

// words are the words of a name: parted by what is neither letter nor digit, and
// where a capital follows a small letter.
func words(name string) []string {
	var out []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			out = append(out, string(word))
		}
		word = nil
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0 && unicode.IsLower(runes[i-1]):
			end()
		case unicode.IsUpper(r) && i > 0 && unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1]) && !isPlural(runes[i+1:]):
			end() // the S of HTTPServer
		}
		word = append(word, r)
	}
	end()
	return out
}

// isPlural tells the s of IDs, which begins no word.
func isPlural(rest []rune) bool {
	return rest[0] == 's' && (len(rest) == 1 || !unicode.IsLower(rest[1]))
}

// local is a name as an identifier of a parameter: customerID of customerId. It is
// no keyword, and nothing that generated code needs itself.
func local(name string) string {
	out := exported(name)
	list := words(out)
	if len(list) > 0 && len(list[0]) > 0 {
		head := list[0]
		if strings.ToUpper(head) == head || initialisms[strings.ToUpper(head)] {
			out = strings.ToLower(head) + out[len(head):]
		} else {
			r, size := utf8.DecodeRuneInString(out)
			out = string(unicode.ToLower(r)) + out[size:]
		}
	}
	if token.IsKeyword(out) || reservedLocals[out] {
		out += "_"
	}
	return out
}

// reservedLocals are names that the bodies of key functions use: packages, what
// Go declares, and the names of the fixed part.
var reservedLocals = map[string]bool{
	"f": true, "fault": true, "string": true, "len": true, "int64": true, "bool": true, "byte": true, "error": true, "nil": true, "true": true, "false": true,
	"strconv": true, "time": true, "types": true, "strings": true, "str": true, "num": true, "bin": true, "shard": true, "prefix": true,
	"year": true, "month": true, "week": true, "day": true, "hour": true, "minute": true, "bucket": true, "lower": true, "upper": true, "inverted": true,
	"stored": true, "lookup": true,
}

// singular is a list's name for one of its members.
func singular(name string) string {
	switch {
	case strings.HasSuffix(name, "ies") && len(name) > 3:
		return name[:len(name)-3] + "y"
	case strings.HasSuffix(name, "s") && !strings.HasSuffix(name, "ss") && len(name) > 1:
		return name[:len(name)-1]
	}
	return name + "Member"
}
