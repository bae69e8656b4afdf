package partiql

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// Parse reads a statement and puts the parameters in the places of its
// question marks.
func Parse(statement string, parameters []attr.Value) (Statement, error) {
	if len(statement) > MaxBytes {
		return nil, attr.Invalidf("1 validation error detected: Value at 'statement' failed to satisfy constraint: Member must have length less than or equal to %d", MaxBytes)
	}
	p := &parser{text: statement, parameters: parameters}
	p.next()
	s := p.statement()
	p.symbol(";")
	if p.tok.kind != tokenEOF {
		p.malformed()
	}
	switch {
	case p.broken:
		return nil, attr.Invalidf("Statement wasn't well formed, can't be processed: %s", statement)
	case p.err != nil:
		return nil, p.err
	case p.used != len(parameters):
		return nil, attr.Invalidf("Number of parameters in request and statement don't match.")
	}
	return s, nil
}

// parser reads one statement.
type parser struct {
	text       string
	tok        token
	parameters []attr.Value
	used       int   // parameters, also those that are not there
	updating   bool  // in the right-hand side of an update
	broken     bool  // the text is no PartiQL
	err        error // the first fault of another kind
}

func (p *parser) next() { p.tok = lex(p.text, p.tok.end) }

// malformed ends the reading of text that is no PartiQL.
func (p *parser) malformed() {
	p.broken = true
	p.tok = token{kind: tokenEOF, start: len(p.text), end: len(p.text)}
}

// fault records a refusal; the first one counts.
func (p *parser) fault(format string, args ...any) {
	if p.err == nil {
		p.err = attr.Invalidf(format, args...)
	}
}

// at writes where a token is: line, column and length.
func (p *parser) at(t token) string {
	before := p.text[:t.start]
	line := strings.Count(before, "\n")
	column := len([]rune(before[strings.LastIndexByte(before, '\n')+1:]))
	length := len([]rune(p.text[t.start:t.end]))
	return fmt.Sprintf("at %d:%d:%d", line+1, column+1, length)
}

// is reports whether the current token is the given keyword or symbol.
func (p *parser) is(kind tokenKind, text string) bool {
	return p.tok.kind == kind && p.tok.text == text
}

// keyword reads a keyword if it is next.
func (p *parser) keyword(word string) bool {
	ok := p.is(tokenKeyword, word)
	if ok {
		p.next()
	}
	return ok
}

// symbol reads a symbol if it is next.
func (p *parser) symbol(symbol string) bool {
	ok := p.is(tokenSymbol, symbol)
	if ok {
		p.next()
	}
	return ok
}

func (p *parser) expect(ok bool) {
	if !ok {
		p.malformed()
	}
}

func (p *parser) statement() Statement {
	switch first := p.tok; {
	case p.keyword("SELECT"):
		return p.selection()
	case p.keyword("INSERT"):
		return p.insert()
	case p.keyword("UPDATE"):
		return p.update()
	case p.keyword("DELETE"):
		return p.delete()
	case p.keyword("EXISTS"):
		p.expect(p.symbol("("))
		p.expect(p.keyword("SELECT"))
		s := p.selection()
		p.expect(p.symbol(")"))
		return &Exists{Select: s}
	case first.kind == tokenIdentifier:
		p.next()
		p.fault("Unsupported operation: VariableReference")
		return nil
	}
	p.malformed()
	return nil
}

// selection reads a SELECT from behind that word.
func (p *parser) selection() *Select {
	s := &Select{}
	switch t := p.tok; {
	case p.keyword("DISTINCT"):
		p.fault("Unsupported token in expression: DISTINCT")
	case p.keyword("VALUE"), p.keyword("PIVOT"):
		p.fault("Select projection doesn't support value or pivot keywords")
	case t.kind == tokenKeyword && t.text == "ALL":
		p.next()
	}
	if !p.symbol("*") {
		s.Columns = p.columns()
	}
	p.expect(p.keyword("FROM"))
	s.From = p.source()
	p.unalias()
	if p.symbol(",") {
		p.source()
		p.fault("Only select from a single table or index is supported.")
	}
	if p.keyword("WHERE") {
		s.Where = p.where()
	}
	p.unsupportedClauses()
	if p.keyword("ORDER") {
		p.expect(p.keyword("BY"))
		s.OrderBy = p.order()
		if s.Where == nil {
			p.fault("Must have WHERE clause in the statement when using ORDER BY clause.")
		}
	}
	p.unsupportedClauses()
	return s
}

// unalias refuses another name for what was just read.
func (p *parser) unalias() {
	if p.keyword("AS") {
		p.expect(p.tok.kind == tokenIdentifier)
	}
	if p.tok.kind == tokenIdentifier {
		p.next()
		p.fault("Aliasing is not supported")
	}
}

// unsupportedClauses refuses the clauses of PartiQL that DynamoDB lacks.
func (p *parser) unsupportedClauses() {
	for {
		switch {
		case p.keyword("GROUP"):
			p.expect(p.keyword("BY"))
			p.expression()
			p.fault("Unsupported clause: GROUP BY")
		case p.keyword("HAVING"):
			o := p.expression()
			p.fault("Unsupported clause: HAVING %s", p.at(o.tok))
		case p.keyword("LIMIT"):
			o := p.expression()
			p.fault("Unsupported clause: LIMIT %s", p.at(o.tok))
		default:
			return
		}
	}
}

