package wire

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

// ReadControl reads the request of a control operation into a struct of
// package api. Its fields are the request's members; others are ignored, and
// null is as good as absent.
func ReadControl[In any](body []byte) (*In, error) {
	r := controlReader{attr.NewScanner(body)}
	in := new(In)
	r.structure(reflect.ValueOf(in).Elem(), attr.StructureOf("Request"))
	if err := r.End(); err != nil {
		return nil, asError(err)
	}
	return in, nil
}

// A controlReader fills in structs.
type controlReader struct{ *attr.Scanner }

var (
	typeOfTime = reflect.TypeFor[api.Time]()
	typeOfText = reflect.TypeFor[json.RawMessage]() // what nobody here looks into
)

// read reads the value of a member that is not null.
func (r controlReader) read(v reflect.Value, member string) {
	switch v.Type() {
	case typeOfTime:
		v.Set(reflect.ValueOf(api.Time(time.UnixMilli(int64(math.Round(r.Date() * 1000))))))
		return
	case typeOfText:
		v.SetBytes(slices.Clone(r.Raw()))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.read(v.Elem(), member)
	case reflect.Struct:
		r.structure(v, attr.StructureOf(v.Type().Name()))
	case reflect.Slice:
		r.list(v)
	case reflect.Map:
		r.texts(v)
	case reflect.String:
		v.SetString(r.String())
	case reflect.Bool:
		v.SetBool(r.Bool())
	case reflect.Float64:
		v.SetFloat(r.Float())
	default:
		v.SetInt(r.integer(member))
	}
}

// integer reads a member of Java's type int, of which there are few, or long.
func (r controlReader) integer(member string) int64 {
	switch member {
	case "Limit", "MaxResults", "RecoveryPeriodInDays", "Dimensions":
		return r.Int()
	}
	return r.Long()
}

func (r controlReader) structure(v reflect.Value, want attr.Shape) {
	for r.Object(want); r.NextField(); {
		name := string(r.Field())
		field := member(v, name)
		switch {
		case r.Null():
		case field.IsValid():
			r.read(field, name)
		default:
			r.Skip()
		}
	}
}

// member returns the field of a struct that has the name of a member. Embedded
// structs lend their fields, and are no members themselves.
func member(v reflect.Value, name string) reflect.Value {
	field, ok := v.Type().FieldByName(name)
	if !ok || field.Anonymous || !field.IsExported() {
		return reflect.Value{}
	}
	return v.FieldByIndex(field.Index)
}

// texts reads a map of strings.
func (r controlReader) texts(v reflect.Value) {
	all := make(map[string]string)
	for r.Object(attr.MapOf("String")); r.NextField(); {
		name := string(r.Field())
		all[name] = r.String()
	}
	v.Set(reflect.ValueOf(all))
}

func (r controlReader) list(v reflect.Value) {
	all := reflect.MakeSlice(v.Type(), 0, 0)
	of := v.Type().Elem()
	for r.Array(attr.ListOf(of.Name())); r.NextElement(); {
		element := reflect.New(of).Elem()
		switch {
		case r.Null():
		case of.Kind() == reflect.Struct:
			r.structure(element, attr.StructureOf(of.Name()).Part())
		default:
			r.read(element, "")
		}
		all = reflect.Append(all, element)
	}
	v.Set(all)
}

// AppendControl appends the answer of a control operation.
func AppendControl(dst []byte, out any) ([]byte, error) {
	text, err := json.Marshal(out)
	return append(dst, text...), err
}
