package data

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// Bounds of the search for strings of a pattern: how many to keep of each part,
// and how often to repeat beyond what the pattern demands.
const (
	variantsKept = 12
	moreRepeats  = 3
	repeatsTried = 300
)

// matching are strings that a pattern matches whole, the plainest first: each
// alternative, ends of character classes, delimiters where a class has them,
// and repetitions of differing length. What a pattern asks of its surroundings
// (\b, ^ inside) is not looked at: whoever uses the strings keeps those that match.
// Where they must have a least length, so many characters are come up to.
func matching(pattern *regexp.Regexp, delimiters []string, least int) []string {
	re, err := syntax.Parse(pattern.String(), syntax.Perl)
	if err != nil {
		return nil // a regexp.Regexp has parsed before
	}
	m := matcher{delimiters: delimiters, least: min(least, repeatsTried)}
	return m.strings(re)
}

type matcher struct {
	delimiters []string
	least      int
}

func (m *matcher) strings(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		text := string(re.Rune)
		if re.Flags&syntax.FoldCase != 0 {
			return keep([]string{strings.ToLower(text), strings.ToUpper(text)})
		}
		return []string{text}
	case syntax.OpCharClass:
		return m.class(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return m.class([]rune{0x20, unicode.MaxRune - 1})
	case syntax.OpCapture:
		return m.strings(re.Sub[0])
	case syntax.OpStar:
		return m.repeated(re.Sub[0], 0, moreRepeats, repeatsTried)
	case syntax.OpPlus:
		return m.repeated(re.Sub[0], 1, 1+moreRepeats, repeatsTried)
	case syntax.OpQuest:
		return append(m.strings(re.Sub[0]), "")
	case syntax.OpRepeat:
		limit := re.Max
		if limit < 0 {
			limit = repeatsTried
		}
		return m.repeated(re.Sub[0], re.Min, min(limit, re.Min+moreRepeats), limit)
	case syntax.OpConcat:
		return m.concat(re.Sub)
	case syntax.OpAlternate:
		return m.alternate(re.Sub)
	}
	return []string{""}
}

// class picks characters of a class given as pairs of first and last.
func (m *matcher) class(pairs []rune) []string {
	has := func(r rune) bool {
		for i := 0; i+1 < len(pairs); i += 2 {
			if r >= pairs[i] && r <= pairs[i+1] {
				return true
			}
		}
		return false
	}
	var out []string
	pick := func(runes string) {
		for _, r := range runes {
			if has(r) {
				out = append(out, string(r))
			}
		}
	}
	pick("a0Ab19B")
	for _, d := range m.delimiters {
		pick(d)
	}
	pick("-_#é日")
	for i := 0; i+1 < len(pairs); i += 2 {
		pick(string(pairs[i]))
		pick(string(pairs[i+1]))
	}
	return keep(out)
}

// repeated repeats the plainest string, and a mixture of all, from low to high
// times; and the plainest up to the limit where a least length asks for it.
func (m *matcher) repeated(sub *syntax.Regexp, low, high, limit int) []string {
	parts := m.strings(sub)
	if len(parts) == 0 {
		parts = []string{""}
	}
	var out []string
	for n := max(low, 1); n <= high; n++ {
		var mixed strings.Builder
		for i := range n {
			mixed.WriteString(parts[i%len(parts)])
		}
		out = append(out, strings.Repeat(parts[0], n), mixed.String())
	}
	for _, p := range parts {
		if n := max(low, 1); n <= high {
			out = append(out, strings.Repeat(parts[0], n-1)+p)
		}
	}
	if low == 0 {
		out = append(out, "")
	}
	out = keep(out)
	for n := min(m.least, limit); n > high && n > m.least-variantsKept; n-- {
		out = append(out, strings.Repeat(parts[0], n))
	}
	return out
}

// concat joins the plainest of each part, then varies each part alone.
func (m *matcher) concat(subs []*syntax.Regexp) []string {
	parts := make([][]string, len(subs))
	for i, s := range subs {
		if parts[i] = m.strings(s); len(parts[i]) == 0 {
			return nil
		}
	}
	join := func(changed, variant int) string {
		var b strings.Builder
		for i, p := range parts {
			if i == changed {
				b.WriteString(p[variant])
			} else {
				b.WriteString(p[0])
			}
		}
		return b.String()
	}
	out := []string{join(-1, 0)}
	for variant := 1; variant < 2*variantsKept; variant++ {
		for i, p := range parts {
			if variant < len(p) {
				out = append(out, join(i, variant))
			}
		}
	}
	if m.least > 0 {
		return unique(out)
	}
	return keep(out)
}

// alternate takes from each alternative in turn.
func (m *matcher) alternate(subs []*syntax.Regexp) []string {
	var out []string
	parts := make([][]string, len(subs))
	for i, s := range subs {
		parts[i] = m.strings(s)
	}
	for variant := range variantsKept {
		for _, p := range parts {
			if variant < len(p) {
				out = append(out, p[variant])
			}
		}
	}
	return unique(out)
}

// keep is the first few different strings.
func keep(all []string) []string {
	all = unique(all)
	return all[:min(len(all), variantsKept)]
}

// unique drops strings that came before.
func unique(all []string) []string {
	var out []string
	for _, s := range all {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
