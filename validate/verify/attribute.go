package verify

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// toSDK writes a value as the SDK's type.
func toSDK(v value.Value) types.AttributeValue {
	switch v.Kind() {
	case value.String:
		return &types.AttributeValueMemberS{Value: v.Text()}
	case value.Number:
		return &types.AttributeValueMemberN{Value: v.Text()}
	case value.Binary:
		return &types.AttributeValueMemberB{Value: []byte(v.Text())}
	case value.Bool:
		return &types.AttributeValueMemberBOOL{Value: v.Truth()}
	case value.List:
		list := make([]types.AttributeValue, len(v.Items()))
		for i, item := range v.Items() {
			list[i] = toSDK(item)
		}
		return &types.AttributeValueMemberL{Value: list}
	case value.Map:
		m := make(map[string]types.AttributeValue, len(v.Fields()))
		for _, f := range v.Fields() {
			m[f.Name] = toSDK(f.Value)
		}
		return &types.AttributeValueMemberM{Value: m}
	case value.StringSet:
		return &types.AttributeValueMemberSS{Value: texts(v)}
	case value.NumberSet:
		return &types.AttributeValueMemberNS{Value: texts(v)}
	case value.BinarySet:
		set := make([][]byte, len(v.Items()))
		for i, m := range v.Items() {
			set[i] = []byte(m.Text())
		}
		return &types.AttributeValueMemberBS{Value: set}
	}
	return &types.AttributeValueMemberNULL{Value: true}
}

func texts(set value.Value) []string {
	out := make([]string, len(set.Items()))
	for i, m := range set.Items() {
		out[i] = m.Text()
	}
	return out
}

// fromSDK reads a value of the SDK's type. The error says that the endpoint
// answered with something that is no attribute value.
func fromSDK(v types.AttributeValue) (value.Value, error) {
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
		items, err := convert(v.Value, fromSDK)
		return value.OfList(items...), err
	case *types.AttributeValueMemberM:
		item, err := fromSDKItem(v.Value)
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

// toSDKItem writes attributes by name; nil stays nil.
func toSDKItem(item plan.Stored) map[string]types.AttributeValue {
	if item == nil {
		return nil
	}
	out := make(map[string]types.AttributeValue, len(item))
	for name, v := range item {
		out[name] = toSDK(v)
	}
	return out
}

// fromSDKItem reads attributes by name; nil, which says that there is no item, stays nil.
func fromSDKItem(item map[string]types.AttributeValue) (plan.Stored, error) {
	if item == nil {
		return nil, nil
	}
	out := make(plan.Stored, len(item))
	for name, v := range item {
		read, err := fromSDK(v)
		if err != nil {
			return nil, fmt.Errorf("attribute %s: %w", name, err)
		}
		out[name] = read
	}
	return out, nil
}
