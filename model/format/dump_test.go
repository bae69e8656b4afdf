package format_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source"
)

// dumper writes values in full, each pointer once, without places and files.
type dumper struct {
	out  strings.Builder
	seen map[uintptr]int
}

func (d *dumper) dump(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		d.pointer(v, depth)
	case reflect.Interface:
		if v.IsNil() {
			d.out.WriteString("nil\n")
			return
		}
		d.out.WriteString(v.Elem().Type().String() + " ")
		d.dump(v.Elem(), depth)
	case reflect.Struct:
		d.fields(v, depth)
	case reflect.Slice, reflect.Array:
		d.out.WriteString("[\n")
		for _, member := range members(v) {
			d.indent(depth + 1)
			d.dump(member, depth+1)
		}
		d.indent(depth)
		d.out.WriteString("]\n")
	case reflect.Map:
		d.entries(v, depth)
	case reflect.Func:
		fmt.Fprintf(&d.out, "func nil=%v\n", v.IsNil())
	default:
		fmt.Fprintf(&d.out, "%v\n", v)
	}
}

func (d *dumper) pointer(v reflect.Value, depth int) {
	switch {
	case v.IsNil():
		d.out.WriteString("nil\n")
	case v.Type() == reflect.TypeFor[*source.File]():
		d.out.WriteString("file\n")
	case d.seen[v.Pointer()] > 0:
		fmt.Fprintf(&d.out, "@%d\n", d.seen[v.Pointer()])
	default:
		d.seen[v.Pointer()] = len(d.seen) + 1
		fmt.Fprintf(&d.out, "#%d ", len(d.seen))
		d.dump(v.Elem(), depth)
	}
}

func (d *dumper) fields(v reflect.Value, depth int) {
	if v.Type() == reflect.TypeFor[source.Span]() {
		d.out.WriteString("place\n")
		return
	}
	d.out.WriteString(v.Type().Name() + "\n")
	for i := range v.NumField() {
		d.indent(depth + 1)
		d.out.WriteString(v.Type().Field(i).Name + ": ")
		d.dump(v.Field(i), depth+1)
	}
}

func (d *dumper) entries(v reflect.Value, depth int) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	d.out.WriteString("map\n")
	for _, key := range keys {
		d.indent(depth + 1)
		fmt.Fprintf(&d.out, "%v: ", key)
		d.dump(v.MapIndex(key), depth+1)
	}
}

// members are those of a list. Parameters have no order but that of their places,
// which follow the keys they stand under.
func members(v reflect.Value) []reflect.Value {
	var out []reflect.Value
	for i := range v.Len() {
		out = append(out, v.Index(i))
	}
	if v.Type() == reflect.TypeFor[[]*model.Parameter]() {
		slices.SortFunc(out, func(a, b reflect.Value) int {
			return strings.Compare(fmt.Sprint(a.Elem().FieldByName("Name")), fmt.Sprint(b.Elem().FieldByName("Name")))
		})
	}
	return out
}

func (d *dumper) indent(depth int) { d.out.WriteString(strings.Repeat(" ", depth)) }
