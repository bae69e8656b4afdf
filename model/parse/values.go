package parse

import (
	"encoding/base64"
	"errors"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// valueOf reads a value of an attribute by its declared type, never by YAML's
// guess, and reports one outside the attribute's domain.
func (b *builder) valueOf(a *model.Attribute, n *yamltree.Node) (value.Value, bool) {
	var v value.Value
	ok := b.whole(func() {
		v = b.rawValue(a, n)
	})
	if !ok {
		return value.Value{}, false
	}
	if err := a.Check(v); err != nil {
		b.errorf(head(n), "`%s`%s %v", clip(n.At.Text()), of(a), err)
		return value.Value{}, false
	}
	return v, true
}

// of names the attribute a value is of, for messages.
func of(a *model.Attribute) string {
	if a.Name.Text == "" {
		return ""
	}
	return " of `" + a.Name.Text + "`"
}

func (b *builder) rawValue(a *model.Attribute, n *yamltree.Node) value.Value {
	switch kind := a.Type.Kind(); kind {
	case value.None:
		return b.guess(n)
	case value.List:
		return value.OfList(b.memberValues(a, n, nil)...)
	case value.StringSet, value.NumberSet, value.BinarySet:
		return b.set(a, n, kind)
	case value.Map:
		return b.mapValue(a, n)
	default:
		text, ok := b.text(n)
		if !ok {
			return value.Value{}
		}
		return b.scalar(a, n, kind, text)
	}
}

func (b *builder) scalar(a *model.Attribute, n *yamltree.Node, kind value.Kind, text string) value.Value {
	switch kind {
	case value.Number:
		v, err := number(text)
		if err != nil {
			b.errorf(n.At, "`%s`%s is %v", clip(text), of(a), err)
		}
		return v
	case value.Bool:
		return value.OfBool(b.boolean(n))
	case value.Binary:
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			b.errorf(n.At, "`%s`%s is not base64, in which binary values are written", clip(text), of(a))
		}
		return value.OfBinary(string(raw))
	}
	return value.OfString(text)
}

// maxDigits is more than a number of DynamoDB can have in any sensible spelling;
// beyond it no time is spent on one.
const maxDigits = 300

var errNoNumber = errors.New("not a number")

// number reads a number in any spelling that DynamoDB accepts, or one with a
// unit such as 10k.
func number(text string) (value.Value, error) {
	if strings.Trim(text, "0123456789.eE+-kMB") != "" {
		return value.Value{}, errNoNumber
	}
	if len(text) > maxDigits {
		return value.Value{}, value.ErrNumber
	}
	if f, ok := scaled(text, counts()); ok && strings.ContainsAny(text, "kMB") {
		text = strconv.FormatFloat(f, 'f', -1, 64)
	}
	return value.OfNumber(text)
}

// memberValues reads the members of a list or set; member is their type when
// none is declared, nil for any.
func (b *builder) memberValues(a *model.Attribute, n *yamltree.Node, member *model.Attribute) []value.Value {
	if a.Domain.Items != nil {
		member = a.Domain.Items
	}
	var out []value.Value
	for _, item := range b.items(n, "`"+a.Name.Text+"` is a list here") {
		if member == nil {
			out = append(out, b.guess(item))
		} else if v, ok := b.valueOf(member, item); ok {
			out = append(out, v)
		}
	}
	return out
}

func (b *builder) set(a *model.Attribute, n *yamltree.Node, kind value.Kind) value.Value {
	member := &model.Attribute{Type: setMember(kind)}
	members := b.memberValues(a, n, member)
	if len(members) == 0 && n.Kind == yamltree.Sequence && len(n.Items) == 0 {
		b.errorf(n.At, "DynamoDB has no empty sets; leave the attribute out")
	}
	for _, m := range members {
		if m.Kind() != member.Type.Kind() {
			b.errorf(n.At, "the members of a %s are %ss", a.Type, member.Type)
			return value.Value{}
		}
	}
	return value.OfSet(kind, members...)
}

// setMember is the type of a set's members.
func setMember(kind value.Kind) model.Type {
	switch kind {
	case value.NumberSet:
		return model.TypeNumber
	case value.BinarySet:
		return model.TypeBinary
	}
	return model.TypeString
}

func (b *builder) mapValue(a *model.Attribute, n *yamltree.Node) value.Value {
	var fields []value.Field
	for _, e := range b.entries(n, "`"+a.Name.Text+"` is a map here") {
		var v value.Value
		if a.Domain.Items != nil {
			v, _ = b.valueOf(a.Domain.Items, e.Value)
		} else if len(a.Domain.Attributes) == 0 {
			v = b.guess(e.Value)
		} else if member := b.mapMember(a, e.Key); member != nil {
			v, _ = b.valueOf(member, e.Value)
		}
		fields = append(fields, value.Field{Name: e.Key.Text, Value: v})
	}
	return value.OfMap(fields...)
}

func (b *builder) mapMember(a *model.Attribute, key *yamltree.Node) *model.Attribute {
	var names []string
	for _, m := range a.Domain.Attributes {
		if m.Name.Text == key.Text {
			return m
		}
		names = append(names, m.Name.Text)
	}
	b.unknownf(key.At, "the map `%s` has no attribute `%s`%s", a.Name.Text, clip(key.Text), b.meant(key.Text, names, "; its attributes are "))
	return nil
}

// guess reads a value without a declared type: what is quoted is text, plain
// true, false, null and numbers are what they look like.
func (b *builder) guess(n *yamltree.Node) value.Value {
	switch n.Kind {
	case yamltree.Broken:
		b.broken()
	case yamltree.Sequence:
		items := make([]value.Value, 0, len(n.Items))
		for _, item := range n.Items {
			items = append(items, b.guess(item))
		}
		return value.OfList(items...)
	case yamltree.Mapping:
		fields := make([]value.Field, 0, len(n.Entries))
		for _, e := range n.Entries {
			fields = append(fields, value.Field{Name: e.Key.Text, Value: b.guess(e.Value)})
		}
		return value.OfMap(fields...)
	case yamltree.Null:
		return value.OfNull()
	default:
		return guessScalar(n)
	}
	return value.Value{}
}

func guessScalar(n *yamltree.Node) value.Value {
	if n.Style != yamltree.Plain {
		return value.OfString(n.Text)
	}
	switch n.Text {
	case "true", "false":
		return value.OfBool(n.Text == "true")
	case "null", "~":
		return value.OfNull()
	}
	if len(n.Text) <= maxDigits {
		if v, err := value.OfNumber(n.Text); err == nil {
			return v
		}
	}
	return value.OfString(n.Text)
}
