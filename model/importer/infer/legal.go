package infer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/value"
)

// legalResource is a name that DynamoDB takes, as near to the one given as can be.
func legalResource(name string) string {
	legal := strings.Trim(strings.Map(func(r rune) rune {
		if r < 0x80 && (isAlphanumeric(byte(r)) || strings.ContainsRune("_.-", r)) {
			return r
		}
		return '-'
	}, name), "-")
	if len(legal) < 3 {
		legal = strings.TrimPrefix(legal+"-index", "-")
	}
	return legal[:min(len(legal), 255)]
}

// legalTable makes the table one that DynamoDB would take, and reports what it
// would not.
func (in *inference) legalTable() {
	t := &in.Table
	if !model.IsResourceName(t.Name.Text) {
		legal := legalResource(t.Name.Text)
		in.Faultf(t.At, "`%s` is no name of a table; it is named `%s`", draft.Clip(t.Name.Text), legal)
		t.Name.Text = legal
	}
	used := names{}
	t.Indexes = slices.DeleteFunc(t.Indexes, func(x *model.Index) bool { return !in.legalIndex(x, used) })
	if t.Stream != nil && !slices.Contains([]string{"keys_only", "new_image", "old_image", "new_and_old_images"}, t.Stream.View) {
		in.Faultf(t.At, "`%s` is no view of a stream; it is left out", draft.Clip(t.Stream.View))
		t.Stream = nil
	}
	if t.TTL != nil && len(t.TTL.Text) > maxName {
		t.TTL = nil
	}
	if days := t.PointInTimeRecovery.Days; days < 0 || days > 35 {
		in.Faultf(t.At, "DynamoDB keeps backups for 1 to 35 days, not %d", days)
		t.PointInTimeRecovery.Days = 0
	}
	if s := t.Capacity.AutoScaling; s != nil && (s.Target < 20 || s.Target > 90 || s.Min < 1 || s.Max < s.Min) {
		in.Faultf(t.At, "the auto scaling from %d to %d at %d per cent is not possible; it is left out", s.Min, s.Max, s.Target)
		t.Capacity.AutoScaling = nil
	}
	t.Tags = slices.DeleteFunc(t.Tags, func(tag model.Tag) bool { return tag.Key == "" })
	t.Tags = slices.CompactFunc(t.Tags, func(a, b model.Tag) bool { return a.Key == b.Key })
	t.Replicas = slices.DeleteFunc(t.Replicas, func(r model.Name) bool { return r.Text == "" })
}

// legalIndex makes an index legal; false when it cannot be one.
func (in *inference) legalIndex(x *model.Index, used names) bool {
	legal := x.Name.Text
	if !model.IsResourceName(legal) {
		legal = legalResource(legal)
	}
	if legal = used.unused(legal, "-"); legal != x.Name.Text {
		in.Faultf(x.At, "`%s` is no name of an index; it is named `%s`", draft.Clip(x.Name.Text), legal)
		for _, r := range in.Requests {
			if r.Index == x.Name.Text {
				r.Index = legal
			}
		}
		x.Name.Text = legal
	}
	wrong := ""
	switch {
	case x.Local && in.Table.SortKey == nil:
		wrong = "is local, and the table has no sort key"
	case x.Local && len(x.SortKey) > 1:
		wrong = "is local and has several sort keys"
	case len(x.PartitionKey) > 4 || len(x.SortKey) > 4:
		wrong = "has more than four attributes in a key"
	case !every(x.Keys(), func(k model.KeyAttribute) bool { return k.Name != "" && len(k.Name) <= maxName }):
		wrong = "has a key attribute without a name, or with one that is too long"
	case x.Local && x.SortKey[0].Name == in.Table.PartitionKey.Name:
		wrong = "has one attribute for both its keys"
	}
	for _, k := range x.Keys() {
		i := slices.IndexFunc(in.Table.Keys(), func(t model.KeyAttribute) bool { return t.Name == k.Name })
		if i >= 0 && in.Table.Keys()[i].Kind != k.Kind {
			wrong = fmt.Sprintf("says that `%s` is %s, and the table that it is %s", k.Name, k.Kind, in.Table.Keys()[i].Kind)
		}
	}
	for _, y := range in.Table.Indexes {
		for _, k := range x.Keys() {
			i := slices.IndexFunc(y.Keys(), func(o model.KeyAttribute) bool { return o.Name == k.Name })
			if i >= 0 && y.Keys()[i].Kind != k.Kind {
				wrong = fmt.Sprintf("says that `%s` is %s, and `%s` that it is %s", k.Name, k.Kind, y.Name.Text, y.Keys()[i].Kind)
			}
		}
	}
	if wrong != "" {
		in.Faultf(x.At, "the index `%s` %s; it is left out", x.Name.Text, wrong)
	}
	return wrong == ""
}

// legalNames takes out of items and entities what cannot be an attribute's name,
// and keys that stand twice.
func (in *inference) legalNames() {
	bad := func(name string) bool { return name == "" || len(name) > maxName }
	for _, item := range in.allItems() {
		for _, name := range sortedNames(item.Values) {
			if bad(name) {
				in.Faultf(item.At, "the item has an attribute whose name is empty or longer than %d bytes; it is left out", maxName)
				delete(item.Values, name)
			}
		}
	}
	for _, e := range in.Entities {
		seen := map[string]bool{in.Table.EntityType: in.Table.EntityType != ""}
		e.Attributes = slices.DeleteFunc(e.Attributes, func(a *draft.Attribute) bool {
			twice := bad(a.Name) || seen[a.Name]
			seen[a.Name] = true
			return twice
		})
		keys := map[string]bool{}
		e.Keys = slices.DeleteFunc(e.Keys, func(k *draft.Key) bool {
			twice := keys[k.Attribute]
			if keys[k.Attribute] = true; twice {
				in.Faultf(k.At, "%s makes the key `%s` twice; the later one is left out", e.Name, k.Attribute)
			}
			return twice
		})
	}
}

