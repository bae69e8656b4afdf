package engine

import (
	"fmt"
	"math"
	"slices"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
)

// The parameters that expressions have replaced are carried out as the
// expressions that they stand for.

func legacyCondition(c *api.Conditional) []parameter {
	return []parameter{{"Expected", c.Expected != nil}, {"ConditionalOperator", c.ConditionalOperator != ""}}
}

// legacyRead are the older parameters of a read, with the filter that it has.
func legacyRead(in *api.ReadInput, filter parameter) []parameter {
	return []parameter{{"AttributesToGet", in.AttributesToGet != nil}, filter, {"ConditionalOperator", in.ConditionalOperator != ""}}
}

// checkConditional checks the enumerations of a write's condition.
func checkConditional(c *api.Conditional) error {
	err := api.First(
		checkReturnOnFailure("returnValuesOnConditionCheckFailure", c.ReturnValuesOnConditionCheckFailure),
		checkConditionalOperator(c.ConditionalOperator))
	for _, name := range attr.SortedKeys(c.Expected) {
		err = api.First(err, checkOperator("expected."+name+".member.comparisonOperator", c.Expected[name].ComparisonOperator))
	}
	return err
}

// checkConditions checks the operators of conditions, which are at that place.
func checkConditions(at string, conditions map[string]api.Condition) error {
	var broken []error
	for _, name := range attr.SortedKeys(conditions) {
		operator := fmt.Sprintf("%s.%s.member.comparisonOperator", at, name)
		if conditions[name].ComparisonOperator == "" {
			broken = append(broken, api.Required(operator))
		} else {
			broken = append(broken, checkOperator(operator, conditions[name].ComparisonOperator))
		}
	}
	return api.First(broken...)
}

// checkActions checks the actions of AttributeUpdates.
func checkActions(updates map[string]api.AttributeValueUpdate) error {
	var broken []error
	for _, name := range attr.SortedKeys(updates) {
		broken = append(broken, oneOf("attributeUpdates."+name+".member.action", updates[name].Action, "ADD", "DELETE", "PUT"))
	}
	return api.First(broken...)
}

// checkAttributeUpdates checks the actions together with their values.
func checkAttributeUpdates(updates map[string]api.AttributeValueUpdate) error {
	for _, name := range attr.SortedKeys(updates) {
		if err := checkAttributeUpdate(updates[name]); err != nil {
			return err
		}
	}
	return nil
}

func checkOperator(at, operator string) error {
	return oneOf(at, operator, "IN", "NULL", "BETWEEN", "LT", "NOT_CONTAINS", "EQ", "GT", "NOT_NULL", "NE", "LE", "BEGINS_WITH", "GE", "CONTAINS")
}

// conditional reads the condition of a write, of either generation.
func (x *exprReader) conditional(c *api.Conditional) (expr.Condition, error) {
	if c.ConditionExpression != nil {
		return x.condition(expr.ConditionExpression, c.ConditionExpression)
	}
	parts := make([]expr.Condition, 0, len(c.Expected))
	for _, name := range attr.SortedKeys(c.Expected) {
		condition, err := expectedCondition(name, c.Expected[name])
		if err != nil {
			return nil, err
		}
		parts = append(parts, condition)
	}
	return joined(parts, c.ConditionalOperator)
}

// checkConditionParameters checks the parameters of a write that has no other
// expression than its condition.
func checkConditionParameters(c *api.Conditional, s api.Substitutions) error {
	return checkParameters(s, []parameter{givenText("ConditionExpression", c.ConditionExpression)}, legacyCondition(c))
}

// readCondition reads the condition of such a write.
func readCondition(c *api.Conditional, s api.Substitutions) (expr.Condition, error) {
	x, err := newExprReader(s, c.ConditionExpression)
	if err != nil {
		return nil, err
	}
	condition, err := x.conditional(c)
	return condition, first(err, x.unused())
}

// filter reads the filter of a Query or Scan, of either generation.
func (x *exprReader) filter(in *api.ReadInput, conditions map[string]api.Condition) (expr.Condition, error) {
	if in.FilterExpression != nil {
		return x.condition(expr.FilterExpression, in.FilterExpression)
	}
	parts := make([]expr.Condition, 0, len(conditions))
	for _, name := range attr.SortedKeys(conditions) {
		c := conditions[name]
		condition, err := comparison(name, c.ComparisonOperator, c.AttributeValueList)
		if err != nil {
			return nil, err
		}
		parts = append(parts, condition)
	}
	return joined(parts, in.ConditionalOperator)
}

// joined joins conditions by AND, or by OR; without any there is none.
func joined(parts []expr.Condition, operator string) (expr.Condition, error) {
	switch {
	case operator != "" && len(parts) == 0:
		return nil, api.Invalid("ConditionalOperator cannot be used without Filter or Expected")
	case operator != "" && len(parts) == 1:
		return nil, api.Invalid("ConditionalOperator can only be used when Filter or Expected has two or more elements")
	case len(parts) == 0:
		return nil, nil
	}
	all := parts[0]
	for _, p := range parts[1:] {
		if operator == "OR" {
			all = expr.Or{Left: all, Right: p}
		} else {
			all = expr.And{Left: all, Right: p}
		}
	}
	return all, nil
}

