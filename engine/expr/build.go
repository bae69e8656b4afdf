package expr

import (
	"github.com/dynmodel/dynmodel/engine/attr"
)

// The functions in this file build conditions and right-hand sides of updates
// from operands and refuse what DynamoDB refuses before it sees an item. The
// tree may be built without them where the older parameters have other rules.
// What they return beside an error is a harmless stand-in.

// NewCompare returns the comparison of two operands.
func NewCompare(op Comparator, left, right Operand) (Condition, error) {
	err := checkDistinct(string(op), left, right)
	if op != Equal && op != NotEqual {
		err = first(checkOrdered(string(op), left, right), err)
	}
	return Compare{op, left, right}, err
}

// NewBetween returns the condition that an operand lies between two others.
func NewBetween(operand, low, high Operand) (Condition, error) {
	return Between{operand, low, high}, first(
		checkOrdered("BETWEEN", operand, low, high),
		checkDistinct("BETWEEN", operand, low, high),
		checkBounds(low, high))
}

// NewIn returns the condition that an operand is one of a list.
func NewIn(operand Operand, list []Operand) (Condition, error) {
	var err error
	if len(list) > MaxInOperands {
		err = attr.Invalidf("The IN operator is provided with too many operands; number of operands: %d", len(list))
	}
	return In{operand, list}, first(err, checkDistinct("IN", operand, list...))
}

// NewCall returns what a call of one of the functions of conditions is: an
// operand for size, a condition for the others.
func NewCall(function string, args []Operand) (Condition, Operand, error) {
	want := 2
	if function == "size" || function == "attribute_exists" || function == "attribute_not_exists" {
		want = 1
	}
	if err := checkCount(function, len(args), want); err != nil {
		if function == "size" {
			return nil, Literal{}, err
		}
		return Exists{}, nil, err
	}
	var c Condition
	var err error
	switch function {
	case "size":
		return nil, Size{args[0]}, checkSize(args[0])
	case "attribute_exists", "attribute_not_exists":
		path, ok := args[0].(Path)
		if !ok {
			err = needsPath(function)
		}
		c = Exists{Path: path, Not: function == "attribute_not_exists"}
	case "attribute_type":
		var typ attr.Type
		typ, err = typeNamed(args[1])
		err = first(checkDistinct(function, args[0], args[1]), err)
		c = HasType{args[0], typ}
	case "begins_with":
		err = first(checkText(function, args...), checkDistinct(function, args[0], args[1]))
		c = BeginsWith{args[0], args[1]}
	case "contains":
		err = checkDistinct(function, args[0], args[1])
		c = Contains{args[0], args[1]}
	default:
		c, err = Exists{}, attr.Invalidf("Invalid function name; function: %s", function)
	}
	return c, nil, err
}

// NewArithmetic returns a sum, or a difference if minus is set.
func NewArithmetic(left, right Expression, minus bool) (Expression, error) {
	operator := "+"
	if minus {
		operator = "-"
	}
	return Arithmetic{left, right, minus}, checkTypes(operator, attr.N, left, right)
}

// NewUpdateCall returns a call of if_not_exists or list_append.
func NewUpdateCall(function string, args []Expression) (Expression, error) {
	err := checkCount(function, len(args), 2)
	switch {
	case err != nil && function == "list_append":
		return ListAppend{}, err
	case err != nil:
		return Literal{}, err
	}
	switch function {
	case "list_append":
		return ListAppend{args[0], args[1]}, checkTypes(function, attr.L, args...)
	case "if_not_exists":
		path, ok := args[0].(Path)
		if !ok {
			return Literal{}, needsPath(function)
		}
		e := IfNotExists{path, args[1]}
		if other, ok := args[1].(Path); ok {
			return e, checkDistinct(function, path, other)
		}
		return e, nil
	}
	return Literal{}, attr.Invalidf("Invalid function name; function: %s", function)
}

// first returns the first error that is not nil.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func checkCount(function string, got, want int) error {
	if got == want {
		return nil
	}
	return attr.Invalidf("Incorrect number of operands for operator or function; operator or function: %s, number of operands: %d", function, got)
}

