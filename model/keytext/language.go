package keytext

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// anyText is a text of one character or more.
const anyText = `(?s:.+)`

// longestCounted is the greatest fixed length whose characters are counted one
// by one; beyond it a text is just of any length.
const longestCounted = 256

// Leaf is the attribute that a template's part holds, at the end of its path;
// one of any type where the model does not declare it. Nil of a literal or a
// drawn shard.
func Leaf(p model.Part) *model.Attribute {
	if p.Attribute == nil {
		return nil
	}
	if a := p.Attribute.Member(p.Path.Rest); a != nil {
		return a
	}
	return &model.Attribute{At: p.Attribute.At, Name: model.Name{Text: p.Path.String()}, Type: model.TypeAny, Optional: true}
}

// parsed compiles an expression of this package's own making.
func parsed(re string) *syntax.Regexp {
	out, err := syntax.Parse(re, syntax.Perl)
	if err != nil {
		panic("keytext: " + err.Error())
	}
	return out
}

// declared is an expression for the text of an attribute's values.
func declared(a *model.Attribute) *syntax.Regexp {
	d := a.Domain
	switch {
	case len(d.Values) > 0:
		var words []string
		for _, v := range d.Values {
			words = append(words, regexp.QuoteMeta(v.Value.Text()))
		}
		return parsed(strings.Join(words, "|"))
	case d.Pattern != nil:
		if re, err := syntax.Parse(d.Pattern.String(), syntax.Perl); err == nil {
			return re
		}
	}
	return parsed(typeTexts(a))
}

func typeTexts(a *model.Attribute) string {
	const digit, hex = `[0-9]`, `[0-9a-fA-F]`
	switch a.Type {
	case model.TypeUUID, model.TypeUUID7:
		return hex + `{8}-` + hex + `{4}-` + hex + `{4}-` + hex + `{4}-` + hex + `{12}`
	case model.TypeULID:
		return `[0-9A-HJKMNP-TV-Z]{26}`
	case model.TypeKSUID:
		return `[0-9A-Za-z]{27}`
	case model.TypeMonth:
		return digit + `{4}-` + digit + `{2}`
	case model.TypeDate:
		return digit + `{4}-` + digit + `{2}-` + digit + `{2}`
	case model.TypeDatetime:
		return datetime(a)
	case model.TypeInteger, model.TypeEpoch, model.TypeEpochMS, model.TypeNumber:
		return number(a)
	case model.TypeBoolean:
		return `true|false`
	case model.TypeSlug:
		return counted(a, `[a-z0-9-]`)
	case model.TypeEmail:
		return `[^ \t\r\n]+@[^ \t\r\n]+`
	case model.TypeURL:
		return counted(a, `[^ \t\r\n]`)
	}
	return counted(a, `(?s:.)`)
}

// counted is characters of one sort, as many as the length or size declared.
func counted(a *model.Attribute, char string) string {
	n := a.Domain.Length
	if n != nil && n.Min == n.Max && n.Max <= longestCounted {
		return fmt.Sprintf(`%s{%d}`, char, n.Min)
	}
	if n == nil {
		n = a.Domain.Size
	}
	if n != nil && n.Min == 0 {
		return char + `*`
	}
	return char + `+`
}

func datetime(a *model.Attribute) string {
	if a.Domain.AnyZone || a.Domain.Precision == model.PrecisionVariable {
		return `[0-9-]{10}T[0-9:.]{5,}(Z|[+-][0-9:]{5})?`
	}
	var b strings.Builder
	for _, r := range a.Layout() {
		if '0' <= r && r <= '9' {
			b.WriteString(`[0-9]`)
		} else {
			b.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	return b.String()
}

// number is the decimal text of a number: of a fixed width where the bounds
// are whole, not negative and of one length.
func number(a *model.Attribute) string {
	if n := Width(a); n > 0 {
		return fmt.Sprintf(`[0-9]{%d}`, n)
	}
	text := `[0-9]+`
	if a.Type == model.TypeNumber {
		text += `(\.[0-9]+)?`
	}
	if lo, ok := a.Domain.Min.Int(); a.Type != model.TypeEpoch && a.Type != model.TypeEpochMS && !ok || ok && lo < 0 {
		text = `-?` + text
	}
	return text
}

// Width is the number of digits that every value of a whole number has, 0 when
// they have different numbers or a sign.
func Width(a *model.Attribute) int {
	lo, lok := a.Domain.Min.Int()
	hi, hok := a.Domain.Max.Int()
	if a.Type == model.TypeNumber || !lok || !hok || lo < 0 {
		return 0
	}
	l, h := value.OfInt(lo).Text(), value.OfInt(hi).Text()
	if len(l) != len(h) {
		return 0
	}
	return len(l)
}

// below is the whole numbers from 0 to n-1.
func below(n int) string {
	if n <= 10 {
		return fmt.Sprintf(`[0-%d]`, n-1)
	}
	return fmt.Sprintf(`0|[1-9][0-9]{0,%d}`, len(fmt.Sprint(n-1))-1)
}

// apply is an expression for what a template function makes of texts.
func apply(f expr.Func, re *syntax.Regexp) *syntax.Regexp {
	switch f.Name {
	case expr.Lower, expr.Upper:
		return folded(f.Name, re)
	case expr.Pad, expr.Invert:
		return parsed(fmt.Sprintf(`[0-9]{%d}`, f.N))
	case expr.Year:
		return parsed(`[0-9]{4}`)
	case expr.Month:
		return parsed(`[0-9]{4}-[0-9]{2}`)
	case expr.Day:
		return parsed(`[0-9]{4}-[0-9]{2}-[0-9]{2}`)
	case expr.Week:
		return parsed(`[0-9]{4}-W[0-9]{2}`)
	case expr.Hour:
		return parsed(`[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}`)
	case expr.Minute, expr.Bucket:
		return parsed(`[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}`)
	case expr.Shard:
		return parsed(below(f.N))
	case expr.Prefix:
		return beginning(re, f.N)
	}
	return parsed(anyText)
}

// beginning is the first n characters of texts: exact where they all have as
// many and nothing of them repeats, else any text that short.
func beginning(re *syntax.Regexp, n int) *syntax.Regexp {
	least, most := lengths(re)
	if least == most && least >= n && n <= longestCounted {
		if atoms := flat(re); atoms != nil {
			return &syntax.Regexp{Op: syntax.OpConcat, Sub: atoms[:n]}
		}
	}
	n = min(n, longestCounted)
	return parsed(fmt.Sprintf(`(?s:.{%d,%d})`, min(least, n), n))
}

// flat is an expression as a row of single characters, nil when it is none.
func flat(re *syntax.Regexp) []*syntax.Regexp {
	switch re.Op {
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return []*syntax.Regexp{re}
	case syntax.OpCapture:
		return flat(re.Sub[0])
	case syntax.OpLiteral:
		var out []*syntax.Regexp
		for _, r := range re.Rune {
			out = append(out, &syntax.Regexp{Op: syntax.OpLiteral, Flags: re.Flags, Rune: []rune{r}})
		}
		return out
	case syntax.OpRepeat:
		one := flat(re.Sub[0])
		if one == nil || re.Min != re.Max {
			return nil
		}
		var out []*syntax.Regexp
		for range re.Min {
			out = append(out, one...)
		}
		return out
	case syntax.OpConcat:
		out := []*syntax.Regexp{}
		for _, sub := range re.Sub {
			more := flat(sub)
			if more == nil {
				return nil
			}
			out = append(out, more...)
		}
		return out
	}
	return nil
}
