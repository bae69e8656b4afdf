package expr

import (
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model/value"
)

// String writes a node in the language's syntax, so that it reads back as the
// same tree. A binary literal, which the language cannot write, is shown as
// base64; nil is "".
func String(n Node) string {
	var p printer
	p.node(n)
	return p.b.String()
}

// Name writes an attribute's name, in backquotes where it needs them.
func Name(name string) string {
	if isPlainWord(name) {
		return name
	}
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}

// printer gathers the text of a tree.
type printer struct{ b strings.Builder }

func (p *printer) text(s string) { p.b.WriteString(s) }

func (p *printer) node(n Node) {
	switch n := n.(type) {
	case nil:
	case Cond:
		p.cond(n)
	case Operand:
		p.operand(n)
	case *Update:
		p.update(n)
	}
}

func (p *printer) cond(c Cond) {
	switch c := c.(type) {
	case *And:
		p.terms(c.Terms, " AND ")
	case *Or:
		p.terms(c.Terms, " OR ")
	case *Not:
		p.text("NOT ")
		p.term(c.Term)
	case *Compare:
		p.operand(c.Left)
		p.text(" " + string(c.Op) + " ")
		p.operand(c.Right)
	case *Between:
		p.operand(c.X)
		p.text(" BETWEEN ")
		p.operand(c.Low)
		p.text(" AND ")
		p.operand(c.High)
	case *In:
		p.operand(c.X)
		p.text(" IN ")
		if c.FromList {
			p.operand(c.List[0])
		} else {
			p.text("(")
			p.operands(c.List)
			p.text(")")
		}
	case *Test:
		p.text(string(c.Name) + "(")
		p.operand(c.X)
		if c.Arg != nil {
			p.text(", ")
			p.operand(c.Arg)
		}
		p.text(")")
	}
}

func (p *printer) terms(terms []Cond, joint string) {
	for i, t := range terms {
		if i > 0 {
			p.text(joint)
		}
		p.term(t)
	}
}

// term writes a condition inside another one: AND and OR get brackets, also
// where they could do without, since mixed they are misread.
func (p *printer) term(c Cond) {
	switch c.(type) {
	case *And, *Or:
		p.text("(")
		p.cond(c)
		p.text(")")
	default:
		p.cond(c)
	}
}

func (p *printer) operands(list []Operand) {
	for i, o := range list {
		if i > 0 {
			p.text(", ")
		}
		p.operand(o)
	}
}

func (p *printer) operand(o Operand) {
	switch o := o.(type) {
	case *Attr:
		p.attr(o)
	case *Param:
		p.text("$" + o.Name)
		if o.Optional {
			p.text("?")
		}
	case *Now:
		p.text("$now")
	case *Literal:
		p.value(o.Value)
	case *Duration:
		p.text(durationText(o.Length))
	case *Call:
		p.text(string(o.Func.Name) + "(")
		p.operands(o.Args)
		if o.Func.N > 0 {
			p.text(", " + o.Func.number())
		}
		p.text(")")
	case *Arith:
		p.operand(o.Left)
		if o.Minus {
			p.text(" - ")
		} else {
			p.text(" + ")
		}
		if right, ok := o.Right.(*Arith); ok {
			p.text("(")
			p.operand(right)
			p.text(")")
		} else {
			p.operand(o.Right)
		}
	}
}

func (p *printer) attr(a *Attr) {
	if a.Entity != "" {
		p.text(Name(a.Entity) + ".")
	}
	p.text(Name(a.Path.Name))
	for _, s := range a.Path.Rest {
		switch {
		case s.Name != "":
			p.text("." + Name(s.Name))
		case s.Param != "":
			p.text("[$" + s.Param + "]")
		default:
			p.text("[" + strconv.Itoa(s.Index) + "]")
		}
	}
}

// value writes a literal.
func (p *printer) value(v value.Value) {
	switch v.Kind() {
	case value.String:
		p.text("'" + strings.ReplaceAll(v.Text(), "'", "''") + "'")
	case value.List:
		p.values(v.Items(), "[", "]")
	case value.StringSet, value.NumberSet, value.BinarySet:
		p.values(v.Items(), "<<", ">>")
	case value.Map:
		p.text("{")
		for i, f := range v.Fields() {
			if i > 0 {
				p.text(", ")
			}
			p.text(Name(f.Name) + ": ")
			p.value(f.Value)
		}
		p.text("}")
	default:
		p.text(v.String())
	}
}

func (p *printer) values(list []value.Value, open, end string) {
	p.text(open)
	for i, v := range list {
		if i > 0 {
			p.text(", ")
		}
		p.value(v)
	}
	p.text(end)
}

func (p *printer) update(u *Update) {
	var clauses []string
	add := func(keyword string, n int, action func(i int) string) {
		var actions []string
		for i := range n {
			actions = append(actions, action(i))
		}
		if n > 0 {
			clauses = append(clauses, keyword+" "+strings.Join(actions, ", "))
		}
	}
	add("SET", len(u.Set), func(i int) string { return String(u.Set[i].Target) + " = " + String(u.Set[i].Value) })
	add("REMOVE", len(u.Remove), func(i int) string { return String(u.Remove[i]) })
	add("ADD", len(u.Add), func(i int) string { return String(u.Add[i].Target) + " " + String(u.Add[i].Value) })
	add("DELETE", len(u.Delete), func(i int) string { return String(u.Delete[i].Target) + " " + String(u.Delete[i].Value) })
	p.text(strings.Join(clauses, " "))
}
