package parse

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// readConditions reads what a read is about: where, filter, pinned index and key.
func (p *patternDraft) readConditions() {
	m, n := p.pattern, &p.nodes
	if len(p.drafts) > 0 {
		p.optional(n.where, func(n *yamltree.Node) {
			m.Where = p.condition(n, &scope{builder: p.builder, use: useWhere, drafts: p.drafts, params: p.params})
		})
		p.optional(n.filter, func(n *yamltree.Node) {
			m.Filter = p.condition(n, &scope{builder: p.builder, use: useIf, drafts: p.drafts, params: p.params})
		})
	}
	if m.Operation == model.Query && has(p.node, "key") && !has(p.node, "where") && !p.node.Incomplete {
		p.errorf(p.pattern.OperationAt, "a query whose request is pinned by `key` needs `where`, which says what it must return")
	}
	if m.Operation.WritesEach() && !has(p.node, "where") && !p.node.Incomplete {
		p.errorf(m.OperationAt, "%s needs `where`, which says which items are meant", withArticle(m.Operation))
	}
	p.optional(n.index, p.readIndex)
	p.optional(n.key, p.readKey)
}

// readIndex reads a pinned index.
func (p *patternDraft) readIndex(n *yamltree.Node) {
	text, ok := p.text(n)
	if !ok {
		return
	}
	p.pattern.IndexPinned, p.pattern.IndexAt = true, n.At
	t := p.model.Table
	if t == nil || text == "table" {
		return
	}
	if p.pattern.Index = t.Index(text); p.pattern.Index == nil && !p.usableTable {
		p.broken()
	} else if p.pattern.Index == nil {
		names := []string{"table"}
		for _, x := range t.Indexes {
			names = append(names, x.Name.Text)
		}
		p.unknownf(n.At, "there is no index `%s`%s", clip(text), p.meant(text, names, "; write "))
	}
}

// readShape reads how the result is wanted.
func (p *patternDraft) readShape() {
	m, n := p.pattern, &p.nodes
	p.optional(n.order, p.readOrder)
	p.optional(n.limit, p.count(&m.Limit))
	p.optional(n.page, p.count(&m.Page))
	p.optional(n.one, p.flag(&m.One))
	p.optional(n.span, p.duration(&m.Span))
	p.optional(n.selects, p.readSelect)
	p.optional(n.count, p.flag(&m.Count))
	p.optional(n.consistent, p.flag(&m.Consistent))
	p.optional(n.allowFilter, p.flag(&m.AllowFilter))
	p.optional(n.across, p.flag(&m.Across))
	p.optional(n.includeDead, p.flag(&m.IncludeDead))
	p.optional(n.token, p.readToken)
	m.Unversioned = m.Step != nil && m.Step.Unversioned
	if n.returns != nil && m.Operation != model.PartiQL && m.Operation != model.External && possible("returns", m.Operation) {
		p.readReturns(n.returns)
	}
	switch {
	case m.Limit > 0 && m.Page > 0:
		p.errorf(n.page.At, "`limit` is all that is wanted, `page` a part of everything; write one of them")
	case m.One && (m.Limit > 0 || m.Page > 0 || m.Order != nil):
		p.errorf(n.one.At, "at most one item matches, so `limit`, `page` and `order` say nothing")
	case m.Count && (m.Select != nil || m.Order != nil):
		p.errorf(n.count.At, "only the number is wanted, so `select` and `order` say nothing")
	case m.Order == nil && m.Limit > 0 && m.Count:
		p.errorf(n.count.At, "a count with a `limit` counts no further than that; leave one out")
	}
}

func (p *patternDraft) readReturns(n *yamltree.Node) {
	words := []string{"new", "old", "none"}
	if p.pattern.Operation != model.UpdateItem {
		words = []string{"old", "none"}
	}
	p.pattern.Returns = p.word(n, words...)
}

