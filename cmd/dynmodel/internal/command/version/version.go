// Package version is `dynmodel version`.
package version

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/buildinfo"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
)

// New makes the command.
func New(streams *terminal.Streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version and how it was built",
		Long: `Prints the version, the revision it was built from, and for what it was built.

Exit status: 0; 2 for a wrong flag.`,
		Example: `  dynmodel version
  dynmodel version --format json`,
		Args:              command.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			if format == "text" {
				return Print(streams.Out)
			}
			encoder := json.NewEncoder(streams.Out)
			encoder.SetIndent("", "  ")
			return encoder.Encode(fields(buildinfo.Read()))
		},
	}
	command.ChoiceFlag(cmd, &format, "format", "text", "how to report", "text", "json")
	return cmd
}

// Print writes the version for a person.
func Print(w io.Writer) error {
	_, err := fmt.Fprintln(w, text(buildinfo.Read()))
	return err
}

// build is the JSON form.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"`
	Time     string `json:"time"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func fields(i buildinfo.Info) build { return build(i) }

// shortRevision is how much of a revision is shown.
const shortRevision = 12

func text(i buildinfo.Info) string {
	revision := ""
	if i.Revision != "" {
		revision = " " + i.Revision[:min(shortRevision, len(i.Revision))]
	}
	if i.Modified {
		revision += ", modified"
	}
	return fmt.Sprintf("dynmodel %s%s (%s, %s)", i.Version, revision, i.Go, i.Platform)
}
