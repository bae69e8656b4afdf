package infer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/value"
)

// reading is one way to read keys of an item as templates: the parts by key
// attribute, in the order of keys. A part may be a hole: a value that no
// attribute has.
type reading struct {
	keys  []string
	parts [][]draft.Part
	rank  int // of its candidates, in sum
}

// The bounds of how many readings are tried.
const (
	maxCandidates = 4  // attributes for one segment
	maxReadings   = 16 // of one key, and three times as many of several
)

// hole is the name that stands for a value that no attribute has: that at a
// place of a key.
func hole(key string, place int) string {
	return holeMark + key + holeMark + string(rune('0'+place%64))
}

const holeMark = "\x00"

func isHole(attribute string) bool { return strings.HasPrefix(attribute, holeMark) }

// holes are how many holes a reading has.
func (r reading) holes() int {
	n := 0
	for _, parts := range r.parts {
		for _, p := range parts {
			if isHole(p.Attribute) {
				n++
			}
		}
	}
	return n
}

// text is what tells readings apart.
func (r reading) text() string {
	var b strings.Builder
	for i, parts := range r.parts {
		b.WriteString(r.keys[i] + "=" + draft.Text(parts) + "\n")
	}
	return b.String()
}

// of are the parts for a key attribute, or nil.
func (r reading) of(key string) []draft.Part {
	if i := slices.Index(r.keys, key); i >= 0 {
		return r.parts[i]
	}
	return nil
}

// fits tells whether the templates make the item's keys. Holes are filled by
// what stands in their places.
func (r reading) fits(s *subject) bool {
	for i, key := range r.keys {
		v, ok := s.item.Values[key]
		if !ok {
			return false
		}
		if _, ok := s.match(r.parts[i], v); !ok {
			return false
		}
	}
	return true
}

// match matches a template against a key's value and gives what its holes hold.
func (s *subject) match(parts []draft.Part, key value.Value) (map[string]string, bool) {
	if len(parts) == 1 && parts[0].Attribute != "" && len(parts[0].Funcs) == 0 && !isHole(parts[0].Attribute) {
		return nil, value.Equal(s.values[parts[0].Attribute], key)
	}
	if key.Kind() != value.String {
		if len(parts) == 1 && isHole(parts[0].Attribute) {
			return map[string]string{parts[0].Attribute: key.Text()}, true
		}
		return nil, false
	}
	return s.matchText(parts, key.Text())
}

func (s *subject) matchText(parts []draft.Part, text string) (map[string]string, bool) {
	found := map[string]string{}
	for i, p := range parts {
		var piece string
		switch {
		case p.Attribute == "":
			piece = p.Literal
		case isHole(p.Attribute):
			piece = upTo(text, parts[i+1:], s)
			if before, seen := found[p.Attribute]; piece == "" || seen && before != piece {
				return nil, false
			}
			found[p.Attribute] = piece
		default:
			var ok bool
			if piece, ok = s.text(p); !ok {
				return nil, false
			}
		}
		rest, ok := strings.CutPrefix(text, piece)
		if !ok {
			return nil, false
		}
		text = rest
	}
	return found, text == ""
}

// upTo is what stands before the next part that is no hole.
func upTo(text string, rest []draft.Part, s *subject) string {
	if len(rest) == 0 {
		return text
	}
	next := rest[0].Literal
	if next == "" {
		next, _ = s.text(rest[0])
	}
	if i := strings.Index(text, next); next != "" && i >= 0 {
		return text[:i]
	}
	return ""
}

// reader reads keys of the items of one table.
type reader struct {
	own      map[string]bool // key attributes that mean something by themselves
	contexts map[string]map[string]int
}

// note counts what stands where in the keys of an item, so that what is constant
// can be told from what varies.
func (r *reader) note(s *subject, key string) {
	v := s.item.Values[key]
	if v.Kind() != value.String {
		return
	}
	prefix := key + "="
	for _, seg := range s.split(key, v.Text()) {
		switch {
		case seg.delimiter:
			prefix += seg.text
			continue
		case len(seg.candidates) > 0 || looksVariable(seg.text):
			prefix += "*"
			continue
		}
		if r.contexts[prefix] == nil {
			r.contexts[prefix] = map[string]int{}
		}
		r.contexts[prefix][seg.text]++
		prefix += seg.text
	}
}

// constant tells whether a word that no attribute explains is part of the
// template. First tells that more follows it in the key, alone that it is all of it.
func (r *reader) constant(prefix, text string, first, alone bool) bool {
	if looksVariable(text) {
		return false
	}
	if first || looksConstant(text) {
		return true
	}
	if _, start, _ := strings.Cut(prefix, "="); capitalised(text) && !capitalised(start) && !alone {
		return false
	}
	all := r.contexts[prefix]
	total := 0
	for _, n := range all {
		total += n
	}
	if alone {
		return len(all) <= 5 || 2*len(all) < total
	}
	return len(all) == 1 && total > 1 || all[text] >= 3 && 3*len(all) <= total
}