func (p *patternDraft) readToken(n *yamltree.Node) {
	text, ok := p.text(n)
	name, dollar := strings.CutPrefix(text, "$")
	switch {
	case !ok:
	case !dollar || !parameterName(name):
		p.errorf(n.At, "`token` takes a parameter such as `$requestId`, not `%s`", clip(text))
	default:
		p.pattern.Token = name
		token := &model.Attribute{At: n.At, Name: model.Name{Text: name, At: n.At}, Type: model.TypeString, Domain: model.Domain{Length: &model.Range{Min: 1, Max: 36}}}
		p.params.use(name, usage{at: n.At, attribute: token})
	}
}

// readOrder reads `placedAt desc`, or a list of such.
func (p *patternDraft) readOrder(n *yamltree.Node) {
	for _, item := range p.members(n) {
		text, ok := p.text(item)
		if !ok {
			continue
		}
		words := strings.Fields(text)
		if len(words) == 0 || len(words) > 2 || len(words) == 2 && words[1] != "asc" && words[1] != "desc" {
			p.errorf(item.At, "`order` takes an attribute with `asc` or `desc`, as in `placedAt desc`, not `%s`", clip(text))
			continue
		}
		by := model.OrderBy{At: item.At, Attribute: words[0], Desc: len(words) == 2 && words[1] == "desc"}
		drafts, at := p.drafts, item.Sub(0, len(words[0]))
		if d := p.typePlace(words[0]); d != nil {
			drafts, by.Entity = []*draft{d}, d.entity
			_, by.Attribute, _ = strings.Cut(words[0], ".")
			at = item.Sub(len(words[0])-len(by.Attribute), len(words[0]))
		}
		if by.Attribute == "" && len(words) == 2 {
			p.errorf(item.At, "the items of %s come at one place; write `%s` alone, or `%s.` and the attribute they are ordered by", words[0], words[0], words[0])
		}
		for _, d := range drafts {
			if by.Attribute == "" {
				continue
			}
			a := p.member(d, by.Attribute, at)
			if a != nil && !a.Type.Kind().IsKey() {
				p.errorf(item.At, "`%s` is %s, which has no order", by.Attribute, typeName(a.Type))
			}
		}
		p.pattern.Order = append(p.pattern.Order, by)
	}
	p.checkTypePlaces(n)
}

// typePlace is the entity that an entry of an order names, `Alert` or
// `Alert.raisedAt`, in a pattern over several; nil for an attribute of all.
func (p *patternDraft) typePlace(word string) *draft {
	name, _, _ := strings.Cut(word, ".")
	d := p.byName[name]
	if d == nil || len(p.drafts) < 2 || !containsDraft(p.drafts, d) || slices.ContainsFunc(p.drafts, func(d *draft) bool { return d.attributes[name] != nil }) {
		return nil
	}
	return d
}

// checkTypePlaces checks that an order over types has a place for every type.
func (p *patternDraft) checkTypePlaces(n *yamltree.Node) {
	order := p.pattern.Order
	named := slices.ContainsFunc(order, func(by model.OrderBy) bool { return by.Entity != nil })
	if !named {
		return
	}
	if slices.ContainsFunc(order, func(by model.OrderBy) bool { return by.Entity == nil }) {
		p.errorf(head(n), "an order names either attributes that all items have, or for every entity where its items come; not both")
		return
	}
	for _, d := range p.drafts {
		if !slices.ContainsFunc(order, func(by model.OrderBy) bool { return by.Entity == d.entity }) {
			p.errorf(head(n), "the order says nothing of %s; name it at its place", d.entity.Name.Text)
		}
	}
}

// readSelect reads the attributes wanted; each is one of some entity.
func (p *patternDraft) readSelect(n *yamltree.Node) {
	p.pattern.Select = p.names(n)
	if len(p.pattern.Select) == 0 && n.Kind == yamltree.Sequence && len(n.Items) == 0 {
		p.errorf(n.At, "nothing is selected; leave `select` out to get everything")
	}
	for _, name := range p.pattern.Select {
		if len(p.drafts) == 0 || slices.ContainsFunc(p.drafts, func(d *draft) bool { return d.attributes[name.Text] != nil }) {
			continue
		}
		if len(p.drafts) == 1 {
			p.member(p.drafts[0], name.Text, name.At)
			continue
		}
		var names []string
		for _, d := range p.drafts {
			names = append(names, d.names()...)
		}
		p.unknownf(name.At, "none of the entities has an attribute `%s`%s", clip(name.Text), p.meant(name.Text, compact(names), "; there are "))
	}
}

