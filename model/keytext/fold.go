package keytext

import (
	"regexp/syntax"
	"unicode"

	"github.com/dynmodel/dynmodel/model/expr"
)

// folded is an expression for the texts of another, in lower or upper case.
// Letters beyond ASCII keep their classes, which then hold more than they need.
func folded(f expr.FuncName, re *syntax.Regexp) *syntax.Regexp {
	out := *re
	out.Sub = nil
	for _, sub := range re.Sub {
		out.Sub = append(out.Sub, folded(f, sub))
	}
	switch re.Op {
	case syntax.OpLiteral:
		out.Rune = nil
		for _, r := range re.Rune {
			out.Rune = append(out.Rune, fold(f, r))
		}
		out.Flags &^= syntax.FoldCase
	case syntax.OpCharClass:
		out.Rune = foldedClass(f, re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		out.Op, out.Rune = syntax.OpCharClass, foldedClass(f, []rune{0, unicode.MaxRune})
	}
	return &out
}

func fold(f expr.FuncName, r rune) rune {
	if f == expr.Lower {
		return unicode.ToLower(r)
	}
	return unicode.ToUpper(r)
}

// foldedClass is a class of characters, as pairs of first and last, in one case.
func foldedClass(f expr.FuncName, class []rune) []rune {
	gone, kept := [2]rune{'A', 'Z'}, 'a'
	if f == expr.Upper {
		gone, kept = [2]rune{'a', 'z'}, 'A'
	}
	var out []rune
	for i := 0; i < len(class); i += 2 {
		low, high := class[i], class[i+1]
		for _, part := range [][2]rune{{low, min(high, gone[0]-1)}, {max(low, gone[1]+1), high}} {
			if part[0] <= part[1] {
				out = append(out, part[0], part[1])
			}
		}
		if l, h := max(low, gone[0]), min(high, gone[1]); l <= h {
			out = append(out, l-gone[0]+kept, h-gone[0]+kept)
		}
	}
	return out
}
