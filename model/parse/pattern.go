package parse

import (
	"regexp"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// patternDraft is an access pattern while it is being read.
type patternDraft struct {
	*builder
	pattern *model.Pattern
	node    *yamltree.Node
	nodes   patternNodes
	value   *yamltree.Node // of the operation's key
	drafts  []*draft       // the entities that a read returns
	params  *params
	// unfilled are the pieces of pinned templates that wait for their parameters.
	unfilled []unfilled
	faulty   bool
}

// patternNodes are the keys of a pattern as written.
type patternNodes struct {
	name, description, where, filter, index, key, order, limit, page, one, span *yamltree.Node
	selects, count, consistent, returns, allowFilter, across, token, after      *yamltree.Node
	then, includeDead, require                                                  *yamltree.Node
	params, rate, peak, skew, daily, budget, examples, ignore                   *yamltree.Node
	operations                                                                  [len(operations)]*yamltree.Node
	step                                                                        stepNodes
}

// operations are what a pattern does; each has exactly one.
var operations = [...]model.Operation{
	model.Get, model.BatchGet, model.TransactGet, model.Query, model.Scan,
	model.Create, model.Put, model.UpdateItem, model.Delete,
	model.BatchWrite, model.TransactWrite, model.PartiQL,
	model.DeleteEach, model.UpdateEach, model.External,
}

func (n *patternNodes) fields() []field {
	out := []field{
		{"name", true, keep(&n.name)},
		{"description", false, keep(&n.description)},
		{"where", false, keep(&n.where)},
		{"filter", false, keep(&n.filter)},
		{"index", false, keep(&n.index)},
		{"key", false, keep(&n.key)},
		{"order", false, keep(&n.order)},
		{"limit", false, keep(&n.limit)},
		{"page", false, keep(&n.page)},
		{"one", false, keep(&n.one)},
		{"span", false, keep(&n.span)},
		{"select", false, keep(&n.selects)},
		{"count", false, keep(&n.count)},
		{"consistent", false, keep(&n.consistent)},
		{"returns", false, keep(&n.returns)},
		{"allow_filter", false, keep(&n.allowFilter)},
		{"across", false, keep(&n.across)},
		{"token", false, keep(&n.token)},
		{"after", false, keep(&n.after)},
		{"then", false, keep(&n.then)},
		{"include_dead", false, keep(&n.includeDead)},
		{"require", false, keep(&n.require)},
		{"params", false, keep(&n.params)},
		{"rate", false, keep(&n.rate)},
		{"peak", false, keep(&n.peak)},
		{"skew", false, keep(&n.skew)},
		{"daily", false, keep(&n.daily)},
		{"budget", false, keep(&n.budget)},
		{"examples", false, keep(&n.examples)},
		{"ignore", false, keep(&n.ignore)},
	}
	for i, op := range operations {
		out = append(out, field{string(op), false, keep(&n.operations[i])})
	}
	return append(out, n.step.fields()...)
}

// possible tells whether an operation has a key; keys that are not listed are
// for all of them.
func possible(key string, op model.Operation) bool {
	several := op == model.Query || op == model.Scan
	each := op.WritesEach()
	changes := op == model.Put || op == model.UpdateItem || op == model.Delete
	switch key {
	case "where":
		return several || each || op == model.PartiQL || op == model.External
	case "allow_filter":
		return several || each || op == model.PartiQL
	case "limit", "page", "one":
		return several || op == model.PartiQL
	case "index", "span":
		return several || each
	case "count":
		return several
	case "filter":
		return op.IsRead() || each
	case "include_dead":
		return op.IsRead() || each || op == model.PartiQL
	case "select", "after":
		return op.IsRead() || op == model.PartiQL
	case "consistent":
		return op.IsRead() || each || op == model.PartiQL
	case "order":
		return op == model.Query || op == model.PartiQL
	case "key":
		return op == model.Query || each
	case "then":
		return op == model.Query
	case "returns":
		return changes || op == model.PartiQL || op == model.External
	case "token":
		return op == model.TransactWrite
	case "if":
		return changes || each || op == model.Create
	case "with":
		return changes || op == model.Create || op == model.Get
	case "unversioned":
		return changes || each
	case "old", "read_first":
		return changes
	case "change":
		return op == model.UpdateItem || op == model.UpdateEach
	case "upsert":
		return op == model.UpdateItem
	case "must_exist":
		return op == model.Delete
	}
	return true
}

// readPatterns reads the access patterns of all documents.
func (b *builder) readPatterns() {
	for _, doc := range b.documents {
		if doc.patterns == nil {
			continue
		}
		for _, n := range b.items(doc.patterns, "`access_patterns` is a list") {
			if n.Kind == yamltree.Broken {
				continue
			}
			p := &patternDraft{builder: b, node: n, pattern: &model.Pattern{At: n.At}, params: newParams(b, nil)}
			p.faulty = !b.whole(p.read)
			p.readTraffic()
			b.patterns = append(b.patterns, p)
		}
	}
	b.checkNames()
	for _, p := range b.patterns {
		p.guard(p.readAfter)
	}
}

func (p *patternDraft) guard(read func()) {
	if !p.whole(read) {
		p.faulty = true
	}
}

func (p *patternDraft) read() {
	m, n, before := p.pattern, &p.nodes, p.faults
	if !p.object(p.node, head(p.node), "an access pattern", p.fields()) {
		return
	}
	p.optional(n.name, p.readName)
	p.optional(n.description, p.into(&m.Description))
	p.readOperation()
	if m.Operation != "" {
		p.checkPossible()
		p.readWhat()
		p.readConditions()
		p.readShape()
		p.optional(n.then, p.readThen)
		p.optional(n.require, func(n *yamltree.Node) {
			m.Require = p.condition(n, &scope{builder: p.builder, use: useIf, params: p.params})
		})
		p.params.suspect = p.params.suspect || p.faults > before
		p.optional(n.params, p.params.declare)
		m.Parameters = p.params.finish()
		p.fillIn()
		p.replaceDerived()
	}
}

// fields are the keys of a pattern. Where one is unknown, those that its
// operation has come first, so that the one meant is among them.
func (p *patternDraft) fields() []field {
	fields := p.nodes.fields()
	unknown := func(e *yamltree.Entry) bool { return find(fields, e.Key.Text) < 0 }
	if !slices.ContainsFunc(p.node.Entries, unknown) {
		return fields
	}
	var first, last []field
	for _, f := range fields {
		if slices.ContainsFunc(p.node.Entries, func(e *yamltree.Entry) bool {
			return isOperation(e.Key.Text) && !possible(f.key, model.Operation(e.Key.Text))
		}) {
			last = append(last, f)
		} else {
			first = append(first, f)
		}
	}
	return append(first, last...)
}

func isOperation(key string) bool { return slices.Contains(operations[:], model.Operation(key)) }

var kebab = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

func (p *patternDraft) readName(n *yamltree.Node) {
	text, ok := p.text(n)
	p.pattern.Name = model.Name{Text: text, At: n.At}
	if ok && !kebab.MatchString(text) {
		p.errorf(n.At, "`%s` is no name of a pattern: lower-case words joined by -, as in `orders-of-customer`", clip(text))
	}
}

// readOperation finds the one operation of the pattern.
func (p *patternDraft) readOperation() {
	for _, e := range p.node.Entries {
		i := slices.Index(operations[:], model.Operation(e.Key.Text))
		if i < 0 {
			continue
		}
		if p.pattern.Operation != "" {
			p.errorf(e.Key.At, "a pattern does one thing: `%s` or `%s`; several writes together are a `transact_write`", p.pattern.Operation, e.Key.Text)
			continue
		}
		p.pattern.Operation = operations[i]
		p.pattern.OperationAt = e.Key.At
		p.pattern.OperationAt.End = max(e.Key.At.End, min(e.Value.At.End, head(e.Value).End))
		p.value = p.nodes.operations[i]
	}
	if p.pattern.Operation == "" && !p.node.Incomplete {
		p.errorf(p.place(), "the pattern does nothing; it needs one of `get`, `query`, `create`, `put`, `update`, `delete`, `scan`, `batch_get`, `batch_write`, `transact_get`, `transact_write`, `delete_each`, `update_each`, `partiql` and `external`")
	}
}

// place is where things are said about the pattern as a whole.
func (p *patternDraft) place() source.Span {
	if p.pattern.Name.At.Known() {
		return p.pattern.Name.At
	}
	return head(p.node)
}

// checkPossible reports keys that the operation does not have.
func (p *patternDraft) checkPossible() {
	op := p.pattern.Operation
	for _, e := range p.node.Entries {
		if !possible(e.Key.Text, op) {
			p.errorf(e.Key.At, "`%s` has no meaning for %s%s", e.Key.Text, withArticle(op), instead(e.Key.Text, op))
		}
	}
}

func withArticle(op model.Operation) string {
	switch op {
	case model.UpdateItem, model.UpdateEach, model.External:
		return "an " + string(op)
	}
	return "a " + string(op)
}

// instead says what to write where a key does not apply.
func instead(key string, op model.Operation) string {
	single := op == model.Create || op == model.Put || op == model.UpdateItem || op == model.Delete
	switch {
	case key == "where" && op == model.Get:
		return ": it reads one item by its key. To find items by other attributes, write `query`"
	case key == "where" && single:
		return "; a condition on the item is `if`"
	case key == "if" && !single && op.IsRead():
		return "; what is wanted is said in `where`"
	case (key == "if" || key == "with" || key == "change") && (op == model.TransactWrite || op == model.BatchWrite):
		return "; it stands in the step"
	case key == "order" && op == model.Scan:
		return ", which reads in no order"
	case key == "must_exist" && op == model.UpdateItem:
		return "; its item must exist anyway, unless `upsert: true`"
	case key == "change" && (op == model.Create || op == model.Put):
		return "; `with` fixes values"
	}
	return ""
}

// checkNames reports patterns that share a name.
func (b *builder) checkNames() {
	b.patternsByName = map[string]*patternDraft{}
	for _, p := range b.patterns {
		name := p.pattern.Name
		if name.Text == "" {
			continue
		}
		if other := b.patternsByName[name.Text]; other != nil {
			p.guard(func() {
				b.errorf(name.At, "there is already a pattern `%s`, in line %d", name.Text, other.pattern.Name.At.From().Line)
			})
			continue
		}
		b.patternsByName[name.Text] = p
		b.patternNames = append(b.patternNames, name.Text)
	}
}

// patternNamed reads the name of a pattern.
func (b *builder) patternNamed(n *yamltree.Node) *patternDraft {
	text, ok := b.text(n)
	if !ok {
		return nil
	}
	if p := b.patternsByName[text]; p != nil {
		return p
	}
	b.unknownf(n.At, "there is no pattern `%s`%s", clip(text), b.meant(text, b.patternNames, "; the patterns are "))
	return nil
}

func (p *patternDraft) readAfter() {
	n := p.nodes.after
	if n == nil {
		return
	}
	other := p.patternNamed(n)
	switch {
	case other == nil:
	case other == p:
		p.errorf(n.At, "a pattern does not come after itself")
	case other.pattern.Operation.IsRead():
		p.errorf(n.At, "`%s` writes nothing; `after` names the pattern whose write is read", other.pattern.Name.Text)
	default:
		p.pattern.After = other.pattern
	}
}

// assemblePatterns takes over the patterns that are whole and whose entities are.
func (b *builder) assemblePatterns() {
	kept := map[*model.Pattern]bool{}
	for _, p := range b.patterns {
		if !p.faulty && p.grounded() {
			b.model.Patterns = append(b.model.Patterns, p.pattern)
			kept[p.pattern] = true
		}
	}
	for _, p := range b.model.Patterns {
		if p.After != nil && !kept[p.After] {
			p.After = nil
		}
	}
}

// grounded tells whether all entities of the pattern are in the model.
func (p *patternDraft) grounded() bool {
	entities := slices.Clone(p.pattern.Entities)
	for _, s := range p.pattern.AllSteps() {
		entities = append(entities, s.Entity)
	}
	if p.pattern.Then != nil {
		entities = append(entities, p.pattern.Then.Entity)
	}
	for _, r := range []*model.Rate{p.pattern.Rate, p.pattern.Peak} {
		if r != nil && r.Each != nil {
			entities = append(entities, r.Each)
		}
	}
	return !slices.ContainsFunc(entities, func(e *model.Entity) bool { return !p.byName[e.Name.Text].usable() })
}

// readRoles reads the table's roles: names with the patterns they may use.
func (b *builder) readRoles() {
	if b.roles == nil || b.model.Table == nil {
		return
	}
	for _, e := range b.entries(b.roles, "`roles` is a mapping from names to patterns") {
		role := model.Role{At: e.Key.At, Name: model.Name{Text: e.Key.Text, At: e.Key.At}}
		if e.Value.Kind == yamltree.Null {
			b.noValue(e.Value, "the role `"+e.Key.Text+"`")
			continue
		}
		for _, n := range b.members(e.Value) {
			if p := b.patternNamed(n); p != nil && slices.Contains(b.model.Patterns, p.pattern) {
				role.Patterns = append(role.Patterns, p.pattern)
			}
		}
		b.model.Table.Roles = append(b.model.Table.Roles, role)
	}
}
