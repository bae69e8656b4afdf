package encode

import (
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// Normalise is an item as it is stored, keys aside: attributes declared
// `stored: lower` or `upper` are folded, members of maps and lists too, and
// what is null is left out, as NULL is never written; what the entity does not
// declare stays as it is. The item given is not changed: when there is nothing to
// do, the result is that item.
func Normalise(e *model.Entity, item model.Item) model.Item {
	if normal(e, item) {
		return item
	}
	out := make(model.Item, len(item))
	for name, v := range item {
		if v.Exists() && v.Kind() != value.Null {
			out[name] = v
		}
	}
	for _, a := range e.Attributes {
		if v, ok := out[a.Name.Text]; ok {
			out[a.Name.Text] = Stored(a, v)
		}
	}
	return out
}

// normal tells whether an item is as it is stored.
func normal(e *model.Entity, item model.Item) bool {
	for _, v := range item {
		if !v.Exists() || v.Kind() == value.Null {
			return false
		}
	}
	for _, a := range e.Attributes {
		if v, ok := item[a.Name.Text]; ok && !value.Equal(v, Stored(a, v)) {
			return false
		}
	}
	return true
}

// Stored is a value as an attribute stores it: folded to lower or upper case
// where the attribute says so, members of maps and lists too.
func Stored(a *model.Attribute, v value.Value) value.Value {
	switch {
	case v.Kind() == value.String && a.Stored == expr.Lower:
		return value.OfString(strings.ToLower(v.Text()))
	case v.Kind() == value.String && a.Stored == expr.Upper:
		return value.OfString(strings.ToUpper(v.Text()))
	case v.Kind() == value.Map && (len(a.Domain.Attributes) > 0 || a.Domain.Items != nil):
		fields := make([]value.Field, 0, len(v.Fields()))
		for _, f := range v.Fields() {
			if m := a.Member([]expr.Step{{Name: f.Name}}); m != nil {
				f.Value = Stored(m, f.Value)
			}
			fields = append(fields, f)
		}
		return value.OfMap(fields...)
	case a.Domain.Items == nil:
		return v
	case v.Kind() == value.List:
		return value.OfList(storedItems(a.Domain.Items, v)...)
	case v.Kind() == value.StringSet:
		return value.OfSet(value.StringSet, storedItems(a.Domain.Items, v)...)
	}
	return v
}

func storedItems(a *model.Attribute, v value.Value) []value.Value {
	items := make([]value.Value, 0, len(v.Items()))
	for _, item := range v.Items() {
		items = append(items, Stored(a, item))
	}
	return items
}
