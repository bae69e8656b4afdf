package main_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/cli"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/model/modeltest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"dynmodel": func() { os.Exit(cli.Main(os.Args[1:], terminal.System())) },
	})
}

// TestScripts runs the transcripts in testdata/script, one per promise.
func TestScripts(t *testing.T) {
	action, err := filepath.Abs("../../.ci/action")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		Setup:               func(env *testscript.Env) error { env.Setenv("ACTION", action); return nil },
		UpdateScripts:       modeltest.Update(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}
