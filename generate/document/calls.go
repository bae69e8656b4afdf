package document

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/generate/document/example"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
)

// Call is a call of a pattern on the example items. Items are numbers of
// Document.Items.
type Call struct {
	Arguments []Fact
	Declared  bool // it is one of the model's own examples
	Requests  []Request
	View      string // the view in which it reads or writes
	// Read are the items that its requests read, and Returned those of them that
	// remain after filters and limits, in order.
	Read, Returned []int
	// Referred are the items, of the table, that it reads by what it found.
	Referred []int
	// Written are the items that it changes, deletes or depends on.
	Written []int
	Writes  bool // it changes items, those shown or others
	Refused bool // a condition does not hold on these items
}

// Request is a request as it is sent, with names and values in place.
type Request struct {
	API   string
	Index string // TableName, or the index's name
	Lines []Line // its expressions, keys and options
}

// Line is a part of a request: a text, or the attributes of a key or an item.
type Line struct {
	Label  string
	Value  string
	Fields []Fact
}

// requestsMost is how many requests of a call are shown; the others are alike.
const requestsMost = 12

func (b *builder) callOf(p *plan.Plan) *Call {
	c := b.world.Call(p)
	if c == nil {
		return nil
	}
	out := &Call{Declared: c.Declared, View: TableName, Read: c.Read, Returned: c.Returned, Referred: c.Referred, Written: c.Written,
		Writes: !reads(p.Pattern), Refused: c.Refused}
	names, values := c.Arguments()
	for i, name := range names {
		out.Arguments = append(out.Arguments, Fact{name, values[i]})
	}
	if r := c.Variant.Read; r != nil {
		out.View = spaceName(r.Index)
	}
	for _, list := range [][]plan.Request{c.First, c.Requests, c.After} {
		for _, r := range list {
			out.Requests = append(out.Requests, requestsOf(r)...)
		}
	}
	if n := len(out.Requests); n > requestsMost {
		out.Requests = append(out.Requests[:requestsMost], Request{API: fmt.Sprintf("and %d more", n-requestsMost)})
	}
	return out
}

// requestsOf is a request, or each action of a batch or transaction.
func requestsOf(r plan.Request) []Request {
	if len(r.Actions) == 0 {
		return []Request{requestOf(r, string(r.API))}
	}
	var out []Request
	for _, a := range r.Actions {
		out = append(out, requestOf(a, string(r.API)+": "+string(a.API)))
	}
	return out
}

func requestOf(r plan.Request, api string) Request {
	out := Request{API: api, Index: TableName}
	if r.Index != "" {
		out.Index = r.Index
	}
	add := func(label, value string) {
		if value != "" {
			out.Lines = append(out.Lines, Line{Label: label, Value: value})
		}
	}
	fields := func(label string, item plan.Stored) {
		if len(item) > 0 {
			out.Lines = append(out.Lines, Line{Label: label, Fields: fieldsOf(item)})
		}
	}
	add("Key condition", conditionText(r, r.KeyCondition))
	fields("Key", r.Key)
	fields("Item", r.Item)
	add("Filter", conditionText(r, r.Filter))
	add("Condition", conditionText(r, r.Condition))
	add("Update", inPlace(r, r.Update))
	add("Projection", inPlace(r, r.Projection))
	add("Statement", r.Statement)
	var parameters []string
	for _, v := range r.Parameters {
		parameters = append(parameters, v.String())
	}
	add("Parameters", strings.Join(parameters, ", "))
	if r.Descending {
		add("Order", "descending")
	}
	if r.Limit > 0 {
		add("Limit", fmt.Sprint(r.Limit))
	}
	if r.Consistent {
		add("Read", "strongly consistent")
	}
	if r.Select == "COUNT" {
		add("Select", r.Select)
	}
	return out
}

// conditionText is a condition of a request with names and values in place.
func conditionText(r plan.Request, text string) string {
	c, err := example.Condition(r, text)
	if err != nil {
		return text
	}
	return expr.String(c)
}

// inPlace is an update or projection of a request with names and values in place.
func inPlace(r plan.Request, text string) string {
	return example.Placeholder.ReplaceAllStringFunc(text, func(p string) string {
		if p[0] == '#' {
			return expr.Name(r.Names[p])
		}
		return expr.String(&expr.Literal{Value: r.Values[p]})
	})
}

// fieldsOf are the attributes of an item or a key by name.
func fieldsOf(item plan.Stored) []Fact {
	var out []Fact
	for _, name := range slices.Sorted(maps.Keys(item)) {
		out = append(out, Fact{name, plain(item[name])})
	}
	return out
}
