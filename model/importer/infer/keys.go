package infer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/value"
)

// tableKeys finds how an entity makes the keys of the table: as it is stated,
// else as most of its items are read, else by the words of an alias.
func (in *inference) tableKeys(e *draft.Entity) {
	subjects := in.found[e]
	for _, key := range in.keys {
		k := e.Key(key)
		if k == nil {
			k = &draft.Key{At: e.At, Attribute: key}
			e.Keys = append(e.Keys, k)
		}
		if k.Alias == key || fold(k.Alias) == fold(key) {
			k.Alias = "" // it only repeats the key's name
		}
	}
	missing := slices.DeleteFunc(slices.Clone(in.keys), func(key string) bool { return e.Key(key).Parts != nil })
	if len(missing) > 0 && len(subjects) > 0 {
		in.majority(e, subjects, missing)
	}
	for _, key := range in.keys {
		k := e.Key(key)
		switch {
		case k.Alias != "" && len(subjects) == 0:
			k.Parts = in.partsOfAlias(e, k)
		case k.Alias != "":
			in.compareAlias(e, k)
		}
	}
	slices.SortStableFunc(e.Keys, func(a, b *draft.Key) int { return in.keyOrder(a.Attribute) - in.keyOrder(b.Attribute) })
}

// keyOrder is the place of a key attribute among those of table and indexes.
func (in *inference) keyOrder(attribute string) int {
	if i := slices.Index(in.keys, attribute); i >= 0 {
		return i
	}
	if i := slices.Index(in.indexKeys, attribute); i >= 0 {
		return len(in.keys) + i
	}
	return len(in.keys) + len(in.indexKeys)
}

// majority takes the reading that most items of an entity have for keys.
// Items with other keys are entities of their own, unless something says that
// they are of this one: a type, or an alias.
func (in *inference) majority(e *draft.Entity, subjects []*subject, keys []string) {
	clusters := in.reader.clusters(subjects, keys)
	best := clusters[0]
	apart := in.Table.EntityType == "" && len(keys) == len(in.keys) && !slices.ContainsFunc(e.Keys, func(k *draft.Key) bool { return k.Alias != "" })
	if apart {
		in.found[e] = best.subjects
		for _, c := range clusters[1:] {
			in.splitOff(e, c)
		}
	}
	for _, key := range keys {
		k := e.Key(key)
		k.Parts = best.of(key)
		if k.Alias == "" || len(clusters) > 1 && !apart {
			k.Guess = shareOf(len(best.subjects), len(in.found[e]))
		}
	}
}

// splitOff makes an entity of the items of another one that have other keys.
func (in *inference) splitOff(from *draft.Entity, c cluster) {
	e := &draft.Entity{At: c.subjects[0].item.At, Guess: "items of " + from.Name + " with other keys"}
	for i, key := range c.keys {
		e.Keys = append(e.Keys, &draft.Key{At: e.At, Attribute: key, Parts: c.parts[i], Guess: guessFrom(len(c.subjects))})
	}
	name := entityName(from.Name + " " + in.nameByKeys(e))
	used := names{}
	for _, other := range in.Entities {
		used[other.Name] = true
	}
	e.Name = used.unused(name, "")
	in.Entities = append(in.Entities, e)
	in.found[e] = c.subjects
}

// aliasWords are the words between the delimiters of an alias.
func aliasWords(alias string) []string {
	d := delimiterOf(alias)
	if d == "" {
		return []string{alias}
	}
	return strings.Split(alias, d)
}

// unmarked is the name inside <name>, {name} or ${name}; false for other words.
func unmarked(w string) (string, bool) {
	for _, marks := range [][2]string{{"${", "}"}, {"{{", "}}"}, {"{", "}"}, {"<", ">"}, {"[", "]"}} {
		if inner, ok := strings.CutPrefix(w, marks[0]); ok && strings.HasSuffix(inner, marks[1]) {
			return strings.TrimSuffix(inner, marks[1]), true
		}
	}
	return w, false
}

