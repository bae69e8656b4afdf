package partiql

import (
	"slices"
	"strings"
)

// call reads the operands of a function and checks that it is one of those of
// this kind of expression. What operands it takes is for expressions to say.
func (p *parser) call(name token) operand {
	c := &Call{Function: strings.ToLower(name.text)}
	var first token
	p.expect(p.symbol("("))
	p.elements(")", func() {
		o := p.expression()
		if len(c.Args) == 0 {
			first = o.tok
		}
		p.checkPresent(o)
		c.Args = append(c.Args, o.expr)
	})
	inCondition := slices.Contains([]string{"size", "attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains"}, c.Function)
	inUpdate := c.Function == "if_not_exists" || c.Function == "list_append"
	isSet := c.Function == "set_add" || c.Function == "set_delete"
	switch {
	case inCondition && p.updating:
		p.fault("The function is not allowed in an update expression; function: %s", c.Function)
	case inUpdate && !p.updating:
		p.fault("The function is not allowed in a condition expression; function: %s", c.Function)
	case !inCondition && !inUpdate && !(isSet && p.updating):
		p.fault("Unrecognized function: %s", c.Function)
	}
	if isSet && p.updating {
		p.checkSetCall(c, name, first)
	}
	return operand{c, name}
}

// checkSetCall checks the operands of set_add and set_delete, of which the
// first stands at the given token.
func (p *parser) checkSetCall(c *Call, name, first token) {
	function := strings.ToUpper(c.Function)
	if len(c.Args) != 2 {
		p.fault("%s must have exactly two arguments %s", function, p.at(name))
		return
	}
	second, ok := c.Args[1].(Literal)
	if !ok || second.Value.Exists() && !second.Value.Type().IsSet() {
		p.fault("The second argument to %s must be a value with type SET %s", function, p.at(first))
	}
}

// checkAssignment refuses values that cannot be assigned. A set function
// stands alone and changes the path that it is assigned to.
func (p *parser) checkAssignment(path Path, value operand) {
	p.checkPresent(value)
	c, ok := value.expr.(*Call)
	if !ok || len(c.Args) == 0 || !strings.HasPrefix(c.Function, "set_") {
		if inner := setCall(value.expr); inner != "" {
			p.fault("Unrecognized function: %s", inner)
		}
		return
	}
	if first, ok := c.Args[0].(Path); !ok || !slices.Equal(first, path) {
		p.fault("The first argument to %s must equal the assignment value", strings.ToUpper(c.Function))
	}
}

// setCall returns the name of a set function inside an expression.
func setCall(e Expr) string {
	var inside []Expr
	switch e := e.(type) {
	case *Binary:
		inside = []Expr{e.Left, e.Right}
	case *Call:
		if strings.HasPrefix(e.Function, "set_") {
			return e.Function
		}
		inside = e.Args
	}
	for _, e := range inside {
		if name := setCall(e); name != "" {
			return name
		}
	}
	return ""
}
