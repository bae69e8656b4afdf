package generate

import (
	"context"
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/targets"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate/check"
	"github.com/dynmodel/dynmodel/validate/report"
)

// judged is a model and what is wrong with it.
type judged struct {
	file   modelfiles.File
	model  *model.Model // nil when it could not be read
	plans  []*plan.Plan
	errors []diag.Finding
}

// judge reads the model, of which there may be none, and judges it by rules.
func judge(ctx context.Context, f modelfiles.File) (*judged, error) {
	result, err := check.File(ctx, source.NewFile(f.Name, f.Text), f.Includes(), check.Options{Static: true})
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(result.Report.Findings, func(f diag.Finding) bool { return f.Severity < diag.Error })
	if result.Model != nil {
		found = append(found, targets.Block(result.Model)...)
	}
	return &judged{file: f, model: result.Model, plans: result.Plans, errors: found}, nil
}

// input is what to generate from. Errors in the model are reported; the error is
// then command.ErrFindings, unless --force is given and there is a model to go on with.
func (o *Options) input(j *judged) (generate.Input, error) {
	if len(j.errors) > 0 {
		if err := o.refuse(j.file.Name, j.errors, j.model != nil); err != nil {
			return generate.Input{}, err
		}
	}
	return generate.Input{Model: j.model, Planner: plan.New(j.model), Plans: j.plans}, nil
}

// refuse reports errors and what follows from them.
func (o *Options) refuse(name string, found []diag.Finding, readable bool) error {
	style := report.TextOptions{Color: o.streams.Color(o.color), Width: o.streams.Columns}
	if err := report.Findings(o.streams.Err, found, style); err != nil {
		return err
	}
	count := terminal.Count(len(found), "error")
	switch {
	case !readable:
		fmt.Fprintf(o.streams.Err, "%s has %s; its table could not be read, nothing can be generated\n", name, count)
		return command.ErrFindings
	case !o.force:
		fmt.Fprintf(o.streams.Err, "%s has %s; nothing was generated (--force generates all the same)\n", name, count)
		return command.ErrFindings
	}
	fmt.Fprintf(o.streams.Err, "%s has %s; going on with --force\n", name, count)
	return nil
}
