package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/cli"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
)

// TestManual writes everything twice: every command has its page, every shell its
// completion, and a date that is given makes them the same bytes.
func TestManual(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1767603600")
	folder, again := t.TempDir(), t.TempDir()
	for _, f := range []string{folder, again} {
		if err := write(f); err != nil {
			t.Fatal(err)
		}
	}
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		if cmd.IsAvailableCommand() || !cmd.HasParent() {
			page := read(t, folder, "man/"+strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1")
			if !strings.Contains(page, `"Jan 2026"`) || !strings.Contains(page, ".SH SYNOPSIS") {
				t.Errorf("the page of %s has no date or no synopsis", cmd.CommandPath())
			}
		}
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(cli.Root(&terminal.Streams{}))
	for _, name := range []string{"dynmodel.bash", "dynmodel.zsh", "dynmodel.fish", "dynmodel.ps1"} {
		if read(t, folder, "completions/"+name) != read(t, again, "completions/"+name) {
			t.Errorf("%s differs the second time", name)
		}
	}
	if read(t, folder, "man/dynmodel-check.1") != read(t, again, "man/dynmodel-check.1") {
		t.Error("the page of check differs the second time")
	}
}

func read(t *testing.T, folder, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
