package infratest

import (
	"reflect"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestCloudFormation makes the table of each template, and finds in the YAML
// nothing else than in the JSON.
func TestCloudFormation(t *testing.T) {
	for _, s := range samples(t) {
		t.Run(s.name, func(t *testing.T) {
			var template, other any
			unmarshal(t, made(t, s.in, "cloudformation", "", map[string]string{"format": "json"}), &template)
			delete(template.(map[string]any), "Metadata")
			var root yaml.Node
			if err := yaml.Unmarshal(made(t, s.in, "cloudformation", "", nil), &root); err != nil {
				t.Fatal(err)
			}
			if other = plainYAML(t, root.Content[0]); !reflect.DeepEqual(other, template) {
				t.Errorf("the YAML says\n%s\nand the JSON\n%s", text(t, other), text(t, template))
			}
			compare(t, fromTemplate(t, template, s.in.Model.Table.Region), wanted(s.in.Model.Table))
		})
	}
}

// plainYAML is a YAML node as JSON would have it, with the long forms of functions.
func plainYAML(t *testing.T, n *yaml.Node) any {
	t.Helper()
	switch n.Tag {
	case "!Ref":
		return map[string]any{"Ref": n.Value}
	case "!GetAtt":
		resource, attribute, _ := strings.Cut(n.Value, ".")
		return map[string]any{"Fn::GetAtt": []any{resource, attribute}}
	case "!Sub":
		return map[string]any{"Fn::Sub": n.Value}
	}
	switch n.Kind {
	case yaml.MappingNode:
		out := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			out[n.Content[i].Value] = plainYAML(t, n.Content[i+1])
		}
		return out
	case yaml.SequenceNode:
		out := make([]any, len(n.Content))
		for i, item := range n.Content {
			out[i] = plainYAML(t, item)
		}
		return out
	}
	var v any
	if err := n.Decode(&v); err != nil {
		t.Fatal(err)
	}
	if i, ok := v.(int); ok {
		return float64(i) // as encoding/json has numbers
	}
	return v
}
