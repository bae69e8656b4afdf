package typescript

import (
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// typeOf is the TypeScript type of an attribute's values. Sets are arrays at the
// top level, where generated code converts them, and sets further in.
func typeOf(a *model.Attribute, nested bool) string {
	if len(a.Domain.Values) > 0 {
		return union(a.Domain.Values)
	}
	set := func(member string) string {
		if nested {
			return "Set<" + member + ">"
		}
		return member + "[]"
	}
	switch a.Type {
	case model.TypeNumberSet:
		return set("number")
	case model.TypeStringSet:
		return set("string")
	case model.TypeBinarySet:
		return set("Uint8Array")
	case model.TypeList:
		return listOf(itemType(a))
	case model.TypeMap:
		return mapType(a)
	}
	return kindType(a.Type.Kind())
}

func kindType(k value.Kind) string {
	switch k {
	case value.Number:
		return "number"
	case value.String:
		return "string"
	case value.Bool:
		return "boolean"
	case value.Binary:
		return "Uint8Array"
	}
	return "any"
}

func itemType(a *model.Attribute) string {
	if a.Domain.Items == nil {
		return "any"
	}
	return typeOf(a.Domain.Items, true)
}

func listOf(member string) string {
	if strings.ContainsAny(member, " |") && !strings.HasPrefix(member, "{") {
		member = "(" + member + ")"
	}
	return member + "[]"
}

func mapType(a *model.Attribute) string {
	if len(a.Domain.Attributes) == 0 {
		return "Record<string, " + itemType(a) + ">"
	}
	var members []string
	for _, m := range a.Domain.Attributes {
		members = append(members, field(m.Name.Text, m.Optional, typeOf(m, true)))
	}
	return "{ " + strings.Join(members, "; ") + " }"
}

// field is a member of an interface.
func field(name string, optional bool, typ string) string {
	if optional {
		return property(name) + "?: " + typ
	}
	return property(name) + ": " + typ
}

// union is the type of the values that are listed.
func union(choices []model.Choice) string {
	var all []string
	for _, c := range choices {
		all = append(all, literal(c.Value))
	}
	return strings.Join(all, " | ")
}

// paramType is the type of a parameter.
func paramType(q *model.Parameter) string {
	typ := oneType(q)
	switch {
	case len(q.Fields) > 0:
		var members []string
		for _, f := range q.Fields {
			members = append(members, field(f.Name, f.Optional || f.MayBeAbsent, paramType(f)))
		}
		typ = "{ " + strings.Join(members, "; ") + " }"
	case q.Declared != nil && q.Declared.Type == model.TypeList && q.List:
		return typ
	}
	if q.List {
		return "readonly " + listOf(typ)
	}
	return typ
}

func oneType(q *model.Parameter) string {
	switch {
	case q.Declared != nil:
		return typeOf(q.Declared, false)
	case len(q.Funcs) > 0 && q.Funcs[len(q.Funcs)-1].Name == expr.Shard:
		return "number"
	case len(q.Funcs) > 0:
		return "string"
	case q.Like != nil:
		return typeOf(q.Like, false)
	}
	return "any"
}

// literal is a value as TypeScript.
func literal(v value.Value) string {
	switch v.Kind() {
	case value.Number:
		return v.Text()
	case value.String:
		return quote(v.Text())
	case value.Bool:
		if v.Truth() {
			return "true"
		}
		return "false"
	case value.Null:
		return "null"
	case value.Binary:
		return "Uint8Array.from(" + bytesOf(v.Text()) + ")"
	case value.List:
		return "[" + literals(v.Items()) + "]"
	case value.Map:
		var members []string
		for _, f := range v.Fields() {
			members = append(members, property(f.Name)+": "+literal(f.Value))
		}
		return object(0, members...)
	case value.StringSet, value.NumberSet, value.BinarySet:
		return "new Set([" + literals(v.Items()) + "])"
	}
	return "undefined"
}

func literals(list []value.Value) string {
	var all []string
	for _, v := range list {
		all = append(all, literal(v))
	}
	return strings.Join(all, ", ")
}

func bytesOf(text string) string {
	var all []value.Value
	for i := range len(text) {
		all = append(all, value.OfInt(int64(text[i])))
	}
	return "[" + literals(all) + "]"
}
