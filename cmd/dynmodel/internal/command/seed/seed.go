// Package seed is `dynmodel seed`: realistic items into a table or files.
package seed

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/endpoint"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/onemodel"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/seed"
)

// Options are the command's flags.
type Options struct {
	streams *terminal.Streams

	model  string
	items  int
	seed   uint64
	now    string
	to     endpoint.Flags
	table  string
	create bool
	state  string

	output string
	format string
	gzip   bool
	part   int

	color      terminal.ColorMode
	noProgress bool
}

// maxItems bounds --items: beyond it a slip is likelier than a wish.
const maxItems = 10_000_000_000

// New makes the command.
func New(streams *terminal.Streams) *cobra.Command {
	o := &Options{streams: streams, color: terminal.ColorAuto}
	cmd := &cobra.Command{
		Use:   "seed [-f] FILE",
		Short: "Fill a table or files with realistic data",
		Long: `Makes realistic items of a model: names that look like names, numbers in their
domains, choices by their shares, children by the declared volumes, references
that lead to items, counts and copies that are right, guards of unique
attributes.

They go to a table (--endpoint or --aws), several batches at a time; or to files
that DynamoDB imports from S3 (--output), as DynamoDB JSON or CSV.

The same model, seed and number of items give the same items. Writing to a table
can be stopped and taken up again: --state names a file that says how far it is.

Exit status: 0; 1 when the model cannot be read as it is written; 2 for a wrong
flag, or an endpoint or file that cannot be written to.`,
		Example: `  dynmodel seed -f access-patterns.yaml --items 10000 --endpoint http://localhost:8000 --create
  dynmodel seed -f access-patterns.yaml --items 5000000 --aws --table shop-test --state seed.json
  dynmodel seed -f access-patterns.yaml --items 1000000 -o import/ --gzip
  dynmodel seed -f access-patterns.yaml --items 20 -o -`,
		Args:              command.ModelArg(&o.model),
		ValidArgsFunction: command.CompleteFiles,
		RunE:              func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	o.flags(cmd)
	return cmd
}

func (o *Options) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	command.FileFlag(cmd, &o.model, command.FileUsage("model whose items to make"))
	f.IntVar(&o.items, "items", 1000, "about how many items")
	f.Uint64Var(&o.seed, "seed", 1, "seed of the generated data")
	f.StringVar(&o.now, "now", "", "time before which the items came to be, such as 2026-06-01T00:00:00Z (default: the start of today)")
	o.to.Register(cmd)
	f.StringVar(&o.table, "table", "", "table to write to (default: that of the model)")
	f.BoolVar(&o.create, "create", false, "make the table first, unless it exists")
	f.StringVar(&o.state, "state", "", "file that says how far it is, so that it can be taken up again")
	f.Float64Var(&o.to.Rate, "max-rate", 0, "most requests a second, of 25 items each")
	f.StringVarP(&o.output, "output", "o", "", "folder for files to import; - is standard output")
	command.ChoiceFlag(cmd, &o.format, "format", "dynamodb-json", "how to write files", "dynamodb-json", "csv")
	f.BoolVar(&o.gzip, "gzip", false, "compress the files")
	f.IntVar(&o.part, "part", 500_000, "most items in one file")
	command.ColorFlag(cmd, &o.color)
	f.BoolVar(&o.noProgress, "no-progress", false, "no progress on the terminal")
}

func (o *Options) validate() error {
	switch {
	case o.items < 1 || o.items > maxItems:
		return fmt.Errorf("--items %d: must be 1 to %d", o.items, maxItems)
	case o.part < 1:
		return fmt.Errorf("--part %d: must be at least 1", o.part)
	case o.to.Rate < 0:
		return fmt.Errorf("--max-rate %v: must not be negative", o.to.Rate)
	case o.output == "" && !o.to.Given():
		return errors.New("say where the items go: --endpoint URL, --aws or --output FOLDER")
	case o.output != "" && o.to.Given():
		return errors.New("items go to files or to a table: leave out --output, or --endpoint and --aws")
	case o.output != "" && (o.create || o.state != "" || o.table != ""):
		return errors.New("--create, --state and --table go with --endpoint or --aws")
	}
	return o.to.Validate()
}

// sink takes items.
type sink interface {
	// write stores the items of some families, in blocks that can be stored at the
	// same time.
	write(ctx context.Context, blocks [][]stored) error
	// reached tells that all families before this one are written.
	reached(family int) error
	close() error
}

