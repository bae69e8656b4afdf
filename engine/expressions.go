package engine

import (
	"errors"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/expr"
	"github.com/dynmodel/dynmodel/engine/wire"
)

// A parameter is an optional one of a request, with whether it is there.
type parameter struct {
	name  string
	given bool
}

func givenText(name string, text *string) parameter { return parameter{name, text != nil} }

// checkParameters checks how the parameters go together: expressions are not
// mixed with what they replaced, and names and values are not without
// expressions.
func checkParameters(s api.Substitutions, expressions, legacy []parameter) error {
	now, old := namesOfGiven(expressions), namesOfGiven(legacy)
	switch {
	case len(old) > 0 && len(now) > 0:
		return api.Invalid("Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {%s} Expression parameters: {%s}",
			strings.Join(old, ", "), strings.Join(now, ", "))
	case s.ExpressionAttributeNames != nil && len(now) == 0:
		return api.Invalid("ExpressionAttributeNames can only be specified when using expressions")
	case s.ExpressionAttributeValues != nil && !usesValues(now):
		return api.Invalid("ExpressionAttributeValues can only be specified when using expressions: %s", areNull(expressions))
	}
	return nil
}

// An exprReader reads the expressions of one request, which share names and
// values.
type exprReader struct {
	context *expr.Context
}

// newExprReader checks the names and values of a request's expressions. texts
// are the expressions; without any there is nothing to check.
func newExprReader(s api.Substitutions, texts ...*string) (*exprReader, error) {
	if !slices.ContainsFunc(texts, func(text *string) bool { return text != nil }) {
		return new(exprReader), nil
	}
	if s.ExpressionAttributeNames != nil && len(s.ExpressionAttributeNames) == 0 {
		return nil, api.Invalid("ExpressionAttributeNames must not be empty")
	}
	var values attr.Item
	if s.ExpressionAttributeValues != nil {
		values = *s.ExpressionAttributeValues
	}
	c, err := expr.NewContext(s.ExpressionAttributeNames, values)
	switch {
	case err != nil:
		return nil, asRefusal(err)
	case s.ExpressionAttributeValues != nil && values.IsEmpty():
		return nil, api.Invalid("ExpressionAttributeValues must not be empty")
	}
	return &exprReader{context: c}, nil
}

// refusedValues returns what is refused of the values of expressions, whose
// names are looked at first.
func refusedValues(s api.Substitutions, refused wire.Refusals) error {
	err := refused.In("ExpressionAttributeValues")
	if err == nil {
		return nil
	}
	_, names := newExprReader(s, new(string))
	return first(names, err)
}

func namesOfGiven(list []parameter) []string {
	var names []string
	for _, p := range list {
		if p.given {
			names = append(names, p.name)
		}
	}
	return names
}

// usesValues reports whether one of the expressions can use values: any but a
// projection.
func usesValues(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return n != string(expr.ProjectionExpression) })
}

// areNull names the expressions that could have used values.
func areNull(expressions []parameter) string {
	var names []string
	for _, p := range expressions {
		if p.name != string(expr.ProjectionExpression) {
			names = append(names, p.name)
		}
	}
	if len(names) == 1 {
		return names[0] + " is null"
	}
	return strings.Join(names, " and ") + " are null"
}

// condition reads a condition or filter; without text there is none.
func (x *exprReader) condition(kind expr.Kind, text *string) (expr.Condition, error) {
	if text == nil {
		return nil, nil
	}
	c, err := x.context.Condition(kind, *text)
	return c, asRefusal(err)
}

// projection reads a projection; without one, the older list of names serves.
func (x *exprReader) projection(text *string, attributesToGet []string) (*expr.Projection, error) {
	switch {
	case text != nil:
		p, err := x.context.Projection(*text)
		return p, asRefusal(err)
	case attributesToGet != nil:
		return projectAttributes(attributesToGet)
	}
	return nil, nil
}

// checkProjectionParameters checks those of a request that has no other
// expression than a projection.
func checkProjectionParameters(text *string, names map[string]string, attributesToGet []string) error {
	return checkParameters(
		api.Substitutions{ExpressionAttributeNames: names},
		[]parameter{givenText("ProjectionExpression", text)},
		[]parameter{{"AttributesToGet", attributesToGet != nil}})
}

// readProjection reads the projection of such a request.
func readProjection(text *string, names map[string]string, attributesToGet []string) (*expr.Projection, error) {
	x, err := newExprReader(api.Substitutions{ExpressionAttributeNames: names}, text)
	if err != nil {
		return nil, err
	}
	p, err := x.projection(text, attributesToGet)
	return p, first(err, x.unused())
}

// unused refuses names and values that no expression has used.
func (x *exprReader) unused() error {
	if x.context == nil {
		return nil
	}
	return asRefusal(x.context.Unused())
}

// asRefusal turns an error about values or expressions into the service's.
func asRefusal(err error) error {
	if err == nil {
		return nil
	}
	var invalid *attr.ValidationError
	if errors.As(err, &invalid) {
		return api.Invalid("%s", invalid.Message)
	}
	return err
}
