package store

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Values as DynamoDB takes them.

func str(s string) types.AttributeValue   { return &types.AttributeValueMemberS{Value: s} }
func num(s string) types.AttributeValue   { return &types.AttributeValueMemberN{Value: s} }
func bin(b []byte) types.AttributeValue   { return &types.AttributeValueMemberB{Value: b} }
func boolean(b bool) types.AttributeValue { return &types.AttributeValueMemberBOOL{Value: b} }
func null() types.AttributeValue          { return &types.AttributeValueMemberNULL{Value: true} }

// list is a list of values, each written by a function.
func list[T any](values []T, write func(T) types.AttributeValue) types.AttributeValue {
	out := make([]types.AttributeValue, len(values))
	for i, v := range values {
		out[i] = write(v)
	}
	return &types.AttributeValueMemberL{Value: out}
}

// mapOf is a map of values, each written by a function.
func mapOf[T any](values map[string]T, write func(T) types.AttributeValue) types.AttributeValue {
	out := make(stored, len(values))
	for name, v := range values {
		out[name] = write(v)
	}
	return &types.AttributeValueMemberM{Value: out}
}

// strSet is a set of texts.
func strSet[T ~string](values []T) types.AttributeValue {
	return &types.AttributeValueMemberSS{Value: texts(values, func(v T) string { return string(v) })}
}

// numSet is a set of numbers, each written by a function.
func numSet[T any](values []T, write func(T) string) types.AttributeValue {
	return &types.AttributeValueMemberNS{Value: texts(values, write)}
}

func binSet(values [][]byte) types.AttributeValue {
	return &types.AttributeValueMemberBS{Value: values}
}

// texts are the members of a set as texts, each once.
func texts[T any](values []T, write func(T) string) []string {
	out, seen := make([]string, 0, len(values)), make(map[string]bool, len(values))
	for _, v := range values {
		if text := write(v); !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

// each is what a function makes of the members of a list.
func each[T, U any](values []T, f func(T) U) []U {
	out := make([]U, len(values))
	for i, v := range values {
		out[i] = f(v)
	}
	return out
}

// lower and upper fold texts of any type.
func lower[T ~string](s T) T { return T(strings.ToLower(string(s))) }
func upper[T ~string](s T) T { return T(strings.ToUpper(string(s))) }

// or is the value that a pointer leads to, or another one when it is nil.
func or[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// to is a pointer to a value.
func to[T any](v T) *T { return &v }

// lookup is the value at the end of a way into an item: names of members of
// maps, and positions in lists. Nil when there is none.
func lookup(item stored, name string, way ...any) types.AttributeValue {
	v := item[name]
	for _, step := range way {
		switch step := step.(type) {
		case string:
			m, _ := v.(*types.AttributeValueMemberM)
			if m == nil {
				return nil
			}
			v = m.Value[step]
		case int:
			l, _ := v.(*types.AttributeValueMemberL)
			if l == nil || step >= len(l.Value) {
				return nil
			}
			v = l.Value[step]
		}
	}
	return v
}

// orElse is a pointer, or another one when it is nil.
func orElse[T any](p, otherwise *T) *T {
	if p == nil {
		return otherwise
	}
	return p
}

// given is a value, or another one when it is not there.
func given[T any](there bool, v, otherwise T) T {
	if there {
		return v
	}
	return otherwise
}

// mapped is what a function makes of what a pointer leads to; nil when it is nil.
func mapped[T, U any](p *T, f func(T) U) *U {
	if p == nil {
		return nil
	}
	out := f(*p)
	return &out
}
