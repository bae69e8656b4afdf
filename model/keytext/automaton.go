package keytext

import (
	"regexp/syntax"
	"slices"
	"unicode"
)

// automaton accepts the texts of a row. Its states each read one
// character, and know the part of the row they belong to.
type automaton struct {
	states []state
	start  step
}

type state struct {
	part  int
	class []rune // what it reads: pairs of first and last, in order
	next  step
}

// step is where one can be between two characters.
type step struct {
	states []int
	end    bool // the text may end here
}

// maxStates is the largest automaton that is looked at; of a larger one nothing
// is claimed.
const maxStates = 1000

// compile makes the automaton of a row of texts, its parts.
func compile(row Row) *automaton {
	a := &automaton{}
	after := step{end: true}
	for i := len(row) - 1; i >= 0; i-- {
		after = a.prepend(i, row[i].re, after)
	}
	a.start = after
	return a
}

// prepend adds the states of a part, which lead on to the step after it.
func (a *automaton) prepend(part int, re *syntax.Regexp, after step) step {
	program, err := syntax.Compile(re.Simplify())
	if err != nil {
		panic("keytext: " + err.Error())
	}
	of := make([]int, len(program.Inst)) // instruction → state
	for pc := range program.Inst {
		if class := classOf(&program.Inst[pc]); class != nil {
			of[pc] = len(a.states)
			a.states = append(a.states, state{part: part, class: class})
		}
	}
	for pc := range program.Inst {
		if in := &program.Inst[pc]; classOf(in) != nil {
			a.states[of[pc]].next = closure(program, in.Out, of, after)
		}
	}
	return closure(program, uint32(program.Start), of, after)
}

// closure is the step that an instruction stands for: the states that can read
// the next character from there.
func closure(program *syntax.Prog, from uint32, of []int, after step) step {
	var out step
	seen := make([]bool, len(program.Inst))
	for todo := []uint32{from}; len(todo) > 0; {
		pc := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch in := &program.Inst[pc]; in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			todo = append(todo, in.Arg, in.Out)
		case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
			todo = append(todo, in.Out)
		case syntax.InstMatch:
			out.states, out.end = append(out.states, after.states...), out.end || after.end
		case syntax.InstFail:
		default:
			out.states = append(out.states, of[pc])
		}
	}
	slices.Sort(out.states)
	out.states = slices.Compact(out.states)
	return out
}

// meets tells whether the two accept a common text.
func (a *automaton) meets(b *automaton) bool {
	type pair struct{ i, j int }
	seen := map[pair]bool{}
	var todo []pair
	reach := func(s, r step) bool {
		for _, i := range s.states {
			for _, j := range r.states {
				if p := (pair{i, j}); !seen[p] {
					seen[p] = true
					todo = append(todo, p)
				}
			}
		}
		return s.end && r.end
	}
	if reach(a.start, b.start) {
		return true
	}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		s, r := a.states[p.i], b.states[p.j]
		if _, ok := common(s.class, r.class); ok && reach(s.next, r.next) {
			return true
		}
	}
	return false
}

// classOf is what an instruction reads, nil when it reads nothing.
func classOf(in *syntax.Inst) []rune {
	switch in.Op {
	case syntax.InstRuneAny:
		return []rune{0, unicode.MaxRune}
	case syntax.InstRuneAnyNotNL:
		return []rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune}
	case syntax.InstRune, syntax.InstRune1:
		if len(in.Rune) == 1 {
			return single(in.Rune[0], syntax.Flags(in.Arg)&syntax.FoldCase != 0)
		}
		return in.Rune
	}
	return nil
}

func single(r rune, anyCase bool) []rune {
	all := []rune{r}
	if anyCase {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			all = append(all, f)
		}
	}
	slices.Sort(all)
	var out []rune
	for _, r := range all {
		out = append(out, r, r)
	}
	return out
}

// common is a character that both classes hold, as plain a one as there is.
func common(a, b []rune) (rune, bool) {
	best, found := rune(0), false
	for i, j := 0, 0; i < len(a) && j < len(b); {
		low, high := max(a[i], b[j]), min(a[i+1], b[j+1])
		if low <= high {
			if r := plainest(low, high); !found || plainness(r) < plainness(best) {
				best, found = r, true
			}
		}
		if a[i+1] < b[j+1] {
			i += 2
		} else {
			j += 2
		}
	}
	return best, found
}

// plainest is a good example of the characters from low to high.
func plainest(low, high rune) rune {
	for _, r := range []rune{'a', 'A', '1', '!'} {
		if low <= r && r <= high {
			return r
		}
	}
	return low
}

// plainness is smaller for letters and digits than for other characters.
func plainness(r rune) int {
	switch {
	case 'a' <= r && r <= 'z':
		return 0
	case 'A' <= r && r <= 'Z':
		return 1
	case '0' <= r && r <= '9':
		return 2
	case '!' <= r && r <= '~':
		return 3
	}
	return 4
}