// capitalised tells a word such as Cheakamus: in a key it is a value, unless the
// key begins with such a word too.
func capitalised(w string) bool {
	return len(w) > 1 && w[0] >= 'A' && w[0] <= 'Z' && w[1] >= 'a' && w[1] <= 'z'
}

// readings are the ways to read one key of an item, the likeliest first.
func (r *reader) readings(s *subject, key string) []reading {
	v := s.item.Values[key]
	own := reading{keys: []string{key}, parts: [][]draft.Part{{{Attribute: key}}}}
	if v.Kind() != value.String {
		if r.own[key] {
			return []reading{own}
		}
		return r.whole(s, key, v)
	}
	var found []reading
	segs := s.split(key, v.Text())
	for _, parts := range r.combine(s, key, segs) {
		read := reading{keys: []string{key}, parts: [][]draft.Part{parts.parts}, rank: parts.rank}
		if r.own[key] && (read.holes() > 0 || len(draft.AttributesIn(parts.parts)) == 0 || len(parts.parts) == 1) {
			continue
		}
		found = append(found, read)
	}
	if r.own[key] && len(found) == 0 {
		found = append(found, own)
	}
	return found
}

// whole are the readings of a key that is no text: it is one attribute's value.
func (r *reader) whole(s *subject, key string, v value.Value) []reading {
	var found []reading
	for _, c := range s.explain(v.Text()) {
		if len(c.funcs) == 0 && value.Equal(s.values[c.attribute], v) {
			found = append(found, reading{keys: []string{key}, parts: [][]draft.Part{{{Attribute: c.attribute}}}})
		}
	}
	if len(found) == 0 {
		found = append(found, reading{keys: []string{key}, parts: [][]draft.Part{{{Attribute: hole(key, 0)}}}})
	}
	return found
}

// partial is the beginning of a template under construction.
type partial struct {
	parts []draft.Part
	rank  int
}

// combine are the templates that segments may stand for.
func (r *reader) combine(s *subject, key string, segs []segment) []partial {
	out := []partial{{}}
	prefix := key + "="
	for i, seg := range segs {
		options := r.options(key, prefix, i, segs)
		var next []partial
		for _, p := range out {
			for _, o := range options {
				next = append(next, partial{appendPart(p.parts, o.parts[0]), p.rank + o.rank})
			}
		}
		slices.SortStableFunc(next, func(a, b partial) int { return cmp.Compare(a.rank, b.rank) })
		out = next[:min(len(next), maxReadings)]
		switch {
		case seg.delimiter:
			prefix += seg.text
		case len(seg.candidates) > 0 || looksVariable(seg.text):
			prefix += "*"
		default:
			prefix += seg.text
		}
	}
	return out
}

// appendPart adds a part to a template; literals that meet become one.
func appendPart(parts []draft.Part, p draft.Part) []draft.Part {
	out := slices.Clone(parts)
	if n := len(out); n > 0 && p.Literal != "" && out[n-1].Literal != "" {
		out[n-1].Literal += p.Literal
		return out
	}
	return append(out, p)
}

// options are what a segment may be in a template.
func (r *reader) options(key, prefix string, i int, segs []segment) []partial {
	seg := segs[i]
	literal := partial{parts: []draft.Part{{Literal: seg.text}}}
	if seg.delimiter {
		return []partial{literal}
	}
	first, alone := i == 0 && len(segs) > 1, len(segs) == 1
	var out []partial
	for _, c := range seg.candidates {
		if c.attribute != key && len(out) < maxCandidates {
			out = append(out, partial{[]draft.Part{{Attribute: c.attribute, Funcs: c.funcs}}, 1 + c.rank + len(out)})
		}
	}
	switch {
	case len(out) == 0 && r.constant(prefix, seg.text, first, alone):
		out = append(out, literal)
	case len(out) == 0:
		out = append(out, partial{[]draft.Part{{Attribute: hole(key, i)}}, 10})
	case !looksVariable(seg.text):
		literal.rank = 3
		if first || looksConstant(seg.text) {
			literal.rank = 0
		}
		out = append(out, literal)
	}
	return out
}

// product combines the readings of several keys.
func product(all [][]reading) []reading {
	out := []reading{{}}
	for _, list := range all {
		var next []reading
		for _, a := range out {
			for _, b := range list {
				next = append(next, reading{
					keys:  append(slices.Clone(a.keys), b.keys...),
					parts: append(slices.Clone(a.parts), b.parts...),
					rank:  a.rank + b.rank,
				})
			}
		}
		slices.SortStableFunc(next, func(a, b reading) int { return cmp.Compare(a.rank, b.rank) })
		out = next[:min(len(next), 3*maxReadings)]
	}
	return out
}
