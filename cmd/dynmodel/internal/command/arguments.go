package command

import (
	"fmt"

	"github.com/spf13/cobra"
)

// FileArgs demands at least one file, folder or - as an argument.
func FileArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return Misuse(cmd, "name a model file, a folder, or - for standard input")
	}
	return nil
}

// NoArgs refuses arguments. Where the command takes its model by --file, it
// says so of an argument that was meant as that.
func NoArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.Flag("file") != nil && !cmd.Flag("file").Changed:
		return Misuse(cmd, "name the model with --file: %s --file %s", cmd.CommandPath(), args[0])
	}
	return Misuse(cmd, "%q is an argument too many: this command takes none", args[0])
}

// AtMostOne takes one argument or none.
func AtMostOne(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return Misuse(cmd, "%q is an argument too many: this command takes one", args[1])
	}
	return nil
}

// Misuse is an error in how a command was called; it ends with the place of the
// command's help.
func Misuse(cmd *cobra.Command, format string, args ...any) error {
	return fmt.Errorf("%w\nsee %q", fmt.Errorf(format, args...), cmd.CommandPath()+" --help")
}

// CompleteFiles completes names of YAML files.
func CompleteFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}