// expectedCondition is the condition that one attribute of Expected stands for.
func expectedCondition(name string, e api.ExpectedAttributeValue) (expr.Condition, error) {
	hasValue, hasList := e.Value.Exists(), e.AttributeValueList != nil
	exists := "null"
	if e.Exists != nil && *e.Exists {
		exists = "true"
	}
	switch {
	case e.ComparisonOperator != "" && e.Exists != nil:
		return nil, api.InvalidParameter("Exists and ComparisonOperator cannot be used together for Attribute: %s", name)
	case hasValue && hasList:
		return nil, api.InvalidParameter("Value and AttributeValueList cannot be used together for Attribute: %s", name)
	case e.ComparisonOperator != "" && hasValue:
		return comparison(name, e.ComparisonOperator, []attr.Value{e.Value})
	case e.ComparisonOperator != "":
		if !hasList && operandCounts[e.ComparisonOperator].least > 0 {
			return nil, api.InvalidParameter("Value or AttributeValueList must be used with ComparisonOperator: %s for Attribute: %s", e.ComparisonOperator, name)
		}
		return comparison(name, e.ComparisonOperator, e.AttributeValueList)
	case hasList:
		return nil, api.InvalidParameter("AttributeValueList can only be used with a ComparisonOperator for Attribute: %s", name)
	case e.Exists != nil && !*e.Exists:
		if hasValue {
			return nil, api.InvalidParameter("Value cannot be used when Exists is false for Attribute: %s", name)
		}
		return expr.Exists{Path: expr.Attribute(name), Not: true}, nil
	case !hasValue:
		return nil, api.InvalidParameter("Value must be provided when Exists is %s for Attribute: %s", exists, name)
	}
	return expr.Compare{Op: expr.Equal, Left: expr.Attribute(name), Right: expr.Literal(e.Value)}, nil
}

// operandCounts is how many values each legacy operator takes.
var operandCounts = map[string]struct{ least, most int }{
	"EQ": {1, 1}, "NE": {1, 1}, "LE": {1, 1}, "LT": {1, 1}, "GE": {1, 1}, "GT": {1, 1},
	"NULL": {0, 0}, "NOT_NULL": {0, 0}, "CONTAINS": {1, 1}, "NOT_CONTAINS": {1, 1},
	"BEGINS_WITH": {1, 1}, "IN": {1, expr.MaxInOperands}, "BETWEEN": {2, 2},
}

// comparators are the legacy operators that expressions have signs for.
var comparators = map[string]expr.Comparator{
	"EQ": expr.Equal, "NE": expr.NotEqual,
	"LT": expr.Less, "LE": expr.LessOrEqual, "GT": expr.Greater, "GE": expr.GreaterOrEqual,
}

// comparison is the condition that a legacy operator stands for.
func comparison(name, operator string, values []attr.Value) (expr.Condition, error) {
	if err := checkComparison(operator, values); err != nil {
		return nil, err
	}
	path := expr.Attribute(name)
	if op, ok := comparators[operator]; ok {
		return expr.Compare{Op: op, Left: path, Right: expr.Literal(values[0])}, nil
	}
	switch operator {
	case "NULL", "NOT_NULL":
		return expr.Exists{Path: path, Not: operator == "NULL"}, nil
	case "CONTAINS":
		return expr.Contains{Operand: path, Element: expr.Literal(values[0])}, nil
	case "NOT_CONTAINS":
		return expr.And{
			Left:  expr.Exists{Path: path},
			Right: expr.Not{Condition: expr.Contains{Operand: path, Element: expr.Literal(values[0])}},
		}, nil
	case "BEGINS_WITH":
		return expr.BeginsWith{Operand: path, Prefix: expr.Literal(values[0])}, nil
	case "BETWEEN":
		return expr.Between{Operand: path, Low: expr.Literal(values[0]), High: expr.Literal(values[1])}, nil
	}
	list := make([]expr.Operand, len(values))
	for i, v := range values {
		list[i] = expr.Literal(v)
	}
	return expr.In{Operand: path, List: list}, nil
}

// checkComparison checks number and types of the values of an operator.
func checkComparison(operator string, values []attr.Value) error {
	if count := operandCounts[operator]; len(values) < count.least || len(values) > count.most {
		return api.InvalidParameter("Invalid number of argument(s) for the %s ComparisonOperator", operator)
	}
	for _, v := range values {
		if !v.Exists() {
			return api.Invalid("Supplied AttributeValue is empty, must contain exactly one of the supported datatypes")
		}
		if v.Type() != values[0].Type() {
			return api.InvalidParameter("AttributeValues inside AttributeValueList must be of same type")
		}
		if !takes(operator, v.Type()) {
			return api.InvalidParameter("ComparisonOperator %s is not valid for %s AttributeValue type", operator, v.Type())
		}
	}
	if operator == "BETWEEN" {
		if order, _ := attr.Compare(values[0], values[1]); order > 0 {
			return api.Invalid("The BETWEEN condition was provided a range where the lower bound is greater than the upper bound")
		}
	}
	return nil
}