// partsOfAlias reads an alias as a template where there are no items to compare
// it with: words in capitals are constant, and so is the first of several.
func (in *inference) partsOfAlias(e *draft.Entity, k *draft.Key) []draft.Part {
	words := aliasWords(k.Alias)
	d := delimiterOf(k.Alias)
	k.Guess = fmt.Sprintf("from the alias `%s`", k.Alias)
	var parts []draft.Part
	for i, w := range words {
		if i > 0 {
			parts = appendPart(parts, draft.Part{Literal: d})
		}
		name, marked := unmarked(w)
		constant := !marked && e.Attribute(w) == nil && (looksConstant(w) || i == 0 && len(words) > 1)
		switch {
		case name == "":
		case constant:
			parts = appendPart(parts, draft.Part{Literal: w})
		default:
			name = in.legalName(name)
			in.addKeyAttribute(e, name, k)
			parts = append(parts, draft.Part{Attribute: name})
		}
	}
	return parts
}

// legalName is a name that may stand in a template.
func (in *inference) legalName(name string) string {
	if draft.IsPlainName(name) {
		return name
	}
	return in.style.write(splitWords(name)...)
}

// addKeyAttribute declares an attribute that is known by keys alone.
func (in *inference) addKeyAttribute(e *draft.Entity, name string, k *draft.Key) {
	if e.Attribute(name) == nil {
		e.Attributes = append(e.Attributes, &draft.Attribute{At: k.At, Name: name, Known: true, Guess: "stands in `" + k.Attribute + "`"})
	}
}

// compareAlias reports where an alias and the items' keys disagree.
func (in *inference) compareAlias(e *draft.Entity, k *draft.Key) {
	words, have := aliasWords(k.Alias), wordsOf(k.Parts, delimiterOf(k.Alias))
	if len(words) != len(have) {
		sample := in.found[e][0].item.Values[k.Attribute].Text()
		in.Faultf(k.At, "the alias `%s` of `%s` does not describe the keys of its items, such as `%s`; the items count", k.Alias, k.Attribute, draft.Clip(sample))
		return
	}
	for i, w := range have {
		name, marked := unmarked(words[i])
		if v, ok := in.anyValue(e, name); marked && ok && w.attribute != name && (w.attribute != "" || w.literal != v.Text()) {
			in.Faultf(k.At, "the template `%s` of `%s` says `%s`, which is not what stands in the keys of the items; the items count", k.Alias, k.Attribute, name)
		}
		if w.literal != "" && !marked && looksConstant(words[i]) && words[i] != w.literal {
			in.Faultf(k.At, "the alias `%s` of `%s` says `%s` where the items have `%s`; the items count", k.Alias, k.Attribute, words[i], w.literal)
		}
	}
}

// keyWord is what stands between two delimiters of a template: constant text, or
// an attribute.
type keyWord struct {
	literal, attribute string
}

// wordsOf takes a template apart at a delimiter.
func wordsOf(parts []draft.Part, delimiter string) []keyWord {
	if len(parts) == 0 {
		return []keyWord{{}}
	}
	out := []keyWord{{}}
	for _, p := range parts {
		if p.Attribute != "" {
			out[len(out)-1].attribute = p.Attribute
			continue
		}
		pieces := []string{p.Literal}
		if delimiter != "" {
			pieces = strings.Split(p.Literal, delimiter)
		}
		for i, piece := range pieces {
			if i > 0 {
				out = append(out, keyWord{})
			}
			out[len(out)-1].literal += piece
		}
	}
	return out
}

// nameHoles makes attributes of the values that stand in table keys and are no
// attribute yet.
func (in *inference) nameHoles() {
	roots := in.roots()
	for _, e := range in.Entities {
		for _, key := range in.keys {
			in.fillHoles(e, e.Key(key), in.found[e], roots)
		}
	}
}

// belongsElsewhere tells whether a prefix belongs to an entity that is identified
// by another attribute than the one given.
func (in *inference) belongsElsewhere(prefix, attribute string) bool {
	root := in.roots()[prefix]
	if root == nil {
		return false
	}
	own := in.inKey(root, in.keys[0])
	return len(own) == 1 && own[0] != attribute && !isHole(own[0])
}

