package model

import (
	"regexp"
	"time"

	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// Entity is a type of item.
type Entity struct {
	At         source.Span
	Name       Name
	Type       string       // what the entity type attribute holds
	Attributes []*Attribute // in the order they are written
	// Keys are the templates of key attributes, of the table and of indexes:
	// those written, and those of key attributes that are the entity's own
	// attributes (Implied). In the order of the table's keys, then of the indexes'.
	Keys []*Key
	// Identity are the attributes that identify an item, in order.
	Identity []IdentityPart
	// IdentityDeclared tells that `identity` was written out.
	IdentityDeclared bool
	Unique           []*Unique
	// Invariants hold of every item after every accepted write: conditions on its
	// attributes alone, in which sums may stand.
	Invariants []*Condition
	// Live is what items must fulfil to be seen by reads, unless those include
	// the dead; `$now` may be in it. Nil: all are seen.
	Live        *Condition
	Volumes     []*Volume
	Description string
	Ignores     []*Ignore
}

// Attribute is the attribute of that name, or nil.
func (e *Entity) Attribute(name string) *Attribute {
	for _, a := range e.Attributes {
		if a.Name.Text == name {
			return a
		}
	}
	return nil
}

// AttributeAt is the definition at a path; nil when nothing is declared there.
func (e *Entity) AttributeAt(p expr.Path) *Attribute { return e.Attribute(p.Name).Member(p.Rest) }

// Member is the definition at the end of a path that begins at an attribute:
// a member of a map, or of a list. Nil when nothing is declared there.
func (a *Attribute) Member(rest []expr.Step) *Attribute {
	for _, step := range rest {
		if a == nil {
			return nil
		}
		if !step.InMap() || a.Type == TypeMap && a.Domain.Items != nil {
			a = a.Domain.Items
			continue
		}
		members := a.Domain.Attributes
		a = nil
		for _, m := range members {
			if m.Name.Text == step.Name {
				a = m
			}
		}
	}
	return a
}

// Key is the template of the key attribute of that name, or nil.
func (e *Entity) Key(attribute string) *Key {
	for _, k := range e.Keys {
		if k.Name.Text == attribute {
			return k
		}
	}
	return nil
}

// IdentityPart is an attribute of an identity, with the normalisation under
// which two values are the same: the lower or upper of a key template.
type IdentityPart struct {
	Attribute *Attribute
	Funcs     []expr.Func
}

// Key is how one key attribute of an entity is made.
type Key struct {
	At       source.Span
	Name     Name // the key attribute
	Template Template
	When     *Condition // nil: always
	// Implied: no template was written, the key attribute is the entity's own attribute.
	Implied bool
}

// Template is text with attributes in it.
type Template struct {
	At    source.Span
	Text  string
	Parts []Part
}

// Part is a piece of a template: literal text, an attribute, or a drawn shard.
// Exactly one of Literal, Attribute and Random is set. Adjacent literals are one.
type Part struct {
	At        source.Span
	Literal   string
	Attribute *Attribute
	Path      expr.Path   // Attribute's name and the way into a map
	Funcs     []expr.Func // applied in order
	Random    int         // random(n)
}

// Whole is the part when the template is just one attribute without
// functions, whose type then is the key's type; nil otherwise.
func (t Template) Whole() *Part {
	if len(t.Parts) == 1 && t.Parts[0].Attribute != nil && len(t.Parts[0].Funcs) == 0 {
		return &t.Parts[0]
	}
	return nil
}

// Type is an attribute's type: DynamoDB's types and the types with meaning.
type Type string

// The types.
const (
	TypeString    Type = "string"
	TypeNumber    Type = "number"
	TypeBoolean   Type = "boolean"
	TypeBinary    Type = "binary"
	TypeList      Type = "list"
	TypeMap       Type = "map"
	TypeStringSet Type = "string_set"
	TypeNumberSet Type = "number_set"
	TypeBinarySet Type = "binary_set"
	TypeAny       Type = "any"

	TypeEnum     Type = "enum" // a list of words
	TypeInteger  Type = "integer"
	TypeUUID     Type = "uuid"
	TypeUUID7    Type = "uuid7"
	TypeULID     Type = "ulid"
	TypeKSUID    Type = "ksuid"
	TypeEmail    Type = "email"
	TypeSlug     Type = "slug"
	TypeURL      Type = "url"
	TypeS3Object Type = "s3_object"
	TypeMonth    Type = "month"
	TypeDate     Type = "date"
	TypeDatetime Type = "datetime"
	TypeEpoch    Type = "epoch"
	TypeEpochMS  Type = "epoch_ms"
)

// Kind is the DynamoDB type a value of this type is stored as; None for any.
func (t Type) Kind() value.Kind {
	switch t {
	case TypeNumber, TypeInteger, TypeEpoch, TypeEpochMS:
		return value.Number
	case TypeBoolean:
		return value.Bool
	case TypeBinary:
		return value.Binary
	case TypeList:
		return value.List
	case TypeMap:
		return value.Map
	case TypeStringSet:
		return value.StringSet
	case TypeNumberSet:
		return value.NumberSet
	case TypeBinarySet:
		return value.BinarySet
	case TypeAny:
		return value.None
	}
	return value.String
}

// IsTime tells whether a value of this type is a point in time (or a day or month).
func (t Type) IsTime() bool {
	switch t {
	case TypeMonth, TypeDate, TypeDatetime, TypeEpoch, TypeEpochMS:
		return true
	}
	return false
}

// HasTime tells whether a time can be read out of a value of this type: the
// times, and the identifiers that begin with one.
func (t Type) HasTime() bool {
	return t.IsTime() || t == TypeULID || t == TypeKSUID || t == TypeUUID7
}

// IsID tells whether it is a type of identifiers that can be minted.
func (t Type) IsID() bool {
	return t == TypeUUID || t == TypeUUID7 || t == TypeULID || t == TypeKSUID
}

// Attribute is an attribute of an entity, or a member of a map or list.
type Attribute struct {
	At       source.Span
	Name     Name
	Type     Type
	Domain   Domain
	Optional bool
	Default  value.Value // absent: none
	// DefaultNow is `$now`, or arithmetic on it, as the default; nil: Default.
	DefaultNow expr.Operand
	// OnWrite is `$now`, or arithmetic on it, that every create, put and update
	// sets the attribute to; nil: none. Steps have it worked in, see Step.
	OnWrite   expr.Operand
	Immutable bool
	Version   bool          // optimistic locking
	Minted    bool          // no two items share it: decided by parse from type, identity and `minted`
	Stored    expr.FuncName // lower, upper or "": normalised on write and in comparisons
	Ref       *Ref
	// Refs are the references of an attribute that refers to one of several
	// entities, in order; Ref is nil then.
	Refs        []*Ref
	CopyOf      *Ref // a denormalised copy, kept in step
	SnapshotOf  *Ref // taken once
	PresentWith *Attribute
	Derive      *Derivation
	Aggregate   *Aggregate // a count or sum over other items; nil: none
	// KeptBy is who keeps a copy or an aggregate in step: "stream", or "" when the
	// writes themselves do.
	KeptBy      string
	Description string
}

// HasDefault tells whether an item is given a value where none is stated.
func (a *Attribute) HasDefault() bool { return a.Default.Exists() || a.DefaultNow != nil }

// Refers tells whether the attribute refers to another item.
func (a *Attribute) Refers() bool { return a.Ref != nil || len(a.Refs) > 0 }

// Aggregate is a number over the items of another entity that belong to an
// item: how many there are, or the sum of one of their attributes.
type Aggregate struct {
	At source.Span
	// Source is the entity that is counted or summed up.
	Source *Entity
	// Sum is the attribute of Source that is summed up; nil for a count.
	Sum *Attribute
	// Where is a condition on the items of Source that take part; nil: all.
	Where *Condition
	// By is how an item of Source belongs to one with the aggregate: each Own is
	// an attribute of Source, its Target an attribute of the aggregating entity.
	By []RefPart
}

// Ref is a reference to an attribute of another entity (or the same one).
type Ref struct {
	At        source.Span
	Entity    *Entity
	Attribute *Attribute
	// With are the other attributes that identify the target, where this entity
	// has all of them too: they refer together. Empty otherwise.
	With []RefPart
}

// RefPart is an attribute that refers together with a Ref: Own holds what
// Target holds there.
type RefPart struct {
	Own, Target *Attribute
}

// Derivation computes an attribute on write from another one: `createdAt + 7d`.
type Derivation struct {
	At   source.Span
	Expr expr.Operand
}

// Domain is the set of values an attribute may have, as declared. A nil or
// zero member is not declared; generation then uses the type's default.
type Domain struct {
	Values    []Choice       // of an enumeration, or `values`
	Pattern   *regexp.Regexp // matched leftmost-longest; a value matches as a whole, see Matches
	Min, Max  value.Value    // of numbers and times, both included
	Length    *Range         // characters of a string
	Size      *Range         // bytes
	Members   *Range         // how many, of a list, map or set: declared by length
	Precision Precision      // of a datetime
	AnyZone   bool           // of a datetime: zone: any
	NoZone    bool           // of a datetime: zone: none
	Items     *Attribute     // the members of a list or set, or all values of a map
	Keys      *Attribute     // the names in a map whose values are Items
	// Attributes are the members of a map.
	Attributes []*Attribute
}

// Choice is a value of an enumeration with its share of all items (0: not given).
type Choice struct {
	At    source.Span
	Value value.Value
	Share float64
}

// Range is two bounds, both included.
type Range struct {
	Min, Max int64
}

// Precision is how finely a datetime is written.
type Precision string

// The precisions of a datetime.
const (
	PrecisionMinute   Precision = "minute"
	PrecisionSecond   Precision = "s"
	PrecisionMilli    Precision = "ms"
	PrecisionMicro    Precision = "us"
	PrecisionNano     Precision = "ns"
	PrecisionVariable Precision = "variable"
)

// Unit is the smallest difference between two times of the precision; of those
// written in variable precision a second.
func (p Precision) Unit() time.Duration {
	switch p {
	case PrecisionMinute:
		return time.Minute
	case PrecisionMilli:
		return time.Millisecond
	case PrecisionMicro:
		return time.Microsecond
	case PrecisionNano:
		return time.Nanosecond
	}
	return time.Second
}

// Unique says that no two items share the values of some attributes.
type Unique struct {
	At source.Span
	Of []*Attribute
	// Keys are the templates of the guard item's table keys: those written, or the default.
	Keys    []*Key
	Default bool // the keys are the default ones
	When    *Condition
}

// Volume is how many items there are.
type Volume struct {
	At source.Span
	// Count is how many there are in all, or per Per.
	Count   Range
	Average float64 // 0: not given
	// Per is the entity or the attribute under whose one value the count is; zero: in all.
	Per          Name
	PerEntity    *Entity
	PerAttribute *Attribute
	// Rate and Keep are of `{per: Device, rate: 3/min, keep: 90d}`.
	Rate   *Rate
	Keep   time.Duration
	Growth *Growth
	Size   int64 // bytes of one item, 0: not given
}

// By are the attributes whose values say together what an item is counted
// under: PerAttribute, and what refers together with it where its own value may
// stand for several. It is empty for a count in all.
func (v *Volume) By() []*Attribute {
	if v.PerAttribute == nil {
		return nil
	}
	by := []*Attribute{v.PerAttribute}
	if r := v.PerAttribute.Ref; r != nil && !r.Attribute.Minted {
		for _, part := range r.With {
			by = append(by, part.Own)
		}
	}
	return by
}

// Growth is how fast the number grows.
type Growth struct {
	Percent float64
	Per     time.Duration
}

// Rate is how often something happens.
type Rate struct {
	At        source.Span
	PerSecond float64
	Text      string  // as written
	Each      *Entity // per item of this entity; nil: in all
}
