package plan

import (
	"math"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/value"
)

// MaxItemSize is the most bytes of an item, and of one with all its entries in
// local indexes (Developer Guide, "Service quotas").
const MaxItemSize = 400 << 10

// Most is the most bytes that an item of an entity can have by what is declared,
// and the attribute that takes the most of them. Texts without a declared length
// count with the 200 characters of the default domain. Collections without one
// count with their usual number of members: what makes them grow, no declaration
// says.
func (p *Planner) Most(e *model.Entity) (bytes float64, largest *model.Attribute) {
	top := 0.0
	each := map[string]float64{}
	for _, a := range e.Attributes {
		n := float64(len(a.Name.Text)) + most(a)
		each[a.Name.Text] = n
		bytes += n
		if n > top {
			top, largest = n, a
		}
	}
	for _, space := range p.spaces {
		keys, missing := space.templates(e)
		if len(missing) > 0 {
			continue
		}
		for _, k := range keys {
			if _, done := each[k.attribute.Name]; !done {
				each[k.attribute.Name] = float64(len(k.attribute.Name) + min(keytext.MaxBytes(k.Template), longestKey))
				bytes += each[k.attribute.Name]
			}
		}
	}
	table := bytes
	for _, space := range p.spaces {
		if space.index == nil || !space.index.Local {
			continue
		}
		if _, missing := space.templates(e); len(missing) > 0 {
			continue
		}
		if space.index.Projection.Type == model.ProjectAll {
			bytes += table
			continue
		}
		for name, n := range each {
			if space.holds(name) {
				bytes += n
			}
		}
	}
	return bytes, largest
}

// longestKey is the longest that a key can be; what is longer is another fault.
const longestKey = 2048

// The most that is assumed of what has no declared length: the default domain's
// most characters, and bytes of binary.
const mostText = 200

// most is the most bytes of an attribute's value.
func most(a *model.Attribute) float64 {
	d := a.Domain
	switch {
	case d.Size != nil:
		return float64(d.Size.Max)
	case len(d.Values) > 0:
		n := 0
		for _, c := range d.Values {
			n = max(n, sizeOf(c.Value))
		}
		return float64(n)
	}
	switch a.Type.Kind() {
	case value.Number:
		return numberMost
	case value.Bool, value.Null:
		return 1
	case value.String:
		return mostBytes(a)
	case value.Binary:
		return mostText
	case value.Map:
		if d.Items == nil {
			n := 3.0
			for _, m := range d.Attributes {
				n += 1 + float64(len(m.Name.Text)) + most(m)
			}
			return n
		}
	case value.None:
		return mostText
	}
	return mostMembers(a)
}

// numberMost is a number of 38 digits with its sign.
const numberMost = 21

// mostBytes is the most bytes of a text.
func mostBytes(a *model.Attribute) float64 {
	whole := model.Part{Attribute: a, Path: expr.Path{Name: a.Name.Text}}
	if n := keytext.MaxBytes(model.Template{Parts: []model.Part{whole}}); n > 0 {
		return float64(n)
	}
	return mostText
}

// mostMembers is the most bytes of a list, a set or a map of any names.
func mostMembers(a *model.Attribute) float64 {
	members, each := float64(assumedMembers), float64(mostText)
	if a.Domain.Members != nil {
		members = float64(a.Domain.Members.Max)
	}
	if a.Domain.Items != nil {
		each = most(a.Domain.Items)
	} else if a.Type == model.TypeNumberSet {
		each = numberMost
	}
	switch a.Type {
	case model.TypeList:
		return 3 + members*(1+each)
	case model.TypeMap:
		name := float64(mostText)
		if a.Domain.Keys != nil {
			name = most(a.Domain.Keys)
		}
		return 3 + members*(1+name+each)
	}
	return math.Max(1, members*each)
}
