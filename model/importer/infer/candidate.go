package infer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/value"
)

// candidate is an attribute that has a text of a key as its value, or makes it
// by functions.
type candidate struct {
	attribute string
	funcs     []expr.Func
	rank      int // the less, the likelier
}

// The ranks of candidates: the plainest explanation first.
const (
	rankValue = iota
	rankDigits
	rankCase
	rankPeriod
	rankMember
	rankTimeInID
)

// periods are the buckets of time that are tried, finest last. Bucket has the
// lengths that people choose, in minutes.
var periods = []expr.Func{
	{Name: expr.Year}, {Name: expr.Month}, {Name: expr.Week}, {Name: expr.Day}, {Name: expr.Hour}, {Name: expr.Minute},
	{Name: expr.Bucket, N: 5}, {Name: expr.Bucket, N: 10}, {Name: expr.Bucket, N: 15}, {Name: expr.Bucket, N: 30},
	{Name: expr.Bucket, N: 6 * 60}, {Name: expr.Bucket, N: 12 * 60},
}

// subject is an item whose keys are to be explained by its attributes.
type subject struct {
	item   *draft.Item
	values map[string]value.Value // those that may explain, by name or path
	byText map[string][]candidate
	whole  []wholeNumber
	longs  []string // the texts of byText, longest first
}

// wholeNumber is an attribute that pad and invert may write.
type wholeNumber struct {
	attribute string
	value     value.Value
}

// newSubject gathers the texts that an item's attributes make. Left out are the
// attributes that may not explain anything: keys.
func newSubject(item *draft.Item, leftOut func(name string) bool) *subject {
	s := &subject{item: item, values: map[string]value.Value{}, byText: map[string][]candidate{}}
	for _, name := range sortedNames(item.Values) {
		if !leftOut(name) && !strings.Contains(name, ".") {
			s.add(name, item.Values[name])
		}
	}
	return s
}

func sortedNames(values map[string]value.Value) []string {
	out := make([]string, 0, len(values))
	for name := range values {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// add makes an attribute one of those that may explain keys.
func (s *subject) add(name string, v value.Value) {
	rank := rankValue
	if strings.Contains(name, ".") {
		rank = rankMember
	}
	if v.Kind() == value.Map && rank == rankValue {
		for _, f := range v.Fields() {
			if draft.IsPlainName(name) && draft.IsPlainName(f.Name) && f.Value.Kind().IsKey() {
				s.add(name+"."+f.Name, f.Value)
			}
		}
		return
	}
	text, err := encode.Text(v)
	if err != nil || text == "" {
		return
	}
	s.values[name] = v
	s.put(text, candidate{name, nil, rank})
	switch v.Kind() {
	case value.Number:
		if n, ok := v.Int(); ok && n >= 0 {
			s.whole = append(s.whole, wholeNumber{name, v})
		}
	case value.String:
		s.derive(name, v, expr.Func{Name: expr.Lower}, rankCase)
		s.derive(name, v, expr.Func{Name: expr.Upper}, rankCase)
	}
	if t := typeOfValue(v); t.HasTime() {
		rank := rankPeriod
		if !t.IsTime() {
			rank = rankTimeInID
		}
		for _, f := range periods {
			s.derive(name, v, f, rank)
		}
	}
}

func (s *subject) derive(name string, v value.Value, f expr.Func, rank int) {
	text, ok := textOf(v, []expr.Func{f})
	if plain, err := encode.Text(v); ok && err == nil && text != plain {
		s.put(text, candidate{name, []expr.Func{f}, rank})
	}
}

func (s *subject) put(text string, c candidate) {
	if len(s.byText[text]) == 0 {
		s.longs = append(s.longs, text)
	}
	s.byText[text] = append(s.byText[text], c)
}

// seal orders what was added.
func (s *subject) seal() {
	slices.SortFunc(s.longs, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	for _, list := range s.byText {
		slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.rank, b.rank) })
	}
}

// explain are the candidates for a text, the likeliest first.
func (s *subject) explain(text string) []candidate {
	found := slices.Clone(s.byText[text])
	if digits := strings.Trim(text, "0123456789") == ""; !digits || text == "" || len(text) > 38 {
		return found
	}
	for _, w := range s.whole {
		for _, name := range []expr.FuncName{expr.Pad, expr.Invert} {
			f := []expr.Func{{Name: name, N: len(text)}}
			if out, err := encode.Apply(f, w.value, model.TypeInteger); err == nil && out.Text() == text {
				found = append(found, candidate{w.attribute, f, rankDigits})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.rank, b.rank) })
	return found
}

// render is what a template makes of the item; false when an attribute is not
// there or the template has a hole.
func (s *subject) render(parts []draft.Part) (string, bool) {
	var b strings.Builder
	for _, p := range parts {
		if p.Attribute == "" {
			b.WriteString(p.Literal)
			if p.Literal == "" {
				return "", false
			}
			continue
		}
		text, ok := s.text(p)
		if !ok {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), true
}

// text is what an attribute of a template makes of the item.
func (s *subject) text(p draft.Part) (string, bool) {
	v, ok := s.values[p.Attribute]
	if !ok {
		return "", false
	}
	if len(p.Funcs) == 1 && (p.Funcs[0].Name == expr.Pad || p.Funcs[0].Name == expr.Invert) {
		out, err := encode.Apply(p.Funcs, v, model.TypeInteger)
		return out.Text(), err == nil
	}
	return textOf(v, p.Funcs)
}
