package parse

import (
	"regexp"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// draft is an entity while it is being read.
type draft struct {
	entity *model.Entity
	// attributes by name, and in order.
	attributes map[string]*attributeDraft
	order      []*attributeDraft
	// keys are the templates as written, in order.
	keys []*keyDraft

	identity, unique, volume, invariants, live, ignore *yamltree.Node

	// faulty tells that something the entity cannot be without is broken. The
	// entity is read and checked to the end, but left out of the model.
	faulty bool
	// incomplete tells that attributes may exist that could not be read.
	incomplete bool
	// lostKeys tells the same of key templates.
	lostKeys bool
}

func (d *draft) usable() bool { return !d.faulty }

// guard runs read, after which the entity is faulty if anything in it was.
func (b *builder) guard(d *draft, read func()) {
	if !b.whole(read) {
		d.faulty = true
	}
}

// names are the names of the entity's attributes.
func (d *draft) names() []string {
	out := make([]string, len(d.order))
	for i, a := range d.order {
		out[i] = a.name.Text
	}
	return out
}

var entityName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)

// declareEntities makes a draft of every entity, so that they can refer to
// each other in any order.
func (b *builder) declareEntities() {
	b.readCommon()
	for _, doc := range b.documents {
		if doc.entities == nil {
			continue
		}
		for _, e := range b.entries(doc.entities, "`entities` is a mapping from names to entities") {
			b.declareEntity(e)
		}
	}
	if len(b.byName) == 0 && b.complete() {
		b.errorf(b.sectionStart(), "the model has no entities; `entities` says what items there are")
	}
}

// complete tells whether no document has a part that could not be read.
func (b *builder) complete() bool {
	for _, d := range b.documents {
		if d.root.Incomplete || d.entities != nil && d.entities.Kind == yamltree.Broken {
			return false
		}
	}
	return b.list.Len() == 0
}

func (b *builder) sectionStart() source.Span {
	d := b.documents[0]
	if d.entities != nil {
		return head(d.entities)
	}
	return source.Span{File: d.file}
}

func (b *builder) declareEntity(e *yamltree.Entry) {
	name := model.Name{Text: e.Key.Text, At: e.Key.At}
	if other := b.byName[name.Text]; other != nil {
		b.errorf(name.At, "there is already an entity `%s`, in %s line %d", name.Text, other.entity.Name.At.File.Name(), other.entity.Name.At.From().Line)
		return
	}
	d := &draft{
		entity:     &model.Entity{At: source.Span{File: name.At.File, Start: name.At.Start, End: max(name.At.End, e.Value.At.End)}, Name: name, Type: name.Text},
		attributes: map[string]*attributeDraft{},
	}
	b.byName[name.Text] = d
	b.drafts = append(b.drafts, d)
	b.entityNames = append(b.entityNames, name.Text)
	b.guard(d, func() {
		if !entityName.MatchString(name.Text) {
			b.errorf(name.At, "`%s` is no name of an entity: letters, digits and _, starting with a letter", clip(name.Text))
		}
		b.declare(d, e.Value)
	})
}

func (b *builder) declare(d *draft, n *yamltree.Node) {
	var attributes, keys *yamltree.Node
	d.incomplete = n.Kind != yamltree.Mapping || n.Incomplete
	b.object(n, d.entity.Name.At, "an entity", []field{
		{"attributes", true, keep(&attributes)},
		{"keys", false, keep(&keys)},
		{"identity", false, keep(&d.identity)},
		{"unique", false, keep(&d.unique)},
		{"volume", false, keep(&d.volume)},
		{"invariants", false, keep(&d.invariants)},
		{"live", false, keep(&d.live)},
		{"type", false, b.into(&d.entity.Type)},
		{"description", false, b.into(&d.entity.Description)},
		{"ignore", false, keep(&d.ignore)},
	})
	if attributes == nil {
		d.incomplete = true
	} else {
		b.declareAttributes(d, attributes)
	}
	b.declareCommon(d)
	if keys != nil {
		b.declareKeys(d, keys)
	}
	d.lostKeys = lost(n, "keys")
}

// lost tells whether what a mapping has under a name may be there and could not
// be read, as a whole or in part.
func lost(n *yamltree.Node, name string) bool {
	if n.Kind != yamltree.Mapping {
		return false
	}
	member := n.Get(name)
	if member == nil {
		return n.Incomplete
	}
	return member.Kind == yamltree.Broken || member.Incomplete
}

func (b *builder) declareAttributes(d *draft, n *yamltree.Node) {
	entries := b.entries(n, "`attributes` is a mapping from names to types")
	if n.Kind != yamltree.Mapping || n.Incomplete {
		d.incomplete = true
		b.broken()
	}
	if n.Kind == yamltree.Mapping && len(entries) == 0 && !n.Incomplete {
		b.errorf(n.At, "the entity has no attributes")
	}
	d.declareAttributes(entries)
}

func (d *draft) declareAttributes(entries []*yamltree.Entry) {
	for _, e := range entries {
		a := &attributeDraft{name: model.Name{Text: e.Key.Text, At: e.Key.At}, node: e.Value}
		d.attributes[a.name.Text] = a
		d.order = append(d.order, a)
	}
}