// readKey reads a pinned key condition: {GSI1PK: "…", GSI1SK: {begins_with: "…"}}.
func (p *patternDraft) readKey(n *yamltree.Node) {
	entries := p.entries(n, "`key` is a mapping from key attributes to templates")
	keys, ok := p.pinnedKeys(entries)
	if !ok {
		p.broken() // reported, or a key of what could not be read
		return
	}
	for _, e := range entries {
		i := slices.IndexFunc(keys, func(k model.KeyAttribute) bool { return k.Name == e.Key.Text })
		if i < 0 {
			names := make([]string, len(keys))
			for i, k := range keys {
				names[i] = k.Name
			}
			p.unknownf(e.Key.At, "`%s` is no key of the index that is read%s", clip(e.Key.Text), p.meant(e.Key.Text, names, "; its keys are "))
			continue
		}
		k := p.keyCondition(keys[i], e)
		if k == nil {
			continue
		}
		if k.Op != model.KeyEq && p.isPartitionKey(keys[i]) {
			p.errorf(head(e.Value), "`%s` is a partition key, of which DynamoDB takes one value and no `%s`; what is searched by its beginning or by a range belongs into a sort key",
				clip(e.Key.Text), e.Value.Entries[0].Key.Text)
		}
		p.pattern.Key = append(p.pattern.Key, k)
	}
	if n.Incomplete {
		p.broken()
	}
}

// pinnedKeys are the keys of the index that a pinned request reads: the one
// named, else the table, else the only index that has the keys named.
func (p *patternDraft) pinnedKeys(entries []*yamltree.Entry) ([]model.KeyAttribute, bool) {
	t, m := p.model.Table, p.pattern
	switch {
	case t == nil || !p.usableTable || len(entries) == 0:
		return nil, false
	case m.Index != nil:
		return m.Index.Keys(), true
	case m.IndexPinned || covers(t.Keys(), entries):
		m.IndexPinned = true
		return t.Keys(), true
	}
	var found []*model.Index
	for _, x := range t.Indexes {
		if covers(x.Keys(), entries) {
			found = append(found, x)
		}
	}
	switch len(found) {
	case 0:
		p.errorf(entries[0].Key.At, "neither the table nor an index has all of these keys; a pinned request reads one of them")
		return nil, false
	case 1:
		m.Index, m.IndexPinned, m.IndexAt = found[0], true, entries[0].Key.At
		return found[0].Keys(), true
	}
	p.errorf(entries[0].Key.At, "several indexes have this key; write `index: %s` or another one", found[0].Name.Text)
	return nil, false
}

// isPartitionKey tells whether a key is (part of) the partition key of what a
// pinned request reads.
func (p *patternDraft) isPartitionKey(k model.KeyAttribute) bool {
	if x := p.pattern.Index; x != nil && !x.Local {
		return slices.ContainsFunc(x.PartitionKey, func(own model.KeyAttribute) bool { return own.Name == k.Name })
	}
	return k.Name == p.model.Table.PartitionKey.Name
}

func covers(keys []model.KeyAttribute, entries []*yamltree.Entry) bool {
	for _, e := range entries {
		if !slices.ContainsFunc(keys, func(k model.KeyAttribute) bool { return k.Name == e.Key.Text }) {
			return false
		}
	}
	return true
}

// keyOperators are the words for conditions on a key attribute.
func keyOperators() map[string]model.KeyOp {
	return map[string]model.KeyOp{
		"begins_with": model.KeyBeginsWith, "between": model.KeyBetween,
		"lt": model.KeyLt, "lte": model.KeyLe, "gt": model.KeyGt, "gte": model.KeyGe,
	}
}

