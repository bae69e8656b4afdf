// Package importer is `dynmodel import`.
package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/endpoint"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model/importer"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/importer/infer"
	"github.com/dynmodel/dynmodel/model/importer/items"
	"github.com/dynmodel/dynmodel/model/importer/printer"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/jsontree"
)

// Options are the command's flags.
type Options struct {
	streams *terminal.Streams

	output  string
	table   string
	samples string // a file with sample data
	quiet   bool
	force   bool

	endpoint endpoint.Flags
	limit    int
	rate     float64
	keep     int // samples of an entity from a live table
}

// New makes the command, with one below it for every format and for a table.
func New(streams *terminal.Streams) *cobra.Command {
	o := &Options{streams: streams}
	cmd := &cobra.Command{
		Use:   "import [FORMAT] FILE",
		Short: "Make a model from another tool's design, or from a table that exists",
		Long: `Makes a model of what another tool says of a table: its keys and indexes, the
entities in it, how their keys are made, and what is asked of it. What is not
said is guessed from names and items, and marked with a comment. What could not
be carried over, and what is wrong in the input, is listed on standard error and
at the end of the model.

Without a FORMAT it is told by the file's name and content. - is standard input.
A file with several tables gives several models: name one with --table, or a
folder with --output.

Exit status: 0 when a model was made; 2 for a wrong flag, or a file that holds
no design.`,
		Example: `  dynmodel import shop.json -o shop.yaml
  dynmodel import cloudformation template.yaml --table Orders
  dynmodel import table orders --endpoint http://localhost:8000 -o orders.yaml`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 {
				return command.Misuse(cmd, "there is no format %q; there are %s", args[0], strings.Join(names(), ", "))
			}
			return one(cmd, args)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(_ *cobra.Command, args []string) error { return o.file(nil, args[0]) },
	}
	f := cmd.PersistentFlags()
	f.StringVarP(&o.output, "output", "o", "", "file to write to, or folder (default: standard output)")
	f.BoolVar(&o.force, "force", false, "overwrite files that are there")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "do not say what is wrong in the input or not carried over")
	o.tableFlag(cmd)
	o.samplesFlag(cmd)
	for _, format := range importer.Formats() {
		cmd.AddCommand(o.format(format))
	}
	cmd.AddCommand(o.live())
	return cmd
}

// one demands one file.
func one(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return command.Misuse(cmd, "name a file to import, or - for standard input")
	}
	return command.AtMostOne(cmd, args)
}

func names() []string {
	out := []string{}
	for _, f := range importer.Formats() {
		out = append(out, f.Name)
	}
	return append(out, "table")
}

func (o *Options) tableFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.table, "table", "", "import this table only")
}

func (o *Options) samplesFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.samples, "samples", "", "file with the sample data of a data-model schema (usage_data.json)")
}

// format is the command of one format.
func (o *Options) format(format importer.Format) *cobra.Command {
	cmd := &cobra.Command{
		Use:     format.Name + " FILE",
		Short:   strings.ToUpper(format.Title[:1]) + format.Title[1:],
		Example: fmt.Sprintf("  dynmodel import %s design.%s -o access-patterns.yaml", format.Name, format.Extensions[0]),
		Args:    one,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return format.Extensions, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(_ *cobra.Command, args []string) error { return o.file(&format, args[0]) },
	}
	o.tableFlag(cmd)
	if format.Samples {
		o.samplesFlag(cmd)
	}
	return cmd
}

// live is the command that looks into a table.
func (o *Options) live() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "table NAME --endpoint URL|--aws",
		Short: "A table that exists, by sampling its items",
		Long: `Describes a table and reads some of its items, by a scan from several places at a
time. Nothing is written. From the items alone it finds which types there are,
how their keys are made, and what their attributes hold.

It needs the permissions dynamodb:DescribeTable and dynamodb:Scan, and tells more
with DescribeTimeToLive, DescribeContinuousBackups and ListTagsOfResource. No item
is kept in the model unless --keep asks for samples.`,
		Example: `  dynmodel import table orders --endpoint http://localhost:8000
  dynmodel import table orders --aws --region eu-west-1 --limit 2000 --rate 50 -o orders.yaml`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return command.Misuse(cmd, "name the table")
			}
			return command.AtMostOne(cmd, args)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.fromTable(cmd.Context(), args[0]) },
	}
	o.endpoint.Register(cmd)
	f := cmd.Flags()
	f.IntVar(&o.limit, "limit", items.DefaultLimit, "most items that are read")
	f.Float64Var(&o.rate, "rate", items.DefaultRate, "most read units that are taken a second")
	f.IntVar(&o.keep, "keep", 0, "how many items of each entity become samples in the model")
	return cmd
}

