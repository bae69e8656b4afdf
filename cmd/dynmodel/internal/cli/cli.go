// Package cli is the root command and the one place that turns outcomes into
// exit codes.
package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/check"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/completion"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/cost"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/diff"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/explain"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/format"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/generate"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/help"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/importer"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/initialise"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/schema"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/seed"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/serve"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/simulate"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/version"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model/diag"
)

// The exit codes of every command.
const (
	exitOK       = 0
	exitFindings = 1 // something was found at or above --fail-on
	exitTrouble  = 2 // usage, unreadable file, unreachable endpoint
)

// Main runs the command line and returns the process's exit code.
func Main(args []string, streams *terminal.Streams) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	inner := *streams
	inner.In = terminal.Interruptible(ctx, streams.In)
	streams = &inner
	root := Root(streams)
	root.SetArgs(args)
	root.SetIn(streams.In)
	root.SetOut(streams.Out)
	root.SetErr(streams.Err)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, command.ErrFindings):
		return exitFindings
	case ctx.Err() != nil:
		fmt.Fprintln(streams.Err, "dynmodel: interrupted")
		return exitTrouble
	}
	fmt.Fprintf(streams.Err, "dynmodel: %v\n", err)
	return exitTrouble
}

// Root makes the command with all those below it.
func Root(streams *terminal.Streams) *cobra.Command {
	showVersion := false
	root := &cobra.Command{
		Use:   "dynmodel",
		Short: "Model DynamoDB single-table designs and prove them by running every access pattern",
		Long: `dynmodel reads a model of a DynamoDB table (entities, key templates, access
patterns) and proves it: every access pattern is run on an embedded DynamoDB
with data built to break it, and what comes back is compared with what the
model says should come back.

It needs no network, no Java and no AWS account.

Exit status, of every command: 0 when all is well; 1 when something was found,
or a model cannot be read as it is written; 2 when the command could not do its
work: a wrong flag, a file that cannot be read, an endpoint that cannot be reached.`,
		Example: `  dynmodel init
  dynmodel check access-patterns.yaml`,
		Args:                       known,
		SuggestionsMinimumDistance: 2,
		SilenceErrors:              true,
		SilenceUsage:               true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if showVersion {
				return version.Print(streams.Out)
			}
			return cmd.Help()
		},
	}
	root.Flags().BoolVar(&showVersion, "version", false, "print the version and how it was built")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error { return command.Misuse(cmd, "%w", plain(cmd, err)) })
	root.SetHelpCommand(help.New())
	root.AddCommand(
		check.New(streams),
		completion.New(streams),
		cost.New(streams),
		diff.New(streams),
		explain.New(streams),
		format.New(streams),
		generate.New(streams),
		importer.New(streams),
		initialise.New(streams),
		schema.New(streams),
		simulate.New(streams),
		seed.New(streams),
		serve.New(streams),
		version.New(streams),
	)
	return root
}

// known refuses a command that there is not, and names the one that was meant.
func known(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	meant := ""
	if close := root.SuggestionsFor(args[0]); len(close) > 0 {
		meant = "; did you mean " + strings.Join(close, " or ") + "?"
	}
	return command.Misuse(root, "no command is named %q%s", args[0], meant)
}

// plain says of a value that a flag does not take what it must be, and of a flag
// that there is not which one may be meant, in place of the words of the parser.
func plain(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var missing *pflag.NotExistError
	switch {
	case errors.As(err, &missing) && missing.GetSpecifiedShortnames() == "":
		return fmt.Errorf("no flag is named --%s%s", missing.GetSpecifiedName(), meantFlag(cmd, missing.GetSpecifiedName()))
	case !errors.As(err, &invalid):
		return err
	}
	f := invalid.GetFlag()
	must := invalid.Unwrap().Error()
	switch f.Value.Type() {
	case "uint64":
		must = "must be a whole number, 0 or more"
	case "uint16":
		must = "must be a whole number from 0 to 65535"
	case "int":
		must = "must be a whole number"
	case "float64":
		must = "must be a number"
	case "bool":
		must = "must be true or false"
	}
	return fmt.Errorf("--%s %s: %s", f.Name, invalid.GetValue(), must)
}

// meantFlag names the flag of the command that a slip may have meant.
func meantFlag(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := diag.Nearest(name, names); near != "" {
		return "; did you mean --" + near + "?"
	}
	return ""
}
