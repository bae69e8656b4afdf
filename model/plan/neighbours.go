package plan

import (
	"github.com/dynmodel/dynmodel/model"
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
		return k.Values[0].shape().meets(shapeOf(t))
	case model.KeyBeginsWith:
		return append(k.Values[0].shape(), atom{chars: anything, repeat: true}).meets(shapeOf(t))
	case model.KeyBetween:
		lead, high := leadOf(t), k.Values[1].lead()
		if len(k.Values[1].Parts) > 1 {
			high += Max
		}
		return lead+Max >= k.Values[0].lead() && lead <= high
	}
	return true
}

// shape is the shape of the texts that a recipe makes.
func (r Recipe) shape() shape {
	var s shape
	for _, p := range r.Parts {
		switch {
		case p.Literal != "":
			s = append(s, literalShape(p.Literal)...)
		case p.Fan != nil && p.Fan.Kind == FanShard:
			s = append(s, shardText(p.Fan.Shards).shape()...)
		case p.Attribute != nil:
			s = append(s, textOf(p.Attribute, p.chain).shape()...)
		default:
			s = append(s, atom{chars: anything, repeat: true})
		}
	}
	return s
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