// legalEntity takes out of an entity what cannot be said of its attributes as
// they turned out to be.
func (in *inference) legalEntity(e *draft.Entity) {
	for _, k := range e.Keys {
		k.Parts = in.legalParts(e, k)
	}
	in.wholeIndexKeys(e)
	in.padded(e)
	for _, a := range e.Attributes {
		if a.Default != "" && !takes(a, a.Default) {
			in.Faultf(a.At, "the default `%s` of `%s` is none of its values; it is left out", a.Default, a.Name)
			a.Default = ""
		}
		if a.OnWrite != "" && !a.Type.IsTime() {
			a.OnWrite = ""
		}
	}
	e.Unique = slices.DeleteFunc(e.Unique, func(of []string) bool {
		return !every(of, func(name string) bool {
			a := e.Attribute(name)
			return a != nil && a.Type.Kind().IsKey()
		})
	})
}

// legalParts is a key's template where functions fit the attributes; nil, which
// makes the key attribute one of the entity's own, where an attribute has no text.
func (in *inference) legalParts(e *draft.Entity, k *draft.Key) []draft.Part {
	parts := slices.Clone(k.Parts)
	for i, p := range parts {
		if i > 0 && p.Literal == "" && strings.HasSuffix(parts[i-1].Literal, "$") {
			in.Faultf(k.At, "the template of `%s` has a `$` before an attribute, which the language takes for a slip; the key is an attribute of its own", k.Attribute)
			return nil
		}
		top, _, inside := strings.Cut(p.Attribute, ".")
		a := e.Attribute(p.Attribute)
		if a == nil {
			a = e.Attribute(top)
		}
		if p.Attribute == "" || a == nil || inside && a.Name == top {
			continue
		}
		kind := a.Type.Kind()
		if kind == value.Binary && len(parts) > 1 || kind != value.None && !kind.IsKey() {
			in.Faultf(k.At, "`%s` of %s is in the template of `%s` and has no text; the key is an attribute of its own", a.Name, e.Name, k.Attribute)
			return nil
		}
		if len(p.Funcs) > 0 && !applies(p.Funcs[0], a.Type) {
			in.Faultf(k.At, "`%s` cannot be applied to `%s` of %s, which is %s; it is left out", p.Funcs[0], a.Name, e.Name, a.Type)
			parts[i].Funcs = nil
		}
	}
	return parts
}

// padded bounds whole numbers that a template pads or inverts: they have no more
// digits than it has room for.
func (in *inference) padded(e *draft.Entity) {
	for _, k := range e.Keys {
		for _, p := range k.Parts {
			a := e.Attribute(p.Attribute)
			if a == nil || a.Max != "" || len(p.Funcs) != 1 || a.Type != model.TypeInteger {
				continue
			}
			if f := p.Funcs[0]; f.Name == expr.Pad || f.Name == expr.Invert {
				a.Min, a.Max = "0", strings.Repeat("9", f.N)
				a.Guess = strings.TrimPrefix(a.Guess+", from "+f.String(), ", ")
			}
		}
	}
}

// applies tells whether a function takes values of a type.
func applies(f expr.Func, t model.Type) bool {
	switch f.Name {
	case expr.Lower, expr.Upper, expr.Prefix:
		return t.Kind() == value.String || t.Kind() == value.None
	case expr.Pad, expr.Invert:
		return t.Kind() == value.Number || t.Kind() == value.None
	}
	return !f.Name.IsPeriod() || t.HasTime() || t.Kind() == value.None
}

// wholeIndexKeys takes away the keys of indexes that an entity makes only in part:
// no item of it would be in such an index.
func (in *inference) wholeIndexKeys(e *draft.Entity) {
	in.keepKeys(e, func(k *draft.Key) bool {
		return slices.ContainsFunc(in.Table.Indexes, func(x *model.Index) bool {
			keys := x.Keys()
			return slices.ContainsFunc(keys, func(o model.KeyAttribute) bool { return o.Name == k.Attribute }) &&
				every(keys, func(o model.KeyAttribute) bool { return in.makes(e, o.Name) })
		})
	})
}

// keepKeys drops the keys of indexes that are templates and not to be kept.
func (in *inference) keepKeys(e *draft.Entity, keep func(*draft.Key) bool) {
	e.Keys = slices.DeleteFunc(e.Keys, func(k *draft.Key) bool {
		if k.Parts == nil || slices.Contains(in.keys, k.Attribute) || keep(k) {
			return false
		}
		in.Faultf(k.At, "%s makes `%s` and not the other keys of its index; it is left out", e.Name, k.Attribute)
		return true
	})
}

// takes tells whether a default, as written, is in the attribute's domain.
func takes(a *draft.Attribute, text string) bool {
	if text == "$now" {
		return a.Type.IsTime()
	}
	switch a.Type.Kind() {
	case value.String:
		return holds(a, value.OfString(strings.Trim(text, `"'`)))
	case value.Number:
		v, err := value.OfNumber(text)
		return err == nil && holds(a, v)
	case value.Bool:
		return text == "true" || text == "false"
	}
	return false
}
