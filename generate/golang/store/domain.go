package store

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// The domains of values, as the model declares them.

// isUUID tells a UUID, of the version given when it is not 0.
func isUUID(s string, version byte) bool {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return false
	}
	for i := range len(s) {
		if i != 8 && i != 13 && i != 18 && i != 23 && strings.IndexByte("0123456789abcdefABCDEF", s[i]) < 0 {
			return false
		}
	}
	return version == 0 || s[14] == '0'+version && strings.IndexByte("89abAB", s[19]) >= 0
}

func (f *fault) uuid(attribute, s string) {
	if !isUUID(s, 0) {
		f.invalid(attribute, "= %q is no UUID", s)
	}
}

func (f *fault) uuid7(attribute, s string) {
	if !isUUID(s, 7) {
		f.invalid(attribute, "= %q is no UUID of version 7", s)
	}
}

func (f *fault) ulid(attribute, s string) {
	if len(s) != 26 || s[0] > '7' || strings.Trim(s, crockford) != "" {
		f.invalid(attribute, "= %q is no ULID", s)
	}
}

func (f *fault) ksuid(attribute, s string) {
	if len(s) != 27 || strings.Trim(s, base62) != "" {
		f.invalid(attribute, "= %q is no KSUID", s)
	}
}

func (f *fault) slug(attribute, s string) {
	if s == "" || strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		f.invalid(attribute, "= %q is no slug: a-z, 0-9 and -", s)
	}
}

func (f *fault) email(attribute, s string) {
	if at := strings.LastIndexByte(s, '@'); at <= 0 || at == len(s)-1 || strings.ContainsAny(s, " \t\r\n") {
		f.invalid(attribute, "= %q is no e-mail address", s)
	}
}

func (f *fault) url(attribute, s string) {
	if u, err := url.Parse(s); err != nil || u.Scheme == "" || u.Host == "" && u.Opaque == "" {
		f.invalid(attribute, "= %q is no URL with its scheme", s)
	}
}

// instant is a time as text, of a form that varies.
func (f *fault) instant(attribute, s string, layouts ...string) {
	if !slices.ContainsFunc(layouts, func(layout string) bool { _, err := time.Parse(layout, s); return err == nil }) {
		f.invalid(attribute, "= %q is no time", s)
	}
}

// pattern is a text that matches a pattern as a whole.
func (f *fault) pattern(attribute, s string, whole *regexp.Regexp) {
	if !whole.MatchString(s) {
		f.invalid(attribute, "= %q does not match its pattern", s)
	}
}

// length is a text of so many characters.
func (f *fault) length(attribute, s string, least, most int) {
	if n := utf8.RuneCountInString(s); n < least || n > most {
		f.invalid(attribute, "has %d characters, not %d to %d", n, least, most)
	}
}

// bytes is a text or binary value of so many bytes.
func (f *fault) bytes(attribute string, n, least, most int) {
	if n < least || n > most {
		f.invalid(attribute, "has %d bytes, not %d to %d", n, least, most)
	}
}

// members is a list, map or set of so many members.
func (f *fault) members(attribute string, n, least, most int) {
	if n < least || n > most {
		f.invalid(attribute, "has %d members, not %d to %d", n, least, most)
	}
}

// oneOf is one of some values.
func oneOf[T comparable](f *fault, attribute string, v T, values ...T) {
	if !slices.Contains(values, v) {
		f.invalid(attribute, "= %v is not one of its values", v)
	}
}

// least and most bound whole numbers.

func (f *fault) least(attribute string, n, bound int64) {
	if n < bound {
		f.invalid(attribute, "= %d is below the least value, %d", n, bound)
	}
}

func (f *fault) most(attribute string, n, bound int64) {
	if n > bound {
		f.invalid(attribute, "= %d is above the greatest value, %d", n, bound)
	}
}

// leastNumber and mostNumber bound decimal numbers.

func (f *fault) leastNumber(attribute string, n, bound Number) {
	if c, ok := n.Cmp(bound); ok && c < 0 {
		f.invalid(attribute, "= %s is below the least value, %s", n, bound)
	}
}

func (f *fault) mostNumber(attribute string, n, bound Number) {
	if c, ok := n.Cmp(bound); ok && c > 0 {
		f.invalid(attribute, "= %s is above the greatest value, %s", n, bound)
	}
}

// leastText and mostText bound texts, times as they are written among them.

func (f *fault) leastText(attribute, s, bound string) {
	if s < bound {
		f.invalid(attribute, "= %s is below the least value, %s", s, bound)
	}
}

func (f *fault) mostText(attribute, s, bound string) {
	if s > bound {
		f.invalid(attribute, "= %s is above the greatest value, %s", s, bound)
	}
}

// need is what a pointer leads to, which must not be nil.
func need[T any](f *fault, parameter string, p *T) T {
	if p == nil {
		var none T
		f.invalid(parameter, "is not given")
		return none
	}
	return *p
}
