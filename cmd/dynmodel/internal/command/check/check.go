// Package check is `dynmodel check`, the main job.
package check

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/onemodel"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model/data"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate/check"
	"github.com/dynmodel/dynmodel/validate/report"
	"github.com/dynmodel/dynmodel/validate/verify"
)

// Options are the command's arguments and flags.
type Options struct {
	streams *terminal.Streams
	args    []string

	format     string
	output     string
	failOn     string
	only, skip []string
	pattern    string
	seed       uint64
	cases      int
	items      int
	static     bool
	quiet      bool
	verbose    bool
	color      terminal.ColorMode
	noProgress bool

	baseline      string
	writeBaseline bool
	ifModel       bool

	elsewhere elsewhere
}

// New makes the command.
func New(streams *terminal.Streams) *cobra.Command {
	o := &Options{streams: streams, color: terminal.ColorAuto}
	cmd := &cobra.Command{
		Use:   "check FILE|FOLDER|-…",
		Short: "Prove models by running their access patterns",
		Long: `Reads each model, judges it by rules, and runs every access pattern on an
embedded DynamoDB with data built to break it. What comes back is compared with
what the model says should come back; where they differ, the report shows the
items and the request that confuse them.

A folder is searched for models: .yaml files with "version:" and "table:" at
their top level. For a file that models include, those models are checked. -
reads a model from standard input; without an argument it is the model
access-patterns.yaml of this folder.

--endpoint and --aws run the same proof on another DynamoDB (DynamoDB Local,
ScyllaDB Alternator, AWS), in temporary tables that are always deleted, unless
--keep is given. On AWS it asks first, since that costs money.

--baseline accepts the findings of an earlier day, which --write-baseline wrote
to the file, also when lines have moved since.

Exit status: 0 when nothing was found at or above --fail-on; 1 when something
was; 2 for a wrong flag or a file that cannot be read.`,
		Example: `  dynmodel check access-patterns.yaml
  dynmodel check models/ --fail-on warning
  dynmodel check --pattern recent-orders -v access-patterns.yaml
  dynmodel check --format sarif -o dynmodel.sarif models/
  dynmodel check --baseline dynmodel.baseline.json --write-baseline models/
  dynmodel check --baseline dynmodel.baseline.json models/
  dynmodel check --endpoint http://localhost:8000 access-patterns.yaml
  dynmodel check --aws --region eu-west-1 access-patterns.yaml
  dynmodel check --format json - < access-patterns.yaml`,
		Args:              command.FileArgs,
		ValidArgsFunction: command.CompleteFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.args = args
			return o.run(cmd.Context())
		},
	}
	o.flags(cmd)
	return cmd
}

func (o *Options) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	command.ChoiceFlag(cmd, &o.format, "format", "text", "how to report", formats...)
	command.OutputFlag(cmd, &o.output)
	command.ChoiceFlag(cmd, &o.failOn, "fail-on", "error", "exit with 1 on findings of this severity or worse", "error", "warning", "info")
	f.StringArrayVar(&o.only, "only", nil, "report this rule only (repeatable)")
	f.StringArrayVar(&o.skip, "skip", nil, "do not report this rule (repeatable)")
	f.StringVar(&o.pattern, "pattern", "", "run this access pattern only")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the generated data")
	f.IntVar(&o.cases, "cases", verify.DefaultCases, "about how many calls of each access pattern")
	f.IntVar(&o.items, "items", data.DefaultItems, "about how many items each access pattern is run on")
	f.BoolVar(&o.static, "static", false, "judge by rules alone, run nothing")
	f.StringVar(&o.baseline, "baseline", "", "accept the findings that this file names, and report others only")
	f.BoolVar(&o.writeBaseline, "write-baseline", false, "write what is found to the file of --baseline, and exit with 0")
	o.elsewhere.register(cmd)
	f.BoolVar(&o.ifModel, "if-model", false, "pass over files that are no model nor part of one")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no table of patterns, no remarks of severity info")
	f.BoolVarP(&o.verbose, "verbose", "v", false, "say more: accepted findings with their reasons, what the generated data reached")
	command.ColorFlag(cmd, &o.color)
	f.BoolVar(&o.noProgress, "no-progress", false, "no progress on the terminal")

	command.CompleteFlag(cmd, "only", diag.RuleNames()...)
	command.CompleteFlag(cmd, "skip", diag.RuleNames()...)
	onemodel.CompletePatterns(cmd, "pattern", o.streams)
}