// roots are the entities that a prefix of partition keys belongs to: those whose
// items are alone at that key, told by a sort key that adds nothing.
func (in *inference) roots() map[string]*draft.Entity {
	out := map[string]*draft.Entity{}
	for _, e := range in.Entities {
		parts := e.Key(in.keys[0]).Parts
		if len(parts) != 2 || parts[0].Literal == "" || parts[1].Attribute == "" {
			continue
		}
		alone := len(in.keys) == 1
		if !alone {
			sort := e.Key(in.keys[1]).Parts
			alone = len(sort) > 0 && (len(draft.AttributesIn(sort)) == 0 || len(sort) == 2 && sort[0].Literal == parts[0].Literal)
		}
		if _, taken := out[parts[0].Literal]; alone && !taken {
			out[parts[0].Literal] = e
		}
	}
	return out
}

// fillHoles names the holes of one key, and gives the items the attributes.
func (in *inference) fillHoles(e *draft.Entity, k *draft.Key, subjects []*subject, roots map[string]*draft.Entity) {
	aliases := wordsOfAlias(k)
	parts := slices.Clone(k.Parts)
	for i, p := range parts {
		if !isHole(p.Attribute) {
			continue
		}
		values := holeValues(subjects, k, p.Attribute)
		name := in.sameValues(e, subjects, values)
		if i > 0 && oneOf(values) && name != "" && in.ownerOf(parts[i-1].Literal, roots) != nil {
			name = "" // by chance
		}
		if name == "" {
			name = in.holeName(e, k, parts, i, aliases, values, roots)
			if name == "" { // the key attribute itself
				parts = nil
				break
			}
			in.declareHole(e, k, name)
		}
		for j, s := range subjects {
			if v, ok := values[j]; ok {
				s.item.Values[name] = v
				s.add(name, v)
				s.seal()
			}
		}
		parts[i].Attribute = name
	}
	k.Parts = parts
}

func (in *inference) declareHole(e *draft.Entity, k *draft.Key, name string) {
	if e.Attribute(name) == nil {
		e.Attributes = append(e.Attributes, &draft.Attribute{At: k.At, Name: name, Derived: true, Guess: "stands in `" + k.Attribute + "` only"})
	}
}

// wordsOfAlias are the names that an alias gives to the words of a key.
func wordsOfAlias(k *draft.Key) []string {
	if k.Alias == "" {
		return nil
	}
	return aliasWords(k.Alias)
}

// holeValues is what stands in a hole of a key, by subject.
func holeValues(subjects []*subject, k *draft.Key, hole string) map[int]value.Value {
	out := map[int]value.Value{}
	for i, s := range subjects {
		v, ok := s.item.Values[k.Attribute]
		if !ok {
			continue
		}
		if found, ok := s.match(k.Parts, v); ok {
			if out[i] = value.OfString(found[hole]); v.Kind() != value.String {
				out[i] = v
			}
		}
	}
	return out
}

// sameValues is an attribute that came out of another key and holds the same.
func (in *inference) sameValues(e *draft.Entity, subjects []*subject, values map[int]value.Value) string {
	if len(values) == 0 {
		return ""
	}
	for _, a := range e.Attributes {
		same := true
		for i, v := range values {
			same = same && value.Equal(subjects[i].item.Values[a.Name], v)
		}
		if same && draft.IsPlainName(a.Name) {
			return a.Name
		}
	}
	return ""
}

