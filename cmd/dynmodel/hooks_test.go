package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// readYAML reads a file of the repository that is YAML for others.
func readYAML(t *testing.T, name string) *yamltree.Node {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, name))
	if err != nil {
		t.Fatal(err)
	}
	list := &diag.List{}
	root := yamltree.Parse(source.NewFile(name, string(text)), list)
	if list.Len() > 0 {
		t.Fatal(list.All())
	}
	return root
}

// TestPreCommitHooks holds that every hook is there, and calls a command with
// flags that it has.
func TestPreCommitHooks(t *testing.T) {
	var ids []string
	for _, hook := range readYAML(t, ".pre-commit-hooks.yaml").Items {
		ids = append(ids, hook.Get("id").Text)
		command, ok := strings.CutPrefix(hook.Get("entry").Text, "dynmodel ")
		if !ok {
			t.Errorf("%s calls %q", hook.Get("id").Text, command)
		}
		if code, _, errs := run("", append(strings.Fields(command), "--help")...); code != 0 {
			t.Errorf("%s: %s", command, errs)
		}
		for _, key := range []string{"name", "description", "language"} {
			if hook.Get(key) == nil {
				t.Errorf("%s has no %s", hook.Get("id").Text, key)
			}
		}
	}
	if got := strings.Join(ids, " "); got != "dynmodel-check dynmodel-fmt dynmodel-generate" {
		t.Errorf("hooks are %s", got)
	}
}

var scriptVariable = regexp.MustCompile(`"\$([A-Z_]+)"|\$([A-Z_]+) `)

// TestAction holds that the action's inputs reach its script, that the document
// names each of them, and that no input is pasted into a script.
func TestAction(t *testing.T) {
	action := readYAML(t, "action.yml")
	doc, err := os.ReadFile(filepath.Join(repository, "docs", "continuous-integration.md"))
	if err != nil {
		t.Fatal(err)
	}
	steps := action.Get("runs").Get("steps").Items
	given := map[string]bool{}
	passed := ""
	for _, e := range steps[len(steps)-1].Get("env").Entries {
		given[e.Key.Text] = true
		passed += e.Value.Text
	}
	for _, input := range action.Get("inputs").Entries {
		if !strings.Contains(passed, "inputs."+input.Key.Text) {
			t.Errorf("the input %s goes nowhere", input.Key.Text)
		}
		if !strings.Contains(string(doc), "`"+input.Key.Text+"`") {
			t.Errorf("the document does not name the input %s", input.Key.Text)
		}
	}
	for _, step := range steps {
		if script := step.Get("run"); script != nil && strings.Contains(script.Text, "${{") {
			t.Errorf("an expression is pasted into the script %q", script.Text)
		}
	}
	script, err := os.ReadFile(filepath.Join(repository, ".ci", "action"))
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range scriptVariable.FindAllStringSubmatch(string(script), -1) {
		if name := found[1] + found[2]; !given[name] && name != "GITHUB_STEP_SUMMARY" {
			t.Errorf("the script reads %s, which the action does not set", name)
		}
	}
}
