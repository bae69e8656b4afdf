package generate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"

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

Several models may be named, and folders. Those without a generate block are
passed over, unless none has one; a part of models stands for those that include
it.`,
		Example: `  dynmodel generate all access-patterns.yaml
  dynmodel generate all --check models/`,
		Args: func(cmd *cobra.Command, args []string) error {
			if o.model != "" {
				args = append([]string{o.model}, args...)
			}
			o.args = args
			return command.FileArgs(cmd, args)
		},
		ValidArgsFunction: command.CompleteFiles,
		RunE:              func(cmd *cobra.Command, _ []string) error { return o.blocks(cmd.Context()) },
	}
	cmd.Flags().BoolVar(&o.ifModel, "if-model", false, "pass over files that are no model nor part of one, and models without a generate block")
	return cmd
}

// blocks generates what the generate blocks of models say. Models with errors do
// not keep the others back; those without a block are passed over.
func (o *Options) blocks(ctx context.Context) error {
	files, err := o.files()
	if err != nil {
		return err
	}
	var jobs []job
	var found error
	blocks := o.ifModel
	for _, f := range files {
		j, err := judge(ctx, f)
		if err != nil {
			return err
		}
		if !j.hasBlock() && (j.model != nil || o.ifModel) {
			continue // errors in it are the business of others
		}
		blocks = true
		more, err := o.block(j)
		if errors.Is(err, command.ErrFindings) {
			found = err
		} else if err != nil {
			return err
		}
		jobs = append(jobs, more...)
	}
	if !blocks {
		return fmt.Errorf("%s has no generate block; it says what to write where, such as `generate: {docs: docs/table.md}`", files[0].Name)
	}
	if err := o.finish(jobs); err != nil {
		return err
	}
	return found
}

// blockKey is the key of a generate block at the top level of a model.
var blockKey = regexp.MustCompile(`(?m)^["']?generate["']?[ \t]*:`)

// hasBlock tells whether a model has a generate block, be it one that cannot be read.
func (j *judged) hasBlock() bool {
	return j.model != nil && len(j.model.Generate) > 0 || blockKey.MatchString(j.file.Text)
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
func (o *Options) block(j *judged) ([]job, error) {
	in, err := o.input(j)
	if err != nil {
		return nil, err
	}
	var jobs []job
	for _, entry := range j.model.Generate {
		t, ok := targets.Named(entry.Name.Text)
		if !ok {
			continue // --force: it was reported
		}
		in.Options = targets.Options(entry)
		files, err := targets.Files(t, in)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", j.file.Name, err)
		}
		path := filepath.FromSlash(entry.Path)
		if j.file.Name != modelfiles.Stdin && !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(j.file.Name), path)
		}
		jobs = append(jobs, job{of: j.file.Name + ": " + t.Name, path: path, files: files})
	}
	return jobs, nil
}
