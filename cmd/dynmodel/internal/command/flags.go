package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
)

// FileUsage describes the flag --file of a command that needs a model.
func FileUsage(what string) string {
	return what + "; - is standard input (default: " + modelfiles.Default + ", if it is there)"
}

// FileFlag gives a command the flag --file, which names its model. The usage
// describes it.
func FileFlag(cmd *cobra.Command, path *string, usage string) {
	cmd.Flags().StringVarP(path, "file", "f", "", usage)
	if err := cmd.RegisterFlagCompletionFunc("file", CompleteFiles); err != nil {
		panic(err) // the flag is made in the line above
	}
}

// ColorFlag gives a command the flag --color.
func ColorFlag(cmd *cobra.Command, mode *terminal.ColorMode) {
	cmd.Flags().Var(mode, "color", "colour the text")
	CompleteFlag(cmd, "color", "auto", "always", "never")
}

// ChoiceFlag gives a command a flag that takes one of a few words, the initial
// value among them. The usage is said before the words.
func ChoiceFlag(cmd *cobra.Command, value *string, name, initial, usage string, words ...string) {
	*value = initial
	cmd.Flags().Var(choice{value, words}, name, usage+": "+alternatives(words))
	CompleteFlag(cmd, name, words...)
}

// CompleteFlag completes a flag's values. The command must have the flag.
func CompleteFlag(cmd *cobra.Command, flag string, words ...string) {
	CompleteFlagBy(cmd, flag, func() []string { return words })
}

// CompleteFlagBy is CompleteFlag for words that are not at hand.
func CompleteFlagBy(cmd *cobra.Command, flag string, words func() []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return words(), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the command is made wrongly
	}
}

// choice is the value of a flag that takes one of a few words.
type choice struct {
	value *string
	words []string
}

// Set reads the flag's value.
func (c choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return fmt.Errorf("must be %s", alternatives(c.words))
	}
	*c.value = s
	return nil
}

// String is the flag's value.
func (c choice) String() string {
	if c.value == nil {
		return ""
	}
	return *c.value
}

// Type names the flag's values in help.
func (c choice) Type() string { return "string" }

// alternatives lists words: text, json or csv.
func alternatives(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
