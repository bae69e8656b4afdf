// Package onemodel reads the one model that a command is about.
package onemodel

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate/report"
)

// Read reads the model that --file names, or the one that the file is a part of;
// - is standard input. What is wrong
// with its text is reported, and the error then is command.ErrFindings.
func Read(path string, streams *terminal.Streams, color terminal.ColorMode) (*model.Model, error) {
	if path == "" {
		return nil, errors.New("name the model with --file")
	}
	files, err := modelfiles.Read([]string{path}, streams.In)
	if err == nil {
		files, err = modelfiles.Wholes(files)
	}
	if err != nil {
		return nil, err
	}
	if len(files) != 1 {
		return nil, fmt.Errorf("%s stands for %d models (%s); name one of them", path, len(files), names(files))
	}
	f := files[0]
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
