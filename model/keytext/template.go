package keytext

import "github.com/dynmodel/dynmodel/model"

// CanBeEmpty tells whether the template can make the empty text, by what its
// attributes declare.
func CanBeEmpty(t model.Template) bool {
	for _, p := range t.Parts {
		least, _ := bytesOf(pattern(p))
		if a := Leaf(p); least > 0 || a != nil && a.Domain.Length != nil && a.Domain.Length.Min > 0 {
			return false
		}
	}
	return true
}

// MaxBytes is the length of the longest text that the template makes, as far as
// lengths are declared: an attribute without a bound counts as nothing.
func MaxBytes(t model.Template) int {
	total := 0
	for _, p := range t.Parts {
		total = plus(total, maxBytes(p))
	}
	return total
}

func maxBytes(p model.Part) int {
	re := pattern(p)
	_, most := bytesOf(re)
	a := Leaf(p)
	if a == nil {
		return most
	}
	if n := a.Domain.Length; n != nil {
		most = min(most, times(widest(declared(a)), int(min(n.Max, unbounded))))
	}
	if n := a.Domain.Size; n != nil {
		most = min(most, int(min(n.Max, unbounded)))
	}
	if most >= unbounded {
		return 0
	}
	return most
}

// Meet tells whether the two templates can make one text, for example for two
// entities that share a partition.
func Meet(t, u model.Template) bool {
	a, b := compile(t), compile(u)
	if len(a.states) > maxStates || len(b.states) > maxStates {
		return true
	}
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
