// Package generate is `dynmodel generate`: files made from a model.
package generate

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/onemodel"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/output"
	"github.com/dynmodel/dynmodel/generate/targets"
)

// Options are the command's flags.
type Options struct {
	streams *terminal.Streams

	model   string
	args    []string // of all: the models
	ifModel bool
	output  string
	check   bool
	force   bool
	options []string
	color   terminal.ColorMode
}

// New makes the command, with one below it for every target and for all.
func New(streams *terminal.Streams) *cobra.Command {
	o := &Options{streams: streams, color: terminal.ColorAuto}
	cmd := &cobra.Command{
		Use:   "generate TARGET [-f] FILE",
		Short: "Make documents, infrastructure and code from a model",
		Long: `Makes files from a model that holds: documents, infrastructure, policies, code.
Models are judged by rules first, as by "check --static". With errors in it
nothing is generated, unless --force is given.

A target that makes one file writes it to standard output, or to the file that
--output names. One that makes several writes them into a folder. Files that
were not generated are never overwritten, unless --force is given.

Exit status: 0 when all is written, or current with --check; 1 when the model
has errors, or --check finds files that are stale or missing; 2 for a wrong
flag, or a file that cannot be read or may not be overwritten.`,
		Example: `  dynmodel generate docs -f access-patterns.yaml -o docs/table.md
  dynmodel generate cloudformation -f access-patterns.yaml --option format=json
  dynmodel generate all --check access-patterns.yaml`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 0:
				return unknown(args[0])
			case cmd.Flags().NFlag() > 0:
				return command.Misuse(cmd, "name a target, or all: dynmodel generate TARGET")
			}
			return cmd.Help()
		},
	}
	f := cmd.PersistentFlags()
	f.StringVarP(&o.model, "file", "f", "", command.FileUsage("model to generate from"))
	f.BoolVar(&o.check, "check", false, "write nothing; exit with 1 when a file is stale or missing")
	f.BoolVar(&o.force, "force", false, "go on although the model has errors, and overwrite files that were not generated")
	f.Var(&o.color, "color", "colour the text")
	command.CompleteFlag(cmd, "color", "auto", "always", "never")
	if err := cmd.RegisterFlagCompletionFunc("file", command.CompleteFiles); err != nil {
		panic(err)
	}
	for _, t := range targets.All() {
		cmd.AddCommand(o.target(t))
	}
	cmd.AddCommand(o.all())
	return cmd
}

// target is the command of one target.
func (o *Options) target(t generate.Target) *cobra.Command {
	cmd := &cobra.Command{
		Use:               t.Name + " [-f] FILE",
		Short:             t.Title,
		Long:              strings.TrimSpace(t.Text) + optionsText(t),
		Example:           example(t),
		Args:              command.ModelArg(&o.model),
		ValidArgsFunction: command.CompleteFiles,
		RunE:              func(cmd *cobra.Command, _ []string) error { return o.one(cmd.Context(), t) },
	}
	f := cmd.Flags()
	if targets.Several(t) {
		f.StringVarP(&o.output, "output", "o", "", "folder to write to (default "+t.Path+")")
	} else {
		f.StringVarP(&o.output, "output", "o", "", "file to write to (default: standard output)")
	}
	f.StringArrayVar(&o.options, "option", nil, "an option of the target, NAME=VALUE (repeatable)")
	command.CompleteFlag(cmd, "option", completions(t)...)
	return cmd
}

// toStdout is the --output that is standard output.
const toStdout = "-"

// one generates one target.
func (o *Options) one(ctx context.Context, t generate.Target) error {
	options, err := o.given(t)
	if err != nil {
		return err
	}
	f, err := onemodel.File(o.model, o.streams)
	if err != nil {
		return err
	}
	j, err := judge(ctx, f)
	if err != nil {
		return err
	}
	in, err := o.input(j)
	if err != nil {
		return err
	}
	in.Options = options
	files, err := targets.Files(t, in)
	if err != nil {
		return err
	}
	switch {
	case o.output == toStdout && targets.Several(t):
		return fmt.Errorf("%s makes several files, which do not go to standard output; name a folder with --output", t.Name)
	case o.output != "" && o.output != toStdout:
		return o.finish([]job{{of: t.Name, path: o.output, files: files}})
	case targets.Several(t):
		return o.finish([]job{{of: t.Name, path: filepath.FromSlash(t.Path), files: files}})
	case o.check:
		return fmt.Errorf("--check compares with a file; name it with --output")
	}
	_, err = o.streams.Out.Write(files[0].Content)
	return err
}

// job is the files of a target and where they go.
type job struct {
	of    string // the target, and the model if there may be several
	path  string
	files []generate.File
}

// finish compares or writes the files. Nothing is written when any of them may not be.
func (o *Options) finish(jobs []job) error {
	var entries []output.Entry
	writers := map[string]string{}
	for _, j := range jobs {
		compared, err := output.Compare(j.path, j.files)
		if err != nil {
			return err
		}
		for _, e := range compared {
			if other, taken := writers[e.Path]; taken && e.State != output.Left {
				return fmt.Errorf("%s and %s would both write %s", other, j.of, e.Path)
			}
			writers[e.Path] = j.of
		}
		entries = append(entries, compared...)
	}
	if o.check {
		return o.stale(entries)
	}
	if err := output.Write(entries, o.force); err != nil {
		return err
	}
	for _, e := range entries {
		switch e.State {
		case output.Current:
		case output.Left:
			fmt.Fprintf(o.streams.Out, "removed %s\n", e.Path)
		default:
			fmt.Fprintf(o.streams.Out, "wrote %s\n", e.Path)
		}
	}
	return nil
}

// stale lists what --check finds.
func (o *Options) stale(entries []output.Entry) error {
	found := false
	for _, e := range entries {
		if e.State != output.Current {
			found = true
			fmt.Fprintf(o.streams.Out, "%s: %s\n", e.Path, said[e.State])
		}
	}
	if found {
		return command.ErrFindings
	}
	return nil
}
