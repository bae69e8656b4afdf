// Package diff is `dynmodel diff`: what lies between two models of a table, and
// the steps from one to the other.
package diff

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/endpoint"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/onemodel"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model/migration"
	"github.com/dynmodel/dynmodel/validate/rehearsal"
)

// Options are the command's arguments and flags.
type Options struct {
	streams  *terminal.Streams
	old, new string

	format  string
	output  string
	failOn  string
	renames []string
	verify  bool
	seed    uint64
	color   terminal.ColorMode

	backfill  int
	to        endpoint.Flags
	table     string
	copyTable string
}

// outcome is what there is to report.
type outcome struct {
	*migration.Migration
	renames   []string          // as they were given
	rehearsal *rehearsal.Result // nil without --verify
}

// format writes an outcome.
type format struct {
	name  string
	write func(io.Writer, outcome, style) error
}

func formats() []format {
	return []format{{"text", writeText}, {"json", writeJSON}, {"markdown", writeMarkdown}, {"sh", writeShell}}
}

func formatNames() []string {
	var names []string
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// thresholds are the values of --fail-on from the least to the most.
var thresholds = []string{"online", "staged", "backfill", "new-table", "break", "never"}

// New makes the command.
func New(streams *terminal.Streams) *cobra.Command {
	o := &Options{streams: streams, color: terminal.ColorAuto}
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Say what changes between two models, and how to migrate the table",
		Long: `Compares two models of a table: what DynamoDB changes while the table serves,
which indexes are made or deleted, which items have to be written again and what
that takes, and what needs a new table. It says which access patterns break for
code that still follows the old model, and from which step on; and it lists the
steps of the migration in order.

--verify plays the migration on the embedded engine: it loads items of the old
model, takes each step, and after each one runs the old and the new access
patterns that must work then.

--backfill N does the N-th step, a backfill, on a table (--endpoint or --aws):
it reads all items and brings those of one entity into their new form, each on
condition that it is still as it was read. It can be stopped and run again.

Exit status: 0; 1 when a change reaches --fail-on, or --verify finds an answer
that a step makes wrong, or --backfill leaves items that it could not write, or
a model cannot be read as it is written; 2 for a wrong flag, or a file or
endpoint that cannot be reached.`,
		Example: `  dynmodel diff access-patterns.yaml access-patterns.new.yaml
  git show main:access-patterns.yaml | dynmodel diff - access-patterns.yaml --fail-on break
  dynmodel diff old.yaml new.yaml --verify
  dynmodel diff old.yaml new.yaml --backfill 4 --aws --table shop
  dynmodel diff old.yaml new.yaml --rename Order=Purchase --format sh -o migrate.sh`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return command.Misuse(cmd, "name two models, the old one and the new one")
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) >= 2 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			o.old, o.new = args[0], args[1]
			return o.run(cmd.Context())
		},
	}
	o.flags(cmd)
	return cmd
}

func (o *Options) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	command.ChoiceFlag(cmd, &o.format, "format", "text", "how to report", formatNames()...)
	command.OutputFlag(cmd, &o.output)
	command.ChoiceFlag(cmd, &o.failOn, "fail-on", "never", "exit with 1 on a change that takes this or more", thresholds...)
	f.StringArrayVar(&o.renames, "rename", nil, "what is the same under a new name: Order=Purchase, Order.total=amount (repeatable)")
	f.BoolVar(&o.verify, "verify", false, "play the migration on the embedded engine and check every step")
	f.IntVar(&o.backfill, "backfill", 0, "do this step, a backfill, on the table of --endpoint or --aws")
	o.to.Register(cmd)
	f.Float64Var(&o.to.Rate, "max-rate", 0, "most requests a second of --backfill")
	f.StringVar(&o.table, "table", "", "table of --backfill (default: that of the old model)")
	f.StringVar(&o.copyTable, "to-table", "", "table that --backfill copies to (default: that of the new model)")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the generated data of --verify")
	command.ColorFlag(cmd, &o.color)
}

