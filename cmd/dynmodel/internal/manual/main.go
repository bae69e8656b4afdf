// Command manual writes what packages of dynmodel carry beside the binary: a
// manual page for each command, and completion for each shell.
//
//	go run ./cmd/dynmodel/internal/manual dist
//
// Manual pages bear the date in SOURCE_DATE_EPOCH, so that the same revision
// gives the same bytes.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/buildinfo"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/cli"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: manual FOLDER")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "manual: %v\n", err)
		os.Exit(1)
	}
}

// write writes the folders man and completions below a folder.
func write(folder string) error {
	root := cli.Root(&terminal.Streams{Out: io.Discard, Err: io.Discard, Env: os.Getenv})
	root.DisableAutoGenTag = true
	root.InitDefaultCompletionCmd()
	return errors.Join(pages(root, filepath.Join(folder, "man")), completions(root, filepath.Join(folder, "completions")))
}

func pages(root *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	header := &doc.GenManHeader{Section: "1", Manual: "dynmodel", Source: "dynmodel " + buildinfo.Read().Version}
	return doc.GenManTree(root, header, folder)
}

func completions(root *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	const descriptions = true
	return errors.Join(
		root.GenBashCompletionFileV2(filepath.Join(folder, "dynmodel.bash"), descriptions),
		root.GenZshCompletionFile(filepath.Join(folder, "dynmodel.zsh")),
		root.GenFishCompletionFile(filepath.Join(folder, "dynmodel.fish"), descriptions),
		root.GenPowerShellCompletionFileWithDesc(filepath.Join(folder, "dynmodel.ps1")),
	)
}
