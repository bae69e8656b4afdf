package seed

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
)

// drawer draws the attributes of one item.
type drawer struct {
	population *Population
	born       *born
	dice       *rand.Rand
	linked     map[*model.Entity]*born // what the item refers to
}

// shareThere is how many of the items have an optional attribute, and
// shareDefault how many keep a default.
const (
	shareThere   = 0.7
	shareDefault = 0.6
)

// all draws every attribute; false when one that must be there has no value.
func (d *drawer) all() bool {
	d.linked = map[*model.Entity]*born{}
	d.inherit()
	if !d.refer() {
		return false
	}
	for _, a := range d.born.kind.entity.Attributes {
		name := a.Name.Text
		if d.born.item[name].Exists() || a.Derive != nil || a.Refers() {
			continue
		}
		if v := d.attribute(a); v.Exists() {
			d.born.item[name] = v
		} else if !a.Optional {
			return false
		}
	}
	d.together()
	return true
}

// inherit takes over what refers to the parents.
func (d *drawer) inherit() {
	k := d.born.kind
	for _, a := range k.entity.Attributes {
		if a.Ref == nil {
			continue
		}
		if up := d.born.parent.ancestor(a.Ref.Entity); up != nil {
			d.join(a, a.Ref, up)
		}
	}
}

// join makes an attribute, and those that go with it, refer to an item.
func (d *drawer) join(a *model.Attribute, r *model.Ref, to *born) {
	d.linked[r.Entity] = to
	d.born.item[a.Name.Text] = to.item[r.Attribute.Name.Text]
	for _, w := range r.With {
		d.born.item[w.Own.Name.Text] = to.item[w.Target.Name.Text]
	}
}

// refer draws what the item refers to beside its parents.
func (d *drawer) refer() bool {
	for _, l := range d.born.kind.links {
		if d.born.item[l.attribute.Name.Text].Exists() || l.attribute.Optional && d.dice.Float64() > shareThere {
			continue
		}
		to, ok := d.population.pick(d.dice, l.target, d.born)
		switch {
		case ok && d.agrees(l.ref, to):
			d.join(l.attribute, l.ref, to)
		case !l.attribute.Optional:
			return false
		}
	}
	return true
}

// agrees tells whether an item can be referred to by what is set already.
func (d *drawer) agrees(r *model.Ref, to *born) bool {
	return !slices.ContainsFunc(r.With, func(w model.RefPart) bool {
		v := d.born.item[w.Own.Name.Text]
		return v.Exists() && !value.Equal(v, to.item[w.Target.Name.Text])
	})
}

// together takes away what must not be there without another attribute, and adds
// what must be there with it.
func (d *drawer) together() {
	for _, a := range d.born.kind.entity.Attributes {
		if a.PresentWith == nil {
			continue
		}
		name := a.Name.Text
		switch there := d.born.item[a.PresentWith.Name.Text].Exists(); {
		case !there:
			delete(d.born.item, name)
		case !d.born.item[name].Exists():
			d.born.item[name] = d.value(a)
		}
	}
}

// attribute draws one attribute; nothing when it is absent.
func (d *drawer) attribute(a *model.Attribute) value.Value {
	switch {
	case a.CopyOf != nil:
		return d.copied(a, a.CopyOf)
	case a.SnapshotOf != nil:
		return d.copied(a, a.SnapshotOf)
	case a.Aggregate != nil:
		return value.OfInt(0) // count fills it in
	case a.Version:
		return value.OfInt(1)
	case a.Minted:
		return data.Mint(a.Type, d.born.time, d.number(a))
	case d.identifies(a):
		return d.distinct(a, d.ordinal())
	case a.Optional && d.dice.Float64() > shareThere:
		return value.Value{}
	case a.Default.Exists() && d.dice.Float64() < shareDefault:
		return a.Default
	case d.unique(a):
		return d.distinct(a, d.ofAll())
	}
	return d.value(a)
}

// copied is what the item that is referred to has; drawn where that is unknown.
func (d *drawer) copied(a *model.Attribute, of *model.Ref) value.Value {
	if to := d.linked[of.Entity]; to != nil {
		return to.item[of.Attribute.Name.Text]
	}
	return d.value(a)
}

// number is a number that no other item has, and no other attribute of it.
func (d *drawer) number(a *model.Attribute) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, d.population.Seed, d.born, a.Name.Text)
	return h.Sum64()
}

