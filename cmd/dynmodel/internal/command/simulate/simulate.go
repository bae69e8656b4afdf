// Package simulate is `dynmodel simulate`: a day of traffic against the limits of
// partitions.
package simulate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/onemodel"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/simulation"
)

// Options are the command's flags.
type Options struct {
	streams *terminal.Streams

	model      string
	format     string
	output     string
	svg        string
	seed       uint64
	days       int
	scale      float64
	assumed    float64
	isNew      bool
	failOver   float64
	color      terminal.ColorMode
	noProgress bool
}

// format writes a result.
type format struct {
	name  string
	write func(io.Writer, *report) error
}

// report is a result with how to write it.
type report struct {
	*simulation.Result
	table string
	color bool
	width int // of the terminal, 0: none
}

func formats() []format {
	return []format{{"text", writeText}, {"json", writeJSON}, {"svg", writeSVG}}
}

func formatNames() (names []string) {
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// The bounds of --days, --scale and --assume-rate: what finishes in reasonable time, and makes
// sense.
const (
	maxDays  = 31
	maxScale = 1e6
	maxRate  = 1e9
)

// New makes the command.
func New(streams *terminal.Streams) *cobra.Command {
	o := &Options{streams: streams, color: terminal.ColorAuto}
	cmd := &cobra.Command{
		Use:   "simulate [-f] FILE",
		Short: "Play a day of the declared traffic against partition limits",
		Long: `Plays the declared traffic (rate, peak, daily, skew) second by second against
the partitions of the table and its indexes: which access patterns are throttled
and why, which key values are the hottest, how partitions split and capacity
follows, and how item collections grow. It ends with all that is assumed, and
what of it DynamoDB does not document.

The heat map has a row for the capacity of the table or index, one for each of
the hottest partitions, and a column for each half hour. A cell tells how much
was asked for: of the capacity in a quarter of an hour, and of a partition's
3,000 RCU and 1,000 WCU in its busiest minute:
  · under 5%   ░ under 25%   ▒ under 50%   ▓ under 90%   █ more   x throttled

Exit status: 0; 1 when the model cannot be read as it is written, or more calls
are throttled than --fail-over allows; 2 for a wrong flag or a file that cannot
be read.`,
		Example: `  dynmodel simulate -f access-patterns.yaml
  dynmodel simulate -f access-patterns.yaml --scale 10
  dynmodel simulate -f access-patterns.yaml --new-table --svg heat.svg
  dynmodel simulate -f access-patterns.yaml --assume-rate 100
  dynmodel simulate -f access-patterns.yaml --fail-over 0.1 --format json`,
		Args:              command.ModelArg(&o.model),
		ValidArgsFunction: command.CompleteFiles,
		RunE:              func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	o.flags(cmd)
	return cmd
}

func (o *Options) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	command.FileFlag(cmd, &o.model, command.FileUsage("model to simulate"))
	command.ChoiceFlag(cmd, &o.format, "format", "text", "how to report", formatNames()...)
	command.OutputFlag(cmd, &o.output)
	f.StringVar(&o.svg, "svg", "", "write the heat map to this file too")
	f.Uint64Var(&o.seed, "seed", 1, "seed of what is left to chance")
	f.IntVar(&o.days, "days", 1, fmt.Sprintf("how many days to play, 1 to %d", maxDays))
	f.Float64Var(&o.scale, "scale", 1, "times the declared traffic")
	f.Float64Var(&o.assumed, "assume-rate", 0, "calls a second of every access pattern that declares no rate")
	f.BoolVar(&o.isNew, "new-table", false, "begin with a new table, not with one that has served the declared peak before")
	f.Float64Var(&o.failOver, "fail-over", -1, "exit with 1 when more than so many per cent of an access pattern's calls are throttled")
	command.ColorFlag(cmd, &o.color)
	f.BoolVar(&o.noProgress, "no-progress", false, "no progress on the terminal")
}

func (o *Options) run(ctx context.Context) error {
	i := slices.IndexFunc(formats(), func(f format) bool { return f.name == o.format })
	switch {
	case o.days < 1 || o.days > maxDays:
		return fmt.Errorf("--days %d: must be 1 to %d", o.days, maxDays)
	case !(o.assumed >= 0 && o.assumed <= maxRate):
		return fmt.Errorf("--assume-rate %v: must be 0 to %d", o.assumed, int(maxRate))
	case !(o.scale > 0 && o.scale <= maxScale):
		return fmt.Errorf("--scale %v: must be over 0, and at most %d", o.scale, int(maxScale))
	}
	m, err := onemodel.Read(o.model, o.streams, o.color)
	if err != nil {
		return err
	}
	r, err := o.play(ctx, m)
	if err != nil {
		return err
	}
	err = command.Report(o.streams, o.output, func(to *terminal.Streams) error {
		return formats()[i].write(to.Out, &report{r, m.Table.Name.Text, to.Color(o.color), to.Columns})
	})
	if err != nil {
		return err
	}
	if err := o.writeSVG(&report{Result: r, table: m.Table.Name.Text}); err != nil {
		return err
	}
	if o.failOver >= 0 && slices.ContainsFunc(r.Patterns, func(p simulation.Pattern) bool { return 100*part(p.Throttled, p.Calls) > o.failOver }) {
		return command.ErrFindings
	}
	return nil
}

// play runs the simulation.
func (o *Options) play(ctx context.Context, m *model.Model) (*simulation.Result, error) {
	o.assume(m)
	planner := plan.New(m)
	plans := planner.All()
	l := load.Of(m, planner, plans)
	if !l.Declared() {
		return nil, errors.New("no access pattern has a rate; declare some, such as `rate: 120/s`, and how many items there are with `volume`, or say --assume-rate")
	}
	bar := o.streams.Progress(o.noProgress)
	defer bar.Clear()
	hours := func(done, total int) { bar.Show("simulating: %d of %d hours", done/60, total/60) }
	return simulation.Run(ctx, simulation.Config{Model: m, Planner: planner, Load: l, Seed: o.seed, Days: o.days, Scale: o.scale, New: o.isNew, Progress: hours})
}

// assume gives a rate to the access patterns without one.
func (o *Options) assume(m *model.Model) {
	for _, p := range m.Patterns {
		if o.assumed > 0 && p.Rate == nil && p.Peak == nil {
			p.Rate = &model.Rate{At: p.At, PerSecond: o.assumed, Text: fmt.Sprintf("%v/s", o.assumed)}
		}
	}
}

func (o *Options) writeSVG(r *report) error {
	if o.svg == "" {
		return nil
	}
	var b strings.Builder
	if err := writeSVG(&b, r); err != nil {
		return err
	}
	return modelfiles.Write(o.svg, b.String())
}

func part(of, all float64) float64 {
	if all <= 0 {
		return 0
	}
	return of / all
}
