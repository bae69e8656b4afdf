package infratest

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// TestLint has cfn-lint judge all templates, in both syntaxes.
func TestLint(t *testing.T) {
	tool := installed(t, "cfn-lint")
	folder, files := t.TempDir(), []string(nil)
	for _, s := range samples(t) {
		yaml, json := filepath.Join(folder, s.name+".yaml"), filepath.Join(folder, s.name+".json")
		write(t, yaml, made(t, s.in, "cloudformation", "", nil))
		write(t, json, made(t, s.in, "cloudformation", "", map[string]string{"format": "json"}))
		files = append(files, yaml, json)
	}
	if out, err := exec.Command(tool, files...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
