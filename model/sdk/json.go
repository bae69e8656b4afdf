package sdk

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// JSON is a request of the SDK as the API and the AWS CLI's --cli-input-json
// take it, without what is not set. Attribute values are not written: requests
// that manage tables have none.
func JSON(input any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(set(reflect.ValueOf(input))); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// field is a member of an object, in the order of the SDK's structure.
type field struct {
	name  string
	value any
}

// object is written with its members in their order.
type object []field

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := json.Marshal(f.name)
		if err != nil {
			return nil, err
		}
		v, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(v)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// set is what is set of a value: nil when nothing is. A pointer that is set
// counts, whatever it points to; an enumeration, a list and a map do when they
// are not empty.
func set(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		if v.Elem().Kind() == reflect.Struct || v.Kind() == reflect.Interface {
			return set(v.Elem())
		}
		return v.Elem().Interface()
	case reflect.Struct:
		return members(v)
	case reflect.Slice:
		if v.Len() == 0 {
			return nil
		}
		items := make([]any, v.Len())
		for i := range items {
			items[i] = set(v.Index(i))
		}
		return items
	case reflect.String:
		if v.Len() == 0 {
			return nil
		}
	case reflect.Map:
		if v.Len() == 0 {
			return nil
		}
	}
	return v.Interface()
}

func members(v reflect.Value) object {
	out := object{}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		if m := set(v.Field(i)); m != nil {
			out = append(out, field{f.Name, m})
		}
	}
	return out
}
