package parse

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// attributeDraft is an attribute of an entity while it is being read.
type attributeDraft struct {
	name      model.Name
	node      *yamltree.Node
	options   options
	state     state
	attribute *model.Attribute // nil until read, and when broken
}

// state tells how far a draft is.
type state int

const (
	unread state = iota
	reading
	read
)

// options are the options of an attribute as written.
type options struct {
	typ, optional, def, values, pattern, min, max, length, size      *yamltree.Node
	items, keys, attributes, stored, ref, copyOf, snapshotOf         *yamltree.Node
	immutable, version, presentWith, derive, onWrite, minted, keptBy *yamltree.Node
	countOf, sumOf, where, by                                        *yamltree.Node
	precision, zone, description                                     *yamltree.Node
}

func (o *options) fields() []field {
	return []field{
		{"type", false, keep(&o.typ)},
		{"optional", false, keep(&o.optional)},
		{"default", false, keep(&o.def)},
		{"values", false, keep(&o.values)},
		{"pattern", false, keep(&o.pattern)},
		{"min", false, keep(&o.min)},
		{"max", false, keep(&o.max)},
		{"length", false, keep(&o.length)},
		{"size", false, keep(&o.size)},
		{"items", false, keep(&o.items)},
		{"keys", false, keep(&o.keys)},
		{"attributes", false, keep(&o.attributes)},
		{"stored", false, keep(&o.stored)},
		{"precision", false, keep(&o.precision)},
		{"zone", false, keep(&o.zone)},
		{"ref", false, keep(&o.ref)},
		{"copy_of", false, keep(&o.copyOf)},
		{"snapshot_of", false, keep(&o.snapshotOf)},
		{"immutable", false, keep(&o.immutable)},
		{"version", false, keep(&o.version)},
		{"present_with", false, keep(&o.presentWith)},
		{"derive", false, keep(&o.derive)},
		{"on_write", false, keep(&o.onWrite)},
		{"count_of", false, keep(&o.countOf)},
		{"sum_of", false, keep(&o.sumOf)},
		{"where", false, keep(&o.where)},
		{"by", false, keep(&o.by)},
		{"kept_by", false, keep(&o.keptBy)},
		{"minted", false, keep(&o.minted)},
		{"description", false, keep(&o.description)},
	}
}

// attribute reads an attribute of an entity, once; its type may come from
// another attribute, which then is read first. It is nil when it is broken.
func (b *builder) attribute(d *draft, a *attributeDraft) *model.Attribute {
	switch a.state {
	case read:
		return a.attribute
	case reading:
		b.errorf(a.name.At, "the type of `%s` comes from itself by way of `ref` or `copy_of`; give one of them a `type`", a.name.Text)
		return nil
	}
	a.state = reading
	attribute := &model.Attribute{At: a.node.At, Name: a.name}
	if !attribute.At.Known() || a.node.Kind == yamltree.Null {
		attribute.At = a.name.At
	}
	ok := b.whole(func() {
		b.checkAttributeName(a)
		b.shape(d, attribute, a.node, &a.options)
	})
	a.state = read
	if ok {
		a.attribute = attribute
	} else {
		d.faulty = true
	}
	return a.attribute
}

// shape reads what follows an attribute's name: `string?`, a list of words, or
// a mapping of options. The owner is nil for members of maps and lists.
func (b *builder) shape(d *draft, a *model.Attribute, n *yamltree.Node, o *options) {
	switch n.Kind {
	case yamltree.Broken:
		b.broken()
	case yamltree.Null:
		b.noValue(n, "the attribute `"+a.Name.Text+"`")
	case yamltree.Scalar:
		b.typeWord(a, n)
	case yamltree.Sequence:
		a.Type = model.TypeEnum
		b.choices(a, n)
	default:
		if unquotedTemplate(n) && find(o.fields(), n.Entries[0].Key.Text) < 0 {
			b.text(n)
			return
		}
		if b.object(n, a.Name.At, "an attribute", o.fields()) {
			b.options(d, a, o, n)
		}
	}
}

// options reads an attribute's options in the order they need each other.
func (b *builder) options(d *draft, a *model.Attribute, o *options, n *yamltree.Node) {
	b.optional(o.optional, b.flag(&a.Optional))
	b.optional(o.immutable, b.flag(&a.Immutable))
	b.optional(o.version, b.flag(&a.Version))
	b.optional(o.description, b.into(&a.Description))
	if d == nil {
		b.onlyOfEntities(o)
	} else {
		b.optional(o.ref, func(n *yamltree.Node) { b.references(d, a, n) })
		b.optional(o.copyOf, func(n *yamltree.Node) { a.CopyOf = b.source(n, "copy_of") })
		b.optional(o.snapshotOf, func(n *yamltree.Node) { a.SnapshotOf = b.source(n, "snapshot_of") })
		b.aggregate(a, o)
	}
	b.typeOf(a, o, n)
	if a.Type == "" {
		return
	}
	b.domain(a, o)
	b.optional(o.stored, func(n *yamltree.Node) { a.Stored = b.stored(a, n) })
	b.optional(o.def, func(n *yamltree.Node) { b.defaultOf(a, n) })
	b.optional(o.onWrite, func(n *yamltree.Node) { a.OnWrite = b.moment(a, n, "on_write") })
	b.optional(o.keptBy, func(n *yamltree.Node) { a.KeptBy = b.word(n, "stream") })
	b.checkOptions(a, o)
}

