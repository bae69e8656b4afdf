package expr

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/engine/attr"
)

// Context is the ExpressionAttributeNames and ExpressionAttributeValues of one
// request. It remembers which of them its expressions used. A Context serves
// one request at a time.
type Context struct {
	names  map[string]string
	values attr.Item
	index  map[string]attr.Value // of many values; nil for a few

	usedNames, usedValues []string
	some                  [4]string // room for the first used values
}

// fewValues is how many values are found as fast in the item as in a map.
const fewValues = 16

// NewContext returns the context of a request's names, by #alias, and values,
// by :name. Either may be empty. The error is about an alias or a value's name
// that is malformed.
func NewContext(names map[string]string, values attr.Item) (*Context, error) {
	bytes := 0
	for _, alias := range attr.SortedKeys(names) {
		if bytes += len(alias) + len(names[alias]); bytes > MaxSubstitutionBytes {
			return nil, attr.Invalidf("ExpressionAttributeNames exceeds max size")
		}
		if err := checkAlias("ExpressionAttributeNames", alias, '#'); err != nil {
			return nil, err
		}
		if err := checkName(alias, names[alias]); err != nil {
			return nil, err
		}
	}
	count := 0
	for name, v := range values.All() {
		if bytes += len(name) + v.Size(); bytes > MaxSubstitutionBytes {
			return nil, attr.Invalidf("ExpressionAttributeValues exceeds max size")
		}
		if err := checkAlias("ExpressionAttributeValues", name, ':'); err != nil {
			return nil, err
		}
		count++
	}
	c := &Context{names: names, values: values}
	c.usedValues = c.some[:0]
	if count > fewValues {
		c.index = make(map[string]attr.Value, count)
		for name, v := range values.All() {
			c.index[name] = v
		}
	}
	return c, nil
}

func checkAlias(parameter, alias string, sign byte) error {
	switch {
	case len(alias) < 2 || alias[0] != sign || wordEnd(alias, 1) != len(alias):
		return attr.Invalidf(`%s contains invalid key: Syntax error; key: "%s"`, parameter, alias)
	case len(alias) > MaxTokenBytes:
		return attr.Invalidf(`%s contains invalid key: The expression attribute map contains a key that is too long; key: "%s"`, parameter, alias)
	}
	return nil
}

func checkName(alias, name string) error {
	const prefix = "ExpressionAttributeNames contains invalid value: "
	switch {
	case name == "":
		return attr.Invalidf(prefix+"Empty attribute name for key %s", alias)
	case len(name) > attr.MaxNameBytes:
		return attr.Invalidf(prefix+"Attribute name is too large, must be less than %d bytes for key %s", attr.MaxNameBytes+1, alias)
	}
	return nil
}

// name returns what an alias stands for.
func (c *Context) name(alias string) (string, bool) {
	name, ok := c.names[alias]
	if ok && !slices.Contains(c.usedNames, alias) {
		c.usedNames = append(c.usedNames, alias)
	}
	return name, ok
}

// value returns the named value.
func (c *Context) value(name string) (attr.Value, bool) {
	v, ok := attr.Value{}, false
	if c.index != nil {
		v, ok = c.index[name]
	} else {
		v, ok = c.values.Get(name)
	}
	if ok && !slices.Contains(c.usedValues, name) {
		c.usedValues = append(c.usedValues, name)
	}
	return v, ok
}

// Unused refuses names and values that no expression used. It is asked when
// all expressions of the request are parsed.
func (c *Context) Unused() error {
	if len(c.usedNames) < len(c.names) {
		return unused("ExpressionAttributeNames", attr.SortedKeys(c.names), c.usedNames)
	}
	if c.values.IsEmpty() || len(c.usedValues) == c.values.Len() {
		return nil
	}
	var all []string
	for name := range c.values.All() {
		all = append(all, name)
	}
	return unused("ExpressionAttributeValues", all, c.usedValues)
}

func unused(parameter string, all, used []string) error {
	slices.Sort(used)
	left := slices.DeleteFunc(all, func(s string) bool {
		_, found := slices.BinarySearch(used, s)
		return found
	})
	return attr.Invalidf("Value provided in %s unused in expressions: keys: {%s}", parameter, strings.Join(left, ", "))
}
