package infratest

import (
	"encoding/json"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/generate/targets"
)

// portable are the names that every file system takes as they are.
var portable = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,199}$`)

// TestNames holds the files that models with awkward names make against the syntax
// of their formats, where no tool needs to be asked for; the other tests have the
// tools judge them. Files are named so that each has a name of its own everywhere.
func TestNames(t *testing.T) {
	for _, s := range samples(t) {
		for _, name := range []string{"iam", "create-table", "cli"} {
			target, _ := targets.Named(name)
			files, err := targets.Files(target, s.in)
			if err != nil {
				t.Errorf("%s: %v", s.name, err)
			}
			taken := map[string]bool{}
			for _, f := range files {
				folded := strings.ToLower(f.Path)
				if taken[folded] || f.Path != "" && !portable.MatchString(f.Path) {
					t.Errorf("%s, %s: a file cannot be named %q everywhere", s.name, name, f.Path)
				}
				taken[folded] = true
				if path.Ext(f.Path) == ".json" && !json.Valid(f.Content) {
					t.Errorf("%s, %s: %s is no JSON\n%s", s.name, name, f.Path, f.Content)
				}
			}
		}
	}
}

// TestScriptSyntax has bash read every script.
func TestScriptSyntax(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	for _, s := range samples(t) {
		script := filepath.Join(t.TempDir(), "table.sh")
		write(t, script, made(t, s.in, "cli", "", nil))
		if out, err := exec.Command(bash, "-n", script).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", s.name, err, out)
		}
	}
}