func (d *drawer) identifies(a *model.Attribute) bool {
	return slices.ContainsFunc(d.born.kind.entity.Identity, func(p model.IdentityPart) bool { return p.Attribute == a })
}

func (d *drawer) unique(a *model.Attribute) bool {
	return slices.ContainsFunc(d.born.kind.entity.Unique, func(u *model.Unique) bool { return slices.Contains(u.Of, a) })
}

// ordinal tells the item from others: which of its siblings it is, where it is
// identified under its parent; else which of all, counted through the families.
func (d *drawer) ordinal() int {
	if d.underParent() {
		return d.born.path[len(d.born.path)-1]
	}
	return d.ofAll()
}

// ofAll tells the item from all others of its kind: they are numbered through, as
// if every parent had as many as one can have.
func (d *drawer) ofAll() int { return d.born.number() }

// underParent tells whether the reference to the parent is part of the identity.
func (d *drawer) underParent() bool {
	return slices.ContainsFunc(d.born.kind.entity.Identity, func(p model.IdentityPart) bool { return p.Attribute.Ref == d.born.kind.up && p.Attribute.Ref != nil })
}

// distinct draws a value that items with other numbers do not have, where the
// domain is large enough.
func (d *drawer) distinct(a *model.Attribute, n int) value.Value {
	switch {
	case len(a.Domain.Values) > 0:
		return a.Domain.Values[n%len(a.Domain.Values)].Value
	case a.Type == model.TypeInteger:
		low, _ := bounds(a)
		return checked(a, value.OfInt(int64(math.Max(low, 0))+int64(n)))
	case a.Type.IsTime():
		v, _ := encode.OfTime(a, d.born.time)
		return checked(a, v)
	case a.Type.IsID():
		return data.Mint(a.Type, d.born.time, d.number(a))
	case a.Domain.Pattern != nil:
		if v := checked(a, value.OfString(matching(counting(n), a.Domain.Pattern))); v.Exists() {
			return v
		}
		return d.value(a)
	case a.Type == model.TypeSlug || a.Type == model.TypeString:
		return checked(a, d.named(a, n+1))
	case a.Type == model.TypeEmail:
		return value.OfString(d.email(strconv.Itoa(n + 1)))
	}
	return d.value(a)
}

// named is a word with a number, the word cut where the length allows no more.
func (d *drawer) named(a *model.Attribute, n int) value.Value {
	word, number := slug(pick(d.dice, things())), strconv.Itoa(n)
	if r := a.Domain.Length; r != nil {
		if room := int(r.Max) - len(number) - 1; room < len(word) {
			word = word[:max(room, 0)]
		}
	}
	if word == "" {
		return value.OfString(fitted(a, number))
	}
	return value.OfString(fitted(a, word+"-"+number))
}

// checked is a value if it is in the attribute's domain, else nothing.
func checked(a *model.Attribute, v value.Value) value.Value {
	if a.Check(v) != nil {
		return value.Value{}
	}
	return v
}

// value draws from the attribute's domain.
func (d *drawer) value(a *model.Attribute) value.Value {
	if len(a.Domain.Values) > 0 {
		return choice(d.dice, a.Domain.Values)
	}
	if a.Domain.Pattern != nil {
		for range attempts {
			if text := matching(d.dice.IntN, a.Domain.Pattern); a.Check(value.OfString(text)) == nil {
				return value.OfString(text)
			}
		}
		return value.Value{}
	}
	switch a.Type {
	case model.TypeInteger, model.TypeNumber:
		return d.amount(a)
	case model.TypeBoolean:
		return value.OfBool(d.dice.IntN(2) == 0)
	case model.TypeBinary:
		return value.OfBinary(string(bytesOf(d.dice, 16)))
	case model.TypeList:
		return d.list(a)
	case model.TypeMap:
		return d.mapping(a)
	case model.TypeStringSet, model.TypeNumberSet, model.TypeBinarySet:
		return d.set(a)
	case model.TypeUUID, model.TypeUUID7, model.TypeULID, model.TypeKSUID:
		return data.Mint(a.Type, d.born.time, d.dice.Uint64())
	}
	if a.Type.IsTime() {
		return d.moment(a)
	}
	return checked(a, value.OfString(fitted(a, d.text(a))))
}

// choice draws one of several values by their shares.
func choice(dice *rand.Rand, choices []model.Choice) value.Value {
	x := dice.Float64()
	for _, c := range choices {
		if c.Share == 0 {
			return choices[dice.IntN(len(choices))].Value
		}
		if x -= c.Share; x < 0 {
			return c.Value
		}
	}
	return choices[len(choices)-1].Value
}