// takes reports whether an operator takes values of the given type.
func takes(operator string, t attr.Type) bool {
	switch operator {
	case "EQ", "NE":
		return true
	case "CONTAINS", "NOT_CONTAINS":
		return t.IsKey() || t == attr.BOOL || t == attr.NULL
	case "BEGINS_WITH":
		return t == attr.S || t == attr.B
	}
	return t.IsKey()
}

// checkComparisons checks the operators of conditions, by name.
func checkComparisons(conditions map[string]api.Condition) error {
	for _, name := range attr.SortedKeys(conditions) {
		c := conditions[name]
		if err := checkComparison(c.ComparisonOperator, c.AttributeValueList); err != nil {
			return err
		}
	}
	return nil
}

// keyConditionOf is the key condition that KeyConditions stand for, whose
// operators have been checked.
func keyConditionOf(conditions map[string]api.Condition) (expr.KeyCondition, error) {
	var keys expr.KeyCondition
	for _, name := range attr.SortedKeys(conditions) {
		c := conditions[name]
		clause := expr.KeyClause{Name: name}
		switch op := c.ComparisonOperator; op {
		case "EQ", "LT", "LE", "GT", "GE":
			clause.Op = expr.KeyOp(comparators[op])
		case "BEGINS_WITH":
			clause.Op = expr.KeyBeginsWith
		case "BETWEEN":
			clause.Op, clause.High = expr.KeyBetween, c.AttributeValueList[1]
		default:
			return nil, api.Invalid("Attempted conditional constraint is not an indexable operation")
		}
		clause.Value = c.AttributeValueList[0]
		keys = append(keys, clause)
	}
	return keys, nil
}

// checkAttributesToGet checks a list of names, which is at that place.
func checkAttributesToGet(at string, names []string) error {
	if names == nil {
		return nil
	}
	return checkLength(at, "[]", len(names), 1, math.MaxInt)
}

func checkNamesToGet(names []string) error {
	for i, n := range names {
		if n == "" || len(n) > attr.MaxNameBytes {
			return api.InvalidParameter("Empty attribute name")
		}
		if slices.Contains(names[:i], n) {
			return api.InvalidParameter("Duplicate value in attribute name: %s", n)
		}
	}
	return nil
}

// projectAttributes is the projection that AttributesToGet stands for.
func projectAttributes(names []string) (*expr.Projection, error) {
	if err := checkNamesToGet(names); err != nil {
		return nil, err
	}
	paths := make([]expr.Path, len(names))
	for i, n := range names {
		paths[i] = expr.Attribute(n)
	}
	p, err := expr.NewProjection(paths)
	return p, asRefusal(err)
}

// updateOf is the update that AttributeUpdates stand for.
func updateOf(updates map[string]api.AttributeValueUpdate) (*expr.Update, error) {
	if err := checkAttributeUpdates(updates); err != nil {
		return nil, err
	}
	var actions []expr.Action
	for _, name := range attr.SortedKeys(updates) {
		u := updates[name]
		a := expr.Action{Verb: expr.Set, Path: expr.Attribute(name), Value: expr.Literal(u.Value)}
		switch u.Action {
		case "ADD":
			a.Verb = expr.Add
			if u.Value.Type() == attr.L { // a list grows at its end
				a.Verb = expr.Set
				a.Value = expr.ListAppend{First: expr.IfNotExists{Path: a.Path, Default: expr.Literal(attr.List())}, Second: a.Value}
			}
		case "DELETE":
			a.Verb = expr.Delete
			if !u.Value.Exists() {
				a.Verb, a.Value = expr.Remove, nil
			}
		}
		actions = append(actions, a)
	}
	update, err := expr.NewUpdate(actions)
	return update, asRefusal(err)
}

func checkAttributeUpdate(u api.AttributeValueUpdate) error {
	t := u.Value.Type()
	switch {
	case !u.Value.Exists() && u.Action != "DELETE":
		return api.InvalidParameter("Only DELETE action is allowed when no attribute value is specified")
	case !u.Value.Exists(), u.Action == "", u.Action == "PUT":
		return nil
	case u.Action == "ADD" && t != attr.N && t != attr.L && !t.IsSet():
		return api.InvalidParameter("ADD action is not supported for the type %s", t)
	case u.Action == "DELETE" && !t.IsSet():
		return api.InvalidParameter("DELETE action with value is not supported for the type %s", t)
	}
	return nil
}
