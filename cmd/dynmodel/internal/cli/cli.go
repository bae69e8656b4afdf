// Package cli is the root command and the one place that turns outcomes into
// exit codes.
package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/check"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/cost"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/diff"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/explain"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/format"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/generate"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/importer"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/initialise"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/schema"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/seed"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/serve"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/simulate"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command/version"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
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
	root := &cobra.Command{
		Use:   "dynmodel",
		Short: "Model DynamoDB single-table designs and prove them by running every access pattern",
		Long: `dynmodel reads a model of a DynamoDB table (entities, key templates, access
patterns) and proves it: every access pattern is run on an embedded DynamoDB
with data built to break it, and what comes back is compared with what the
model says should come back.

It needs no network, no Java and no AWS account.`,
		Example:       "  dynmodel check access-patterns.yaml",
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w\nsee %q", plain(err), cmd.CommandPath()+" --help")
	})
	root.AddCommand(
		check.New(streams),
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

// plain says of a number that cannot be read what it must be, in place of the
// words of the parser.
func plain(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	f := invalid.GetFlag()
	switch f.Value.Type() {
	case "uint64":
		return fmt.Errorf("--%s %s: must be a whole number, 0 or more", f.Name, invalid.GetValue())
	case "int":
		return fmt.Errorf("--%s %s: must be a whole number", f.Name, invalid.GetValue())
	}
	return err
}
