package main

import (
	"fmt"
	"reflect"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/sdk"
	"github.com/dynmodel/dynmodel/model/value"
)

var (
	timeType  = reflect.TypeFor[time.Time]()
	valueType = reflect.TypeFor[types.AttributeValue]()
)

// set gives a Go value what a value of the model is; the attribute tells how
// numbers are times.
func (d *driver) set(to reflect.Value, v value.Value, a *model.Attribute) error {
	switch {
	case !v.Exists():
		return nil
	case to.Type() == timeType:
		at, err := timeOf(v, a)
		to.Set(reflect.ValueOf(at))
		return err
	case to.Type() == valueType:
		to.Set(reflect.ValueOf(sdk.Value(v)))
		return nil
	}
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		return d.set(to.Elem(), v, a)
	case reflect.String:
		to.SetString(v.Text())
	case reflect.Bool:
		to.SetBool(v.Truth())
	case reflect.Int64:
		n, ok := v.Int()
		if !ok {
			return fmt.Errorf("%s is no int64", v)
		}
		to.SetInt(n)
	case reflect.Slice:
		return d.setList(to, v, a)
	case reflect.Map:
		return d.setMap(to, v, a)
	case reflect.Struct:
		for _, f := range v.Fields() {
			member := encodeMember(a, f.Name)
			if err := d.setField(to, f.Name, f.Value, member); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("no way to set a %s", to.Type())
	}
	return nil
}

func (d *driver) setField(to reflect.Value, name string, v value.Value, a *model.Attribute) error {
	field, ok := d.structs[to.Type().Name()][name]
	if !ok {
		return fmt.Errorf("%s has no field for %s", to.Type(), name)
	}
	return d.set(to.FieldByName(field), v, a)
}

func encodeMember(a *model.Attribute, name string) *model.Attribute {
	if a == nil {
		return nil
	}
	for _, m := range a.Domain.Attributes {
		if m.Name.Text == name {
			return m
		}
	}
	return a.Domain.Items
}

func (d *driver) setList(to reflect.Value, v value.Value, a *model.Attribute) error {
	if v.Kind() == value.Binary {
		to.SetBytes([]byte(v.Text()))
		return nil
	}
	if a != nil && a.Domain.Items != nil && (a.Type == model.TypeList || a.Type.Kind() == v.Kind()) {
		a = a.Domain.Items
	}
	out := reflect.MakeSlice(to.Type(), len(v.Items()), len(v.Items()))
	for i, m := range v.Items() {
		if err := d.set(out.Index(i), m, a); err != nil {
			return err
		}
	}
	to.Set(out)
	return nil
}

func (d *driver) setMap(to reflect.Value, v value.Value, a *model.Attribute) error {
	out := reflect.MakeMap(to.Type())
	for _, f := range v.Fields() {
		member := reflect.New(to.Type().Elem()).Elem()
		if err := d.set(member, f.Value, encodeMember(a, f.Name)); err != nil {
			return err
		}
		out.SetMapIndex(reflect.ValueOf(f.Name), member)
	}
	to.Set(out)
	return nil
}

func timeOf(v value.Value, a *model.Attribute) (time.Time, error) {
	if n, ok := v.Int(); ok {
		if a != nil && a.Type == model.TypeEpochMS {
			return time.UnixMilli(n).UTC(), nil
		}
		return time.Unix(n, 0).UTC(), nil
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02", "2006-01"} {
		if at, err := time.Parse(layout, v.Text()); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%s is no time", v)
}

// get is a field of a row as a value of the model.
func get(from reflect.Value, a *model.Attribute) value.Value {
	switch {
	case from.Kind() == reflect.Pointer && from.IsNil():
		return value.Value{}
	case from.Kind() == reflect.Pointer:
		return get(from.Elem(), a)
	case from.Type() == timeType:
		v, _ := encode.OfTime(a, from.Interface().(time.Time))
		return v
	case from.Type() == valueType:
		if from.IsNil() {
			return value.Value{}
		}
		return fromSDK(from.Interface().(types.AttributeValue))
	}
	switch from.Kind() {
	case reflect.String:
		if a.Type.Kind() == value.Number {
			v, _ := value.OfNumber(from.String())
			return v
		}
		return value.OfString(from.String())
	case reflect.Int64:
		return value.OfInt(from.Int())
	case reflect.Bool:
		return value.OfBool(from.Bool())
	case reflect.Slice:
		return getList(from, a)
	case reflect.Map:
		if from.IsNil() {
			return value.Value{}
		}
		var fields []value.Field
		for _, k := range from.MapKeys() {
			fields = append(fields, value.Field{Name: k.String(), Value: get(from.MapIndex(k), a.Domain.Items)})
		}
		return value.OfMap(fields...)
	}
	return value.Value{}
}

func getList(from reflect.Value, a *model.Attribute) value.Value {
	if from.IsNil() {
		return value.Value{}
	}
	if a.Type == model.TypeBinary {
		return value.OfBinary(string(from.Bytes()))
	}
	item := a.Domain.Items
	if item == nil {
		item = &model.Attribute{Type: model.TypeString}
		if a.Type == model.TypeNumberSet {
			item.Type = model.TypeNumber
		}
	}
	var members []value.Value
	for i := range from.Len() {
		members = append(members, get(from.Index(i), item))
	}
	if a.Type == model.TypeList {
		return value.OfList(members...)
	}
	return value.OfSet(a.Type.Kind(), members...)
}

// fromSDK is a value as the model has it.
func fromSDK(v types.AttributeValue) value.Value {
	texts := func(kind value.Kind, list []string, of func(string) value.Value) value.Value {
		var members []value.Value
		for _, s := range list {
			members = append(members, of(s))
		}
		return value.OfSet(kind, members...)
	}
	number := func(s string) value.Value { n, _ := value.OfNumber(s); return n }
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return value.OfString(v.Value)
	case *types.AttributeValueMemberN:
		return number(v.Value)
	case *types.AttributeValueMemberB:
		return value.OfBinary(string(v.Value))
	case *types.AttributeValueMemberBOOL:
		return value.OfBool(v.Value)
	case *types.AttributeValueMemberNULL:
		return value.OfNull()
	case *types.AttributeValueMemberSS:
		return texts(value.StringSet, v.Value, value.OfString)
	case *types.AttributeValueMemberNS:
		return texts(value.NumberSet, v.Value, number)
	case *types.AttributeValueMemberBS:
		var members []value.Value
		for _, b := range v.Value {
			members = append(members, value.OfBinary(string(b)))
		}
		return value.OfSet(value.BinarySet, members...)
	case *types.AttributeValueMemberL:
		var items []value.Value
		for _, m := range v.Value {
			items = append(items, fromSDK(m))
		}
		return value.OfList(items...)
	case *types.AttributeValueMemberM:
		var fields []value.Field
		for name, m := range v.Value {
			fields = append(fields, value.Field{Name: name, Value: fromSDK(m)})
		}
		return value.OfMap(fields...)
	}
	return value.Value{}
}

// itemFromSDK is an item as it is stored.
func itemFromSDK(item map[string]types.AttributeValue) map[string]value.Value {
	out := make(map[string]value.Value, len(item))
	for name, v := range item {
		out[name] = fromSDK(v)
	}
	return out
}