// keyCondition reads a template, or {begins_with: "…"} and the like.
func (p *patternDraft) keyCondition(key model.KeyAttribute, e *yamltree.Entry) *model.KeyCondition {
	k := &model.KeyCondition{At: e.Key.At, Attribute: key, Op: model.KeyEq}
	if !p.whole(func() {
		switch {
		case e.Value.Kind == yamltree.Null:
			p.noValue(e.Value, "`"+key.Name+"`")
		case e.Value.Kind != yamltree.Mapping || unquotedTemplate(e.Value):
			k.Values = p.paramTemplates(e.Value)
		default:
			p.keyOperator(k, e.Value)
		}
	}) {
		return nil
	}
	return k
}

func (p *patternDraft) keyOperator(k *model.KeyCondition, n *yamltree.Node) {
	words := []string{"begins_with", "between", "lt", "lte", "gt", "gte"}
	if len(n.Entries) != 1 {
		p.errorf(head(n), "a condition on a key is one of %s", enumerate(words, "or"))
		return
	}
	e := n.Entries[0]
	op, ok := keyOperators()[e.Key.Text]
	if !ok {
		p.errorf(e.Key.At, "there is no condition `%s` on a key%s", clip(e.Key.Text), p.meant(e.Key.Text, words, "; write "))
		return
	}
	k.Op = op
	if op != model.KeyBetween {
		k.Values = p.paramTemplates(e.Value)
		return
	}
	items := p.items(e.Value, "`between` takes a list of two templates")
	if e.Value.Kind == yamltree.Sequence && len(items) != 2 {
		p.errorf(e.Value.At, "`between` takes two templates, not %d", len(items))
	}
	for _, item := range items {
		k.Values = append(k.Values, p.paramTemplates(item)...)
	}
}

// paramTemplates reads a template over the pattern's parameters.
func (p *patternDraft) paramTemplates(n *yamltree.Node) []model.ParamTemplate {
	if _, ok := p.text(n); !ok {
		return nil
	}
	if comment := n.Comment(); n.Style == yamltree.Plain && cutOff(comment) {
		p.cutOff(comment)
		return nil
	}
	parts, problem := expr.ParseParamTemplate(p.input(n))
	if problem != nil {
		p.problem(n, problem)
		return nil
	}
	t := model.ParamTemplate{At: n.At, Text: n.Text, Parts: make([]model.ParamPart, len(parts))}
	for i, part := range parts {
		t.Parts[i] = model.ParamPart{At: part.At, Literal: part.Literal, Funcs: part.Funcs, Now: part.Param == "now"}
		if name := p.paramOf(part); name != "" {
			p.unfilled = append(p.unfilled, unfilled{&t.Parts[i], name})
		}
	}
	return []model.ParamTemplate{t}
}

// unfilled is a piece of a template whose parameter is filled in when all
// parameters are known.
type unfilled struct {
	part *model.ParamPart
	name string
}

func (p *patternDraft) fillIn() {
	for _, u := range p.unfilled {
		u.part.Param = p.pattern.Parameter(u.name)
		if u.part.Param == nil && p.params.derived()[u.name] != nil {
			p.errorf(u.part.At, "`$%s` is computed; a request that is written out takes what callers give", u.name)
		}
	}
}

// paramOf is the name of the parameter in a piece of a template, or "":
// {$name} is any parameter, {name} that of the attribute of its name.
func (p *patternDraft) paramOf(part expr.TemplatePart) string {
	switch {
	case part.Param == "now":
		return ""
	case part.Param != "":
		p.params.use(part.Param, usage{at: part.At})
		return part.Param
	case part.Path.Name == "":
		return ""
	}
	name := part.Path.Name
	for _, d := range p.drafts {
		if d.attributes[name] != nil {
			p.params.use(name, usage{at: part.At, attribute: p.member(d, name, part.At), entity: d.entity})
			return name
		}
	}
	if len(p.drafts) > 0 {
		p.member(p.drafts[0], name, part.At)
	}
	return ""
}
