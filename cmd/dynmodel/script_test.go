package main_test

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/cli"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"dynmodel": func() { os.Exit(cli.Main(os.Args[1:], terminal.System())) },
	})
}

// TestScripts runs the transcripts in testdata/script, one per promise.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}
