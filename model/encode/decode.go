package encode

import (
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// Decode reads a stored item, or what an index projects of it: which entity it
// is of, and those of the entity's attributes that are there. The entity is
// told by the entity type attribute; where that is not stored or not
// projected, by the keys: that of the given entities whose attributes make
// these table keys, else the one whose templates fit them with the most fixed
// text. False when it is of none of them, as a guard is.
func Decode(t *model.Table, entities []*model.Entity, stored map[string]value.Value) (model.Instance, bool) {
	e := entityOf(t, entities, stored)
	if e == nil {
		return model.Instance{}, false
	}
	return model.Instance{Entity: e, Item: attributes(e, stored)}, true
}

// attributes are the entity's own attributes of a stored item.
func attributes(e *model.Entity, stored map[string]value.Value) model.Item {
	item := make(model.Item, len(e.Attributes))
	for _, a := range e.Attributes {
		if v, ok := stored[a.Name.Text]; ok {
			item[a.Name.Text] = v
		}
	}
	return item
}

func entityOf(t *model.Table, entities []*model.Entity, stored map[string]value.Value) *model.Entity {
	if name, ok := stored[t.EntityType]; ok && t.EntityType != "" {
		for _, e := range entities {
			if name.Kind() == value.String && name.Text() == e.Type {
				return e
			}
		}
		return nil
	}
	var best *model.Entity
	most := -1
	for _, e := range entities {
		if makes(t, e, stored) {
			return e
		}
		if n, ok := fits(t, e, stored); ok && n > most {
			best, most = e, n
		}
	}
	return best
}

// makes tells whether an entity's attributes, as stored, make the stored keys.
func makes(t *model.Table, e *model.Entity, stored map[string]value.Value) bool {
	item := attributes(e, stored)
	for _, k := range t.Keys() {
		template, ok := KeyTemplate(t, e, k.Name)
		if !ok {
			return false
		}
		v, err := render(template, item, Drawn(t, e, stored).of(k.Name))
		if err != nil || !value.Equal(v, stored[k.Name]) {
			return false
		}
	}
	return true
}

// fits tells whether the stored keys look like an entity's templates, and how
// many bytes of them are the templates' own text.
func fits(t *model.Table, e *model.Entity, stored map[string]value.Value) (fixed int, ok bool) {
	for _, k := range t.Keys() {
		template, ok := KeyTemplate(t, e, k.Name)
		v := stored[k.Name]
		if !ok || !v.Exists() || template.Whole() == nil && (v.Kind() != value.String || !matches(template.Parts, v.Text())) {
			return 0, false
		}
		for _, p := range template.Parts {
			fixed += len(p.Literal)
		}
	}
	return fixed, true
}

// matches tells whether a text is the parts' literals in order, with anything
// for the attributes between them. Taking each literal where it first fits is
// enough, since what is between is free; the last one has to end the text.
func matches(parts []model.Part, text string) bool {
	free := false // anything may stand before the next literal
	for i, p := range parts {
		switch {
		case p.Literal == "":
			free = true
			continue
		case free && i == len(parts)-1:
			return strings.HasSuffix(text, p.Literal)
		case free:
			at := strings.Index(text, p.Literal)
			if at < 0 {
				return false
			}
			text = text[at:]
		}
		rest, ok := strings.CutPrefix(text, p.Literal)
		if !ok {
			return false
		}
		text, free = rest, false
	}
	return free || text == ""
}

// Drawn chooses again the shards that were drawn for a stored item, so that
// encoding its attributes gives the same keys; 0 where none can be read.
func Drawn(t *model.Table, e *model.Entity, stored map[string]value.Value) Chooser {
	item := attributes(e, stored)
	return func(key string, n int) int {
		template, ok := KeyTemplate(t, e, key)
		if !ok {
			return 0
		}
		return drawn(template, item, stored[key].Text(), n)
	}
}

// drawn reads the shard out of a key's text: what is left of it between what
// the parts before and after {random(n)} make.
func drawn(t model.Template, item model.Item, text string, n int) int {
	for i, p := range t.Parts {
		if p.Random != n {
			continue
		}
		before, err := render(model.Template{Parts: t.Parts[:i]}, item, firstShard)
		if err != nil {
			return 0
		}
		after, err := render(model.Template{Parts: t.Parts[i+1:]}, item, firstShard)
		if err != nil {
			return 0
		}
		shard := strings.TrimSuffix(strings.TrimPrefix(text, before.Text()), after.Text())
		if k, err := strconv.Atoi(shard); err == nil && 0 <= k && k < n {
			return k
		}
	}
	return 0
}
