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
		Use:   "schema",
		Short: "Print the JSON Schema of the model language",
		Long: `Prints the JSON Schema of models. An editor with a YAML language server gives
completion and checks while typing when a model starts with the line
  # yaml-language-server: $schema=PATH-OF-THE-SCHEMA`,
		Example: "  dynmodel schema > model.schema.json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := streams.Out.Write(schemas.Model())
			return err
		},
	}
}
