package generate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/generate/targets"
)

// all is the command that writes what generate blocks say.
func (o *Options) all() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "all FILE|FOLDER|-…",
		Short: "Everything that the model's generate block names",
		Long: `Writes every target of the model's generate block. Paths in it are relative to
the model's file:

  generate:
    docs: docs/table.md
    cloudformation: {path: infrastructure/table.json, format: json}

Several models may be named, also by --file. In a folder, those without a
generate block are passed over; for a part of models, those that include it are
meant.`,
		Example: `  dynmodel generate all access-patterns.yaml
  dynmodel generate all --check models/`,
		Args: func(_ *cobra.Command, args []string) error {
			if o.model != "" {
				args = append([]string{o.model}, args...)
			}
			o.args = args
			if len(args) == 0 {
				return errors.New("name the models to generate from")
			}
			return nil
		},
		ValidArgsFunction: command.CompleteFiles,
		RunE:              func(cmd *cobra.Command, _ []string) error { return o.blocks(cmd.Context()) },
	}
	cmd.Flags().BoolVar(&o.ifModel, "if-model", false, "pass over files that are no model nor part of one, and models without a generate block")
	return cmd
}

// blocks generates what the generate blocks of models say. Models with errors do
// not keep the others back.
func (o *Options) blocks(ctx context.Context) error {
	files, err := o.files()
	if err != nil {
		return err
	}
	var jobs []job
	var found error
	blocks := o.ifModel
	for _, f := range files {
		s, err := o.read(ctx, f)
		if errors.Is(err, command.ErrFindings) {
			found, blocks = err, true
			continue
		}
		if err != nil {
			return err
		}
		more, err := block(s)
		if err != nil {
			return err
		}
		blocks = blocks || len(s.input.Model.Generate) > 0
		jobs = append(jobs, more...)
	}
	if !blocks {
		return fmt.Errorf("%s has no generate block; it says what to write where, such as `generate: {docs: docs/table.md}`", strings.Join(o.args, ", "))
	}
	if err := o.finish(jobs); err != nil {
		return err
	}
	return found
}

// files are the models that the arguments name, and for parts of models those
// that include them.
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

// block makes the files of the targets of a model's generate block.
func block(s *sound) ([]job, error) {
	var jobs []job
	for _, entry := range s.input.Model.Generate {
		t, ok := targets.Named(entry.Name.Text)
		if !ok {
			continue // --force: it was reported
		}
		in := s.input
		in.Options = targets.Options(entry)
		files, err := targets.Files(t, in)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.file, err)
		}
		path := filepath.FromSlash(entry.Path)
		if s.file != modelfiles.Stdin && !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(s.file), path)
		}
		jobs = append(jobs, job{of: s.file + ": " + t.Name, path: path, files: files})
	}
	return jobs, nil
}
