package wire

import (
	"errors"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
)

// A Reader reads requests. It can be used again and again, by one goroutine
// at a time.
type Reader struct {
	attr.Scanner
	refusal error // the first refusal that needed other words than the scanner's
}

// Read reads a whole request body with one of this package's Read functions.
//
// A request that is not the expected JSON gives an error at once. An attribute
// value that the service refuses is returned as invalid beside the request,
// since the service looks at other members first.
func Read[In any](r *Reader, body []byte, read func(*Reader) *In) (in *In, invalid, err error) {
	r.Reset(body)
	r.refusal = nil
	in = read(r)
	if err := r.End(); err != nil {
		return nil, nil, asError(err)
	}
	switch {
	case r.refusal != nil:
		return in, asError(r.refusal), nil
	case r.Invalid() != nil:
		return in, asError(r.Invalid()), nil
	}
	return in, nil, nil
}

func asError(err error) *api.Error {
	var invalid *attr.ValidationError
	if errors.As(err, &invalid) {
		return api.Invalid("%s", invalid.Message)
	}
	var refused *api.Error
	if errors.As(err, &refused) {
		return refused
	}
	return api.Errorf(api.Serialization, "%s", err.Error())
}

// fields calls read for every field of an object that is not null; null is as
// good as absent. The name is valid until the value is read.
func (r *Reader) fields(read func(name []byte)) {
	for r.Object(); r.NextField(); {
		if !r.Null() {
			read(r.Field())
		}
	}
}

// skip reads a value that nobody wants, as the service does.
func (r *Reader) skip() bool {
	r.Skip()
	return true
}

func (r *Reader) text() *string {
	s := r.String()
	return &s
}

func (r *Reader) int() *int64 {
	i := r.Int()
	return &i
}

func (r *Reader) bool() *bool {
	b := r.Bool()
	return &b
}

func (r *Reader) item() *attr.Item {
	it := r.Item()
	return &it
}

// list reads an array; it is not nil even if empty.
func list[T any](r *Reader, read func() T) []T {
	all := []T{}
	for r.Array(); r.NextElement(); {
		all = append(all, read())
	}
	return all
}

// dictionary reads an object as a map; it is not nil even if empty.
func dictionary[T any](r *Reader, read func() T) map[string]T {
	all := make(map[string]T)
	for r.Object(); r.NextField(); {
		name := string(r.Field())
		all[name] = read()
	}
	return all
}

func (r *Reader) names() map[string]string { return dictionary(r, r.String) }

// values reads the values of expressions; a refusal says which one is meant.
func (r *Reader) values() *attr.Item {
	var entries []attr.Entry
	for r.Object(); r.NextField(); {
		name, before := string(r.Field()), r.Invalid()
		entries = append(entries, attr.Entry{Name: name, Value: r.Value()})
		if err := r.Invalid(); before == nil && err != nil && r.refusal == nil {
			r.refusal = api.Invalid("ExpressionAttributeValues contains invalid value: %s for key %s", err, name)
		}
	}
	all := attr.NewItem(entries...)
	return &all
}
