package data

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// Default lengths of generated texts, in characters, and the most bytes of one
// that is long on purpose: a longer one shows nothing more and takes time.
const (
	stringMax = 200
	slugMax   = 64
	emailMax  = 254
	urlMax    = 2048
	longBytes = 2048
)

// hints are what a model says about one attribute beside its domain.
type hints struct {
	now        time.Time
	delimiters []string // literals that follow or precede the attribute in a template
	words      []string // what other templates have where this attribute stands
	maxBytes   int      // most bytes that fit into every key it is part of; 0: in no key
	wholeKey   bool     // it can be all of a key, which then must not be empty
	// periods are the weeks, minutes and buckets that keys take its time by.
	periods []expr.Func
}

// texts are strings that break keys, the plainest first: prefixes of each
// other, case twins, delimiters inside and at both ends, texts that sort on
// either side of a delimiter, digits of differing length, characters whose
// order differs between encodings. They are cut or stretched to the length
// asked for; whoever uses them keeps those in the domain.
func texts(h *hints, low, high int) []string {
	seeds := []string{"a", "ab"}
	for _, d := range h.delimiters {
		seeds = append(seeds, "a"+d+"b")
	}
	seeds = append(seeds, "A", "b", "a!")
	for _, d := range h.delimiters {
		seeds = append(seeds, "a"+d, d+"a")
	}
	seeds = append(seeds, h.words...)
	seeds = append(seeds, "9", "10", "é", "B", "日本", "a b", "\ufb00", "😀", "Ab", "abc", "0", "a~", "\U0010fffd")
	var out []string
	for _, s := range seeds {
		out = append(out, fit(s, low, high))
	}
	if low == 0 {
		out = append(out, "")
	}
	return append(out, fit(strings.Repeat("a", min(high, longBytes)), low, high), fit(strings.Repeat("é", min(high, longBytes/2)), low, high))
}

// fit stretches a text to at least low characters with the plainest one, or
// cuts it to at most high.
func fit(s string, low, high int) string {
	n := utf8.RuneCountInString(s)
	if n > high {
		return string([]rune(s)[:high])
	}
	if n < low {
		return s + strings.Repeat("a", low-n)
	}
	return s
}

// lengths are the shortest and longest text to make for an attribute, in
// characters: as declared by length or size, else the type's default.
func lengths(d *model.Domain, low, high int) (int, int) {
	switch {
	case d.Length != nil:
		low, high = int(d.Length.Min), int(d.Length.Max)
	case d.Size != nil:
		low, high = int(d.Size.Min), int(d.Size.Max)
	}
	return low, max(low, high)
}

func slugs(h *hints, low, high int) []string {
	seeds := append([]string{"a", "ab", "a-b"}, h.words...)
	var out []string
	for _, s := range append(seeds, "b", "10", "9", "a-", "a0", "-a", "a--b", "abc", "z", "0", strings.Repeat("a", high)) {
		out = append(out, fit(s, low, high))
	}
	return out
}

func emails(h *hints) []string {
	out := []string{"a@example.com", "ab@example.com", "A@example.com", "a@example.co", "b@example.com", "a+b@example.com",
		"a@Example.com", "a.b@example.com"}
	for _, d := range h.delimiters {
		out = append(out, "a"+d+"b@example.com")
	}
	return append(out, "a@example.com.au", "9@example.com", "10@example.com", strings.Repeat("a", emailMax-len("@example.com"))+"@example.com")
}

func urls(h *hints) []string {
	out := []string{"https://example.com/a", "https://example.com/ab", "https://example.com/A", "https://example.com", "https://example.com/b",
		"http://example.com/a", "https://example.com/a?b=c#d"}
	for _, d := range h.delimiters {
		out = append(out, "https://example.com/a"+d+"b")
	}
	return append(out, "https://example.com/9", "https://example.com/10", "https://example.com/"+strings.Repeat("a", urlMax-len("https://example.com/")))
}

func s3Objects() []string {
	return []string{"s3://bucket/a", "s3://bucket/ab", "s3://bucket/a/b", "s3://bucket/A", "s3://bucket/b", "s3://bucket/10", "s3://bucket/9"}
}
