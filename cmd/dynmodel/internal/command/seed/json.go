package seed

import (
	"encoding/base64"
	"encoding/json"

	"github.com/dynmodel/dynmodel/model/value"
)

// dynamoJSON is an item in DynamoDB JSON: each value under the name of its type.
func dynamoJSON(item stored) ([]byte, error) {
	out := make(map[string]any, len(item))
	for name, v := range item {
		out[name] = typed(v)
	}
	return json.Marshal(out)
}

// typed is a value under the name of its type.
func typed(v value.Value) map[string]any {
	name := v.Kind().String()
	switch v.Kind() {
	case value.Bool:
		return map[string]any{name: v.Truth()}
	case value.Null:
		return map[string]any{name: true}
	case value.Map:
		fields := make(map[string]any, len(v.Fields()))
		for _, f := range v.Fields() {
			fields[f.Name] = typed(f.Value)
		}
		return map[string]any{name: fields}
	case value.List:
		items := make([]any, len(v.Items()))
		for i, item := range v.Items() {
			items[i] = typed(item)
		}
		return map[string]any{name: items}
	case value.StringSet, value.NumberSet, value.BinarySet:
		members := make([]string, len(v.Items()))
		for i, member := range v.Items() {
			members[i] = text(member)
		}
		return map[string]any{name: members}
	}
	return map[string]any{name: text(v)}
}

// text is a string, a number or bytes as JSON has them.
func text(v value.Value) string {
	if v.Kind() == value.Binary {
		return base64.StdEncoding.EncodeToString([]byte(v.Text()))
	}
	return v.Text()
}
