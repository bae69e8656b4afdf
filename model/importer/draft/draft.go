// Package draft holds designs on their way from other tools to a model: what an
// input says of a table, its entities, items and requests.
//
// The packages that read a format fill in a Draft, with what this one has for all
// of them: the readers of DynamoDB's JSON, of its tables and of AWS CLI commands.
// What is wrong in the input, and what the language cannot carry, becomes a Note
// with a place.
package draft

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// Draft is a design on its way from another format to a model: of one table.
type Draft struct {
	Format      string // what it was read from: "NoSQL Workbench 3.0"
	Name        string // of the model; "": the table's
	Description string
	Table       model.Table
	// Typed tells that Table.EntityType was stated. Where it was not, an
	// attribute that serves is looked for.
	Typed    bool
	Entities []*Entity
	Items    []*Item    // of no stated entity
	Requests []*Request // the access patterns that are stated
	Patterns []*Pattern // what Requests became, or what was proposed
	// Samples is how many items of an entity become samples at most; 0: all.
	Samples int
	// Text is a whole model in the language, where the input carries one; it is
	// left as it is. Includes are the files that it includes, named from its folder.
	Text     string
	Includes []*source.File
	Notes
	// Total is how many items there were, and Fitting how many of them the model
	// makes again just so.
	Total, Fitting int
}

// MaxItems is how many items of one table are looked at.
const MaxItems = 5000

// NoSamples is the Draft.Samples of a model that holds none.
const NoSamples = -1

// Entity is a type of item: stated by the input, or found in its items.
type Entity struct {
	At          source.Span
	Name        string
	Type        string // what the entity type attribute holds; "": the name
	Description string
	Attributes  []*Attribute
	Keys        []*Key
	Unique      [][]string
	Items       []*Item
	Count       int64 // how many there are; 0: not known
	Size        int64 // bytes of one item; 0: not known
	// Guess says why the entity is thought to be one; "" when it is stated.
	Guess string
}

// Attribute is an attribute of an entity. What is zero is not known yet.
type Attribute struct {
	At   source.Span
	Name string
	Type model.Type
	// Optional is said of Known attributes only; of others the items decide it.
	Optional, Known bool
	Values          []string // of an enumeration
	Min, Max        string   // bounds of a number, as written in the language; "": none
	Precision       model.Precision
	NoZone, AnyZone bool
	Pattern         string       // what all values match
	Items           *Attribute   // what a list holds; nil: anything
	Members         []*Attribute // what a map holds; nil: anything
	Default         string       // as written in the language; "": none
	OnWrite         string       // as written in the language; "": none
	Ref             string       // the entity it refers to, or Entity.attribute
	Description     string
	// Derived tells that no item has it: its values were read out of keys.
	Derived bool
	// Guess says what was guessed about it; "" when all is stated.
	Guess string
}

// Key is how a key attribute of an entity is made.
type Key struct {
	At        source.Span
	Attribute string // the key attribute
	// Parts are the template; nil: the key attribute is the entity's own attribute.
	Parts []Part
	When  string // a condition, in the language; "": always
	// Alias is what a person wrote for the template in words that say it only
	// roughly: `USER#email`. Parts are not known then.
	Alias string
	// Guess says what was guessed about it; "" when all is stated.
	Guess string
}

// Part is a piece of a template: exactly one of Literal, Attribute and Random is set.
type Part struct {
	Literal   string
	Attribute string // may lead into a map: address.city
	Funcs     []expr.Func
	Random    int
}

// Item is an item as it is stored.
type Item struct {
	At     source.Span
	Values map[string]value.Value
}

// Text is the template in the language.
func Text(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		switch {
		case p.Literal != "":
			b.WriteString(strings.NewReplacer("{", "{{", "}", "}}").Replace(p.Literal))
		case p.Random > 0:
			fmt.Fprintf(&b, "{random(%d)}", p.Random)
		default:
			b.WriteString("{" + QuoteName(p.Attribute))
			for _, f := range p.Funcs {
				b.WriteString("|" + f.String())
			}
			b.WriteString("}")
		}
	}
	return b.String()
}

// ParseTemplate reads a template in the language. The error says what is wrong
// with it.
func ParseTemplate(text string) ([]Part, error) {
	parsed, problem := expr.ParseTemplate(expr.Input{Text: text})
	if problem != nil {
		return nil, errors.New(problem.String())
	}
	var parts []Part
	for _, p := range parsed {
		name := ""
		if p.Path.Name != "" {
			name = p.Path.String()
		}
		parts = append(parts, Part{Literal: p.Literal, Attribute: name, Funcs: p.Funcs, Random: p.Random})
	}
	return parts, nil
}

// quoteName is an attribute, or a way into a map, as a template or an expression
// names it.
func QuoteName(name string) string {
	if slices.ContainsFunc(strings.Split(name, "."), func(part string) bool { return !IsPlainName(part) }) {
		return expr.Name(name)
	}
	return name
}

// Key is how the entity makes a key attribute, or nil.
func (e *Entity) Key(attribute string) *Key {
	i := slices.IndexFunc(e.Keys, func(k *Key) bool { return k.Attribute == attribute })
	if i < 0 {
		return nil
	}
	return e.Keys[i]
}

// Attribute is the entity's attribute of that name, or nil.
func (e *Entity) Attribute(name string) *Attribute {
	i := slices.IndexFunc(e.Attributes, func(a *Attribute) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return e.Attributes[i]
}

// Entity is the draft's entity of that name, or nil.
func (d *Draft) Entity(name string) *Entity {
	i := slices.IndexFunc(d.Entities, func(e *Entity) bool { return e.Name == name })
	if i < 0 {
		return nil
	}
	return d.Entities[i]
}

// attributes are the names of attributes in a template, each once, in order.
func AttributesIn(parts []Part) []string {
	var out []string
	for _, p := range parts {
		if p.Attribute != "" && !slices.Contains(out, p.Attribute) {
			out = append(out, p.Attribute)
		}
	}
	return out
}

// Padded is the function that pads a number with zeros to a width written in
// digits; none when the width is out of bounds.
func Padded(width string) []expr.Func {
	n, err := strconv.Atoi(width)
	if err != nil || n < 1 || n > 38 {
		return nil
	}
	return []expr.Func{{Name: expr.Pad, N: n}}
}

// isPlainName tells a name that may stand in a path without quotes.
func IsPlainName(name string) bool {
	return name != "" && expr.Name(name) == name && !strings.ContainsAny(name, ".[]|{}")
}

// kindType is the type of DynamoDB's own for a kind.
func TypeOf(k value.Kind) model.Type {
	for _, t := range []model.Type{
		model.TypeString, model.TypeNumber, model.TypeBoolean, model.TypeBinary, model.TypeList, model.TypeMap,
		model.TypeStringSet, model.TypeNumberSet, model.TypeBinarySet,
	} {
		if t.Kind() == k {
			return t
		}
	}
	return model.TypeAny
}
