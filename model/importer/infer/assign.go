package infer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/value"
)

// typeNames are the names of attributes that carry an item's entity type: those
// that say so, and words that may also mean something else.
var (
	typeNames      = []string{"EntityType", "entityType", "entity_type", "entity-type", "__edb_e__", "_et", "_type", "__typename", "entity", "Entity", "itemType", "ItemType", "item_type", "recordType"}
	weakTypeNames  = []string{"type", "Type", "kind", "Kind", "et", "model", "object"}
	typeNamePasses = [][]string{typeNames, weakTypeNames}
)

// typeAttribute is the attribute by which all items say of which type they are;
// "" when there is none. A name that may mean something else must agree with how
// the items' keys look.
func (in *inference) typeAttribute() string {
	all := in.allItems()
	for pass, list := range typeNamePasses {
		for _, name := range list {
			if slices.Contains(in.keys, name) || len(all) == 0 || !every(all, func(i *draft.Item) bool { return isTypeWord(i.Values[name]) }) {
				continue
			}
			if (pass == 0 || in.tellsShapes(all, name)) && in.takeTypes(name) {
				return name
			}
		}
	}
	return ""
}

// takeTypes gives the stated entities the types that their items have; false when
// one has items of several types, or two have the same.
func (in *inference) takeTypes(name string) bool {
	types := map[string]*draft.Entity{}
	for _, e := range in.Entities {
		for _, item := range e.Items {
			v := item.Values[name].Text()
			if other := types[v]; other != nil && other != e || e.Items[0].Values[name].Text() != v {
				return false
			}
			types[v] = e
		}
	}
	for v, e := range types {
		e.Type = v
	}
	return true
}

func isTypeWord(v value.Value) bool {
	return v.Kind() == value.String && isWord(v.Text())
}

// tellsShapes tells whether items of different values of an attribute have keys
// of different shapes, and no shape has two values.
func (in *inference) tellsShapes(all []*draft.Item, name string) bool {
	shapes := map[string]string{}
	values := map[string]bool{}
	for _, item := range all {
		shape := ""
		for _, key := range in.keys {
			shape += shapeOf(item.Values[key].Text()) + "\n"
		}
		v := item.Values[name].Text()
		if before, ok := shapes[shape]; ok && before != v {
			return false
		}
		shapes[shape], values[v] = v, true
	}
	return len(values) > 1
}

// shapeOf is a key with its variable words taken out.
func shapeOf(key string) string {
	d := delimiterOf(key)
	if d == "" {
		return mask(key)
	}
	words := strings.Split(key, d)
	for i, w := range words {
		words[i] = mask(w)
	}
	return strings.Join(words, d)
}

func mask(w string) string {
	if looksVariable(w) {
		return strings.TrimRight(w, "0123456789-_.:TZ+ ") + "*"
	}
	return w
}

// assign puts the items that belong to no entity into one: a stated one that
// says the same type, else entities made of items alike.
func (in *inference) assign() {
	for _, e := range in.Entities {
		in.found[e] = in.subjects(e.Items)
	}
	rest := in.byType(in.Items)
	in.Items = nil
	for _, c := range in.reader.clusters(in.subjects(rest), in.keys) {
		e := &draft.Entity{Guess: "from the keys of " + items(len(c.subjects))}
		for i, key := range c.keys {
			e.Keys = append(e.Keys, &draft.Key{Attribute: key, Parts: c.parts[i]})
		}
		in.adopt(e, c.subjects)
	}
}

func (in *inference) adopt(e *draft.Entity, subjects []*subject) {
	if !slices.Contains(in.Entities, e) {
		in.Entities = append(in.Entities, e)
	}
	for _, s := range subjects {
		e.Items = append(e.Items, s.item)
	}
	in.found[e] = append(in.found[e], subjects...)
}

// byType puts items into the entities whose type they state, and gives the rest.
func (in *inference) byType(loose []*draft.Item) (rest []*draft.Item) {
	name := in.Table.EntityType
	if name == "" {
		return loose
	}
	for _, item := range loose {
		v, ok := item.Values[name]
		if !ok || v.Text() == "" {
			rest = append(rest, item)
			continue
		}
		e := in.ofType(v.Text())
		if e == nil {
			e = &draft.Entity{Type: v.Text(), Guess: fmt.Sprintf("from `%s`", name)}
		}
		in.adopt(e, []*subject{in.subject(item)})
	}
	return rest
}

// ofType is the entity that stores a type name.
func (in *inference) ofType(name string) *draft.Entity {
	for _, e := range in.Entities {
		if e.Type == name || e.Type == "" && fold(e.Name) == fold(name) {
			e.Type = name
			return e
		}
	}
	return nil
}

func fold(s string) string { return strings.ToLower(strings.Join(splitWords(s), "")) }

// nameEntities gives names to entities that have none, and names the language
// takes to the others.
func (in *inference) nameEntities() {
	used := names{}
	for _, e := range in.Entities {
		stated := e.Name
		switch {
		case stated == "" && e.Type != "":
			stated = e.Type
		case stated == "":
			stated = in.nameByKeys(e)
		}
		name := stated
		if !isEntityName(name) || used[name] || e.Guess != "" {
			name = entityName(stated)
		}
		if e.Name = used.unused(name, ""); e.Name != stated {
			in.renamed[stated] = e
		}
		if e.Type == "" && e.Guess == "" && e.Name != stated {
			e.Type = stated
		}
	}
}

// nameByKeys makes a name of the constant words in an entity's keys: of the sort
// key, which tells items of one partition apart, else of the partition key.
func (in *inference) nameByKeys(e *draft.Entity) string {
	if len(e.Keys) == 0 {
		return in.Table.Name.Text
	}
	partition := constantWord(e.Keys[0].Parts)
	if len(e.Keys) == 1 {
		if partition == "" {
			return in.Table.Name.Text
		}
		return partition
	}
	sort := constantWord(e.Keys[1].Parts)
	switch {
	case partition == "" && sort == "":
		return in.Table.Name.Text
	case sort == "" || partition != "" && len(draft.AttributesIn(e.Keys[1].Parts)) == 0:
		if sort != "" && in.nameTaken(partition) {
			return partition + " " + sort
		}
		return partition
	case in.nameTaken(sort) && partition != "":
		return partition + " " + sort
	}
	return sort
}

func (in *inference) nameTaken(word string) bool {
	return slices.ContainsFunc(in.Entities, func(e *draft.Entity) bool { return e.Name == entityName(word) })
}

// constantWord is the last word that stands in a template before the first value.
func constantWord(parts []draft.Part) string {
	if len(parts) == 0 || parts[0].Literal == "" {
		return ""
	}
	words := strings.FieldsFunc(parts[0].Literal, func(r rune) bool { return r >= 0x80 || !isAlphanumeric(byte(r)) && r != '_' && r != '-' })
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}
