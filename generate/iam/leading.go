package iam

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// anyValue is the pattern that every value follows.
const anyValue = "*"

// ofCondition are the patterns of the partition key that a query is about.
func (c *collector) ofCondition(p *model.Pattern, r *plan.Read) [][]string {
	if c.model.Table.IsolateBy == nil {
		return nil
	}
	var out [][]string
	for _, k := range r.Key[:min(len(r.Key), partitionSize(r.Index))] {
		out = append(out, []string{c.ofRecipe(p, k.Values[0])})
	}
	return bound(out)
}

func partitionSize(x *model.Index) int {
	if x == nil {
		return 1
	}
	return len(x.PartitionKey)
}

// ofKey are the patterns of the table's partition key of an item.
func (c *collector) ofKey(p *model.Pattern, key []plan.KeyRecipe) [][]string {
	if c.model.Table.IsolateBy == nil || len(key) == 0 {
		return nil
	}
	return bound([][]string{{c.ofRecipe(p, key[0].Value)}})
}

// bound is nil when every value follows the patterns.
func bound(leading [][]string) [][]string {
	if slices.ContainsFunc(leading, func(patterns []string) bool { return !slices.Contains(patterns, anyValue) }) {
		return leading
	}
	return nil
}

// ofRecipe is the pattern of the values that a recipe makes: its texts, the
// principal's value where isolate_by leads it, and anything else.
func (c *collector) ofRecipe(p *model.Pattern, r plan.Recipe) string {
	b := patternBuilder{fixed: true}
	for i, part := range r.Parts {
		literal, isLiteral := part.Source.(*expr.Literal)
		switch {
		case part.Source == nil && part.Fan == nil && part.Random == 0 && !part.Max:
			b.text(part.Literal)
		case isLiteral && len(part.Funcs) == 0 && literal.Value.Kind() == value.String:
			b.text(literal.Value.Text())
		case !p.Across && c.isolates(part.Attribute, part.Funcs, part.Into) && part.Fan == nil && delimited(r.Parts, i):
			b.variable(c.principal)
		default:
			b.anything()
		}
	}
	return b.pattern()
}

// delimited tells whether a value in a recipe ends where the key or a text does,
// so that no other value begins with it.
func delimited(parts []plan.Part, i int) bool {
	return i+1 == len(parts) || parts[i+1].Literal != ""
}

// isolates tells whether a part of a key is the attribute that separates whose
// data is whose, as it is.
func (c *collector) isolates(a *model.Attribute, funcs []expr.Func, into []expr.Step) bool {
	return a != nil && a.Name.Text == c.model.Table.IsolateBy.Text && len(funcs) == 0 && len(into) == 0
}

// ofFound are the patterns of the table's partition key of items of an entity
// that were found, whose keys are those they have.
func (c *collector) ofFound(p *model.Pattern, e *model.Entity) [][]string {
	return c.ofTemplate(p, e.Key(c.model.Table.PartitionKey.Name).Template)
}

// ofTemplate are the patterns of a partition key that a template makes.
func (c *collector) ofTemplate(p *model.Pattern, t model.Template) [][]string {
	if c.model.Table.IsolateBy == nil {
		return nil
	}
	b := patternBuilder{fixed: true}
	for i, part := range t.Parts {
		switch {
		case part.Attribute == nil && part.Random == 0:
			b.text(part.Literal)
		case !p.Across && c.isolates(part.Attribute, part.Funcs, part.Path.Rest) && (i+1 == len(t.Parts) || t.Parts[i+1].Literal != ""):
			b.variable(c.principal)
		default:
			b.anything()
		}
	}
	return bound([][]string{{b.pattern()}})
}

// patternBuilder builds the pattern of a key's value.
type patternBuilder struct {
	out   strings.Builder
	fixed bool // nothing but text so far
	open  bool // it ends with what stands for anything
}

// special are the characters that mean something in a policy, as they are
// written to mean themselves.
var special = strings.NewReplacer("*", "${*}", "?", "${?}", "$", "${$}")

func (b *patternBuilder) text(s string) {
	if s != "" {
		b.out.WriteString(special.Replace(s))
		b.open = false
	}
}

// variable adds the principal's value, if nothing but text is before it: what
// else there is could end in any way.
func (b *patternBuilder) variable(name string) {
	if !b.fixed {
		b.anything()
		return
	}
	b.out.WriteString(name)
	b.fixed, b.open = false, false
}

func (b *patternBuilder) anything() {
	if !b.open {
		b.out.WriteString(anyValue)
	}
	b.fixed, b.open = false, true
}

func (b *patternBuilder) pattern() string { return b.out.String() }

// union is what follows one of two lists of patterns; the first alone decides
// when it is the first.
func union(a, b [][]string, first bool) [][]string {
	switch {
	case first:
		return b
	case a == nil || b == nil || len(a) != len(b):
		return nil
	}
	out := make([][]string, len(a))
	for i := range a {
		out[i] = slices.Concat(a[i], b[i])
		slices.Sort(out[i])
		out[i] = slices.Compact(out[i])
	}
	return bound(out)
}

// covers tells whether what follows the patterns in b follows those in a.
func covers(a, b [][]string) bool {
	if a == nil {
		return true
	}
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !subset(b[i], a[i]) {
			return false
		}
	}
	return true
}
