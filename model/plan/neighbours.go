package plan

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/keytext"
)

// others are the items that can lie in the range of a key condition beside
// those that are wanted: entities, and guards of unique attributes.
func (c *collection) others(key []KeyCondition) []resident {
	var out []resident
	for _, r := range c.space.residents(c.query.model, c.query.pattern.Entities) {
		if c.canLieIn(r, key) {
			out = append(out, r)
		}
	}
	return out
}

func (c *collection) canLieIn(r resident, key []KeyCondition) bool {
	for _, k := range key {
		t, _ := r.template(c.space.table, k.Attribute.Name)
		if !k.admits(t) {
			return false
		}
	}
	return true
}

// admits tells whether a key made by the template can meet the condition.
func (k KeyCondition) admits(t model.Template) bool {
	switch k.Op {
	case model.KeyEq:
		return k.Values[0].texts().Meets(keytext.OfTemplate(t))
	case model.KeyBeginsWith:
		return append(k.Values[0].texts(), keytext.Any()).Meets(keytext.OfTemplate(t))
	case model.KeyBetween:
		lead, high := leadOf(t), k.Values[1].lead()
		if len(k.Values[1].Parts) > 1 {
			high += Max
		}
		return lead+Max >= k.Values[0].lead() && lead <= high
	}
	return true
}

// texts are what a recipe can make.
func (r Recipe) texts() keytext.Row {
	row := make(keytext.Row, len(r.Parts))
	for i, p := range r.Parts {
		switch {
		case p.Literal != "":
			row[i] = keytext.Literal(p.Literal)
		case p.Fan != nil && p.Fan.Kind == FanShard:
			row[i] = keytext.Shard(p.Fan.Shards)
		case p.Attribute != nil:
			row[i] = keytext.Of(p.Attribute, p.chain)
		default:
			row[i] = keytext.Any()
		}
	}
	return row
}

// lead is the literal text that a recipe begins with.
func (r Recipe) lead() string {
	if len(r.Parts) > 0 {
		return r.Parts[0].Literal
	}
	return ""
}

func leadOf(t model.Template) string {
	if len(t.Parts) > 0 {
		return t.Parts[0].Literal
	}
	return ""
}
