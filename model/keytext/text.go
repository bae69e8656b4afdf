package keytext

import (
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// Text is a set of texts: those that an attribute's values, or another piece of
// a key, can be.
type Text struct {
	re *syntax.Regexp
	// width is the number of characters that a declared length fixes, 0 for none.
	width int
}

// Of are the texts of an attribute's values, as they are stored and then seen
// through functions.
func Of(a *model.Attribute, funcs []expr.Func) Text {
	t := Text{re: declared(a)}
	if n := a.Domain.Length; n != nil && n.Min == n.Max {
		t.width = int(min(n.Max, unbounded))
	}
	if a.Stored != "" {
		t = t.through(expr.Func{Name: a.Stored})
	}
	for _, f := range funcs {
		t = t.through(f)
	}
	return t
}

// Literal is one text.
func Literal(text string) Text {
	if text == "" {
		return Text{re: &syntax.Regexp{Op: syntax.OpEmptyMatch}}
	}
	return Text{re: &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune(text)}}
}

// beginning is the text that all of a row's texts begin with, as far as its first
// part says it.
func (r Row) beginning() string {
	if len(r) == 0 || r[0].re.Op != syntax.OpLiteral || r[0].re.Flags&syntax.FoldCase != 0 {
		return ""
	}
	return string(r[0].re.Rune)
}

// Shard are the numbers of n shards.
func Shard(n int) Text { return Text{re: parsed(below(n))} }

// Any is every text, the empty one included.
func Any() Text { return Text{re: parsed(`(?s:.*)`)} }

// through is what a template function makes of the texts.
func (t Text) through(f expr.Func) Text {
	out := Text{re: apply(f, t.re)}
	switch f.Name {
	case expr.Lower, expr.Upper:
		out.width = t.width
	case expr.Prefix:
		out.width = min(t.width, f.N)
	}
	return out
}

// Width is the number of characters that all of the texts have, 0 when they
// have different numbers.
func (t Text) Width() int {
	if least, most := lengths(t.re); least == most {
		return most
	}
	return t.width
}

// Lengths are the fewest and most characters of the texts; bounded tells that
// there is a greatest number.
func (t Text) Lengths() (least, most int, bounded bool) {
	least, most = lengths(t.re)
	return least, most, most < unbounded
}

// Has tells whether a byte can be in one of the texts, written in UTF-8. All
// bytes of characters beyond ASCII count as one.
func (t Text) Has(b byte) bool { return has(t.re, b) }

func has(re *syntax.Regexp, b byte) bool {
	switch re.Op {
	case syntax.OpAnyChar:
		return true
	case syntax.OpAnyCharNotNL:
		return b != '\n'
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			if inClass(single(r, re.Flags&syntax.FoldCase != 0), b) {
				return true
			}
		}
	case syntax.OpCharClass:
		return inClass(re.Rune, b)
	}
	for _, sub := range re.Sub {
		if has(sub, b) {
			return true
		}
	}
	return false
}

func inClass(class []rune, b byte) bool {
	for i := 0; i < len(class); i += 2 {
		if class[i] <= rune(b) && rune(b) <= class[i+1] || b >= utf8.RuneSelf && class[i+1] >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// Least is the smallest byte that can be in one of the texts; 0xff for none.
func (t Text) Least() byte {
	for b := range byte(0xff) {
		if t.Has(b) {
			return b
		}
	}
	return 0xff
}

// IsDigits tells whether the texts hold decimal digits and nothing else.
func (t Text) IsDigits() bool {
	for b := range byte(0xff) {
		if (b < '0' || b > '9') && t.Has(b) {
			return false
		}
	}
	return t.Least() < 0xff
}

// Row is a row of texts, one behind the other: what a template, or a piece of a
// request, can make.
type Row []Text

// OfTemplate are the texts that a template can make.
func OfTemplate(t model.Template) Row {
	row := make(Row, len(t.Parts))
	for i, p := range t.Parts {
		row[i] = ofPart(p)
	}
	return row
}

func ofPart(p model.Part) Text {
	switch {
	case p.Attribute != nil:
		return Of(Leaf(p), p.Funcs)
	case p.Random > 0:
		return Shard(p.Random)
	}
	return Literal(p.Literal)
}

// Meets tells whether the two rows can make one text, for example for two
// entities that share a partition.
func (r Row) Meets(u Row) bool {
	if one, other := r.beginning(), u.beginning(); !strings.HasPrefix(one, other) && !strings.HasPrefix(other, one) {
		return false
	}
	a, b := compile(r), compile(u)
	if len(a.states) > maxStates || len(b.states) > maxStates {
		return true
	}
	return a.meets(b)
}
