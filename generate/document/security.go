package document

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/plan"
)

// Security is who may see and do what.
type Security struct {
	// IsolateBy is the attribute that separates whose data is whose; "": none.
	IsolateBy string
	Isolation []Isolation
	// Across are the patterns that may cross it.
	Across []string
	Roles  []Role
	Access []Access // what each pattern of the table needs, and no more
}

// Isolation is how the isolating attribute stands in the keys of an entity.
type Isolation struct {
	Entity string
	// Exempt tells that the entity does not have the attribute.
	Exempt bool
	// Leads are the table and indexes whose partition key it leads, so that a
	// policy can hold callers to their own by dynamodb:LeadingKeys; Within those
	// that have it elsewhere in the partition key, and Outside those that do not.
	Leads, Within, Outside []string
}

// Role is a caller with the patterns it may use.
type Role struct {
	Name     string
	Patterns []string
}

// Access is the least privilege of a pattern.
type Access struct {
	Pattern   string
	Actions   []string // of IAM, sorted: dynamodb:Query
	Resources []string // TableName, or names of indexes
}

func (b *builder) security() Security {
	t := b.model.Table
	var s Security
	if t.IsolateBy != nil {
		s.IsolateBy = t.IsolateBy.Text
		for _, e := range b.model.Entities {
			s.Isolation = append(s.Isolation, b.isolation(e, s.IsolateBy))
		}
	}
	for _, p := range b.plans {
		if p.Pattern.Across {
			s.Across = append(s.Across, p.Pattern.Name.Text)
		}
		if a := accessOf(p); len(a.Actions) > 0 {
			s.Access = append(s.Access, a)
		}
	}
	for _, r := range t.Roles {
		role := Role{Name: r.Name.Text}
		for _, p := range r.Patterns {
			role.Patterns = append(role.Patterns, p.Name.Text)
		}
		s.Roles = append(s.Roles, role)
	}
	return s
}

func (b *builder) isolation(e *model.Entity, by string) Isolation {
	out := Isolation{Entity: e.Name.Text, Exempt: e.Attribute(by) == nil}
	if out.Exempt {
		return out
	}
	for _, x := range b.spaces() {
		if x != nil && (x.Local || !b.keyed(e, x)) {
			continue // a local index has the table's partition key
		}
		partition, _ := b.keysOf(x)
		to := &out.Outside
		for n, k := range partition {
			template, _ := encode.KeyTemplate(b.model.Table, e, k.Name)
			i := slices.IndexFunc(template.Parts, func(p model.Part) bool { return p.Attribute != nil && p.Attribute.Name.Text == by })
			first := slices.IndexFunc(template.Parts, func(p model.Part) bool { return p.Literal == "" })
			switch {
			case i >= 0 && n == 0 && i == first:
				to = &out.Leads
			case i >= 0 && to == &out.Outside:
				to = &out.Within
			}
		}
		*to = append(*to, spaceName(x))
	}
	return out
}

// accessOf is what a pattern needs, over all of its variants.
func accessOf(p *plan.Plan) Access {
	a := Access{Pattern: p.Pattern.Name.Text}
	add := func(action, space string) {
		if action = "dynamodb:" + action; !slices.Contains(a.Actions, action) {
			a.Actions = append(a.Actions, action)
		}
		if !slices.Contains(a.Resources, space) {
			a.Resources = append(a.Resources, space)
		}
	}
	for _, v := range p.Variants {
		for _, r := range []*plan.Read{v.Read, v.Then} {
			if r != nil {
				add(actionOf(r.API), spaceName(r.Index))
			}
		}
		for _, w := range []*plan.Write{v.Write, v.Each} {
			if w != nil {
				writeAccess(w, add)
			}
		}
		if v.Statement != nil {
			verb, _, _ := strings.Cut(strings.TrimSpace(v.Statement.Text), " ")
			if verb = strings.ToLower(verb); verb != "" {
				add("PartiQL"+strings.ToUpper(verb[:1])+verb[1:], TableName)
			}
		}
	}
	slices.Sort(a.Actions)
	return a
}

// actionOf is the IAM action of an operation; the items of a transaction that
// reads are allowed as single reads.
func actionOf(api plan.API) string {
	switch api {
	case plan.TransactGetItems:
		return string(plan.GetItem)
	case plan.ConditionCheck:
		return "ConditionCheckItem"
	}
	return string(api)
}

// writeAccess are the actions of a write: a batch has one of its own, those of a
// transaction are allowed one by one.
func writeAccess(w *plan.Write, add func(action, space string)) {
	for _, a := range w.Actions {
		if w.API == plan.BatchWriteItem {
			add(string(w.API), TableName)
		} else {
			add(actionOf(a.API), TableName)
		}
		if a.ReadFirst && !a.Found {
			add(string(plan.GetItem), TableName)
		}
		for _, g := range a.Guards {
			if g.Old != nil {
				add(string(plan.DeleteItem), TableName)
			}
			if g.New != nil {
				add(string(plan.PutItem), TableName)
			}
		}
	}
}
