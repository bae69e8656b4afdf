// Package completion is `dynmodel completion`: what shells need to complete
// commands, flags and their values.
package completion

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
)

// New makes the command.
func New(streams *terminal.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print a script that completes commands in a shell",
		Long: `Prints a script for a shell, which then completes commands, flags, their values,
and the names of access patterns, entities and rules.

  bash         source <(dynmodel completion bash)
               (needs the package bash-completion)
  zsh          source <(dynmodel completion zsh)
               (after: autoload -U compinit; compinit)
  fish         dynmodel completion fish | source
  powershell   dynmodel completion powershell | Out-String | Invoke-Expression

The line is put into the shell's start-up file to have it in every session.

Exit status: 0; 2 for another shell.`,
		Example: `  dynmodel completion bash > /etc/bash_completion.d/dynmodel
  dynmodel completion zsh > "${fpath[1]}/_dynmodel"
  dynmodel completion fish > ~/.config/fish/completions/dynmodel.fish`,
		Args:      command.AtMostOne,
		ValidArgs: []cobra.Completion{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch root := cmd.Root(); strings.Join(args, "") {
			case "bash":
				return root.GenBashCompletionV2(streams.Out, true)
			case "zsh":
				return root.GenZshCompletion(streams.Out)
			case "fish":
				return root.GenFishCompletion(streams.Out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(streams.Out)
			}
			return command.Misuse(cmd, "name a shell: bash, zsh, fish or powershell")
		},
	}
}