func (p *parser) columns() []Column {
	var columns []Column
	seen := map[string]bool{}
	for {
		o := p.operand()
		path, ok := o.expr.(Path)
		if !ok {
			p.fault("Unexpected path component %s", p.at(o.tok))
		}
		if p.tok.kind == tokenSymbol && strings.Contains("+-*/%||", p.tok.text) {
			p.fault("Unexpected path component %s", p.at(p.tok))
			p.next()
			p.sum()
		}
		if p.symbol(".") {
			p.expect(p.symbol("*"))
			p.fault("Changing item's hierarchy while reading isn't supported")
		}
		p.unalias()
		c := Column{Name: path.name(), Path: path}
		if seen[c.Name] && ok {
			p.fault("Duplicate identifiers in select clause: %s", c.Name)
		}
		seen[c.Name] = true
		columns = append(columns, c)
		if !p.symbol(",") {
			return columns
		}
	}
}

// name is what a selected path is called in the answer.
func (path Path) name() string {
	name := ""
	for _, e := range path {
		if e.IsIndex {
			name += fmt.Sprintf("[%d]", e.Index)
		} else {
			name = e.Name
		}
	}
	return name
}

// source reads what a SELECT reads from.
func (p *parser) source() Target {
	o := p.operand()
	path, ok := o.expr.(Path)
	if !ok {
		p.fault("Unexpected from source")
		return Target{}
	}
	return p.target(path)
}

func (p *parser) target(path Path) Target {
	switch {
	case len(path) > 2:
		p.fault("A path may contain at most 2 components in the FROM clause")
	case len(path) == 2:
		return Target{Table: path[0].Name, Index: path[1].Name}
	case len(path) == 1:
		return Target{Table: path[0].Name}
	}
	return Target{}
}

// table reads the table of a statement that writes.
func (p *parser) table(onIndex string) string {
	if p.tok.kind != tokenIdentifier {
		p.malformed()
		return ""
	}
	t := p.target(p.path())
	if t.Index != "" {
		p.fault("%s", onIndex)
	}
	return t.Table
}

func (p *parser) order() []Order {
	var orders []Order
	for {
		o := p.operand()
		path, ok := o.expr.(Path)
		switch {
		case !ok:
			p.fault("Argument to ORDER BY must be of type VariableReference. Type: %s", p.text[o.tok.start:o.tok.end])
		case len(path) > 1:
			p.fault("Argument to ORDER BY must be of type VariableReference. Type: PATH")
		default:
			orders = append(orders, Order{Attribute: path[0].Name, Descending: p.is(tokenKeyword, "DESC")})
		}
		if !p.keyword("DESC") {
			p.keyword("ASC")
		}
		if !p.symbol(",") {
			return orders
		}
	}
}

func (p *parser) insert() Statement {
	p.expect(p.keyword("INTO"))
	s := &Insert{Table: p.table("FROM clause may only contain a single table name in data manipulation statements")}
	p.expect(p.keyword("VALUE"))
	if item := p.tok; p.symbol("{") {
		s.Item = p.tuple().Item()
	} else {
		p.expression()
		p.fault("Unsupported format in item expression. Please use struct format {...} to express item values for insert statement. %s", p.at(item))
	}
	if p.keyword("RETURNING") {
		p.returning()
		p.fault("RETURNING is not supported in INSERT")
	}
	return s
}

const noIndex = "This operation is not supported on an index"

func (p *parser) update() Statement {
	s := &Update{Table: p.table(noIndex), Returning: ReturnNone}
	p.unalias()
	for p.is(tokenKeyword, "SET") || p.is(tokenKeyword, "REMOVE") {
		s.Actions = append(s.Actions, p.actions()...)
	}
	p.expect(len(s.Actions) > 0)
	if p.keyword("WHERE") {
		s.Where = p.where()
	}
	if p.keyword("RETURNING") {
		s.Returning = p.returning()
	}
	return s
}

// actions reads one SET with its assignments, or one REMOVE with its path.
func (p *parser) actions() []Action {
	if p.keyword("REMOVE") {
		return []Action{{Path: p.path()}}
	}
	p.expect(p.keyword("SET"))
	actions := []Action{p.assignment()}
	for p.symbol(",") {
		actions = append(actions, p.assignment())
	}
	return actions
}

func (p *parser) assignment() Action {
	a := Action{Path: p.path()}
	p.expect(p.symbol("="))
	p.updating = true
	value := p.expression()
	p.updating = false
	p.checkAssignment(a.Path, value)
	a.Value = value.expr
	return a
}

func (p *parser) delete() Statement {
	p.expect(p.keyword("FROM"))
	s := &Delete{Table: p.table(noIndex), Returning: ReturnNone}
	p.unalias()
	if p.keyword("WHERE") {
		s.Where = p.where()
	}
	if start := p.tok.start; p.keyword("RETURNING") {
		s.Returning = p.returning()
		if s.Returning != ReturnAllOld {
			clause := strings.TrimSpace(p.text[start:p.tok.start])
			p.fault("Invalid returning clause: %s. Only RETURNING ALL OLD * is allowed in DELETE statements.", clause)
		}
	}
	return s
}

// returning reads what follows RETURNING.
func (p *parser) returning() Returning {
	all := p.keyword("ALL")
	p.expect(all || p.keyword("MODIFIED"))
	old := p.keyword("OLD")
	p.expect(old || p.keyword("NEW"))
	if !p.symbol("*") {
		p.expect(p.tok.kind == tokenIdentifier)
		p.path()
		p.fault("Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause")
	}
	if p.symbol(",") {
		p.returning()
		p.fault("Invalid syntax with multiple returning elements in RETURNING clause")
	}
	switch {
	case all && old:
		return ReturnAllOld
	case all:
		return ReturnAllNew
	case old:
		return ReturnModifiedOld
	}
	return ReturnModifiedNew
}
