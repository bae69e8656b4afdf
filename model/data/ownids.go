package data

import (
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// ownSchemeMax is how many values are looked through for one that is new.
const ownSchemeMax = 10_000

// ownScheme makes an identifier of a scheme of people's own, a slug, a text or a
// whole number: the values worth trying first, then others of the domain, each
// once. Absent when the domain has no more.
func (b *builder) ownScheme(a *model.Attribute) value.Value {
	pool := b.values(a)
	for n := b.made[a]; n < len(pool)+ownSchemeMax; n++ {
		v := made(a, n-len(pool))
		if n < len(pool) {
			v = pool[n]
		} else if !Valid(a, v) || contains(pool, v) {
			continue
		}
		b.made[a] = n + 1
		return v
	}
	return value.Value{}
}

// made is the n-th of the values that are numbered: whole numbers from the least
// of the domain on, and texts of the domain's least length or longer.
func made(a *model.Attribute, n int) value.Value {
	if a.Type == model.TypeInteger {
		least, _ := a.Domain.Min.Int()
		return value.OfInt(least + int64(n))
	}
	text := "n" + strconv.FormatInt(int64(n), 36)
	if r := a.Domain.Length; r != nil && int64(len(text)) < r.Min {
		text = strings.Repeat("n", int(r.Min)-len(text)) + text
	}
	return value.OfString(text)
}