func needsPath(function string) error {
	return attr.Invalidf("Operator or function requires a document path; operator or function: %s", function)
}

func wrongType(operator, typ string) error {
	return attr.Invalidf("Incorrect operand type for operator or function; operator or function: %s, operand type: %s", operator, typ)
}

// staticType is the type an operand has for every item: a value's own, a
// number for a size, 0 for a path.
func staticType(o any) attr.Type {
	switch o := o.(type) {
	case Literal:
		return attr.Value(o).Type()
	case Size:
		return attr.N
	}
	return 0
}

// checkTypes refuses operands of an update that cannot have the given type.
func checkTypes(operator string, want attr.Type, operands ...Expression) error {
	for _, o := range operands {
		if typ := staticType(o); typ != 0 && typ != want {
			return wrongType(operator, typ.String())
		}
	}
	return nil
}

// checkOrdered refuses operands of types that have no order.
func checkOrdered(operator string, operands ...Operand) error {
	for _, o := range operands {
		if typ := staticType(o); typ != 0 && !typ.IsKey() {
			return wrongType(operator, typ.String())
		}
	}
	return nil
}

// checkText refuses operands that are neither strings nor binaries.
func checkText(function string, operands ...Operand) error {
	for _, o := range operands {
		if typ := staticType(o); typ != 0 && typ != attr.S && typ != attr.B {
			return wrongType(function, typ.String())
		}
	}
	return nil
}

func checkSize(o Operand) error {
	switch typ := staticType(o); typ {
	case attr.N, attr.BOOL, attr.NULL:
		return wrongType("size", typ.String())
	}
	return nil
}

// anyType is how DynamoDB names the type of an operand that only an item can
// tell.
const anyType = "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"

// typeNamed returns the type that the second operand of attribute_type names.
func typeNamed(o Operand) (attr.Type, error) {
	const function = "attribute_type"
	name, ok := o.(Literal)
	value := attr.Value(name)
	switch typ := staticType(o); {
	case typ != 0 && typ != attr.S:
		return 0, wrongType(function, typ.String())
	case !ok:
		return 0, wrongType(function, anyType)
	case !value.Exists():
		return 0, nil
	}
	typ, ok := attr.ParseType(value.Text())
	if !ok {
		return 0, attr.Invalidf("Invalid attribute type name found; type: %s, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}", value.Text())
	}
	return typ, nil
}

// checkDistinct refuses to compare a path with itself.
func checkDistinct(operator string, operand Operand, others ...Operand) error {
	path, ok := operand.(Path)
	if !ok {
		return nil
	}
	for _, o := range others {
		if other, ok := o.(Path); ok && comparePaths(path, other) == 0 {
			return attr.Invalidf("The first operand must be distinct from the remaining operands for this operator or function; operator: %s, first operand: %s", operator, path)
		}
	}
	return nil
}

// checkBounds refuses bounds of BETWEEN that no value can lie between.
func checkBounds(low, high Operand) error {
	l, _ := low.(Literal)
	h, _ := high.(Literal)
	lower, upper := attr.Value(l), attr.Value(h)
	if !lower.Exists() || !upper.Exists() {
		return nil
	}
	problem := ""
	order, ok := attr.Compare(lower, upper)
	switch {
	case !ok && lower.Type() != upper.Type():
		problem = "same data type for lower and upper bounds"
	case order > 0:
		problem = "upper bound to be greater than or equal to lower bound"
	default:
		return nil
	}
	return attr.Invalidf("The BETWEEN operator requires %s; lower bound operand: AttributeValue: %s, upper bound operand: AttributeValue: %s",
		problem, describe(lower), describe(upper))
}

// describe writes a value as DynamoDB's messages about bounds do: {N:1}.
func describe(v attr.Value) string {
	text := v.Text()
	if v.Type() == attr.N {
		text = v.Number()
	}
	return "{" + v.Type().String() + ":" + text + "}"
}
