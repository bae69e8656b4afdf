package data

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
)

// Simpler are values of the attribute's domain that say less than v does, the
// simplest first; none when v is as simple as can be. Every one is strictly
// simpler, so that going on from any of them comes to an end.
func Simpler(a *model.Attribute, v value.Value) []value.Value {
	limit := weigh(a, v)
	seen := map[string]bool{}
	var lighter []weighed
	for _, c := range reductions(a, v) {
		w := weigh(a, c)
		if w.compare(limit) >= 0 || seen[w.text] || !Valid(a, c) {
			continue
		}
		seen[w.text] = true
		lighter = append(lighter, w)
	}
	slices.SortFunc(lighter, weighed.compare)
	var out []value.Value
	for _, w := range lighter {
		out = append(out, w.value)
	}
	return out
}

// weighed is a value with its weight and, to tell it from others as heavy, its text.
type weighed struct {
	value  value.Value
	weight int
	text   string
}

func weigh(a *model.Attribute, v value.Value) weighed { return weighed{v, weight(a, v), v.String()} }

func (w weighed) compare(x weighed) int {
	return cmp.Or(cmp.Compare(w.weight, x.weight), cmp.Compare(w.text, x.text))
}

// Without are the instance with one optional attribute left out, one result per
// attribute that is there and may go; attributes that stand together go together.
func Without(i model.Instance) []model.Instance {
	var out []model.Instance
	for _, a := range i.Entity.Attributes {
		if _, there := i.Item[a.Name.Text]; !there || !a.Optional || a.PresentWith != nil {
			continue
		}
		item := maps.Clone(i.Item)
		remove(i.Entity, item, a)
		out = append(out, model.Instance{Entity: i.Entity, Item: item})
	}
	return out
}

// remove leaves an attribute out of an item, with those present only with it.
func remove(e *model.Entity, item model.Item, a *model.Attribute) {
	delete(item, a.Name.Text)
	for _, b := range e.Attributes {
		if b.PresentWith == a {
			if _, there := item[b.Name.Text]; there {
				remove(e, item, b)
			}
		}
	}
}

// reductions are values that may be simpler than v; not all are, nor are all valid.
func reductions(a *model.Attribute, v value.Value) []value.Value {
	if len(a.Domain.Values) > 0 {
		return candidates(a, &hints{})
	}
	if t, ok := encode.Time(v, a.Type); ok && a.Type.IsTime() {
		return timeReductions(a, t)
	}
	switch v.Kind() {
	case value.Number:
		if a.Minted {
			return nil
		}
		return numberReductions(v)
	case value.String, value.Binary:
		if a.Type.HasTime() || a.Type.IsID() || a.Minted {
			return nil
		}
		return textReductions(a, v)
	case value.Bool:
		return []value.Value{value.OfBool(true)}
	case value.List, value.StringSet, value.NumberSet, value.BinarySet:
		return memberReductions(a, v)
	case value.Map:
		return fieldReductions(a, v)
	}
	return nil
}

// weight is how much there is to read in a value: characters, those that are no
// plain letter or digit several times; of a time the fields that are not at
// their start; of a choice its place among them.
func weight(a *model.Attribute, v value.Value) int {
	if len(a.Domain.Values) > 0 {
		return slices.IndexFunc(a.Domain.Values, func(c model.Choice) bool { return value.Equal(c.Value, v) })
	}
	if t, ok := encode.Time(v, a.Type); ok && a.Type.IsTime() {
		return timeWeight(t)
	}
	n := textWeight(v.Text())
	if v.Kind() == value.Bool && !v.Truth() {
		n++
	}
	for _, m := range v.Items() {
		n += 2 + weight(itemOf(a), m)
	}
	for _, f := range v.Fields() {
		n += 2 + len(f.Name) + weight(memberOf(a, f.Name), f.Value)
	}
	return n
}

func textWeight(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			n += 2
		case r < utf8.RuneSelf:
			n += 3
		default:
			n += 4
		}
	}
	return n
}

func itemOf(a *model.Attribute) *model.Attribute {
	if a.Domain.Items != nil {
		return a.Domain.Items
	}
	return &model.Attribute{Type: model.TypeAny}
}

func memberOf(a *model.Attribute, name string) *model.Attribute {
	if a.Type == model.TypeMap && a.Domain.Items != nil {
		return a.Domain.Items
	}
	for _, m := range a.Domain.Attributes {
		if m.Name.Text == name {
			return m
		}
	}
	return &model.Attribute{Type: model.TypeAny}
}

