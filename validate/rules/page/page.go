// Package page writes what there is to read about a rule: for the terminal, and
// for the reference in docs.
package page

import (
	"context"
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate"
	"github.com/dynmodel/dynmodel/validate/check"
	"github.com/dynmodel/dynmodel/validate/verify"
)

// Page is a rule with what its failing example gives.
type Page struct {
	Rule *validate.Rule
	// Found are the rule's findings in its failing example.
	Found []diag.Finding
}

// Of checks the rule's failing example on the endpoint. The error says that
// this could not be done.
func Of(ctx context.Context, r *validate.Rule, endpoint verify.Endpoint) (Page, error) {
	result, err := check.File(ctx, source.NewFile("model.yaml", r.Bad), nil, check.Options{
		Endpoint: func() verify.Endpoint { return endpoint },
	})
	if err != nil {
		return Page{}, fmt.Errorf("checking the example of %s: %w", r.Name, err)
	}
	found := slices.DeleteFunc(result.Report.Findings, func(f diag.Finding) bool { return f.Rule != r.Name })
	return Page{Rule: r, Found: found}, nil
}
