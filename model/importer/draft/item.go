package draft

import (
	"encoding/base64"

	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/model/value"
)

// ReadItem reads an item in DynamoDB's JSON: attributes by name, each with its
// type. Attributes that cannot be read are faults and left out; NULL, which the
// language takes for an absent attribute, is left out silently.
func (n *Notes) ReadItem(node *yamltree.Node) *Item {
	item := &Item{At: node.At, Values: map[string]value.Value{}}
	for _, e := range node.Entries {
		v, ok := n.ReadValue(e.Key.Text, e.Value)
		if ok && v.Kind() != value.Null {
			item.Values[e.Key.Text] = v
		}
	}
	return item
}

// ReadValue reads an attribute value in DynamoDB's JSON; name is for messages.
func (n *Notes) ReadValue(name string, node *yamltree.Node) (value.Value, bool) {
	if node.Kind != yamltree.Mapping || len(node.Entries) != 1 || !isDescriptor(node.Entries[0].Key.Text) {
		n.Faultf(node.At, "the value of `%s` has no type such as {\"S\": …}; it is read as plain JSON", Clip(name))
		return n.PlainValue(name, node)
	}
	e := node.Entries[0]
	bad := func(want string) (value.Value, bool) {
		n.Faultf(e.Value.At, "the value of `%s` is %s, but its type `%s` is %s; it is left out", Clip(name), e.Value.Describe(), e.Key.Text, want)
		return value.Value{}, false
	}
	switch e.Key.Text {
	case "S":
		if e.Value.Kind != yamltree.Scalar {
			return bad("text")
		}
		return value.OfString(e.Value.Text), true
	case "N":
		v, err := value.OfNumber(e.Value.Text)
		if e.Value.Kind != yamltree.Scalar || err != nil {
			return bad("a number")
		}
		return v, true
	case "B":
		raw, err := base64.StdEncoding.DecodeString(e.Value.Text)
		if e.Value.Kind != yamltree.Scalar || err != nil {
			return bad("base64")
		}
		return value.OfBinary(string(raw)), true
	case "BOOL":
		if e.Value.Text != "true" && e.Value.Text != "false" {
			return bad("true or false")
		}
		return value.OfBool(e.Value.Text == "true"), true
	case "NULL":
		return value.OfNull(), true
	case "M":
		if e.Value.Kind != yamltree.Mapping {
			return bad("an object")
		}
		return n.members(e.Value), true
	case "L":
		if e.Value.Kind != yamltree.Sequence {
			return bad("a list")
		}
		return n.listValue(name, e.Value), true
	}
	return n.set(name, e)
}

func isDescriptor(s string) bool {
	switch s {
	case "S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS":
		return true
	}
	return false
}

func (n *Notes) members(node *yamltree.Node) value.Value {
	var fields []value.Field
	for _, e := range node.Entries {
		if v, ok := n.ReadValue(e.Key.Text, e.Value); ok {
			fields = append(fields, value.Field{Name: e.Key.Text, Value: v})
		}
	}
	return value.OfMap(fields...)
}

func (n *Notes) listValue(name string, node *yamltree.Node) value.Value {
	items := make([]value.Value, 0, len(node.Items))
	for _, item := range node.Items {
		if v, ok := n.ReadValue(name, item); ok {
			items = append(items, v)
		}
	}
	return value.OfList(items...)
}

func (n *Notes) set(name string, e *yamltree.Entry) (value.Value, bool) {
	kind := map[string]value.Kind{"SS": value.StringSet, "NS": value.NumberSet, "BS": value.BinarySet}[e.Key.Text]
	var members []value.Value
	for _, item := range e.Value.Items {
		m, err := value.OfString(item.Text), error(nil)
		switch kind {
		case value.NumberSet:
			m, err = value.OfNumber(item.Text)
		case value.BinarySet:
			var raw []byte
			raw, err = base64.StdEncoding.DecodeString(item.Text)
			m = value.OfBinary(string(raw))
		}
		if item.Kind != yamltree.Scalar || err != nil {
			n.Faultf(item.At, "a member of the set `%s` is not of its type `%s`; it is left out", Clip(name), e.Key.Text)
			continue
		}
		members = append(members, m)
	}
	if len(members) == 0 {
		n.Faultf(e.Value.At, "the set `%s` is empty, and DynamoDB has no empty sets; it is left out", Clip(name))
		return value.Value{}, false
	}
	return value.OfSet(kind, members...), true
}

// PlainValue reads a value in plain JSON: text, numbers, true and false, null,
// lists and objects are what they look like. Members that have a type of
// DynamoDB are read by it.
func (n *Notes) PlainValue(name string, node *yamltree.Node) (value.Value, bool) {
	switch node.Kind {
	case yamltree.Null:
		return value.OfNull(), true
	case yamltree.Sequence:
		items := make([]value.Value, 0, len(node.Items))
		for _, item := range node.Items {
			if v, ok := n.PlainValue(name, item); ok {
				items = append(items, v)
			}
		}
		return value.OfList(items...), true
	case yamltree.Mapping:
		return n.plainMap(node), true
	}
	switch {
	case node.Style != yamltree.Plain:
		return value.OfString(node.Text), true
	case node.Text == "true" || node.Text == "false":
		return value.OfBool(node.Text == "true"), true
	}
	v, err := value.OfNumber(node.Text)
	if err != nil {
		n.Faultf(node.At, "the value of `%s`, `%s`, is %v; it is left out", Clip(name), Clip(node.Text), err)
		return value.Value{}, false
	}
	return v, true
}

func (n *Notes) plainMap(node *yamltree.Node) value.Value {
	var fields []value.Field
	for _, e := range node.Entries {
		typed := e.Value.Kind == yamltree.Mapping && len(e.Value.Entries) == 1 && isDescriptor(e.Value.Entries[0].Key.Text)
		read := n.PlainValue
		if typed {
			read = n.ReadValue
		}
		if v, ok := read(e.Key.Text, e.Value); ok {
			fields = append(fields, value.Field{Name: e.Key.Text, Value: v})
		}
	}
	return value.OfMap(fields...)
}