// optional reads an option that is there.
func (b *builder) optional(n *yamltree.Node, read func(*yamltree.Node)) {
	if n != nil {
		read(n)
	}
}

// onlyOfEntities refuses options that make no sense inside a map or a list.
func (b *builder) onlyOfEntities(o *options) {
	for _, option := range []struct {
		key string
		n   *yamltree.Node
	}{{"ref", o.ref}, {"copy_of", o.copyOf}, {"snapshot_of", o.snapshotOf}, {"version", o.version}, {"present_with", o.presentWith},
		{"derive", o.derive}, {"on_write", o.onWrite}, {"count_of", o.countOf}, {"sum_of", o.sumOf}, {"where", o.where}, {"by", o.by},
		{"kept_by", o.keptBy}, {"minted", o.minted}, {"immutable", o.immutable}} {
		if option.n != nil {
			b.errorf(head(option.n), "`%s` is for attributes of an entity, not for what is inside a map or list", option.key)
		}
	}
}

// typeOf decides the type: the one written, else that of the attribute referred
// to or copied, else what the options say.
func (b *builder) typeOf(a *model.Attribute, o *options, n *yamltree.Node) {
	target := referred(a)
	switch {
	case o.typ == nil && a.Type != "":
		return // given beforehand
	case o.typ != nil && o.typ.Kind == yamltree.Sequence:
		a.Type = model.TypeEnum
		b.choices(a, o.typ)
	case o.typ != nil:
		b.typeWord(a, o.typ)
	case o.ref != nil && !a.Refers(), o.copyOf != nil && a.CopyOf == nil, o.snapshotOf != nil && a.SnapshotOf == nil:
		return // reported
	case a.Aggregate != nil:
		a.Type = aggregateType(a.Aggregate)
	case (o.countOf != nil || o.sumOf != nil) && a.Aggregate == nil:
		return // reported
	case target != nil:
		a.Type, a.Domain, a.Stored = target.Type, target.Domain, target.Stored
	case o.values != nil:
		a.Type = model.TypeEnum
	case a.Version:
		a.Type = model.TypeInteger
	case o.attributes != nil:
		a.Type = model.TypeMap
	case o.items != nil:
		a.Type = model.TypeList
	case !n.Incomplete:
		b.errorf(a.Name.At, "the attribute `%s` needs a `type`", a.Name.Text)
	default:
		b.broken()
	}
	if target != nil && o.typ != nil && a.Type != "" && target.Type.Kind() != a.Type.Kind() {
		b.errorf(o.typ.At, "`%s` is %s, but what it refers to, `%s`, is %s", a.Name.Text, kindName(a.Type.Kind()), target.Name.Text, kindName(target.Type.Kind()))
	}
}

// referred is the attribute that another one refers to or copies, or nil.
func referred(a *model.Attribute) *model.Attribute {
	for _, ref := range append([]*model.Ref{a.Ref, a.CopyOf, a.SnapshotOf}, a.Refs...) {
		if ref != nil {
			return ref.Attribute
		}
	}
	return nil
}

// typeWord reads a type such as `string` or `string?`.
func (b *builder) typeWord(a *model.Attribute, n *yamltree.Node) {
	text, ok := b.text(n)
	if !ok {
		return
	}
	word, optional := strings.CutSuffix(text, "?")
	if optional {
		a.Optional = true
	}
	if t := model.Type(word); slices.Contains(model.Types(), t) {
		a.Type = t
		return
	}
	if advice := foreignType(word); advice != "" {
		b.errorf(n.At, "there is no type `%s`; %s", clip(word), advice)
		return
	}
	words := make([]string, 0, len(model.Types()))
	for _, t := range model.Types() {
		words = append(words, string(t))
	}
	b.errorf(n.At, "there is no type `%s`%s", clip(word), b.meant(word, words, ""))
}

// foreignType is the type here for a type's name elsewhere, where it may carry
// arguments: varchar(255), list<string>.
func foreignType(word string) string {
	if strings.HasSuffix(word, "[]") {
		return "write `{type: list, items: …}`"
	}
	name := strings.ToLower(word)
	if i := strings.IndexAny(name, "(<["); i >= 0 {
		name = name[:i]
	}
	switch name {
	case "s", "str", "text", "varchar", "char":
		return "write `string`"
	case "n", "float", "double", "decimal", "numeric":
		return "write `number`"
	case "int", "long", "bigint", "int64", "int32", "counter":
		return "write `integer`"
	case "b", "bytes", "blob", "buffer":
		return "write `binary`"
	case "bool":
		return "write `boolean`"
	case "l", "array":
		return "write `list`"
	case "m", "object", "json", "struct", "record":
		return "write `map`"
	case "ss", "set":
		return "write `string_set`"
	case "ns":
		return "write `number_set`"
	case "bs":
		return "write `binary_set`"
	case "enum":
		return "write the list of words itself, as in `status: [open, done]`"
	case "timestamp", "time", "iso8601", "date-time", "date_time":
		return "write `datetime` for ISO 8601 text, or `epoch` or `epoch_ms` for a number"
	case "ttl", "unix", "unixtime", "epoch_s":
		return "write `epoch` for a number of seconds"
	case "uuidv4", "guid", "uuid4":
		return "write `uuid`"
	case "uuidv7":
		return "write `uuid7`"
	case "uri", "link":
		return "write `url`"
	case "id", "cuid", "nanoid":
		return "write `uuid`, `uuid7`, `ulid` or `ksuid`, or `slug` for other identifiers"
	}
	return ""
}

