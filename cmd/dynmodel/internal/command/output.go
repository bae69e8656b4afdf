package command

import (
	"bytes"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
)

// OutputFlag gives a command the flag --output, which names the file for what it
// writes.
func OutputFlag(cmd *cobra.Command, path *string) {
	cmd.Flags().StringVarP(path, "output", "o", "", "file to write to (default: standard output)")
}

// Report has a report written: to the streams, or when a path is given to the
// file there, which appears as a whole. A file is no terminal, so that it has
// colour only when that is demanded, and no width.
func Report(streams *terminal.Streams, path string, write func(*terminal.Streams) error) error {
	if path == "" || path == modelfiles.Stdin {
		return write(streams)
	}
	var text bytes.Buffer
	file := *streams
	file.Out, file.OutTerminal, file.Columns = &text, false, 0
	if err := write(&file); err != nil {
		return err
	}
	return modelfiles.Write(path, text.String())
}
