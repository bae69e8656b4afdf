package sdk

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/model/value"
)

// FromValue reads a value of the SDK's type. The error says that the endpoint
// answered with something that is no attribute value.
func FromValue(v types.AttributeValue) (value.Value, error) {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return value.OfString(v.Value), nil
	case *types.AttributeValueMemberN:
		return value.OfNumber(v.Value)
	case *types.AttributeValueMemberB:
		return value.OfBinary(string(v.Value)), nil
	case *types.AttributeValueMemberBOOL:
		return value.OfBool(v.Value), nil
	case *types.AttributeValueMemberNULL:
		return value.OfNull(), nil
	case *types.AttributeValueMemberL:
		items, err := convert(v.Value, FromValue)
		return value.OfList(items...), err
	case *types.AttributeValueMemberM:
		item, err := FromItem(v.Value)
		fields := make([]value.Field, 0, len(item))
		for name, v := range item {
			fields = append(fields, value.Field{Name: name, Value: v})
		}
		return value.OfMap(fields...), err
	case *types.AttributeValueMemberSS:
		return setOf(value.StringSet, v.Value, func(s string) (value.Value, error) { return value.OfString(s), nil })
	case *types.AttributeValueMemberNS:
		return setOf(value.NumberSet, v.Value, value.OfNumber)
	case *types.AttributeValueMemberBS:
		return setOf(value.BinarySet, v.Value, func(b []byte) (value.Value, error) { return value.OfBinary(string(b)), nil })
	}
	return value.Value{}, fmt.Errorf("an attribute value of unknown type %T", v)
}

func setOf[T any](kind value.Kind, members []T, read func(T) (value.Value, error)) (value.Value, error) {
	values, err := convert(members, read)
	return value.OfSet(kind, values...), err
}

func convert[T, U any](in []T, f func(T) (U, error)) ([]U, error) {
	out := make([]U, len(in))
	for i, x := range in {
		y, err := f(x)
		if err != nil {
			return nil, err
		}
		out[i] = y
	}
	return out, nil
}

// FromItem reads attributes by name; nil, which says that there is no item, stays nil.
func FromItem(item map[string]types.AttributeValue) (map[string]value.Value, error) {
	if item == nil {
		return nil, nil
	}
	out := make(map[string]value.Value, len(item))
	for name, v := range item {
		read, err := FromValue(v)
		if err != nil {
			return nil, fmt.Errorf("attribute %s: %w", name, err)
		}
		out[name] = read
	}
	return out, nil
}
