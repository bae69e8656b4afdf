package partiql

import (
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// bracketed reads an operand that begins with a bracket: a group, a list, a
// map or a bag.
func (p *parser) bracketed() operand {
	t := p.tok
	switch {
	case p.symbol("("):
		return p.group(t)
	case p.symbol("["):
		return operand{p.nested(p.list("]", nil)), t}
	case p.symbol("{"):
		return operand{p.nested(p.tuple()), t}
	case p.symbol("<<"):
		return operand{Literal{p.bag(t)}, t}
	}
	p.malformed()
	return operand{Literal{}, t}
}

// nested returns a list or map as an operand, if it is not too deep.
func (p *parser) nested(v attr.Value) Literal {
	if v.Depth() > attr.MaxDepth {
		p.check(attr.ErrTooNested)
	}
	return Literal{v}
}

// group reads what stands in parentheses: one expression, perhaps a path that
// goes on behind them, or several values, which are a list.
func (p *parser) group(open token) operand {
	o := p.expression()
	if p.symbol(",") {
		first := p.literalOf(o, "root.0")
		return operand{p.nested(p.list(")", []attr.Value{first})), open}
	}
	p.expect(p.symbol(")"))
	if path, ok := o.expr.(Path); ok {
		o.expr = p.steps(path)
	}
	return o
}

// list reads the values up to the closing bracket behind those it already has.
func (p *parser) list(closing string, values []attr.Value) attr.Value {
	p.elements(closing, func() {
		values = append(values, p.operandValue("root."+strconv.Itoa(len(values))))
	})
	return attr.List(values...)
}

// tuple reads the entries of a map.
func (p *parser) tuple() attr.Value {
	var entries []attr.Entry
	seen := map[string]bool{}
	p.elements("}", func() {
		t := p.tok
		key := p.sum()
		p.expect(p.symbol(":"))
		v := p.operandValue("root")
		switch {
		case t.kind != tokenString:
			p.fault("Tuple keys must be of type String. Actual type: %s under root %s", typeName(key), p.at(t))
		case t.text == "":
			p.fault("Path component cannot be an empty string")
		case seen[t.text]:
			p.fault("Duplicate keys in tuple. Key: %s under root %s", t.text, p.at(t))
		}
		seen[t.text] = true
		entries = append(entries, attr.Entry{Name: t.text, Value: v})
	})
	return attr.Map(attr.NewItem(entries...))
}

// bag reads the members of a set, all strings or all numbers.
func (p *parser) bag(open token) attr.Value {
	const wrongType = "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"
	count := 0
	var members []attr.Value
	var texts []string
	p.elements(">>", func() {
		count++
		o := p.sum()
		l, ok := o.expr.(Literal)
		switch typ := l.Value.Type(); {
		case ok && typ == 0: // a parameter that is not there
		case typ != attr.S && typ != attr.N:
			p.fault("%s %s", wrongType, p.at(o.tok))
		case len(members) > 0 && typ != members[0].Type():
			p.fault(wrongType)
		default:
			members = append(members, l.Value)
			texts = append(texts, l.Value.Text())
		}
	})
	set := attr.Set(members...)
	switch {
	case count == 0:
		p.fault("Empty bags are not supported %s", p.at(open))
	case set.Len() == len(members):
	case set.Type() == attr.NS:
		p.fault("Input collection contains duplicates")
	default:
		p.fault("One or more parameter values were invalid: Input collection [%s] contains duplicates.", strings.Join(texts, ", "))
	}
	return set
}

// operandValue reads an operand that must be a value. under says where it
// stands, for messages.
func (p *parser) operandValue(under string) attr.Value {
	return p.literalOf(p.value(), under)
}

// value reads an expression that has to be a value; what it is instead, its
// place has words for.
func (p *parser) value() operand {
	defer func(updating bool) { p.updating = updating }(p.updating)
	p.updating = true
	return p.expression()
}

func (p *parser) literalOf(o operand, under string) attr.Value {
	l, ok := o.expr.(Literal)
	if !ok {
		name := typeName(o)
		if under == "root" {
			name = o.tok.text
		}
		p.fault("Unsupported data type: %s under key %s %s", name, under, p.at(o.tok))
	}
	if p.err != nil || !l.Value.Exists() {
		return attr.Null() // the statement is refused; a value keeps the tree whole
	}
	return l.Value
}

// typeName names the kind of an operand as messages do.
func typeName(o operand) string {
	switch e := o.expr.(type) {
	case Path:
		return "VariableReference"
	case Literal:
		switch e.Value.Type() {
		case attr.N:
			return "INT"
		case attr.NULL:
			return "NULL"
		}
		return "Literal"
	}
	return o.tok.text
}

// ionType names the type of an Ion literal, as far as its text tells.
func ionType(text string) string {
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return "INT"
	}
	if _, err := attr.ParseNumber(text); err == nil {
		return "DECIMAL"
	}
	if strings.HasPrefix(text, `"`) {
		return "STRING"
	}
	return "SYMBOL"
}
