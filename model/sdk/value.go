package sdk

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/model/value"
)

// Value is an attribute value. One that does not exist is NULL.
func Value(v value.Value) types.AttributeValue {
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
			list[i] = Value(item)
		}
		return &types.AttributeValueMemberL{Value: list}
	case value.Map:
		m := make(map[string]types.AttributeValue, len(v.Fields()))
		for _, f := range v.Fields() {
			m[f.Name] = Value(f.Value)
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

// Item is attributes by name; nil stays nil.
func Item(item map[string]value.Value) map[string]types.AttributeValue {
	if item == nil {
		return nil
	}
	out := make(map[string]types.AttributeValue, len(item))
	for name, v := range item {
		out[name] = Value(v)
	}
	return out
}
