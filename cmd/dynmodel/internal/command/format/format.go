// Package format is `dynmodel fmt`.
package format

import (
	"errors"
	"fmt"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model/format"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate/report"
)

// Options are the command's arguments and flags.
type Options struct {
	streams *terminal.Streams
	args    []string

	check   bool
	diff    bool
	ifModel bool
	color   terminal.ColorMode
}

// New makes the command.
func New(streams *terminal.Streams) *cobra.Command {
	o := &Options{streams: streams, color: terminal.ColorAuto}
	cmd := &cobra.Command{
		Use:   "fmt FILE|FOLDER|-…",
		Short: "Lay models out in the one canonical way",
		Long: `Puts the keys of models in the order of the language's reference, indents by two
blanks, opens collections in brackets that are wider than 120 columns, sets
sections apart and aligns comments. Comments, anchors and blank lines are kept,
scalars stay as they are written, and no model changes what it says.

Files are written in place, and named. In a folder every model is laid out, with
the files that it includes. - is standard input, and goes to standard output.

Exit status: 0 when all is laid out, or was already with --check or --diff; 1
when --check or --diff finds a file that is not, or a file is no YAML; 2 for a
wrong flag or a file that cannot be read or written.`,
		Example: `  dynmodel fmt access-patterns.yaml
  dynmodel fmt --check models/
  dynmodel fmt --diff access-patterns.yaml
  dynmodel fmt - < access-patterns.yaml`,
		Args:              command.FileArgs,
		ValidArgsFunction: command.CompleteFiles,
		RunE: func(_ *cobra.Command, args []string) error {
			o.args = args
			return o.run()
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.check, "check", false, "write nothing; name the files that would change and exit with 1 if there are any")
	f.BoolVar(&o.diff, "diff", false, "write nothing; show what would change and exit with 1 if anything would")
	f.BoolVar(&o.ifModel, "if-model", false, "pass over files that are no model nor part of one")
	command.ColorFlag(cmd, &o.color)
	return cmd
}

func (o *Options) run() error {
	files, err := modelfiles.Read(o.args, o.streams.In)
	if err != nil {
		return err
	}
	if o.ifModel {
		if files, err = modelfiles.Related(files); err != nil {
			return err
		}
	}
	var found error
	for _, f := range modelfiles.WithParts(files) {
		switch err := o.file(f); {
		case errors.Is(err, command.ErrFindings):
			found = err
		case err != nil:
			return err
		}
	}
	return found
}

// file lays one file out, or says that it is not.
func (o *Options) file(f modelfiles.File) error {
	text, list := format.Text(source.NewFile(f.Name, f.Text))
	if list.Len() > 0 {
		style := report.TextOptions{Color: o.streams.Color(o.color), Width: o.streams.Columns}
		if err := report.Findings(o.streams.Err, list.All(), style); err != nil {
			return err
		}
		return command.ErrFindings
	}
	changed := text != f.Text
	switch {
	case o.check || o.diff:
		return o.compare(f, text, changed)
	case f.Name == modelfiles.Stdin:
		_, err := fmt.Fprint(o.streams.Out, text)
		return err
	case !changed:
		return nil
	}
	if err := modelfiles.Write(f.Name, text); err != nil {
		return err
	}
	_, err := fmt.Fprintf(o.streams.Out, "wrote %s\n", f.Name)
	return err
}

// compare shows what would change.
func (o *Options) compare(f modelfiles.File, text string, changed bool) error {
	if !changed {
		return nil
	}
	if o.check {
		fmt.Fprintf(o.streams.Out, "%s: not in canonical layout\n", f.Name)
	}
	if o.diff {
		o.streams.Out.Write(diff.Diff(f.Name, []byte(f.Text), f.Name+" (canonical)", []byte(text)))
	}
	return command.ErrFindings
}
