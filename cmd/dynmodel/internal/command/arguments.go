package command

import (
	"fmt"

	"github.com/spf13/cobra"
)

// FileArgs demands at least one file, folder or - as an argument.
func FileArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("name a model file, a folder, or - for standard input\nsee %q", cmd.CommandPath()+" --help")
	}
	return nil
}

// CompleteFiles completes names of YAML files.
func CompleteFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}

// CompleteFlag completes a flag's values. The command must have the flag.
func CompleteFlag(cmd *cobra.Command, flag string, words ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the command is made wrongly
	}
}
