// Package schema is `dynmodel schema`.
package schema

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/schemas"
)

// document is something that has a schema.
type document struct {
	name   string
	schema func() []byte
}

func documents() []document {
	return []document{{"model", schemas.Model}, {"check", schemas.Check}, {"diff", schemas.Diff}, {"cost", schemas.Cost}, {"simulate", schemas.Simulate}}
}

func names() []string {
	var out []string
	for _, d := range documents() {
		out = append(out, d.name)
	}
	return out
}

// New makes the command.
func New(streams *terminal.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "schema [" + strings.Join(names(), "|") + "]",
		Short: "Print the JSON Schema of the model language, or of what a command writes as JSON",
		Long: `Prints the JSON Schema of models, or of what a command writes with
"--format json". An editor with a YAML language server gives completion and
checks while typing when a model starts with the line
  # yaml-language-server: $schema=PATH-OF-THE-SCHEMA

Exit status: 0; 2 when there is no such schema.`,
		Example: `  dynmodel schema > model.schema.json
  dynmodel schema check > check.schema.json`,
		Args:      command.AtMostOne,
		ValidArgs: names(),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := "model"
			if len(args) == 1 {
				name = args[0]
			}
			i := slices.IndexFunc(documents(), func(d document) bool { return d.name == name })
			if i < 0 {
				return command.Misuse(cmd, "no schema is named %q; there are %s", name, strings.Join(names(), ", "))
			}
			_, err := streams.Out.Write(documents()[i].schema())
			return err
		},
	}
}
