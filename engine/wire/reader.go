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
	refused Refusals
}

// Read reads a whole request body with one of this package's Read functions.
//
// A request that is not the expected JSON gives an error at once. Attribute
// values that the service refuses are returned beside the request, since the
// service looks at other members first.
func Read[In any](r *Reader, body []byte, read func(*Reader) *In) (in *In, refused Refusals, err error) {
	r.Reset(body)
	r.refused = nil
	in = read(r)
	if err := r.End(); err != nil {
		return nil, nil, asError(err)
	}
	return in, r.refused, nil
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
	var unreadable *attr.SerializationError
	if errors.As(err, &unreadable) && unreadable.Syntax {
		return api.Errorf(api.Serialization, "")
	}
	return api.Errorf(api.Serialization, "%s", err.Error())
}

// fields calls read for every field of an object that is not null; null is as
// good as absent. The name is valid until the value is read.
func (r *Reader) fields(want attr.Shape, read func(name []byte)) {
	for r.Object(want); r.NextField(); {
		if !r.Null() {
			read(r.Field())
		}
	}
}

// request reads the fields of a whole request. A name that has no escapes, as
// those of members, is part of the text and stays.
func (r *Reader) request(read func(name []byte)) {
	r.fields(attr.StructureOf("Request"), func(name []byte) {
		read(name)
		if err := r.TakeInvalid(); err != nil {
			r.refused = append(r.refused, refusal{string(name), asError(err)})
		}
	})
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

// choice reads a value of an enumeration.
func (r *Reader) choice() string {
	if s := r.String(); s != "" {
		return s
	}
	return api.Blank
}

// list reads an array of parts of a shape; it is not nil even if empty.
func list[T any](r *Reader, of string, read func() T) []T {
	all := []T{}
	for r.Array(attr.ListOf(of)); r.NextElement(); {
		all = append(all, part(r, read))
	}
	return all
}

// dictionary reads an object as a map; it is not nil even if empty.
func dictionary[T any](r *Reader, want attr.Shape, read func() T) map[string]T {
	all := make(map[string]T)
	for r.Object(want); r.NextField(); {
		name := string(r.Field())
		all[name] = part(r, read)
	}
	return all
}

// part reads an element of a list or an entry of a map, where null is a part
// without members.
func part[T any](r *Reader, read func() T) (t T) {
	if r.Null() {
		return t
	}
	return read()
}

func (r *Reader) texts() []string { return list(r, "String", r.String) }

func (r *Reader) names() map[string]string { return dictionary(r, attr.MapOf("String"), r.String) }

// valueList reads an array of attribute values, of which none may be null.
func (r *Reader) valueList() []attr.Value {
	all := []attr.Value{}
	for r.Array(attr.ListOf("AttributeValue")); r.NextElement(); {
		all = append(all, r.ValuePart())
	}
	return all
}

// values reads the values of expressions; a refusal says which one is meant.
func (r *Reader) values() *attr.Item {
	var entries []attr.Entry
	refusal := r.TakeInvalid()
	for r.Object(attr.MapOf("AttributeValue")); r.NextField(); {
		entry := attr.Entry{Name: string(r.Field()), Value: r.ValuePart()}
		if err := r.TakeInvalid(); err != nil {
			entry.Value = attr.Null()
			if refusal == nil {
				refusal = attr.Invalidf("ExpressionAttributeValues contains invalid value: %s for key %s", err, entry.Name)
			}
		}
		entries = append(entries, entry)
	}
	r.Refuse(refusal)
	all := attr.NewItem(entries...)
	return &all
}
