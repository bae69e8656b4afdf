// Package cost is `dynmodel cost`: what a table costs a month.
package cost

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/onemodel"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model/cost"
)

// Options are the command's flags.
type Options struct {
	streams *terminal.Streams

	model  string
	format string
	output string
	months int
	region string
	prices string
	color  terminal.ColorMode
}

// format writes an estimate.
type format struct {
	name  string
	write func(io.Writer, *cost.Estimate, options) error
}

// options are how to write.
type options struct {
	color bool
	width int // of the terminal, 0: none
}

func formats() []format {
	return []format{{"text", writeText}, {"json", writeJSON}, {"csv", writeCSV}, {"markdown", writeMarkdown}}
}

func formatNames() (names []string) {
	for _, f := range formats() {
		names = append(names, f.name)
	}
	return names
}

// New makes the command.
func New(streams *terminal.Streams) *cobra.Command {
	o := &Options{streams: streams, color: terminal.ColorAuto}
	cmd := &cobra.Command{
		Use:   "cost [-f] FILE",
		Short: "Say what the table costs a month, by access pattern, index and capacity mode",
		Long: `Works out what a table costs at its declared traffic (rate, peak, daily) and
volumes: units of every access pattern, throughput and storage of the table and
each index, backup, stream and replicas; on demand beside provisioned with auto
scaling beside reserved, in both table classes; and for later months, as
declared growth goes on. It recommends a capacity mode, and says all it assumes.

Prices are those of a table with a date in dynmodel. --prices names a JSON file
whose figures take their place; what it leaves out stays:

  {"date": "2027-01-15",
   "regions": {"eu-west-1": {"standard": {"storage": 0.28}}}}

Exit status: 0; 1 when the model cannot be read as it is written; 2 for a wrong
flag or a file that cannot be read.`,
		Example: `  dynmodel cost -f access-patterns.yaml
  dynmodel cost -f access-patterns.yaml --months 36 --region eu-central-1
  dynmodel cost -f access-patterns.yaml --format csv -o cost.csv
  dynmodel cost -f access-patterns.yaml --prices prices.json --format markdown`,
		Args:              command.ModelArg(&o.model),
		ValidArgsFunction: command.CompleteFiles,
		RunE:              func(*cobra.Command, []string) error { return o.run() },
	}
	f := cmd.Flags()
	command.FileFlag(cmd, &o.model, command.FileUsage("model to estimate"))
	command.ChoiceFlag(cmd, &o.format, "format", "text", "how to report", formatNames()...)
	command.OutputFlag(cmd, &o.output)
	f.IntVar(&o.months, "months", 1, fmt.Sprintf("how many months to look ahead, 1 to %d", cost.MaxMonths))
	f.StringVar(&o.region, "region", "", "region whose prices to take (default: the table's, else "+cost.DefaultRegion+")")
	f.StringVar(&o.prices, "prices", "", "JSON file of prices that take the place of dynmodel's own")
	command.ColorFlag(cmd, &o.color)

	command.CompleteFlagBy(cmd, "region", func() []string { return slices.Sorted(maps.Keys(cost.Published().Regions)) })
	return cmd
}

func (o *Options) run() error {
	i := slices.IndexFunc(formats(), func(f format) bool { return f.name == o.format })
	if o.months < 1 || o.months > cost.MaxMonths {
		return fmt.Errorf("--months %d: must be 1 to %d", o.months, cost.MaxMonths)
	}
	prices, err := o.readPrices()
	if err != nil {
		return err
	}
	m, err := onemodel.Read(o.model, o.streams, o.color)
	if err != nil {
		return err
	}
	e, err := cost.Of(m, cost.Options{Prices: prices, Region: o.region, Months: o.months})
	if err != nil {
		return err
	}
	return command.Report(o.streams, o.output, func(to *terminal.Streams) error {
		return formats()[i].write(to.Out, e, options{color: to.Color(o.color), width: to.Columns})
	})
}

// readPrices are the prices to take.
func (o *Options) readPrices() (*cost.Prices, error) {
	if o.prices == "" {
		return cost.Published(), nil
	}
	text, err := os.ReadFile(o.prices)
	if err != nil {
		return nil, fmt.Errorf("--prices %w", modelfiles.Explain(o.prices, err))
	}
	prices, err := cost.Published().Override(text)
	if err != nil {
		return nil, fmt.Errorf("--prices %s: %w", o.prices, err)
	}
	return prices, nil
}
