// Package model is the domain: a table, the entity types stored in it, and the
// access patterns an application needs, each part with its place in the text.
//
// Values of this package are made by package parse, which checks them, and are
// not changed afterwards. Where parse reported errors, the broken part is left
// out and the rest is whole: every pointer in a Model is set, every name refers
// to something that exists.
package model

import (
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// Model is one model document with everything it includes.
type Model struct {
	File        *source.File   // the document itself
	Files       []*source.File // the document and what it includes, in order
	At          source.Span
	Name        string
	Description string
	Table       *Table
	Entities    []*Entity  // in the order they are written
	Patterns    []*Pattern // in the order they are written
	Samples     []*Sample
	Ignores     []*Ignore // of the model itself
	Generate    []*Target
}

// Name is a name with its place.
type Name struct {
	Text string
	At   source.Span
}

// Entity is the entity of that name, or nil.
func (m *Model) Entity(name string) *Entity {
	for _, e := range m.Entities {
		if e.Name.Text == name {
			return e
		}
	}
	return nil
}

// Pattern is the access pattern of that name, or nil.
func (m *Model) Pattern(name string) *Pattern {
	for _, p := range m.Patterns {
		if p.Name.Text == name {
			return p
		}
	}
	return nil
}

// Ignore accepts the findings of a rule on the part it stands on.
type Ignore struct {
	At     source.Span
	Rule   Name
	Reason string
}

// Sample is an item written out under `samples`.
type Sample struct {
	At     source.Span
	Entity *Entity
	Item   Item
}

// Item is an entity's attributes by name, without any key that templates make.
// An absent attribute has no entry.
type Item map[string]value.Value

// Instance is one item of an entity type, as the model sees it.
type Instance struct {
	Entity *Entity
	Item   Item
}

// Args are the values of a call's parameters by name. A list parameter is a
// List (of Maps, for a for_each or a batch's keys); an optional parameter left
// out has no entry.
type Args map[string]value.Value

// Target is an entry of the generate block.
type Target struct {
	At      source.Span
	Name    Name   // docs, go, cloudformation, …
	Path    string // relative to the folder of the model's file, with slashes
	Options []TargetOption
}

// TargetOption is an option of a target, in the order they are written. What
// options and values a target has, it alone knows.
type TargetOption struct{ Name, Value Name }

// Table is the DynamoDB table.
type Table struct {
	At           source.Span
	Name         Name
	PartitionKey KeyAttribute
	SortKey      *KeyAttribute // nil: none
	// EntityType is the attribute in which items carry their entity's type
	// name; "" when the model says none.
	EntityType string
	Indexes    []*Index // in the order they are written

	Capacity            Capacity
	TTL                 *Name // nil: off
	Stream              *Stream
	PointInTimeRecovery PointInTimeRecovery
	IsolateBy           *Name // nil: off
	DAX                 *DAX
	DeletionProtection  bool
	Class               string // standard or infrequent_access
	Encryption          Encryption
	Tags                []Tag // sorted by key
	Region              string
	Replicas            []Name
	Consistency         string // eventual or strong, of a global table
	Roles               []Role
}

// Index is the index of that name, or nil.
func (t *Table) Index(name string) *Index {
	for _, x := range t.Indexes {
		if x.Name.Text == name {
			return x
		}
	}
	return nil
}

// KeyAttribute is an attribute that keys a table or an index.
type KeyAttribute struct {
	At   source.Span
	Name string
	// Kind is String, Number or Binary.
	Kind value.Kind
	// Typed tells that Kind was written out, not taken from an entity's attribute.
	Typed bool
}

// Index is a secondary index.
type Index struct {
	At   source.Span
	Name Name
	// PartitionKey has one to four attributes; that of the table when Local.
	PartitionKey []KeyAttribute
	// SortKey has none to four attributes.
	SortKey    []KeyAttribute
	Local      bool
	Projection Projection
	Capacity   *Capacity // nil: as the table
	Ignores    []*Ignore
}

// ProjectionType tells what an index holds beside the keys.
type ProjectionType string

// The projections.
const (
	ProjectAll      ProjectionType = "all"
	ProjectKeysOnly ProjectionType = "keys_only"
	ProjectInclude  ProjectionType = "include"
)

// Projection is what an index holds beside the keys of the table and the index.
type Projection struct {
	At         source.Span
	Type       ProjectionType
	Attributes []Name // of ProjectInclude
}

// Capacity is a capacity mode with its figures; zero figures are not given.
type Capacity struct {
	At       source.Span
	OnDemand bool
	// Of on-demand: request units per second.
	MaxRead, MaxWrite, WarmRead, WarmWrite int64
	// Of provisioned: units per second.
	Read, Write int64
	AutoScaling *AutoScaling
}

// AutoScaling moves provisioned capacity between two bounds.
type AutoScaling struct {
	Min, Max int64
	Target   int64 // per cent of utilisation
}

// Stream is the table's change stream.
type Stream struct {
	At        source.Span
	View      string // keys_only, new_image, old_image, new_and_old_images
	Consumers []Name
}

// PointInTimeRecovery is continuous backup.
type PointInTimeRecovery struct {
	At      source.Span
	Enabled bool
	Days    int // 0: not given
}

// DAX is a cache cluster in front of the table.
type DAX struct {
	At    source.Span
	Nodes int
	Type  string
}

// Encryption at rest.
type Encryption struct {
	At     source.Span
	Kind   string // aws_owned, aws_managed or kms_key
	KMSKey string
}

// Tag is a resource tag.
type Tag struct{ Key, Value string }

// Role is a set of patterns that one caller may use, for IAM.
type Role struct {
	At       source.Span
	Name     Name
	Patterns []*Pattern
}

// Keys are the table's key attributes: partition key, then the sort key if any.
func (t *Table) Keys() []KeyAttribute {
	if t.SortKey == nil {
		return []KeyAttribute{t.PartitionKey}
	}
	return []KeyAttribute{t.PartitionKey, *t.SortKey}
}

// Keys are the index's key attributes: partition key, then sort key.
func (x *Index) Keys() []KeyAttribute {
	return append(x.PartitionKey[:len(x.PartitionKey):len(x.PartitionKey)], x.SortKey...)
}

// Condition is a condition as written, with its tree.
type Condition struct {
	At   source.Span
	Text string
	Cond expr.Cond
}
