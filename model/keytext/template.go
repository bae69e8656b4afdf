package keytext

import "github.com/dynmodel/dynmodel/model"

// CanBeEmpty tells whether the template can make the empty text, by what its
// attributes declare.
func CanBeEmpty(t model.Template) bool {
	for _, p := range t.Parts {
		least, _ := bytesOf(ofPart(p).re)
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
	_, most := bytesOf(ofPart(p).re)
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

// Meet tells whether the two templates can make one text.
func Meet(t, u model.Template) bool { return OfTemplate(t).Meets(OfTemplate(u)) }
