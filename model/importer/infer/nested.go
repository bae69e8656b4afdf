package infer

import (
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/value"
)

// The bounds of what is declared inside maps and lists.
const (
	maxNesting = 6
	maxMembers = 24  // of a map that is declared as people would
	maxForced  = 200 // of one that must be declared, as it holds a set
	maxName    = 255 // bytes of a name; YAML's keys have less room than DynamoDB's
)

// nest declares what maps and lists hold, where they are alike. Sets and binary
// values need that: without a type they would be read as lists and text.
func nest(a *draft.Attribute, values []value.Value, depth int) {
	if depth >= maxNesting {
		return
	}
	switch a.Type {
	case model.TypeMap:
		a.Members = membersOf(values, depth)
	case model.TypeList:
		var items []value.Value
		for _, v := range values {
			items = append(items, v.Items()...)
		}
		if m := memberOf("", items, depth); m.Type != model.TypeAny && len(items) > 0 {
			a.Items = m
		}
	}
}

// membersOf are the members of maps that are alike; nil when their names are
// rather data than names.
func membersOf(values []value.Value, depth int) []*draft.Attribute {
	var order []string
	byName := map[string][]value.Value{}
	forced := false
	for _, v := range values {
		for _, f := range v.Fields() {
			if byName[f.Name] == nil {
				order = append(order, f.Name)
			}
			byName[f.Name] = append(byName[f.Name], f.Value)
			forced = forced || needsType(f.Value)
		}
	}
	shared := 0
	for _, list := range byName {
		shared += len(list)
	}
	alike := len(order) <= maxMembers && 2*shared >= len(order)*len(values) && every(order, draft.IsPlainName)
	if len(order) == 0 || !alike && !forced || len(order) > maxForced || !every(order, func(n string) bool { return n != "" && len(n) <= maxName }) {
		return nil
	}
	out := make([]*draft.Attribute, len(order))
	for i, name := range order {
		out[i] = memberOf(name, byName[name], depth)
		out[i].Optional = len(byName[name]) < len(values)
	}
	return out
}

// memberOf declares a member by its values: of DynamoDB's own types.
func memberOf(name string, values []value.Value, depth int) *draft.Attribute {
	m := &draft.Attribute{Name: name, Type: model.TypeAny}
	if len(values) > 0 && every(values, func(v value.Value) bool { return v.Kind() == values[0].Kind() && v.Kind() != value.Null }) {
		m.Type = draft.TypeOf(values[0].Kind())
		nest(m, values, depth+1)
	}
	return m
}

// needsType tells a value that cannot be written without a declared type: a set
// or binary, or something that holds one.
func needsType(v value.Value) bool {
	switch v.Kind() {
	case value.Binary, value.StringSet, value.NumberSet, value.BinarySet:
		return true
	}
	return slices.ContainsFunc(v.Items(), needsType) ||
		slices.ContainsFunc(v.Fields(), func(f value.Field) bool { return needsType(f.Value) })
}

// holds tells whether a value is in the domain of an attribute, and can be
// written as one of it.
func holds(a *draft.Attribute, v value.Value) bool {
	kind := a.Type.Kind()
	switch {
	case kind == value.None:
		return !needsType(v) && shortNames(v)
	case v.Kind() != kind:
		return false
	case len(a.Values) > 0:
		return slices.Contains(a.Values, v.Text())
	case kind == value.Map && a.Members != nil:
		return holdsMembers(a, v)
	case kind == value.List && a.Items != nil:
		return every(v.Items(), func(item value.Value) bool { return holds(a.Items, item) })
	case kind == value.Map || kind == value.List:
		return !slices.ContainsFunc(v.Items(), needsType) && shortNames(v) &&
			!slices.ContainsFunc(v.Fields(), func(f value.Field) bool { return needsType(f.Value) })
	}
	i := slices.IndexFunc(forms(), func(f form) bool { return f.typ == a.Type })
	return i < 0 || forms()[i].pattern.MatchString(v.Text()) && (forms()[i].holds == nil || forms()[i].holds(v.Text()))
}

func holdsMembers(a *draft.Attribute, v value.Value) bool {
	for _, f := range v.Fields() {
		i := slices.IndexFunc(a.Members, func(m *draft.Attribute) bool { return m.Name == f.Name })
		if i < 0 || !holds(a.Members[i], f.Value) {
			return false
		}
	}
	return every(a.Members, func(m *draft.Attribute) bool { return m.Optional || v.Field(m.Name).Exists() })
}

// shortNames tells whether all names inside a value can be keys in YAML.
func shortNames(v value.Value) bool {
	for _, f := range v.Fields() {
		if len(f.Name) > maxName || f.Name == "" || !shortNames(f.Value) {
			return false
		}
	}
	return every(v.Items(), shortNames)
}
