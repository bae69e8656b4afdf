package data

import (
	"slices"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// Most bytes of a key value:
// docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html
const (
	partitionKeyMax = 2048
	sortKeyMax      = 1024
)

// hintsOf are what the templates of a model say about each attribute in them.
func hintsOf(m *model.Model, now time.Time) map[*model.Attribute]*hints {
	out := map[*model.Attribute]*hints{}
	limits := keyLimits(m.Table)
	for _, e := range m.Entities {
		for _, a := range e.Attributes {
			out[a] = &hints{now: now}
		}
		for _, k := range e.Keys {
			noteTemplate(out, k.Template, limits[k.Name.Text])
			noteWords(out, m, e, k)
		}
		for _, u := range e.Unique {
			for _, k := range u.Keys {
				noteTemplate(out, k.Template, limits[k.Name.Text])
			}
		}
	}
	for _, e := range m.Entities {
		for _, a := range e.Attributes {
			if a.Ref != nil && out[a.Ref.Attribute] != nil {
				out[a.Ref.Attribute].share(out[a])
			}
		}
	}
	return out
}

// share takes over what the templates of an attribute that refers here say of its
// values, which come from here.
func (h *hints) share(from *hints) {
	for _, d := range from.delimiters {
		if len(h.delimiters) < delimitersMax && !slices.Contains(h.delimiters, d) {
			h.delimiters = append(h.delimiters, d)
		}
	}
	for _, w := range from.words {
		if len(h.words) < wordsMax && !slices.Contains(h.words, w) {
			h.words = append(h.words, w)
		}
	}
}

// keyLimits are the most bytes in each key attribute, of the table and the indexes.
func keyLimits(t *model.Table) map[string]int {
	out := map[string]int{}
	note := func(keys []model.KeyAttribute, limit int) {
		for _, k := range keys {
			if old, ok := out[k.Name]; !ok || limit < old {
				out[k.Name] = limit
			}
		}
	}
	note([]model.KeyAttribute{t.PartitionKey}, partitionKeyMax)
	if t.SortKey != nil {
		note([]model.KeyAttribute{*t.SortKey}, sortKeyMax)
	}
	for _, x := range t.Indexes {
		note(x.PartitionKey, partitionKeyMax)
		note(x.SortKey, sortKeyMax)
	}
	return out
}

// noteTemplate notes the delimiters beside each attribute of a template, and
// its share of the key's bytes.
func noteTemplate(out map[*model.Attribute]*hints, t model.Template, limit int) {
	attributes, literal := 0, 0
	for _, p := range t.Parts {
		literal += len(p.Literal)
		if p.Attribute != nil {
			attributes++
		}
	}
	for i, p := range t.Parts {
		h := out[p.Attribute]
		if p.Attribute == nil || h == nil {
			continue
		}
		if i+1 < len(t.Parts) {
			h.delimit(t.Parts[i+1].Literal)
		}
		if i > 0 {
			h.delimit(t.Parts[i-1].Literal)
		}
		for _, f := range p.Funcs {
			if f.Name == expr.Week || f.Name == expr.Minute || f.Name == expr.Bucket {
				h.periods = append(h.periods, f)
			}
			h.begin(f)
		}
		h.wholeKey = h.wholeKey || literal == 0
		if share := (limit - literal) / attributes; limit > 0 && (h.maxBytes == 0 || share < h.maxBytes) {
			h.maxBytes = max(share, 1)
		}
	}
}

// prefixMax is the longest beginning of which values are made that share it.
const prefixMax = 40

// begin notes two words that a key takes for one, when all it takes of a value is
// its beginning.
func (h *hints) begin(f expr.Func) {
	if f.Name != expr.Prefix || f.N > prefixMax {
		return
	}
	shared := strings.Repeat("a", f.N)
	for _, word := range []string{shared + "b", shared + "c"} {
		if !slices.Contains(h.words, word) {
			h.words = append(h.words, word)
		}
	}
}

// delimitersMax is the most literals that are put inside values of one attribute.
const delimitersMax = 4

// delimiterMax is the longest literal that is put inside values, in bytes.
const delimiterMax = 12

// delimit notes a literal beside the attribute, and the sign at its edge.
func (h *hints) delimit(literal string) {
	if literal == "" || len(literal) > delimiterMax {
		return
	}
	for _, d := range []string{literal[len(literal)-1:], literal} {
		if d[0] < 0x80 && len(h.delimiters) < delimitersMax && !slices.Contains(h.delimiters, d) {
			h.delimiters = append(h.delimiters, d)
		}
	}
}

// wordsMax is the most words noted for one attribute.
const wordsMax = 6

// noteWords notes, for the first attribute of a template, what the templates of
// other entities for the same key have where it stands: the literal they begin
// with, and a whole key of theirs.
func noteWords(out map[*model.Attribute]*hints, m *model.Model, e *model.Entity, k *model.Key) {
	lead, first := leading(k.Template)
	if first == nil || out[first] == nil || first.Type.Kind() != value.String {
		return
	}
	h := out[first]
	for _, other := range m.Entities {
		o := other.Key(k.Name.Text)
		if other == e || o == nil {
			continue
		}
		theirs, _ := leading(o.Template)
		if !strings.HasPrefix(theirs, lead) && !strings.HasPrefix(lead, theirs) {
			continue // no key of theirs begins like one of e
		}
		for _, text := range []string{theirs, plain(o.Template, h.now)} {
			word, cut := strings.CutPrefix(text, lead)
			if cut && word != "" && len(h.words) < wordsMax && !slices.Contains(h.words, word) {
				h.words = append(h.words, word)
			}
		}
	}
}

// plain is the text that a template makes of the plainest values of its
// attributes; "" where they make none.
func plain(t model.Template, now time.Time) string {
	item := model.Item{}
	for _, p := range t.Parts {
		if p.Attribute != nil {
			set(item, p.Attribute, first(pool(p.Attribute, &hints{now: now})))
		}
	}
	v, err := encode.Render(t, item, noShard)
	if err != nil || v.Kind() != value.String {
		return ""
	}
	return v.Text()
}

// leading is the literal a template begins with, and the attribute after it.
func leading(t model.Template) (string, *model.Attribute) {
	lead := ""
	for _, p := range t.Parts {
		if p.Attribute != nil {
			return lead, p.Attribute
		}
		lead += p.Literal
	}
	return lead, nil
}
