package parse

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// readTable reads the table of the main document.
func (b *builder) readTable() {
	n := b.documents[0].table
	if n == nil {
		return
	}
	t := &model.Table{At: n.At, EntityType: "EntityType"}
	b.usableTable = b.whole(func() { b.table(t, n) })
	if t.PartitionKey.Name != "" {
		b.model.Table = t
	}
	if b.model.Name == "" {
		b.model.Name = t.Name.Text
	}
}

func (b *builder) table(t *model.Table, n *yamltree.Node) {
	if n.Kind == yamltree.Scalar {
		t.Name = b.resourceName(n, "a table")
		t.Capacity = model.Capacity{At: n.At, OnDemand: true}
		t.PartitionKey = model.KeyAttribute{At: n.At, Name: "PK", Kind: value.String}
		t.SortKey = &model.KeyAttribute{At: n.At, Name: "SK", Kind: value.String}
		return
	}
	var indexes *yamltree.Node
	options := []field{
		{"capacity", false, apart(b, &t.Capacity, b.capacity)},
		{"ttl", false, apart(b, &t.TTL, b.attributeName)},
		{"stream", false, apart(b, &t.Stream, b.stream)},
		{"point_in_time_recovery", false, apart(b, &t.PointInTimeRecovery, b.recovery)},
		{"dax", false, apart(b, &t.DAX, b.dax)},
		{"deletion_protection", false, apart(b, &t.DeletionProtection, b.boolean)},
		{"class", false, apart(b, &t.Class, b.class)},
		{"encryption", false, apart(b, &t.Encryption, b.encryption)},
		{"tags", false, apart(b, &t.Tags, b.tags)},
		{"replicas", false, apart(b, &t.Replicas, b.names)},
		{"consistency", false, apart(b, &t.Consistency, b.consistency)},
	}
	rest := withoutBroken(n, options)
	b.object(rest, head(n), "a table", append([]field{
		{"name", true, func(n *yamltree.Node) { t.Name = b.resourceName(n, "a table") }},
		{"partition_key", true, func(n *yamltree.Node) { t.PartitionKey = b.keyAttribute(n) }},
		{"sort_key", false, func(n *yamltree.Node) { k := b.keyAttribute(n); t.SortKey = &k }},
		{"entity_type", false, func(n *yamltree.Node) { t.EntityType = b.entityTypeAttribute(n) }},
		{"indexes", false, keep(&indexes)},
		{"isolate_by", false, func(n *yamltree.Node) { t.IsolateBy = b.attributeName(n) }},
		{"region", false, b.into(&t.Region)},
		{"roles", false, keep(&b.roles)},
	}, options...))
	n.Incomplete = rest.Incomplete
	if !t.Capacity.At.Known() {
		t.Capacity = model.Capacity{At: t.Name.At, OnDemand: true}
	}
	if t.Stream == nil && has(n, "stream") { // it could not be read, and may be any
		t.Stream = &model.Stream{At: n.Get("stream").At, View: "new_and_old_images"}
	}
	if t.SortKey != nil && t.SortKey.Name == t.PartitionKey.Name && t.SortKey.Name != "" {
		b.errorf(t.SortKey.At, "`%s` is the partition key already; the sort key is another attribute", t.SortKey.Name)
	}
	if indexes != nil {
		b.indexes(t, indexes)
	}
	b.checkTypeAttribute(t)
}

// apart reads an option that the rest of the table can be judged without: when
// it is broken, it is left out.
func apart[T any](b *builder, target *T, read func(*yamltree.Node) T) func(*yamltree.Node) {
	return func(n *yamltree.Node) {
		before := b.faults
		v := read(n)
		if b.faults == before {
			*target = v
		}
		b.faults = before
	}
}

// withoutBroken is a mapping without those of its options that could not be read
// as YAML.
func withoutBroken(n *yamltree.Node, options []field) *yamltree.Node {
	out := *n
	out.Entries = slices.DeleteFunc(slices.Clone(n.Entries), func(e *yamltree.Entry) bool {
		return e.Value.Kind == yamltree.Broken && find(options, e.Key.Text) >= 0
	})
	return &out
}

func (b *builder) class(n *yamltree.Node) string {
	return b.word(n, "standard", "infrequent_access")
}

func (b *builder) consistency(n *yamltree.Node) string { return b.word(n, "eventual", "strong") }

func has(n *yamltree.Node, key string) bool { return n.Get(key) != nil }

func (b *builder) resourceName(n *yamltree.Node, what string) model.Name {
	text, ok := b.text(n)
	if ok && !model.IsResourceName(text) {
		b.errorf(n.At, "`%s` is no name of %s: DynamoDB wants 3 to 255 of the characters a-z, A-Z, 0-9, `_`, `-` and `.`", clip(text), what)
	}
	return model.Name{Text: text, At: n.At}
}

// attributeName reads a name of an attribute.
func (b *builder) attributeName(n *yamltree.Node) *model.Name {
	text, _ := b.text(n)
	return &model.Name{Text: text, At: n.At}
}

// names reads a list of names, or one.
func (b *builder) names(n *yamltree.Node) []model.Name {
	var out []model.Name
	seen := map[string]bool{}
	for _, item := range b.members(n) {
		if text, ok := b.text(item); ok {
			if seen[text] {
				b.errorf(item.At, "`%s` is listed twice", clip(text))
				continue
			}
			seen[text] = true
			out = append(out, model.Name{Text: text, At: item.At})
		}
	}
	return out
}

// maxKeyName is the longest name of a key attribute in bytes.
const maxKeyName = 255

