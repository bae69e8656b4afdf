package expr

import (
	"slices"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// KeyCondition is what a query says about keys: one clause for each key
// attribute it names, in the order of its text.
type KeyCondition []KeyClause

// KeyOp is the operator of a key clause.
type KeyOp string

// The operators of key clauses. KeyAny is no clause at all.
const (
	KeyAny            KeyOp = ""
	KeyEqual          KeyOp = "="
	KeyLess           KeyOp = "<"
	KeyLessOrEqual    KeyOp = "<="
	KeyGreater        KeyOp = ">"
	KeyGreaterOrEqual KeyOp = ">="
	KeyBetween        KeyOp = "BETWEEN"
	KeyBeginsWith     KeyOp = "begins_with"
)

// KeyClause compares a key attribute with Value; High is the upper bound of
// KeyBetween.
type KeyClause struct {
	Name        string
	Op          KeyOp
	Value, High attr.Value
}

// KeyConditionOf returns what the condition of a key condition expression says
// about keys. Whether it fits a table or index is for [KeySchema.Resolve] to
// say.
func KeyConditionOf(cond Condition) (KeyCondition, error) { return keyClauses(nil, cond) }

// keyClauses appends the clauses of a condition.
func keyClauses(clauses KeyCondition, cond Condition) (KeyCondition, error) {
	if and, ok := cond.(And); ok {
		clauses, err := keyClauses(clauses, and.Left)
		if err != nil {
			return nil, err
		}
		return keyClauses(clauses, and.Right)
	}
	clause, err := keyClause(cond)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(clauses, func(c KeyClause) bool { return c.Name == clause.Name }) {
		return nil, attr.Invalidf("KeyConditionExpressions must only contain one condition per key")
	}
	return append(clauses, clause), nil
}

func keyClause(cond Condition) (KeyClause, error) {
	if operator := notForKeys(cond); operator != "" {
		return KeyClause{}, attr.Invalidf("Invalid operator used in KeyConditionExpression: %s", operator)
	}
	path, err := keyPath(cond)
	if err != nil {
		return KeyClause{}, err
	}
	clause := KeyClause{Name: path.Top()}
	switch c := cond.(type) {
	case Compare:
		clause.Op, clause.Value = KeyOp(c.Op), literalOf(c.Right)
		if _, flipped := c.Left.(Literal); flipped {
			clause.Op, clause.Value = flip(c.Op), literalOf(c.Left)
		}
	case Between:
		if _, ok := c.Operand.(Path); !ok {
			return KeyClause{}, notFirst("BETWEEN")
		}
		clause.Op, clause.Value, clause.High = KeyBetween, literalOf(c.Low), literalOf(c.High)
	case BeginsWith:
		if _, ok := c.Operand.(Path); !ok {
			return KeyClause{}, notFirst("begins_with")
		}
		clause.Op, clause.Value = KeyBeginsWith, literalOf(c.Prefix)
	}
	return clause, nil
}

func notFirst(operator string) error {
	return attr.Invalidf("Invalid condition in KeyConditionExpression: %s operator must have the key attribute as its first operand", operator)
}

func literalOf(o Operand) attr.Value {
	l, _ := o.(Literal)
	return attr.Value(l)
}

// flip returns the operator of a comparison whose sides change places.
func flip(op Comparator) KeyOp {
	switch op {
	case Less:
		return KeyGreater
	case LessOrEqual:
		return KeyGreaterOrEqual
	case Greater:
		return KeyLess
	case GreaterOrEqual:
		return KeyLessOrEqual
	}
	return KeyOp(op)
}

// notForKeys returns the name of an operator that key conditions do not have.
func notForKeys(cond Condition) string {
	switch c := cond.(type) {
	case Or:
		return "OR"
	case Not:
		return "NOT"
	case In:
		return "IN"
	case Contains:
		return "contains"
	case HasType:
		return "attribute_type"
	case Exists:
		if c.Not {
			return "attribute_not_exists"
		}
		return "attribute_exists"
	case Compare:
		if c.Op == NotEqual {
			return string(c.Op)
		}
	}
	return ""
}

// keyPath returns the one attribute that a clause is about.
func keyPath(cond Condition) (Path, error) {
	var path Path
	var err error
	cond.operands(func(o Operand) bool {
		switch o := o.(type) {
		case Size:
			err = attr.Invalidf("KeyConditionExpressions cannot contain nested operations")
		case Path:
			switch {
			case path != nil:
				err = attr.Invalidf("Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition")
			case len(o) > 1:
				err = attr.Invalidf("KeyConditionExpressions cannot have conditions on nested attributes")
			}
			path = o
		}
		return err == nil
	})
	if path == nil && err == nil {
		err = attr.Invalidf("Invalid condition in KeyConditionExpression: No key attribute specified")
	}
	return path, err
}

// KeyAttribute is a key attribute of a table or index.
type KeyAttribute struct {
	Name string
	Type attr.Type
}

// KeySchema is the key of a table or index: at most one attribute of each kind
// in a table or local index, up to four in a global index.
type KeySchema struct {
	Hash, Range []KeyAttribute
}

// KeyRange is a key condition resolved for one key schema: a value for every
// hash attribute, values for the first range attributes, and a comparison on
// the range attribute that comes next, if Op is not KeyAny.
type KeyRange struct {
	Hash, Equal []attr.Value
	Op          KeyOp
	Value, High attr.Value
}

// Resolve fits a key condition to the key schema: every hash attribute has an
// equality, range attributes are named from the first on without a gap, and
// only the last one named has another operator than equality.
func (s KeySchema) Resolve(cond KeyCondition) (*KeyRange, error) {
	single := len(s.Hash) == 1 && len(s.Range) <= 1
	if single && len(cond) > 2 {
		return nil, attr.Invalidf("Conditions can be of length 1 or 2 only")
	}
	r := &KeyRange{}
	used := 0
	for _, key := range s.Hash {
		clause, ok := cond.clause(key.Name)
		switch {
		case !ok:
			return nil, missed(key.Name)
		case clause.Op != KeyEqual:
			return nil, attr.Invalidf("Query key condition not supported")
		}
		if err := key.check(clause); err != nil {
			return nil, err
		}
		used++
		r.Hash = append(r.Hash, clause.Value)
	}
	n, err := s.ranges(cond, r)
	if err != nil {
		return nil, err
	}
	if used+n < len(cond) {
		if single && len(s.Range) == 1 {
			return nil, missed(s.Range[0].Name)
		}
		return nil, attr.Invalidf("Query key condition not supported")
	}
	return r, nil
}

func missed(name string) error {
	return attr.Invalidf("Query condition missed key schema element: %s", name)
}

// ranges resolves the clauses on range attributes and returns their number.
func (s KeySchema) ranges(cond KeyCondition, r *KeyRange) (n int, err error) {
	open := "" // the first range attribute without an equality
	for _, key := range s.Range {
		clause, ok := cond.clause(key.Name)
		switch {
		case !ok:
			if open == "" {
				open = key.Name
			}
			continue
		case open != "":
			return 0, attr.Invalidf("RANGE key attributes %s must have equality conditions specified in the query because a condition is present on key attribute %s", open, key.Name)
		}
		if err := key.check(clause); err != nil {
			return 0, err
		}
		n++
		if clause.Op == KeyEqual {
			r.Equal = append(r.Equal, clause.Value)
			continue
		}
		open = key.Name
		r.Op, r.Value, r.High = clause.Op, clause.Value, clause.High
	}
	return n, nil
}

func (c KeyCondition) clause(name string) (KeyClause, bool) {
	for _, clause := range c {
		if clause.Name == name {
			return clause, true
		}
	}
	return KeyClause{}, false
}

// check refuses values that the key attribute cannot have.
func (k KeyAttribute) check(c KeyClause) error {
	if c.Value.Type() != k.Type || c.Op == KeyBetween && c.High.Type() != k.Type {
		return attr.Invalidf("One or more parameter values were invalid: Condition parameter type does not match schema type")
	}
	if k.Type == attr.N || c.Op == KeyBeginsWith {
		return nil
	}
	if c.Value.Len() == 0 || c.Op == KeyBetween && c.High.Len() == 0 {
		kind := "string"
		if k.Type == attr.B {
			kind = "binary"
		}
		return attr.Invalidf("One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty %s value. Key: %s", kind, k.Name)
	}
	return nil
}

// Bounds returns the keys in range as the encodings from low up to but not
// including high. A key is encoded as its attributes one after the other by
// [attr.AppendKey]; more may follow.
func (r *KeyRange) Bounds() (low, high []byte) {
	var prefix []byte
	for _, v := range r.Hash {
		prefix = attr.AppendKey(prefix, v)
	}
	for _, v := range r.Equal {
		prefix = attr.AppendKey(prefix, v)
	}
	with := func(v attr.Value) []byte { return attr.AppendKey(slices.Clip(prefix), v) }
	low, high = prefix, after(prefix)
	switch r.Op {
	case KeyLess:
		high = with(r.Value)
	case KeyLessOrEqual:
		high = after(with(r.Value))
	case KeyGreater:
		low = after(with(r.Value))
	case KeyGreaterOrEqual:
		low = with(r.Value)
	case KeyBetween:
		low, high = with(r.Value), after(with(r.High))
	case KeyBeginsWith:
		low = attr.AppendKeyPrefix(slices.Clip(prefix), r.Value)
		high = after(low)
	}
	return low, high
}

// after returns the least bytes that are greater than all that begin with
// prefix.
func after(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] < 0xff {
			next := slices.Clone(prefix[:i+1])
			next[i]++
			return next
		}
	}
	return nil
}
