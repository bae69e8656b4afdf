// Package onemodel reads the one model that a command is about.
package onemodel

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate/report"
)

// Read reads the model that was named, see File. What is wrong with its text is
// reported, and the error then is command.ErrFindings.
func Read(path string, streams *terminal.Streams, color terminal.ColorMode) (*model.Model, error) {
	f, err := File(path, streams)
	if err != nil {
		return nil, err
	}
	m, found := parse.File(source.NewFile(f.Name, f.Text), f.Includes())
	if m != nil && !found.Has(diag.Error) {
		return m, nil
	}
	style := report.TextOptions{Color: streams.Color(color), Width: streams.Columns}
	if err := report.Findings(streams.Err, found.All(), style); err != nil {
		return nil, err
	}
	return nil, command.ErrFindings
}

// Quietly reads the model that was named, and says nothing of what is wrong:
// nil when it cannot be read. It is for completion.
func Quietly(path string, streams *terminal.Streams) *model.Model {
	f, err := File(path, streams)
	if err != nil || f.Name == modelfiles.Stdin {
		return nil
	}
	m, _ := parse.File(source.NewFile(f.Name, f.Text), f.Includes())
	return m
}

// CompletePatterns completes a flag's values as names of access patterns of the
// model that is the command's argument. The command must have the flag.
func CompletePatterns(cmd *cobra.Command, flag string, streams *terminal.Streams) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		var names []cobra.Completion
		if m := Quietly(strings.Join(args, ""), streams); m != nil {
			for _, p := range m.Patterns {
				names = append(names, cobra.CompletionWithDesc(p.Name.Text, p.Description))
			}
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the command is made wrongly
	}
}

// File is the one model that was named, or that the file is a part of; - is
// standard input, and nothing the default model.
func File(path string, streams *terminal.Streams) (modelfiles.File, error) {
	if path == "" {
		if !modelfiles.HasDefault() {
			return modelfiles.File{}, fmt.Errorf("name the model with --file; there is no %s here", modelfiles.Default)
		}
		path = modelfiles.Default
	}
	files, err := modelfiles.Read([]string{path}, streams.In)
	if err == nil {
		files, err = modelfiles.Wholes(files)
	}
	switch {
	case err != nil:
		return modelfiles.File{}, err
	case len(files) != 1:
		return modelfiles.File{}, fmt.Errorf("%s stands for %d models (%s); name one of them", path, len(files), names(files))
	}
	return files[0], nil
}

// names are those of the first few files.
func names(files []modelfiles.File) string {
	const most = 3
	var out []string
	for _, f := range files {
		if len(out) == most {
			out = append(out, "…")
			break
		}
		out = append(out, f.Name)
	}
	return strings.Join(out, ", ")
}
