package keytext

import (
	"math"
	"regexp/syntax"
	"unicode/utf8"
)

// unbounded is the length of texts that have no greatest one.
const unbounded = math.MaxInt32

// lengths are the fewest and most characters of an expression's texts.
func lengths(re *syntax.Regexp) (least, most int) {
	return measure(re, func(rune) int { return 1 })
}

// bytesOf are the fewest and most bytes of an expression's texts in UTF-8.
func bytesOf(re *syntax.Regexp) (least, most int) {
	return measure(re, utf8.RuneLen)
}

// measure adds up what the characters of the shortest and longest texts
// measure. Of a class its last character counts most, its first one least.
func measure(re *syntax.Regexp, size func(rune) int) (least, most int) {
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			least, most = least+size(r), most+size(r)
		}
	case syntax.OpCharClass:
		if n := len(re.Rune); n > 0 {
			return size(re.Rune[0]), largest(re.Rune, size)
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return size(0), size(utf8.MaxRune)
	case syntax.OpCapture:
		return measure(re.Sub[0], size)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			l, m := measure(sub, size)
			least, most = plus(least, l), plus(most, m)
		}
	case syntax.OpAlternate:
		least = unbounded
		for _, sub := range re.Sub {
			l, m := measure(sub, size)
			least, most = min(least, l), max(most, m)
		}
	case syntax.OpStar:
		return 0, times(second(measure(re.Sub[0], size)), unbounded)
	case syntax.OpPlus:
		l, m := measure(re.Sub[0], size)
		return l, times(m, unbounded)
	case syntax.OpQuest:
		return 0, second(measure(re.Sub[0], size))
	case syntax.OpRepeat:
		l, m := measure(re.Sub[0], size)
		if re.Max < 0 {
			return times(l, re.Min), times(m, unbounded)
		}
		return times(l, re.Min), times(m, re.Max)
	}
	return least, most
}

func largest(class []rune, size func(rune) int) int {
	n := 0
	for i := 1; i < len(class); i += 2 {
		n = max(n, size(class[i]))
	}
	return n
}

// widest is the most bytes that a single character of an expression's texts takes.
func widest(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return second(bytesOf(re))
	}
	n := 0
	for _, r := range re.Rune {
		n = max(n, utf8.RuneLen(r))
	}
	for _, sub := range re.Sub {
		n = max(n, widest(sub))
	}
	return n
}

func second(_, b int) int { return b }

func plus(a, b int) int { return int(min(int64(a)+int64(b), unbounded)) }

func times(a, b int) int { return int(min(int64(a)*int64(b), unbounded)) }
