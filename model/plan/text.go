package plan

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// Text is the plan on one line, as the check shows it:
// `query table: PK = "C#{customerId}" AND begins_with(SK, "ORDER#")`.
func (v *Variant) Text() string {
	switch {
	case v.Each != nil && v.Read != nil:
		return v.Read.text() + "; then " + v.Each.eachText()
	case v.Then != nil && v.Read != nil:
		return v.Read.text() + "; then " + v.Then.text()
	case v.Read != nil:
		return v.Read.text()
	case v.Write != nil:
		return v.Write.text()
	case v.Statement != nil:
		return "execute " + v.Statement.Text
	}
	return "not served"
}

// KeyConditionText is the key condition with parameters in braces; of a read by
// key the keys, one after another. "" for a scan.
func (r *Read) KeyConditionText() string {
	if len(r.Gets) == 0 {
		return conditionsText(r.Key)
	}
	var keys []string
	for _, g := range r.Gets {
		keys = append(keys, keyText(g.Key))
	}
	return strings.Join(keys, "; ")
}

// FilterText is the whole filter in the language's syntax, or "".
func (r *Read) FilterText() string { return expr.String(r.Filter()) }

func (r *Read) text() string {
	verb := map[API]string{GetItem: "get", BatchGetItem: "batch get", TransactGetItems: "transact get", Query: "query", Scan: "scan"}[r.API]
	out := verb + " " + indexName(r.Index)
	if keys := r.KeyConditionText(); keys != "" {
		out += ": " + keys
	}
	if filter := r.FilterText(); filter != "" {
		out += " filter " + filter
	}
	return out + r.options()
}

// options are what else there is to say of a read.
func (r *Read) options() string {
	var b strings.Builder
	for _, f := range r.Fan {
		b.WriteString(", " + f.text())
	}
	if r.Descending {
		b.WriteString(", descending")
	}
	if r.LimitRequests {
		fmt.Fprintf(&b, ", limit %d", r.Limit)
	}
	if r.Count {
		b.WriteString(", count")
	}
	if r.Consistent {
		b.WriteString(", consistent")
	}
	return b.String()
}

func (f *Fan) text() string {
	switch f.Kind {
	case FanIn:
		return "for each " + f.Name
	case FanBucket:
		return fmt.Sprintf("for each %s of %s", f.Unit, f.Attribute.Name.Text)
	}
	return fmt.Sprintf("for each of %d shards", f.Shards)
}

func conditionsText(conditions []KeyCondition) string {
	var terms []string
	for _, c := range conditions {
		terms = append(terms, c.String())
	}
	return strings.Join(terms, " AND ")
}

// String writes the condition with parameters in braces: SK >= "ORDER#{since}".
func (c KeyCondition) String() string {
	name := expr.Name(c.Attribute.Name)
	switch c.Op {
	case model.KeyBeginsWith:
		return fmt.Sprintf("begins_with(%s, %s)", name, c.Values[0])
	case model.KeyBetween:
		return fmt.Sprintf("%s BETWEEN %s AND %s", name, c.Values[0], c.Values[1])
	}
	return fmt.Sprintf("%s %s %s", name, c.Op, c.Values[0])
}

func keyText(key []KeyRecipe) string {
	var terms []string
	for _, k := range key {
		terms = append(terms, expr.Name(k.Attribute.Name)+" = "+k.Value.String())
	}
	return strings.Join(terms, " AND ")
}

// String writes the recipe as a template in quotes: "ORDER#{since}". A number
// or binary value stands without quotes.
func (r Recipe) String() string {
	if r.Kind != value.String {
		return partsText(r.Parts)
	}
	return `"` + partsText(r.Parts) + `"`
}

func partsText(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.text())
	}
	return b.String()
}

func (p Part) text() string {
	var inner string
	switch {
	case p.Literal != "":
		return strings.NewReplacer("{", "{{", "}", "}}").Replace(p.Literal)
	case p.Max:
		return "{MAX}"
	case p.Random > 0:
		return fmt.Sprintf("{random(%d)}", p.Random)
	case p.Fan != nil:
		inner = p.Fan.Name
	case p.Source != nil:
		if lit, ok := p.Source.(*expr.Literal); ok && p.Neighbour == 0 {
			if v, err := encode.Apply(p.Funcs, lit.Value, p.Attribute.Type); err == nil {
				return literalText(v)
			}
		}
		inner = sourceText(p.Source)
	}
	for _, f := range p.Funcs {
		inner += "|" + f.String()
	}
	if p.Neighbour > 0 {
		inner = "after " + inner
	} else if p.Neighbour < 0 {
		inner = "before " + inner
	}
	return "{" + inner + "}"
}

func literalText(v value.Value) string {
	switch v.Kind() {
	case value.String, value.Number:
		return v.Text()
	case value.Bool:
		return strconv.FormatBool(v.Truth())
	}
	return v.String()
}

// sourceText is an operand without the $ of its parameters; an attribute read
// first is old.name.
func sourceText(o expr.Operand) string {
	switch o := o.(type) {
	case *expr.Param:
		return o.Name
	case *expr.Now:
		return "now"
	case *expr.Literal:
		return literalText(o.Value)
	case *expr.Attr:
		return "old." + o.Path.String()
	case *expr.Arith:
		op := " + "
		if o.Minus {
			op = " - "
		}
		return sourceText(o.Left) + op + sourceText(o.Right)
	case *expr.Call:
		if len(o.Args) == 1 {
			return sourceText(o.Args[0]) + "|" + o.Func.String()
		}
	}
	return expr.String(o)
}