func (o *Options) run(ctx context.Context) error {
	i := slices.IndexFunc(formats(), func(f format) bool { return f.name == o.format })
	switch {
	case o.old == modelfiles.Stdin && o.new == modelfiles.Stdin:
		return errors.New("only one of the two models can come from standard input")
	case o.format == "sh" && (o.old == modelfiles.Stdin || o.new == modelfiles.Stdin):
		return errors.New("--format sh names both models in the script; neither can come from standard input")
	case o.backfill == 0 && o.to.Given():
		return errors.New("--endpoint and --aws go with --backfill")
	case o.backfill != 0 && !o.to.Given():
		return errors.New("--backfill needs a table to do it on: --endpoint URL or --aws")
	}
	if err := o.to.Validate(); err != nil {
		return err
	}
	m, err := o.between()
	if err != nil {
		return err
	}
	if o.backfill != 0 {
		return o.to.Explain(o.fill(ctx, m))
	}
	out := outcome{Migration: m, renames: o.renames}
	if o.verify {
		if out.rehearsal, err = o.rehearse(ctx, m); err != nil {
			return err
		}
	}
	err = command.Report(o.streams, o.output, func(to *terminal.Streams) error { return formats()[i].write(to.Out, out, style(to.Color(o.color))) })
	if err != nil {
		return err
	}
	if o.reached(m) || out.rehearsal != nil && out.rehearsal.Failed() {
		return command.ErrFindings
	}
	return nil
}

// between reads both models and finds the migration.
func (o *Options) between() (*migration.Migration, error) {
	old, err := o.side(o.old)
	if err != nil {
		return nil, err
	}
	new, err := o.side(o.new)
	if err != nil {
		return nil, err
	}
	renames, err := o.renamed(old, new)
	if err != nil {
		return nil, err
	}
	m := migration.Between(old, new, renames)
	return m, o.checkRenamed(m)
}

// checkRenamed sees that what --rename calls attributes is one in the new model.
func (o *Options) checkRenamed(m *migration.Migration) error {
	for _, r := range o.renames {
		from, to, _ := strings.Cut(r, "=")
		entity, _, inner := strings.Cut(from, ".")
		if !inner {
			continue
		}
		pair := m.Pair(m.Old.Model.Entity(entity))
		if pair == nil {
			return fmt.Errorf("--rename %s: the new model has no %s", r, entity)
		}
		if pair.New.Attribute(to) == nil {
			return fmt.Errorf("--rename %s: %s of the new model has no attribute %s", r, pair.New.Name.Text, to)
		}
	}
	return nil
}

// rehearse plays the migration on an engine of its own.
func (o *Options) rehearse(ctx context.Context, m *migration.Migration) (*rehearsal.Result, error) {
	db := engine.New()
	defer db.Close()
	return rehearsal.Run(ctx, rehearsal.Config{Migration: m, Client: db.BareClient(), Seed: o.seed})
}

// side reads one model. What cannot be read correctly cannot be compared.
func (o *Options) side(path string) (migration.Side, error) {
	m, err := onemodel.Read(path, o.streams, o.color)
	if err != nil {
		return migration.Side{}, err
	}
	return migration.NewSide(m), nil
}

// renamed reads --rename.
func (o *Options) renamed(old, new migration.Side) (migration.Renames, error) {
	out := migration.Renames{}
	for _, r := range o.renames {
		from, to, ok := strings.Cut(r, "=")
		entity, attribute, inner := strings.Cut(from, ".")
		e := old.Model.Entity(entity)
		switch {
		case !ok || from == "" || to == "":
			return nil, fmt.Errorf("--rename %s: write OLD=NEW, such as Order=Purchase or Order.total=amount", r)
		case e == nil:
			return nil, fmt.Errorf("--rename %s: the old model has no entity %s", r, entity)
		case inner && e.Attribute(attribute) == nil:
			return nil, fmt.Errorf("--rename %s: %s of the old model has no attribute %s", r, entity, attribute)
		case inner && e.Attribute(to) != nil:
			return nil, fmt.Errorf("--rename %s: %s of the old model has an attribute %s already; a new name must be new", r, entity, to)
		case !inner && new.Model.Entity(to) == nil:
			return nil, fmt.Errorf("--rename %s: the new model has no entity %s", r, to)
		}
		out[from] = to
	}
	return out, nil
}

// reached tells whether the migration takes as much as --fail-on says.
func (o *Options) reached(m *migration.Migration) bool {
	least := slices.Index(thresholds, o.failOn)
	if o.failOn == "break" {
		return len(m.Breaks) > 0
	}
	return slices.ContainsFunc(m.Changes, func(c migration.Change) bool {
		i := slices.Index(thresholds, string(c.Kind))
		return i >= 0 && i >= least
	})
}
