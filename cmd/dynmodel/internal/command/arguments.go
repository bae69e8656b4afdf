package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/model/diag"
)

// FileArgs demands at least one file, folder or - as an argument, unless there
// is the default model.
func FileArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 && !modelfiles.HasDefault() {
		return Misuse(cmd, "name a model file, a folder, or - for standard input; there is no %s here", modelfiles.Default)
	}
	return nil
}

// ModelArg takes the model as an argument, for those who leave out --file.
func ModelArg(path *string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := AtMostOne(cmd, args); err != nil || len(args) == 0 {
			return err
		}
		if *path != "" {
			return Misuse(cmd, "%q is an argument too many: --file names the model", args[0])
		}
		*path = args[0]
		return nil
	}
}

// NoArgs refuses arguments.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Misuse(cmd, "%q is an argument too many: this command takes none", args[0])
	}
	return nil
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

// Meant ends a message about a name that there is not: with the one of the names
// that may be meant, or with the command that lists them.
func Meant(name string, names []string, lister string) string {
	if near := diag.Nearest(name, names); near != "" {
		return "; did you mean " + near + "?"
	}
	return fmt.Sprintf("; %q lists them", lister)
}

// CompleteFiles completes names of YAML files.
func CompleteFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
}
