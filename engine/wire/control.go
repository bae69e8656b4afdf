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
	r.read(reflect.ValueOf(in).Elem())
	if err := r.End(); err != nil {
		return nil, asError(err)
	}
	return in, nil
}

// A controlReader fills in structs. It says what is wrong with a request as the
// service does, which has Java's types.
type controlReader struct{ *attr.Scanner }

var (
	typeOfTime = reflect.TypeFor[api.Time]()
	typeOfText = reflect.TypeFor[json.RawMessage]() // what nobody here looks into
)

// read reads a value that is not null.
func (r controlReader) read(v reflect.Value) {
	switch v.Type() {
	case typeOfTime:
		if r.scalar("java.util.Date") {
			v.Set(reflect.ValueOf(api.Time(time.UnixMilli(int64(math.Round(r.Float() * 1000))))))
		}
		return
	case typeOfText:
		v.SetBytes(slices.Clone(r.Raw()))
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		r.read(v.Elem())
	case reflect.Struct:
		if r.scalar("com.amazonaws.dynamodb.v20120810." + v.Type().Name()) {
			r.structure(v)
		}
	case reflect.Slice:
		r.list(v)
	case reflect.String:
		if r.scalar("java.lang.String") {
			v.SetString(r.String())
		}
	case reflect.Bool:
		if r.scalar("java.lang.Boolean") {
			v.SetBool(r.Bool())
		}
	case reflect.Float64:
		if r.scalar("java.lang.Double") {
			v.SetFloat(r.Float())
		}
	default:
		if r.scalar("java.lang.Long") {
			v.SetInt(r.Int())
		}
	}
}

// scalar reports whether what comes is no list, and refuses one: the service
// names the class that it would have to put it into.
func (r controlReader) scalar(class string) bool {
	if r.Kind() != attr.KindArray {
		return true
	}
	r.Fail("Unrecognized collection type class " + class)
	return false
}

func (r controlReader) structure(v reflect.Value) {
	for r.Object(); r.NextField(); {
		field := member(v, string(r.Field()))
		switch {
		case r.Null():
		case field.IsValid():
			r.read(field)
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

func (r controlReader) list(v reflect.Value) {
	all := reflect.MakeSlice(v.Type(), 0, 0)
	for r.Array(); r.NextElement(); {
		element := reflect.New(v.Type().Elem()).Elem()
		switch {
		case r.Null():
		case element.Kind() == reflect.Struct && r.Kind() != attr.KindObject && r.Kind() != attr.KindArray:
			r.Fail("Unexpected value type in payload")
		default:
			r.read(element)
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