func (o *Options) run(ctx context.Context) error {
	failOn, err := o.validate()
	if err != nil {
		return err
	}
	files, err := o.files()
	if err != nil {
		return err
	}
	known, err := o.readBaseline()
	if err != nil {
		return err
	}
	start := time.Now()
	r, err := o.prove(ctx, files)
	if err != nil {
		return err
	}
	switch {
	case o.writeBaseline:
		return o.storeBaseline(r)
	case known != nil:
		r = o.accept(known, r)
	}
	elapsed := time.Since(start)
	err = command.Report(o.streams, o.output, func(to *terminal.Streams) error { return o.write(to, r, failOn, elapsed) })
	if err != nil {
		return err
	}
	if r.Worst() >= failOn {
		return command.ErrFindings
	}
	return nil
}

// files are the models to check: those that the arguments name, and for parts of
// models the models that include them.
func (o *Options) files() ([]modelfiles.File, error) {
	files, err := modelfiles.Read(o.args, o.streams.In)
	if err == nil && o.ifModel {
		files, err = modelfiles.Related(files)
	}
	if err != nil {
		return nil, err
	}
	return modelfiles.Wholes(files)
}

func (o *Options) validate() (failOn diag.Severity, err error) {
	failOn, _ = diag.ParseSeverity(o.failOn) // --fail-on takes no other word
	switch {
	case o.cases < 1:
		return 0, fmt.Errorf("--cases %d: must be at least 1", o.cases)
	case o.items < 1:
		return 0, fmt.Errorf("--items %d: must be at least 1", o.items)
	case o.quiet && o.verbose:
		return 0, fmt.Errorf("--quiet and --verbose contradict each other")
	case o.writeBaseline && o.baseline == "":
		return 0, fmt.Errorf("--write-baseline needs a file to write to; name it with --baseline")
	}
	if err := o.elsewhere.validate(); err != nil {
		return 0, err
	}
	if o.static && o.elsewhere.Given() {
		return 0, fmt.Errorf("--static runs nothing, so that it does not go with --endpoint or --aws")
	}
	for _, rule := range slices.Concat(o.only, o.skip) {
		if !slices.Contains(diag.RuleNames(), rule) {
			return 0, fmt.Errorf("no rule is named %q%s", rule, command.Meant(rule, diag.RuleNames(), "dynmodel explain"))
		}
	}
	return failOn, nil
}

// gcPercent lets the heap grow between collections. A check allocates much and
// keeps little for a fraction of a second, so that collecting at the usual rate
// takes a fifth of its time.
const gcPercent = 300

// prove checks the files on the embedded DynamoDB, or on the one that the flags name.
func (o *Options) prove(ctx context.Context, files []modelfiles.File) (report.Report, error) {
	if o.elsewhere.Given() {
		return o.checkElsewhere(ctx, files)
	}
	db := engine.New()
	defer db.Close()
	return o.check(ctx, files, endpointOf(db))
}

// check checks the files one after another, all on one DynamoDB.
func (o *Options) check(ctx context.Context, files []modelfiles.File, on verify.Endpoint) (report.Report, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	bar := o.streams.Progress(o.noProgress)
	defer bar.Clear()
	var r report.Report
	missing := 0
	for _, f := range files {
		result, err := check.File(ctx, source.NewFile(f.Name, f.Text), f.Includes(), check.Options{
			Only: o.only, Skip: o.skip, Pattern: o.pattern, Static: o.static,
			Endpoint: func() verify.Endpoint { return on },
			Seed:     o.seed, Cases: o.cases, Items: o.items, Coverage: o.verbose,
			Progress: func(done, total int) { bar.Show("checking: %d of %d access patterns", done, total) },
		})
		if noPattern := (*check.NoPattern)(nil); errors.As(err, &noPattern) && missing < len(files)-1 {
			missing++ // it is a pattern of another file
			continue
		}
		if err != nil {
			return report.Report{}, err
		}
		r.Models = append(r.Models, result.Report)
	}
	return r, nil
}

// endpointOf is the embedded DynamoDB as the proof sees it.
func endpointOf(db *engine.DB) verify.Endpoint {
	tables := 0
	return verify.Endpoint{Client: db.BareClient(), Table: func() string {
		tables++
		return fmt.Sprintf("check-%d", tables)
	}}
}
