// Package schema is `dynmodel schema`.
package schema

import (
	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/schemas"
)

// New makes the command.
func New(streams *terminal.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [model|check]",
		Short: "Print the JSON Schema of the model language, or of check's output",
		Long: `Prints the JSON Schema of models, or of what "dynmodel check --format json"
writes. An editor with a YAML language server gives completion and checks while
typing when a model starts with the line
  # yaml-language-server: $schema=PATH-OF-THE-SCHEMA`,
		Example: `  dynmodel schema > model.schema.json
  dynmodel schema check > check.schema.json`,
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"model", "check"},
		RunE: func(_ *cobra.Command, args []string) error {
			text := schemas.Model()
			if len(args) == 1 && args[0] == "check" {
				text = schemas.Check()
			}
			_, err := streams.Out.Write(text)
			return err
		},
	}
}
