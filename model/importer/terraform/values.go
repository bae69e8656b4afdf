package terraform

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// evaluate works out the variables and locals of a configuration. A variable
// without a default, and what refers to other resources, is its own name.
func evaluate(body *hclsyntax.Body) *hcl.EvalContext {
	variables, locals := map[string]cty.Value{}, map[string]cty.Value{}
	for _, b := range body.Blocks {
		if b.Type != "variable" || len(b.Labels) != 1 {
			continue
		}
		v := cty.StringVal(b.Labels[0])
		if def := b.Body.Attributes["default"]; def != nil {
			if known, diags := def.Expr.Value(nil); !diags.HasErrors() && !known.IsNull() {
				v = known
			}
		}
		variables[b.Labels[0]] = v
	}
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{"var": cty.ObjectVal(variables)}}
	// Locals may use each other, in any order: as many rounds as the longest chain.
	const rounds = 5
	for range rounds {
		for _, b := range body.Blocks {
			if b.Type != "locals" {
				continue
			}
			for name, a := range b.Body.Attributes {
				if v, diags := a.Expr.Value(ctx); !diags.HasErrors() {
					locals[name] = v
				}
			}
		}
		ctx.Variables["local"] = cty.ObjectVal(locals)
	}
	return ctx
}

// textOf is a value as text; false when it has none.
func textOf(v cty.Value) (string, bool) {
	if v.IsNull() || !v.IsWhollyKnown() {
		return "", false
	}
	s, err := convert.Convert(v, cty.String)
	if err != nil || s.IsNull() {
		return "", false
	}
	return s.AsString(), true
}
