package check

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/diag"
)

// misfits are the findings of samples that contradict the model or each other:
// the proof leaves them out.
func misfits(m *model.Model) []diag.Finding {
	var out []diag.Finding
	for _, x := range data.Misfits(m) {
		f := diag.Finding{Rule: diag.InvalidModel, Severity: diag.Error, Span: x.Sample.At, Entity: x.Sample.Entity.Name.Text,
			Message: "the sample of " + x.Sample.Entity.Name.Text + " cannot be: " + x.Why, Fix: x.Fix}
		if x.Other != nil {
			f.Related = []diag.Related{{Span: x.Other.At, Text: "the sample of " + x.Other.Entity.Name.Text}}
		}
		out = append(out, f)
	}
	return out
}
