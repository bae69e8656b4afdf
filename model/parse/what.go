package parse

import (
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// readWhat reads the value of the operation: entities, steps or a statement.
func (p *patternDraft) readWhat() {
	m, n := p.pattern, p.value
	if n == nil {
		p.broken() // reported
		return
	}
	switch m.Operation {
	case model.Get, model.Create, model.Put, model.UpdateItem, model.Delete:
		p.readSingle(n)
	case model.BatchGet, model.TransactGet:
		if n.Kind == yamltree.Sequence {
			m.Steps = p.steps(n)
			p.stepEntities()
			return
		}
		p.readKeys(n)
	case model.BatchWrite, model.TransactWrite:
		m.Steps = p.steps(n)
	case model.Query, model.Scan:
		p.readCollection(n)
	case model.PartiQL:
		p.readStatement(n)
	case model.DeleteEach, model.UpdateEach:
		p.readEach(n)
	case model.External:
		p.readExternal(n)
	}
}

// readSingle reads an operation on one item.
func (p *patternDraft) readSingle(n *yamltree.Node) {
	d := p.entityNamed(n)
	if d == nil {
		return
	}
	s := &stepper{builder: p.builder, params: p.params, pattern: p.pattern}
	step := &model.Step{At: p.node.At, Operation: p.pattern.Operation, OperationAt: p.pattern.OperationAt}
	s.write(step, d, &p.nodes.step, p.node)
	p.pattern.Step = step
	if p.pattern.Operation == model.Get {
		p.pattern.Entities, p.drafts = []*model.Entity{d.entity}, []*draft{d}
	}
}

// stepEntities collects the entities that the steps of a read return.
func (p *patternDraft) stepEntities() {
	seen := map[*model.Entity]bool{}
	for _, s := range p.pattern.AllSteps() {
		if !seen[s.Entity] {
			seen[s.Entity] = true
			p.pattern.Entities = append(p.pattern.Entities, s.Entity)
			p.drafts = append(p.drafts, p.byName[s.Entity.Name.Text])
		}
	}
}

// keyList is the parameter of a batch_get or transact_get of one entity.
const keyList = "keys"

// readKeys reads a batch_get or transact_get of one entity, by a list of keys.
func (p *patternDraft) readKeys(n *yamltree.Node) {
	d := p.entityNamed(n)
	if d == nil {
		return
	}
	p.pattern.Entities, p.drafts = []*model.Entity{d.entity}, []*draft{d}
	fields := newParams(p.builder, p.params)
	fields.suspectKeys(d)
	for _, a := range addressing(d.entity, p.model.Table) {
		fields.use(a.Name.Text, usage{at: p.pattern.OperationAt, attribute: a, entity: d.entity, implied: true, key: true})
	}
	p.params.use(keyList, usage{at: p.pattern.OperationAt, list: true, implied: true}).fields = fields
}

// readCollection reads the entities of a query or scan.
func (p *patternDraft) readCollection(n *yamltree.Node) {
	m := p.pattern
	if m.Operation == model.Scan && n.Kind == yamltree.Scalar && n.Text == "all" && p.byName["all"] == nil {
		m.All = true
		for _, d := range p.builder.drafts {
			p.drafts = append(p.drafts, d)
			if d.usable() {
				m.Entities = append(m.Entities, d.entity)
			}
		}
		return
	}
	for _, item := range p.members(n) {
		d := p.entityNamed(item)
		if d == nil {
			continue
		}
		if containsDraft(p.drafts, d) {
			p.errorf(item.At, "`%s` is listed twice", d.entity.Name.Text)
			continue
		}
		p.drafts = append(p.drafts, d)
		m.Entities = append(m.Entities, d.entity)
	}
	if n.Kind == yamltree.Sequence && len(n.Items) == 0 {
		p.errorf(n.At, "no entity is named")
	}
}

func containsDraft(drafts []*draft, d *draft) bool {
	for _, other := range drafts {
		if other == d {
			return true
		}
	}
	return false
}

// readStatement reads a PartiQL statement with the entities it returns.
func (p *patternDraft) readStatement(n *yamltree.Node) {
	text, ok := p.text(n)
	if !ok {
		return
	}
	p.pattern.Statement = &model.Statement{At: n.At, Text: text}
	if strings.TrimSpace(text) == "" {
		p.errorf(n.At, "the statement is empty")
	}
	p.statementParams(n, text)
	if returns := p.nodes.returns; returns != nil {
		p.readCollection(returns)
		p.pattern.Statement.Returns = p.pattern.Entities
	} else if p.nodes.where != nil {
		p.errorf(p.nodes.where.At, "`where` needs `returns`, the entities that the statement returns")
	}
}

// readExternal reads what serves the pattern instead of the table, with the
// entities it returns.
func (p *patternDraft) readExternal(n *yamltree.Node) {
	p.pattern.Service, _ = p.text(n)
	if returns := p.nodes.returns; returns != nil {
		p.readCollection(returns)
	} else if p.nodes.where != nil {
		p.errorf(p.nodes.where.At, "`where` needs `returns`, the entities that %s returns", clip(p.pattern.Service))
	}
}

// statementParams finds the $name parameters of a statement, outside of what is
// quoted.
func (p *patternDraft) statementParams(n *yamltree.Node, text string) {
	var quote byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '$':
			end := i + 1
			for end < len(text) && isNameByte(text[end]) {
				end++
			}
			if name := text[i+1 : end]; name != "" && name != "now" {
				p.params.use(name, usage{at: n.Sub(i, end)})
			}
			i = end - 1
		}
	}
}

func isNameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// parameterName tells whether a text can be the name of a parameter.
func parameterName(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return s != "" && (s[0] < '0' || s[0] > '9')
}
