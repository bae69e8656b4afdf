package expr

import "github.com/dynmodel/dynmodel/model/value"

// relation is the set of ways in which two operands may stand to one another.
type relation uint8

// The ways. Equal values have an order (they are strings, numbers or binaries),
// same ones do not (they are booleans, say: neither <= nor >= holds for them).
// Apart are values that are unequal without an order: of different types, of
// types that have none, or not there.
const (
	less relation = 1 << iota
	equal
	greater
	same
	apart

	anyRelation = less | equal | greater | same | apart
	unordered   = same | apart
)

// relationOf is what a comparison says of its operands.
func relationOf(op Op) relation {
	switch op {
	case Eq:
		return equal | same
	case Ne:
		return less | greater | apart
	case Lt:
		return less
	case Le:
		return less | equal
	case Gt:
		return greater
	}
	return greater | equal
}

// flip is the relation with its sides exchanged.
func (r relation) flip() relation {
	out := r & (equal | unordered)
	if r&less != 0 {
		out |= greater
	}
	if r&greater != 0 {
		out |= less
	}
	return out
}

// between is how two values stand to one another.
func between(a, b value.Value) relation {
	c, ordered := value.Compare(a, b)
	switch {
	case ordered && c < 0:
		return less
	case ordered && c > 0:
		return greater
	case ordered:
		return equal
	case a.Exists() && value.Equal(a, b):
		return same
	}
	return apart
}

// to is what is left of a relation to a literal: whether there can be an order
// is known of it.
func (r relation) to(literal value.Value) relation {
	if literal.Kind().IsKey() {
		return r &^ same
	}
	return r & unordered
}