// file imports a file; format nil: the one that is recognised.
func (o *Options) file(format *importer.Format, path string) error {
	file, err := o.read(path)
	if err != nil {
		return err
	}
	if modelfiles.IsModel(file.Text()) {
		return fmt.Errorf("%s is a model already: dynmodel check %s", path, path)
	}
	if format == nil {
		found, err := importer.Recognise(file)
		if err != nil {
			return err
		}
		format = &found
	}
	var samples *source.File
	if o.samples != "" {
		if samples, err = o.read(o.samples); err != nil {
			return err
		}
	}
	drafts, err := format.Read(file, samples)
	if err != nil {
		return err
	}
	return o.write(drafts, path)
}

// fromTable imports a table that exists.
func (o *Options) fromTable(ctx context.Context, name string) error {
	if !o.endpoint.Given() {
		return errors.New("say where the table is: --endpoint URL, or --aws")
	}
	if err := o.endpoint.Validate(); err != nil {
		return err
	}
	switch {
	case o.limit < 1 || o.limit > draft.MaxItems:
		return fmt.Errorf("--limit %d: must be from 1 to %d", o.limit, draft.MaxItems)
	case o.rate <= 0:
		return fmt.Errorf("--rate %g: must be above 0", o.rate)
	case o.keep < 0:
		return fmt.Errorf("--keep %d: must not be negative", o.keep)
	}
	client, err := o.endpoint.Client(ctx)
	if err != nil {
		return err
	}
	d, err := items.Read(ctx, client, name, items.Options{Limit: o.limit, Rate: o.rate})
	if err != nil {
		return o.endpoint.Explain(fmt.Errorf("%s: %w", &o.endpoint, err))
	}
	if d.Samples = o.keep; o.keep == 0 {
		d.Samples = draft.NoSamples
	}
	return o.write([]*draft.Draft{d}, name)
}

// read reads a file, or standard input.
func (o *Options) read(path string) (*source.File, error) {
	in := o.streams.In
	if path != modelfiles.Stdin {
		f, err := os.Open(path)
		if err != nil {
			return nil, modelfiles.Explain(path, err)
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			return nil, fmt.Errorf("%s is a folder; name the file to import", path)
		}
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, jsontree.MaxSize+1))
	if err != nil {
		return nil, modelfiles.Explain(path, err)
	}
	file := source.NewFile(path, string(text))
	return file, importer.Sound(file)
}

// write completes the drafts and writes them as models.
func (o *Options) write(drafts []*draft.Draft, from string) error {
	if o.table != "" {
		drafts = slices.DeleteFunc(slices.Clone(drafts), func(d *draft.Draft) bool { return d.Table.Name.Text != o.table })
		if len(drafts) == 0 {
			return fmt.Errorf("%s has no table named %s", from, o.table)
		}
	}
	w := &writer{Options: o, taken: map[string]bool{}}
	if len(drafts) > 1 && !w.isFolder() {
		return fmt.Errorf("%s has %d tables (%s); name one with --table, or a folder with --output", from, len(drafts), tableNames(drafts))
	}
	for _, d := range drafts {
		infer.Missing(d)
		if err := w.one(d, printer.Text(d, from)); err != nil {
			return err
		}
	}
	return nil
}

func tableNames(drafts []*draft.Draft) string {
	const most = 10
	var out []string
	for _, d := range drafts {
		if len(out) == most {
			out = append(out, "…")
			break
		}
		out = append(out, d.Table.Name.Text)
	}
	return strings.Join(out, ", ")
}