// keyAttribute reads `PK`, or {name: score, type: number}.
func (b *builder) keyAttribute(n *yamltree.Node) model.KeyAttribute {
	k := model.KeyAttribute{At: n.At, Kind: value.String}
	if n.Kind == yamltree.Mapping {
		b.object(n, head(n), "a key attribute", []field{
			{"name", true, func(n *yamltree.Node) { k.Name, _ = b.text(n); k.At = n.At }},
			{"type", false, func(n *yamltree.Node) {
				k.Typed = true
				switch b.word(n, "string", "number", "binary") {
				case "number":
					k.Kind = value.Number
				case "binary":
					k.Kind = value.Binary
				}
			}},
		})
	} else {
		k.Name, _ = b.text(n)
	}
	if len(k.Name) > maxKeyName {
		b.errorf(k.At, "the name of a key attribute has at most %d bytes", maxKeyName)
	}
	return k
}

func (b *builder) entityTypeAttribute(n *yamltree.Node) string {
	text, ok := b.text(n)
	if !ok || text == "none" {
		return ""
	}
	return text
}

// checkTypeAttribute refuses an entity type attribute that keys the table: it
// is the same for all items of an entity and carries no template.
func (b *builder) checkTypeAttribute(t *model.Table) {
	for _, k := range t.Keys() {
		if t.EntityType != "" && k.Name == t.EntityType {
			b.errorf(k.At, "`%s` carries the entity's type and cannot key the table; name another attribute, or another `entity_type`", k.Name)
		}
	}
}

// indexes reads the secondary indexes.
func (b *builder) indexes(t *model.Table, n *yamltree.Node) {
	for _, e := range b.entries(n, "`indexes` is a mapping from names to indexes") {
		x := &model.Index{At: source.Span{File: e.Key.At.File, Start: e.Key.At.Start, End: e.Value.At.End}}
		if b.whole(func() {
			x.Name = b.resourceName(e.Key, "an index")
			b.index(t, x, e.Value)
		}) {
			t.Indexes = append(t.Indexes, x)
		}
	}
}

func (b *builder) index(t *model.Table, x *model.Index, n *yamltree.Node) {
	x.Projection = model.Projection{At: x.Name.At, Type: model.ProjectAll}
	b.object(n, x.Name.At, "an index", []field{
		{"partition_key", false, func(n *yamltree.Node) { x.PartitionKey = b.indexKey(n) }},
		{"sort_key", false, func(n *yamltree.Node) { x.SortKey = b.indexKey(n) }},
		{"projection", false, func(n *yamltree.Node) { x.Projection = b.projection(n) }},
		{"local", false, b.flag(&x.Local)},
		{"capacity", false, func(n *yamltree.Node) { c := b.capacity(n); x.Capacity = &c }},
		{"ignore", false, func(n *yamltree.Node) { x.Ignores = b.ignores(n) }},
	})
	if n.Kind == yamltree.Mapping && !n.Incomplete {
		b.checkIndex(t, x, n)
	}
	if x.Local {
		x.PartitionKey = []model.KeyAttribute{t.PartitionKey}
	}
	seen := map[string]bool{}
	for _, k := range x.Keys() {
		if seen[k.Name] && k.Name != "" {
			b.errorf(k.At, "`%s` keys index %s twice", k.Name, x.Name.Text)
		}
		seen[k.Name] = true
	}
}

func (b *builder) checkIndex(t *model.Table, x *model.Index, n *yamltree.Node) {
	switch {
	case x.Local && has(n, "partition_key"):
		b.errorf(head(n.Get("partition_key")), "a local index has the table's partition key; leave out `partition_key`, or `local: true` for a global index")
	case x.Local && !has(n, "sort_key"):
		b.errorf(x.Name.At, "a local index needs `sort_key`; it differs from the table in nothing else")
	case x.Local && t.SortKey == nil && lost(b.documents[0].table, "sort_key"):
		b.broken()
	case x.Local && t.SortKey == nil:
		b.errorf(x.Name.At, "a local index needs a table with a sort key")
	case x.Local && len(x.SortKey) > 1:
		b.errorf(x.SortKey[1].At, "a local index has one sort key attribute; several are possible in global indexes only")
	case !x.Local && !has(n, "partition_key"):
		b.errorf(x.Name.At, "an index needs `partition_key`")
	}
}

// maxIndexKey is how many attributes make the partition key of a global index,
// and how many its sort key (DynamoDB, multi-attribute keys).
const maxIndexKey = 4

// indexKey reads one to four key attributes.
func (b *builder) indexKey(n *yamltree.Node) []model.KeyAttribute {
	var out []model.KeyAttribute
	for _, item := range b.members(n) {
		out = append(out, b.keyAttribute(item))
	}
	if len(out) == 0 && n.Kind == yamltree.Sequence || len(out) > maxIndexKey {
		b.errorf(n.At, "an index key has one to %d attributes, not %d", maxIndexKey, len(out))
	}
	return out
}

func (b *builder) projection(n *yamltree.Node) model.Projection {
	p := model.Projection{At: n.At}
	if n.Kind == yamltree.Sequence {
		p.Type, p.Attributes = model.ProjectInclude, b.names(n)
		if len(p.Attributes) == 0 {
			b.errorf(n.At, "an empty list projects nothing; write `keys_only`")
		}
		return p
	}
	switch text, _ := b.text(n); text {
	case "all":
		p.Type = model.ProjectAll
	case "keys_only":
		p.Type = model.ProjectKeysOnly
	case "":
	case "include":
		b.errorf(n.At, "write the list of attributes: `projection: [name, total]`")
	default:
		b.word(n, "all", "keys_only")
	}
	return p
}