// plainYear is the year of the plainest time.
const plainYear = 2026

func timeWeight(t time.Time) int {
	n := 0
	for _, field := range []int{t.Nanosecond(), t.Second(), t.Minute(), t.Hour(), t.Day() - 1, int(t.Month()) - 1, t.Year() - plainYear} {
		if field != 0 {
			n++
		}
	}
	return n
}

func timeReductions(a *model.Attribute, t time.Time) []value.Value {
	fields := []int{t.Year(), int(t.Month()), t.Day(), t.Hour(), t.Minute(), t.Second(), t.Nanosecond()}
	start := []int{plainYear, 1, 1, 0, 0, 0, 0}
	date := func(f []int) value.Value {
		return ofTime(a, time.Date(f[0], time.Month(f[1]), f[2], f[3], f[4], f[5], f[6], time.UTC))
	}
	out := []value.Value{date(start)}
	for i := range fields {
		one := slices.Clone(fields)
		one[i] = start[i]
		out = append(out, date(one))
	}
	return out
}

func numberReductions(v value.Value) []value.Value {
	out := []value.Value{value.OfInt(0), value.OfInt(1), value.OfInt(2), value.OfInt(9), value.OfInt(10)}
	if strings.HasPrefix(v.Text(), "-") {
		out = append(out, v.Neg())
	}
	whole, _, fractional := strings.Cut(v.Text(), ".")
	if fractional && whole != "-0" {
		out = append(out, number(whole))
	}
	if len(whole) > 1 && whole != "-0" {
		shorter := strings.TrimSuffix(whole[:len(whole)-1], "-")
		if shorter != "" {
			out = append(out, number(shorter))
		}
	}
	return out
}

// charsChanged is the longest text whose characters are changed one at a time.
const charsChanged = 48

// textReductions cut a text and make its characters plain, one at a time. The
// empty text is one only where the domain declares it.
func textReductions(a *model.Attribute, v value.Value) []value.Value {
	build := value.OfString
	if v.Kind() == value.Binary {
		build = value.OfBinary
	}
	chars := strings.Split(v.Text(), "")
	n := len(chars)
	texts := []string{"a", "b", strings.Repeat("a", n)}
	join := func(parts ...[]string) { texts = append(texts, strings.Join(slices.Concat(parts...), "")) }
	join(chars[:n/2])
	join(chars[n/2:])
	for i := range n {
		if n > charsChanged {
			break // halving comes first
		}
		join(chars[:i], chars[i+1:])
		join(chars[:i], []string{"a"}, chars[i+1:])
	}
	var out []value.Value
	for _, s := range texts {
		if s != "" || a.Domain.Length != nil {
			out = append(out, build(s))
		}
	}
	return out
}

// memberReductions leave one member out, or make one simpler.
// innerKept is how many simpler values of a member are tried in its place: there
// is one for each depth of a list or map, and the next round goes on from them.
const innerKept = 3

// simplest are the simplest few values of a member.
func simplest(a *model.Attribute, v value.Value) []value.Value {
	simpler := Simpler(a, v)
	return simpler[:min(innerKept, len(simpler))]
}

func memberReductions(a *model.Attribute, v value.Value) []value.Value {
	build := func(members []value.Value) value.Value {
		if v.Kind() == value.List {
			return value.OfList(members...)
		}
		return value.OfSet(v.Kind(), members...)
	}
	out := []value.Value{build(nil)}
	items := v.Items()
	for i := range items {
		out = append(out, build(slices.Delete(slices.Clone(items), i, i+1)))
		for _, s := range simplest(itemOf(a), items[i]) {
			changed := slices.Clone(items)
			changed[i] = s
			out = append(out, build(changed))
		}
	}
	return out
}

// fieldReductions leave one field out, or make one simpler.
func fieldReductions(a *model.Attribute, v value.Value) []value.Value {
	out := []value.Value{value.OfMap()}
	fields := v.Fields()
	for i, f := range fields {
		out = append(out, value.OfMap(slices.Delete(slices.Clone(fields), i, i+1)...))
		for _, s := range simplest(memberOf(a, f.Name), f.Value) {
			changed := slices.Clone(fields)
			changed[i].Value = s
			out = append(out, value.OfMap(changed...))
		}
	}
	return out
}
