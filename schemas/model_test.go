package schemas_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/diag/diagtest"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
	"github.com/dynmodel/dynmodel/schemas"
)

func compile(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schemas.Model()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("model.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("model.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// document is a YAML text as an editor sees it: plain scalars are what YAML's
// core schema takes them for.
func document(text string) any {
	root := yamltree.Parse(source.NewFile("m.yaml", text), &diag.List{})
	if root == nil {
		return nil
	}
	return value(root)
}

func value(n *yamltree.Node) any {
	switch n.Kind {
	case yamltree.Mapping:
		m := map[string]any{}
		for _, e := range n.Entries {
			m[e.Key.Text] = value(e.Value)
		}
		return m
	case yamltree.Sequence:
		list := make([]any, 0, len(n.Items))
		for _, item := range n.Items {
			list = append(list, value(item))
		}
		return list
	case yamltree.Scalar:
		return scalar(n)
	}
	return nil
}

func scalar(n *yamltree.Node) any {
	if n.Style != yamltree.Plain {
		return n.Text
	}
	switch n.Text {
	case "true", "false":
		return n.Text == "true"
	case "null", "~":
		return nil
	}
	if _, err := strconv.ParseFloat(n.Text, 64); err == nil && json.Valid([]byte(n.Text)) {
		return json.Number(n.Text)
	}
	return n.Text
}

// models are the texts of valid models by name.
func models(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{"shop": modeltest.Shop(), "big": modeltest.Big(8, 48)}
	names, err := filepath.Glob("../model/parse/testdata/valid/*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatal("no valid models", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(name)] = string(text)
	}
	return out
}

func TestValidModelsValidate(t *testing.T) {
	s := compile(t)
	for name, text := range models(t) {
		if err := s.Validate(document(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// mutation is a text with one thing changed in it.
type mutation struct{ what, text string }

// mutations changes every node of a model in turn: an unknown key, a value of
// the wrong kind, an entry left out.
func mutations(text string) []mutation {
	root := yamltree.Parse(source.NewFile("m.yaml", text), &diag.List{})
	var out []mutation
	var walk func(n *yamltree.Node)
	walk = func(n *yamltree.Node) {
		if n.Kind == yamltree.Mapping {
			out = append(out, mutation{"unknown key at " + diagtest.Place(n.At), withUnknownKey(text, n)})
		}
		for _, item := range n.Items {
			walk(item)
		}
		for i, e := range n.Entries {
			at := e.Value.At
			out = append(out, mutation{"a list for " + diagtest.Place(at), text[:at.Start] + "[[]]" + text[at.End:]})
			if n.Flow && i > 0 {
				start := n.Entries[i-1].Value.At.End
				out = append(out, mutation{"without " + diagtest.Place(e.Key.At), text[:start] + text[at.End:]})
			}
			walk(e.Value)
		}
	}
	walk(root)
	return out
}

const unknownKey = "zzz_unknown"

func withUnknownKey(text string, n *yamltree.Node) string {
	at := n.At.Start
	if n.Flow {
		return text[:at+1] + unknownKey + ": 1, " + text[at+1:]
	}
	indent := strings.Repeat(" ", n.At.From().Column-1)
	return text[:at] + unknownKey + ": 1\n" + indent + text[at:]
}

// The schema refuses nothing that the parser accepts, and every unknown key
// that the parser refuses.
func TestSchemaAndParserAgree(t *testing.T) {
	s := compile(t)
	refusedByBoth := 0
	all := models(t)
	for _, m := range append(mutations(all["everything.yaml"]), mutations(all["relations.yaml"])...) {
		_, list := parse.File(source.NewFile("m.yaml", m.text), nil)
		refused := s.Validate(document(m.text)) != nil
		switch {
		case refused && list.Has(diag.Error):
			refusedByBoth++
		case refused:
			t.Errorf("%s: the schema refuses what the parser accepts", m.what)
		case saysUnknownKey(list):
			t.Errorf("%s: the parser refuses a key that the schema accepts", m.what)
		}
	}
	if refusedByBoth < 600 {
		t.Errorf("only %d mutations were refused by both", refusedByBoth)
	}
}

func saysUnknownKey(list *diag.List) bool {
	for _, f := range list.All() {
		if strings.Contains(f.Message, "has no key `"+unknownKey+"`") {
			return true
		}
	}
	return false
}

func TestStructurallyInvalidModelsAreRefusedByBoth(t *testing.T) {
	s := compile(t)
	const head = "version: 1\ntable: {name: notes, partition_key: id}\nentities: {A: {attributes: {id: uuid, n: integer}}}\n"
	for name, text := range map[string]string{
		"no version":         "table: notes\n",
		"version 2":          "version: 2\ntable: notes\n",
		"no table name":      "version: 1\ntable: {partition_key: id}\n",
		"five key parts":     "version: 1\ntable: {name: notes, partition_key: id, indexes: {GSI1: {partition_key: [a, b, c, d, e]}}}\n",
		"no index key":       "version: 1\ntable: {name: notes, partition_key: id, indexes: {GSI1: {sort_key: a}}}\n",
		"short index name":   "version: 1\ntable: {name: notes, partition_key: id, indexes: {G: {partition_key: a}}}\n",
		"bad capacity":       "version: 1\ntable: {name: notes, partition_key: id, capacity: pay_per_request}\n",
		"both capacities":    "version: 1\ntable: {name: notes, partition_key: id, capacity: {on_demand: {}, provisioned: {read: 1, write: 1}}}\n",
		"bad type":           "version: 1\ntable: notes\nentities: {A: {attributes: {id: strin}}}\n",
		"no attributes":      "version: 1\ntable: notes\nentities: {A: {attributes: {}}}\n",
		"bad precision":      "version: 1\ntable: notes\nentities: {A: {attributes: {id: {type: datetime, precision: day}}}}\n",
		"ignore no reason":   head + "ignore: [{rule: a}]\n",
		"unnamed pattern":    head + "access_patterns: [{get: A}]\n",
		"name not kebab":     head + "access_patterns: [{name: getA, get: A}]\n",
		"no operation":       head + "access_patterns: [{name: a}]\n",
		"two operations":     head + "access_patterns: [{name: a, get: A, delete: A}]\n",
		"where on get":       head + "access_patterns: [{name: a, get: A, where: n = 1}]\n",
		"update sans change": head + "access_patterns: [{name: a, update: A}]\n",
		"bad rate":           head + "access_patterns: [{name: a, get: A, rate: 5}]\n",
		"bad span":           head + "access_patterns: [{name: a, query: A, where: id = $id, span: long}]\n",
		"bad step":           head + "access_patterns: [{name: a, batch_write: [{update: A}]}]\n",
		"two step verbs":     head + "access_patterns: [{name: a, batch_write: [{put: A, delete: A}]}]\n",
		"empty steps":        head + "access_patterns: [{name: a, transact_write: []}]\n",
		"for_each no count":  head + "access_patterns: [{name: a, batch_write: [{for_each: $x, steps: [{put: A}]}]}]\n",
		"bad for_each":       head + "access_patterns: [{name: a, batch_write: [{for_each: x, count: 1, steps: [{put: A}]}]}]\n",
		"bad target":         head + "generate: {pdf: x}\n",
		"each sans where":    head + "access_patterns: [{name: a, delete_each: A}]\n",
		"each sans change":   head + "access_patterns: [{name: a, update_each: A, where: id = $id}]\n",
		"then sans target":   head + "access_patterns: [{name: a, query: A, where: id = $id, then: {by: {id: id}}}]\n",
		"filter elsewhere":   head + "access_patterns: [{name: a, external: B, filter: n = 1}]\n",
		"kept by cron":       "version: 1\ntable: {name: notes, partition_key: id}\nentities: {A: {attributes: {id: uuid, n: {count_of: A, kept_by: cron}}}}\n",
		"volume no count":    "version: 1\ntable: {name: notes, partition_key: id}\nentities: {A: {attributes: {id: uuid}, volume: {per: A}}}\n",
	} {
		_, list := parse.File(source.NewFile("m.yaml", text), nil)
		if !list.Has(diag.Error) {
			t.Errorf("%s: the parser accepts it", name)
		}
		if s.Validate(document(text)) == nil {
			t.Errorf("%s: the schema accepts it", name)
		}
	}
}

// Editors show the description of every key.
func TestEveryKeyIsDescribed(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal(schemas.Model(), &doc); err != nil {
		t.Fatal(err)
	}
	defs := doc["$defs"].(map[string]any)
	described := func(s map[string]any) bool {
		if s["description"] != nil {
			return true
		}
		ref, _ := s["$ref"].(string)
		def, _ := defs[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any)
		return def["description"] != nil
	}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(path, item)
			}
		case map[string]any:
			if properties, ok := v["properties"].(map[string]any); ok && v["additionalProperties"] != nil {
				for key, s := range properties {
					if s, ok := s.(map[string]any); ok && !described(s) {
						t.Errorf("%s.%s has no description", path, key)
					}
				}
			}
			for key, item := range v {
				walk(path+"."+key, item)
			}
		}
	}
	walk("", doc)
}
