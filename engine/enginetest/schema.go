package enginetest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Attribute is a key attribute: a name and one of the types S, N and B.
type Attribute struct{ Name, Type string }

// Index is a secondary index of a Schema. Global indexes may have up to four
// attributes in each half of their key.
type Index struct {
	Name        string
	Local       bool
	Hash, Range []Attribute
	// Projection is ALL, KEYS_ONLY or INCLUDE, which alone has NonKey attributes.
	Projection string
	NonKey     []string
}

// Schema is a table that a case starts with.
type Schema struct {
	Hash    Attribute
	Range   *Attribute
	Indexes []Index
	// Extra holds further members of the CreateTable request, as JSON.
	Extra string
}

// CreateTable returns the request that creates the table, on demand unless
// Extra asks for provisioned capacity.
func (s Schema) CreateTable(name string) (string, error) {
	request := map[string]any{
		"TableName":            name,
		"BillingMode":          "PAY_PER_REQUEST",
		"KeySchema":            keySchema([]Attribute{s.Hash}, s.ranges()),
		"AttributeDefinitions": s.definitions(),
	}
	if globals := s.indexes(false); len(globals) > 0 {
		request["GlobalSecondaryIndexes"] = globals
	}
	if locals := s.indexes(true); len(locals) > 0 {
		request["LocalSecondaryIndexes"] = locals
	}
	if s.Extra != "" {
		if err := json.Unmarshal([]byte(s.Extra), &request); err != nil {
			return "", fmt.Errorf("extra table settings: %w", err)
		}
	}
	text, err := json.Marshal(request)
	return string(text), err
}

func (s Schema) ranges() []Attribute {
	if s.Range == nil {
		return nil
	}
	return []Attribute{*s.Range}
}

func keySchema(hash, ranges []Attribute) []map[string]string {
	var schema []map[string]string
	for _, a := range hash {
		schema = append(schema, map[string]string{"AttributeName": a.Name, "KeyType": "HASH"})
	}
	for _, a := range ranges {
		schema = append(schema, map[string]string{"AttributeName": a.Name, "KeyType": "RANGE"})
	}
	return schema
}

func (s Schema) definitions() []map[string]string {
	seen := map[string]bool{}
	var definitions []map[string]string
	add := func(attributes []Attribute) {
		for _, a := range attributes {
			if !seen[a.Name] {
				seen[a.Name] = true
				definitions = append(definitions,
					map[string]string{"AttributeName": a.Name, "AttributeType": a.Type})
			}
		}
	}
	add([]Attribute{s.Hash})
	add(s.ranges())
	for _, index := range s.Indexes {
		add(index.Hash)
		add(index.Range)
	}
	return definitions
}

func (s Schema) indexes(local bool) []map[string]any {
	var indexes []map[string]any
	for _, index := range s.Indexes {
		if index.Local != local {
			continue
		}
		hash := index.Hash
		if local {
			hash = []Attribute{s.Hash}
		}
		projection := map[string]any{"ProjectionType": index.Projection}
		if len(index.NonKey) > 0 {
			projection["NonKeyAttributes"] = index.NonKey
		}
		indexes = append(indexes, map[string]any{
			"IndexName":  index.Name,
			"KeySchema":  keySchema(hash, index.Range),
			"Projection": projection,
		})
	}
	return indexes
}

// parseSchema reads "pk S" or "pk S, sk N".
func parseSchema(text string) (Schema, error) {
	hash, ranges, err := parseKey(text)
	if err != nil {
		return Schema{}, err
	}
	if len(hash) != 1 || len(ranges) > 1 {
		return Schema{}, fmt.Errorf("a table key is one HASH and at most one RANGE attribute: %q", text)
	}
	schema := Schema{Hash: hash[0]}
	if len(ranges) == 1 {
		schema.Range = &ranges[0]
	}
	return schema, nil
}

// parseGlobal reads "name KEY PROJECTION": "byOwner owner S, at N INCLUDE a b".
func parseGlobal(text string) (Index, error) {
	name, rest, _ := strings.Cut(text, " ")
	key, projection, nonKey, err := cutProjection(rest)
	if err != nil {
		return Index{}, err
	}
	hash, ranges, err := parseKey(key)
	return Index{Name: name, Hash: hash, Range: ranges, Projection: projection, NonKey: nonKey}, err
}

// parseLocal reads "name RANGE PROJECTION": "byTime at N KEYS_ONLY".
func parseLocal(text string) (Index, error) {
	name, rest, _ := strings.Cut(text, " ")
	key, projection, nonKey, err := cutProjection(rest)
	if err != nil {
		return Index{}, err
	}
	ranges, err := parseAttributes(key)
	return Index{Name: name, Local: true, Range: ranges, Projection: projection, NonKey: nonKey}, err
}

func cutProjection(text string) (key, projection string, nonKey []string, err error) {
	for _, projection := range []string{"ALL", "KEYS_ONLY", "INCLUDE"} {
		if before, after, found := strings.Cut(text+" ", " "+projection+" "); found {
			return before, projection, strings.Fields(after), nil
		}
	}
	return "", "", nil, fmt.Errorf("no projection (ALL, KEYS_ONLY or INCLUDE) in %q", text)
}

// parseKey reads "HASH, RANGE", where either half is "name T" or, in an index,
// several joined by "+".
func parseKey(text string) (hash, ranges []Attribute, err error) {
	first, second, hasRange := strings.Cut(text, ",")
	if hash, err = parseAttributes(first); err != nil || !hasRange {
		return hash, nil, err
	}
	ranges, err = parseAttributes(second)
	return hash, ranges, err
}

func parseAttributes(text string) ([]Attribute, error) {
	var attributes []Attribute
	for part := range strings.SplitSeq(text, "+") {
		fields := strings.Fields(part)
		if len(fields) != 2 {
			return nil, fmt.Errorf("want a name and a type, not %q", part)
		}
		attributes = append(attributes, Attribute{Name: fields[0], Type: fields[1]})
	}
	return attributes, nil
}

// String writes the schema as the directives of a case file.
func (s Schema) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "table %s\n", keyText([]Attribute{s.Hash}, s.ranges()))
	for _, index := range s.Indexes {
		kind, key := "gsi", keyText(index.Hash, index.Range)
		if index.Local {
			kind, key = "lsi", attributesText(index.Range)
		}
		projection := strings.Join(append([]string{index.Projection}, index.NonKey...), " ")
		fmt.Fprintf(&text, "%s %s %s %s\n", kind, index.Name, key, projection)
	}
	if s.Extra != "" {
		fmt.Fprintf(&text, "with %s\n", s.Extra)
	}
	return text.String()
}

func keyText(hash, ranges []Attribute) string {
	if len(ranges) == 0 {
		return attributesText(hash)
	}
	return attributesText(hash) + ", " + attributesText(ranges)
}

func attributesText(attributes []Attribute) string {
	parts := make([]string, len(attributes))
	for i, a := range attributes {
		parts[i] = a.Name + " " + a.Type
	}
	return strings.Join(parts, " + ")
}
