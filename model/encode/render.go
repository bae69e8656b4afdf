package encode

import (
	"strconv"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// Render makes the value of a template from an item that is normalised: an
// attribute's own value where the template is just that, else a string. Draw
// draws the shards of {random(n)}. The error is an *Error whose Entity and Key
// are not set; its Fault is Missing when an attribute is not there.
func Render(t model.Template, item model.Item, draw func(n int) int) (value.Value, error) {
	v, err := render(t, item, draw)
	if err != nil {
		return value.Value{}, err
	}
	return v, nil
}

func render(t model.Template, item model.Item, draw func(n int) int) (value.Value, *Error) {
	if whole := t.Whole(); whole != nil {
		v := Lookup(item, whole.Path)
		if !v.Exists() {
			return v, &Error{Fault: Missing, Attribute: whole.Path.String()}
		}
		return v, nil
	}
	b := make([]byte, 0, usualKey)
	for _, p := range t.Parts {
		text, err := renderPart(p, item, draw)
		if err != nil {
			return value.Value{}, err
		}
		b = append(b, text...)
	}
	return value.OfString(string(b)), nil
}

// usualKey is the room, in bytes, that most keys do with.
const usualKey = 128

func renderPart(p model.Part, item model.Item, draw func(n int) int) (string, *Error) {
	switch {
	case p.Random > 0:
		return strconv.Itoa(draw(p.Random)), nil
	case p.Attribute == nil:
		return p.Literal, nil
	}
	v := Lookup(item, p.Path)
	if !v.Exists() {
		return "", &Error{Fault: Missing, Attribute: p.Path.String()}
	}
	v, err := apply(p.Funcs, v, TypeOf(p))
	if err == nil {
		var text string
		if text, err = textOf(v); err == nil {
			return text, nil
		}
	}
	err.Attribute = p.Path.String()
	return "", err
}

// TypeOf is the type of a part's attribute before its functions; any when what
// it leads to is not declared.
func TypeOf(p model.Part) model.Type {
	if a := p.Attribute.Member(p.Path.Rest); a != nil {
		return a.Type
	}
	return model.TypeAny
}

// Text is a value as it stands in a string that a template makes: a string
// itself, a number in plain decimal, a boolean as true or false. The error is
// an *Error: other values have no text.
func Text(v value.Value) (string, error) {
	text, err := textOf(v)
	if err != nil {
		return "", err
	}
	return text, nil
}

func textOf(v value.Value) (string, *Error) {
	switch v.Kind() {
	case value.String, value.Number:
		return v.Text(), nil
	case value.Bool:
		return strconv.FormatBool(v.Truth()), nil
	}
	return "", &Error{Fault: NoText, Value: v}
}