// readCommon reads the attributes that all entities have.
func (b *builder) readCommon() {
	for _, doc := range b.documents {
		if doc.common == nil {
			continue
		}
		entries := b.entries(doc.common, "`common` is a mapping from names to types of attributes that every entity has")
		for _, e := range entries {
			if slices.ContainsFunc(b.common, func(other *yamltree.Entry) bool { return other.Key.Text == e.Key.Text }) {
				b.errorf(e.Key.At, "`%s` is a common attribute already", clip(e.Key.Text))
				continue
			}
			b.common = append(b.common, e)
		}
		b.lostCommon = b.lostCommon || doc.common.Kind != yamltree.Mapping || doc.common.Incomplete
	}
}

// declareCommon gives an entity the common attributes that it does not declare
// itself.
func (b *builder) declareCommon(d *draft) {
	d.declareAttributes(slices.DeleteFunc(slices.Clone(b.common), func(e *yamltree.Entry) bool { return d.attributes[e.Key.Text] != nil }))
	d.incomplete = d.incomplete || b.lostCommon
}

// readAttributes reads the attributes of all entities.
func (b *builder) readAttributes() {
	for _, d := range b.drafts {
		b.guard(d, func() {
			for _, a := range d.order {
				if attribute := b.attribute(d, a); attribute != nil {
					d.entity.Attributes = append(d.entity.Attributes, attribute)
				}
			}
		})
	}
	for _, d := range b.drafts {
		b.guard(d, func() {
			for _, a := range d.order {
				if a.attribute != nil {
					b.relate(d, a)
				}
			}
		})
	}
}

// readEntities reads what needs the attributes and keys of all entities.
func (b *builder) readEntities() {
	for _, d := range b.drafts {
		b.guard(d, func() { b.readIdentity(d) })
	}
	for _, d := range b.drafts {
		b.guard(d, func() {
			b.referTogether(d)
			b.mint(d)
			b.readUnique(d)
		})
		b.readVolumes(d)
		d.entity.Ignores = b.ignores(d.ignore)
	}
	for _, d := range b.drafts {
		b.guard(d, func() {
			b.readAggregates(d)
			b.readInvariants(d)
		})
	}
	b.checkTypes()
}

// readInvariants reads what holds of every item, and which items are seen.
func (b *builder) readInvariants(d *draft) {
	b.optional(d.invariants, func(n *yamltree.Node) {
		for _, item := range b.members(n) {
			if c := b.condition(item, &scope{builder: b, use: useInvariant, drafts: []*draft{d}}); c != nil {
				d.entity.Invariants = append(d.entity.Invariants, c)
			}
		}
	})
	b.optional(d.live, func(n *yamltree.Node) {
		d.entity.Live = b.condition(n, &scope{builder: b, use: useIf, drafts: []*draft{d}})
	})
}

// checkTypes refuses two entities that store the same type name.
func (b *builder) checkTypes() {
	seen := map[string]*draft{}
	for _, d := range b.drafts {
		if other := seen[d.entity.Type]; other != nil {
			b.guard(d, func() {
				b.errorf(d.entity.Name.At, "%s and %s store the same type name `%s`; give one of them a `type` of its own", other.entity.Name.Text, d.entity.Name.Text, clip(d.entity.Type))
			})
			continue
		}
		seen[d.entity.Type] = d
	}
}

// entityNamed reads the name of an entity.
func (b *builder) entityNamed(n *yamltree.Node) *draft {
	text, ok := b.text(n)
	if !ok {
		return nil
	}
	return b.lookup(text, n.At)
}

// lookup finds an entity by name or reports that there is none.
func (b *builder) lookup(name string, at source.Span) *draft {
	if d := b.byName[name]; d != nil {
		return d
	}
	for _, d := range b.documents {
		if d.root.Incomplete || d.entities != nil && (d.entities.Kind != yamltree.Mapping || d.entities.Incomplete) {
			b.broken() // it may be there, unreadable
			return nil
		}
	}
	b.unknownf(at, "there is no entity `%s`%s", clip(name), b.meant(name, b.entityNames, "; the entities are "))
	return nil
}

// member finds an attribute of an entity by name or reports that there is none.
// It is nil for one that is broken, too.
func (b *builder) member(d *draft, name string, at source.Span) *model.Attribute {
	a := d.attributes[name]
	if a == nil {
		if d.incomplete {
			b.broken()
			return nil
		}
		b.unknownf(at, "%s has no attribute `%s`%s", d.entity.Name.Text, clip(name), b.meant(name, d.names(), "; its attributes are "))
		return nil
	}
	attribute := b.attribute(d, a)
	if attribute == nil {
		b.broken()
	}
	return attribute
}

// memberNamed reads the name of an attribute of an entity.
func (b *builder) memberNamed(d *draft, n *yamltree.Node) *model.Attribute {
	text, ok := b.text(n)
	if !ok {
		return nil
	}
	return b.member(d, text, n.At)
}