// holeName makes a name for a value in a key: that of the alias, else one after
// the entity its prefix belongs to, after the prefix, or after what it is. It is
// "" when nothing speaks for a name: then the key attribute is an attribute.
func (in *inference) holeName(e *draft.Entity, k *draft.Key, parts []draft.Part, i int, aliases []string, values map[int]value.Value, roots map[string]*draft.Entity) string {
	prefix := ""
	if i > 0 {
		prefix = parts[i-1].Literal
	}
	if name := in.nameOfAlias(k, parts, i, aliases); name != "" {
		return in.freeName(e, name, prefix)
	}
	whole := len(parts) == 1
	typ := model.TypeString
	for _, v := range values {
		typ = typeOfValue(v)
	}
	root := in.ownerOf(prefix, roots)
	words := splitWords(prefix)
	last := words[len(words)-1]
	switch {
	case root != nil && (len(last) < 3 || strings.HasPrefix(fold(root.Name), last)):
		return in.freeName(e, in.style.write(append(splitWords(root.Name), "id")...), prefix)
	case typ == model.TypeDatetime || typ == model.TypeEpoch || typ == model.TypeEpochMS:
		return in.freeName(e, in.style.write("time"), prefix)
	case typ == model.TypeDate || typ == model.TypeMonth || typ == model.TypeEmail:
		return in.freeName(e, in.style.write(string(typ)), prefix)
	case !whole && last != "":
		return in.freeName(e, in.style.write(last, "id"), prefix)
	case whole && in.besideConstant(e, k) != "":
		return in.freeName(e, in.style.write(append(splitWords(in.besideConstant(e, k)), "id")...), prefix)
	case whole:
		return ""
	}
	return in.freeName(e, in.style.write(append(splitWords(e.Name), "id")...), prefix)
}

// oneOf tells whether there is just one value.
func oneOf(values map[int]value.Value) bool {
	seen := map[string]bool{}
	for _, v := range values {
		seen[v.String()] = true
	}
	return len(seen) == 1
}

// ownerOf is the entity that a prefix stands for: one that is alone at such a key,
// else the one with the shortest name that the prefix abbreviates, of those with
// it in their keys.
func (in *inference) ownerOf(prefix string, roots map[string]*draft.Entity) *draft.Entity {
	if root := roots[prefix]; root != nil || prefix == "" {
		return root
	}
	words := splitWords(prefix)
	short := words[len(words)-1]
	var owner *draft.Entity
	for _, e := range in.Entities {
		for _, key := range in.keys {
			parts := e.Key(key).Parts
			if len(parts) == 2 && parts[0].Literal == prefix && abbreviates(short, fold(e.Name)) && (owner == nil || len(e.Name) < len(owner.Name)) {
				owner = e
			}
		}
	}
	return owner
}

// abbreviates tells whether a word has the first letter of a name and others of
// it in their order: pmn of payment.
func abbreviates(short, name string) bool {
	if short == "" || name == "" || short[0] != name[0] {
		return false
	}
	for _, r := range short {
		i := strings.IndexRune(name, r)
		if i < 0 {
			return false
		}
		name = name[i+1:]
	}
	return true
}

// nameOfAlias is the name that an alias has for a part of the key.
func (in *inference) nameOfAlias(k *draft.Key, parts []draft.Part, i int, aliases []string) string {
	have := wordsOf(parts, delimiterOf(k.Alias))
	if len(aliases) != len(have) {
		return ""
	}
	for j, w := range have {
		if w.attribute == parts[i].Attribute {
			name, _ := unmarked(aliases[j])
			if w.literal != "" || name == "" {
				return ""
			}
			return in.legalName(name)
		}
	}
	return ""
}

// besideConstant is the partition key where it is a constant, whose sort key then
// identifies items of that kind.
func (in *inference) besideConstant(e *draft.Entity, k *draft.Key) string {
	if len(in.keys) < 2 || k.Attribute != in.keys[1] {
		return ""
	}
	if p := e.Key(in.keys[0]).Parts; len(p) == 1 && p[0].Literal != "" {
		return constantWord(p)
	}
	return ""
}

// freeName is a name that the entity has no attribute of.
func (in *inference) freeName(e *draft.Entity, name, prefix string) string {
	taken := func(n string) bool {
		if e.Attribute(n) != nil || n == in.Table.EntityType || slices.Contains(in.keys, n) || slices.Contains(in.indexKeys, n) {
			return true
		}
		return slices.ContainsFunc(in.found[e], func(s *subject) bool { _, ok := s.item.Values[n]; return ok })
	}
	if !taken(name) {
		return name
	}
	if w := splitWords(prefix); w[len(w)-1] != "" {
		name = in.style.write(append([]string{w[len(w)-1]}, splitWords(name)...)...)
	}
	free := name
	for i := 2; taken(free); i++ {
		free = fmt.Sprintf("%s%d", name, i)
	}
	return free
}