// bounds are the least and the greatest value of a number, as far as they matter.
func bounds(a *model.Attribute) (low, high float64) {
	low, high = 0, 1000
	if v := a.Domain.Min; v.Exists() {
		low, _ = strconv.ParseFloat(v.Text(), 64)
		high = low + 1000
	}
	if v := a.Domain.Max; v.Exists() {
		high, _ = strconv.ParseFloat(v.Text(), 64)
		if !a.Domain.Min.Exists() {
			low = min(0, high-1000)
		}
	}
	return low, high
}

// amount draws a number: small ones more often than large ones.
func (d *drawer) amount(a *model.Attribute) value.Value {
	low, high := bounds(a)
	x := low + (math.Pow(high-low+1, d.dice.Float64()) - 1)
	text := strconv.FormatInt(int64(x), 10)
	if a.Type == model.TypeNumber {
		text = strconv.FormatFloat(math.Round(x*100)/100, 'f', -1, 64)
	}
	v, err := value.OfNumber(text)
	if err != nil {
		return value.Value{}
	}
	return checked(a, v)
}

// moment draws a time: when the item came to be, or, of what says when something
// ends, after now.
func (d *drawer) moment(a *model.Attribute) value.Value {
	at := d.born.time
	name := strings.ToLower(a.Name.Text)
	for _, word := range []string{"expire", "end", "due", "until", "ttl", "valid"} {
		if strings.Contains(name, word) {
			at = d.population.Now.Add(time.Duration(d.dice.Int64N(int64(90 * 24 * time.Hour))))
		}
	}
	v, _ := encode.OfTime(a, at)
	return checked(a, v)
}

// most is how many members a list, map or set gets when nothing says.
const most = 4

func (d *drawer) members(a *model.Attribute) int {
	low, high := 1, most
	if r := a.Domain.Members; r != nil {
		low, high = int(r.Min), int(min(r.Max, r.Min+most))
	}
	return low + d.dice.IntN(high-low+1)
}

func (d *drawer) list(a *model.Attribute) value.Value {
	var items []value.Value
	for range d.members(a) {
		if v := d.member(a); v.Exists() {
			items = append(items, v)
		}
	}
	return value.OfList(items...)
}

// member is a member of a list, or a value of a map.
func (d *drawer) member(a *model.Attribute) value.Value {
	if a.Domain.Items != nil {
		return d.value(a.Domain.Items)
	}
	return value.OfString(pick(d.dice, things()))
}

func (d *drawer) mapping(a *model.Attribute) value.Value {
	var fields []value.Field
	for _, m := range a.Domain.Attributes {
		if v := d.value(m); v.Exists() && (!m.Optional || d.dice.Float64() < shareThere) {
			fields = append(fields, value.Field{Name: m.Name.Text, Value: v})
		}
	}
	if a.Domain.Items != nil {
		for range d.members(a) {
			key := value.OfString(slug(pick(d.dice, things())))
			if a.Domain.Keys != nil {
				key = d.value(a.Domain.Keys)
			}
			known := slices.ContainsFunc(fields, func(f value.Field) bool { return f.Name == key.Text() })
			if v := d.value(a.Domain.Items); v.Exists() && key.Exists() && !known {
				fields = append(fields, value.Field{Name: key.Text(), Value: v})
			}
		}
	}
	return value.OfMap(fields...)
}

func (d *drawer) set(a *model.Attribute) value.Value {
	var members []value.Value
	for range d.members(a) {
		var v value.Value
		switch {
		case a.Domain.Items != nil:
			v = d.value(a.Domain.Items)
		case a.Type == model.TypeNumberSet:
			v = value.OfInt(int64(d.dice.IntN(1000)))
		case a.Type == model.TypeBinarySet:
			v = value.OfBinary(string(bytesOf(d.dice, 8)))
		default:
			v = value.OfString(pick(d.dice, things()))
		}
		if v.Exists() && !slices.ContainsFunc(members, func(w value.Value) bool { return value.Equal(v, w) }) {
			members = append(members, v)
		}
	}
	if len(members) == 0 {
		return value.Value{}
	}
	return value.OfSet(a.Type.Kind(), members...)
}

func bytesOf(dice *rand.Rand, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(dice.Uint32())
	}
	return out
}