// stored is an item with its keys, as DynamoDB stores it.
type stored = plan.Stored

func (o *Options) run(ctx context.Context) (err error) {
	if err := o.validate(); err != nil {
		return err
	}
	now, err := o.presentTime()
	if err != nil {
		return err
	}
	m, err := onemodel.Read(o.model, o.streams, o.color)
	if err != nil {
		return err
	}
	p, err := seed.New(m, plan.New(m), seed.Options{Seed: o.seed, Items: o.items, Now: now})
	if err != nil {
		return err
	}
	to, first, err := o.sink(ctx, m, p, now)
	if err != nil {
		return o.to.Explain(err)
	}
	f := &filler{model: m, population: p, to: to, bar: o.streams.Progress(o.noProgress)}
	err = f.fill(ctx, first)
	f.bar.Clear()
	if closed := to.close(); err == nil {
		err = closed
	}
	if err != nil {
		return o.to.Explain(err)
	}
	return o.done(f)
}

// presentTime is the time that the data is made for. The start of a day, so that
// a run that is taken up again on the same day makes the same items.
func (o *Options) presentTime() (time.Time, error) {
	if o.now == "" {
		return time.Now().UTC().Truncate(24 * time.Hour), nil
	}
	at, err := time.Parse(time.RFC3339, o.now)
	if err != nil {
		return at, fmt.Errorf("--now %s: must be a time such as 2026-06-01T00:00:00Z", o.now)
	}
	return at.UTC(), nil
}

func (o *Options) sink(ctx context.Context, m *model.Model, p *seed.Population, now time.Time) (sink, int, error) {
	if o.output != "" {
		to, err := newFiles(o, m)
		return to, 0, err
	}
	return newTable(ctx, o, m, p, now)
}

func (o *Options) done(f *filler) error {
	where := o.output
	switch {
	case o.output == "-":
		return nil
	case where == "":
		where = o.to.String()
	}
	_, err := fmt.Fprintf(o.streams.Err, "%s written to %s\n", terminal.Count(f.items, "item"), where)
	return err
}

// filler writes a population to a sink.
type filler struct {
	model      *model.Model
	population *seed.Population
	to         sink
	bar        *terminal.Progress
	items      int
}

// chunk is about how many items are made before they are written; in between, a
// run can be taken up again.
const chunk = 5000

// fill writes all families from one on, several at a time.
func (f *filler) fill(ctx context.Context, first int) error {
	families := f.population.Families()
	each := max(1, chunk*families/max(1, f.population.Expected()))
	for from := first; from < families; from += each {
		to := min(from+each, families)
		n, err := f.part(ctx, from, to)
		if err != nil {
			return err
		}
		f.items += n
		if err := f.to.reached(to); err != nil {
			return err
		}
		f.bar.Show("seeding: %d of about %d items, %.0f a second", f.items, f.population.Expected(), float64(f.items)/f.bar.Elapsed().Seconds())
	}
	return nil
}

// part writes some families, which all processors make.
func (f *filler) part(ctx context.Context, from, to int) (int, error) {
	blocks := make([][]stored, min(runtime.GOMAXPROCS(0)*blocksEach, to-from))
	group, made := errgroup.WithContext(ctx)
	for b := range blocks {
		group.Go(func() error {
			for n := from + b*(to-from)/len(blocks); n < from+(b+1)*(to-from)/len(blocks); n++ {
				items, err := f.family(n)
				if err != nil {
					return err
				}
				blocks[b] = append(blocks[b], items...)
				if err := made.Err(); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return 0, err
	}
	sum := 0
	for _, b := range blocks {
		sum += len(b)
	}
	return sum, f.to.write(ctx, blocks)
}

// blocksEach is how many blocks there are for each processor: writing to a table
// is waiting for the most part.
const blocksEach = 4

// family is a family as it is stored, with its guards.
func (f *filler) family(number int) ([]stored, error) {
	var out []stored
	for _, in := range f.population.Family(number) {
		item, err := encode.Item(f.model, in.Entity, in.Item, nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.Entity.Name.Text, err)
		}
		out = append(out, item)
		guards, err := encode.Guards(f.model, in.Entity, in.Item)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.Entity.Name.Text, err)
		}
		for _, g := range guards {
			out = append(out, g.Key)
		}
	}
	return out, nil
}
