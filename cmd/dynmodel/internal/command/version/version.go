// Package version is `dynmodel version`.
package version

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/buildinfo"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
)

// formats are the values of --format.
var formats = []string{"text", "json"}

// New makes the command.
func New(streams *terminal.Streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version and how it was built",
		Example: `  dynmodel version
  dynmodel version --format json`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			switch {
			case !slices.Contains(formats, format):
				return fmt.Errorf("--format %s: must be text or json", format)
			case format == "json":
				encoder := json.NewEncoder(streams.Out)
				encoder.SetIndent("", "  ")
				return encoder.Encode(fields(buildinfo.Read()))
			}
			_, err := fmt.Fprintln(streams.Out, text(buildinfo.Read()))
			return err
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "how to print: text or json")
	command.CompleteFlag(cmd, "format", formats...)
	return cmd
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
