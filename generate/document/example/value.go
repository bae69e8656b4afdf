package example

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
)

// start is when made up items begin: a working day at nine.
var start = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// people are whom email addresses and names belong to.
var people = [...]string{"ada", "grace", "alan", "edsger"}

// made is the n-th value that is made up for an attribute: one that reads well
// where its domain has room for it, else one from the attribute's pool. Absent
// where there is none.
func (w *World) made(a *model.Attribute, n int) value.Value {
	switch {
	case a.Version:
		return value.OfInt(1)
	case a.Default.Exists():
		return a.Default
	}
	if v := readable(a, n); data.Valid(a, v) {
		return encode.Stored(a, v)
	}
	pool := w.generator.Values(a)
	if len(pool) == 0 {
		return value.Value{}
	}
	return encode.Stored(a, pool[n%len(pool)])
}

// readable is a value that reads well, in the domain or not; absent for types of
// which nothing reads better than what the pool has.
func readable(a *model.Attribute, n int) value.Value {
	if values := a.Domain.Values; len(values) > 0 {
		return values[n%len(values)].Value
	}
	name := a.Name.Text
	switch a.Type {
	case model.TypeEmail:
		return value.OfString(people[n%len(people)] + "@example.com")
	case model.TypeURL:
		return value.OfString("https://example.com/" + slug(name) + "/" + strconv.Itoa(n+1))
	case model.TypeSlug:
		return value.OfString(slug(name) + "-" + strconv.Itoa(n+1))
	case model.TypeString:
		return value.OfString(title(name) + " " + strconv.Itoa(n+1))
	case model.TypeBoolean:
		return value.OfBool(n == 0)
	case model.TypeInteger, model.TypeNumber:
		return number(a, n)
	}
	if a.Type.IsTime() {
		at := start.Add(time.Duration(n) * (25*time.Hour + 10*time.Minute))
		v, _ := encode.OfTime(a, at)
		return v
	}
	return value.Value{}
}

// number is a small number at or above the least one.
func number(a *model.Attribute, n int) value.Value {
	least := int64(1)
	if low, ok := a.Domain.Min.Int(); ok {
		least = max(low, 1)
	}
	return value.OfInt(least + int64(n))
}

// slug is a name in small letters, digits and hyphens: orderItem is order-item.
func slug(name string) string { return strings.ReplaceAll(words(name), " ", "-") }

// title is a name as words, with a capital: orderItem is Order item.
func title(name string) string {
	first, size := utf8.DecodeRuneInString(words(name))
	if size == 0 {
		return "Text"
	}
	return string(unicode.ToUpper(first)) + words(name)[size:]
}

// words are the words of a name in small letters.
func words(name string) string {
	var b strings.Builder
	small := false // whether the character before was a small letter or digit
	for _, r := range name {
		switch {
		case r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r):
			b.WriteByte(' ')
			small = false
			continue
		case unicode.IsUpper(r) && small:
			b.WriteByte(' ')
		}
		small = !unicode.IsUpper(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