// stored reads `lower` or `upper`.
func (b *builder) stored(a *model.Attribute, n *yamltree.Node) expr.FuncName {
	if a.Type.Kind() != value.String || a.Type.IsTime() {
		b.errorf(n.At, "`stored` is for text; `%s` is %s", a.Name.Text, a.Type)
	}
	return expr.FuncName(b.word(n, "lower", "upper"))
}

// checkOptions reports options that contradict each other.
func (b *builder) checkOptions(a *model.Attribute, o *options) {
	switch {
	case a.Version && a.Type != model.TypeInteger && a.Type != model.TypeNumber:
		b.errorf(a.Name.At, "a `version` is an integer, not %s", a.Type)
	case a.Version && (a.Optional || a.HasDefault()):
		b.errorf(a.Name.At, "a `version` starts at 1 and is always there; it is neither optional nor has a default")
	}
	count := 0
	for _, n := range []*yamltree.Node{o.ref, o.copyOf, o.snapshotOf, o.countOf, o.sumOf} {
		if n != nil {
			count++
		}
	}
	if count > 1 {
		b.errorf(a.Name.At, "`%s` is one of `ref`, `copy_of`, `snapshot_of`, `count_of` and `sum_of`, not several", a.Name.Text)
	}
	b.optional(o.minted, func(n *yamltree.Node) {
		if b.boolean(n) && !canBeMinted(a.Type) {
			b.errorf(n.At, "ids that can be minted are of type `uuid`, `uuid7`, `ulid`, `ksuid`, `slug`, `string` or `integer`; `%s` is %s", a.Name.Text, typeName(a.Type))
		}
	})
	b.checkKept(a, o)
}

// canBeMinted tells the types of identifiers: those made for it, and those that
// people make schemes of their own of.
func canBeMinted(t model.Type) bool {
	return t.IsID() || t == model.TypeSlug || t == model.TypeString || t == model.TypeInteger
}

// checkKept reports what contradicts that the tool keeps a value.
func (b *builder) checkKept(a *model.Attribute, o *options) {
	switch {
	case a.OnWrite != nil && (o.def != nil || o.derive != nil || o.immutable != nil && a.Immutable || a.Version):
		b.errorf(o.onWrite.At, "`%s` is set on every write, so it is neither immutable, nor a version, nor derived, and has no default", a.Name.Text)
	case a.Aggregate != nil && (a.Optional || o.def != nil || o.derive != nil || o.onWrite != nil || a.Version):
		b.errorf(a.Name.At, "`%s` begins at 0 and is kept from there; it is always there, has no default and is not computed otherwise", a.Name.Text)
	case o.keptBy != nil && o.copyOf == nil && o.countOf == nil && o.sumOf == nil:
		b.errorf(head(o.keptBy), "`kept_by` belongs to `copy_of`, `count_of` or `sum_of`")
	}
	for _, option := range []struct {
		key string
		n   *yamltree.Node
	}{{"where", o.where}, {"by", o.by}} {
		if option.n != nil && o.countOf == nil && o.sumOf == nil {
			b.errorf(head(option.n), "`%s` belongs to `count_of` or `sum_of`", option.key)
		}
	}
}

// defaultOf reads a default: a value, or `$now` with a length of time.
func (b *builder) defaultOf(a *model.Attribute, n *yamltree.Node) {
	if n.Kind == yamltree.Scalar && n.Style == yamltree.Plain && strings.HasPrefix(n.Text, "$now") {
		a.DefaultNow = b.moment(a, n, "default")
		return
	}
	a.Default, _ = b.valueOf(a, n)
}

// moment reads `$now`, or a time a length of time away from it; nil when it is
// broken.
func (b *builder) moment(a *model.Attribute, n *yamltree.Node, option string) expr.Operand {
	if _, ok := b.text(n); !ok {
		return nil
	}
	operand, problem := expr.ParseOperand(b.input(n))
	if problem != nil {
		b.problem(n, problem)
		return nil
	}
	other := false
	expr.Walk(operand, func(n expr.Node) {
		switch n.(type) {
		case *expr.Now, *expr.Duration, *expr.Arith:
		default:
			other = true
		}
	})
	if other {
		b.errorf(n.At, "`%s` takes `$now`, or a time from there, as in `$now + 7d`; what comes from other attributes is `derive`", option)
		return nil
	}
	s := &scope{builder: b, use: useWith}
	s.assignable(a, s.operand(operand), operand)
	return operand
}
