package plan

import (
	"regexp"
	"regexp/syntax"
	"unicode/utf8"
)

// patternText is what is known of a text that matches a pattern as a whole: the
// characters that can be in it, and how many there are where that is fixed.
func patternText(re *regexp.Regexp) text {
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return text{chars: anything}
	}
	t := text{chars: charsOf(tree)}
	if low, high := lengths(tree); low == high {
		t.width = low
	}
	return t
}

// patternLengths are the least and greatest numbers of characters of a text that
// matches a pattern; unbounded when there is no greatest.
func patternLengths(re *regexp.Regexp) (low, high int) {
	tree, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return 0, unbounded
	}
	return lengths(tree)
}

func charsOf(re *syntax.Regexp) charset {
	var out charset
	switch re.Op {
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return anything
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			out = out.withRune(r)
			if re.Flags&syntax.FoldCase != 0 {
				return anything
			}
		}
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			if re.Rune[i+1] >= utf8.RuneSelf {
				out = out.or(nonASCII)
			}
			if low, high := re.Rune[i], min(re.Rune[i+1], utf8.RuneSelf-1); low <= high {
				out = out.span(byte(low), byte(high))
			}
		}
	}
	for _, sub := range re.Sub {
		out = out.or(charsOf(sub))
	}
	return out
}

func (c charset) withRune(r rune) charset {
	if r >= utf8.RuneSelf {
		return c.or(nonASCII)
	}
	return c.with(byte(r))
}

// unbounded stands for a length that the pattern does not bound.
const unbounded = 1 << 20

// lengths are the least and greatest numbers of characters of a match.
func lengths(re *syntax.Regexp) (low, high int) {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune), len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1, 1
	case syntax.OpCapture:
		return lengths(re.Sub[0])
	case syntax.OpStar:
		return 0, unbounded
	case syntax.OpPlus:
		low, _ = lengths(re.Sub[0])
		return low, unbounded
	case syntax.OpQuest:
		_, high = lengths(re.Sub[0])
		return 0, high
	case syntax.OpRepeat:
		return repeated(re)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			l, h := lengths(sub)
			low, high = min(low+l, unbounded), min(high+h, unbounded)
		}
		return low, high
	case syntax.OpAlternate:
		low = unbounded
		for _, sub := range re.Sub {
			l, h := lengths(sub)
			low, high = min(low, l), max(high, h)
		}
		return low, high
	}
	return 0, 0
}

func repeated(re *syntax.Regexp) (low, high int) {
	l, h := lengths(re.Sub[0])
	low, high = min(l*re.Min, unbounded), unbounded
	if re.Max >= 0 {
		high = min(h*re.Max, unbounded)
	}
	return low, high
}
