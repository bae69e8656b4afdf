package infratest

import (
	"os"
	"os/exec"
	"testing"
)

// toolsVariable asks for the tests that run tools of others, where those are
// installed; they take minutes.
const toolsVariable = "DYNMODEL_TOOLS"

// installed is the path of a tool. Without it, or unless it is asked for, the test
// is skipped.
func installed(t *testing.T, tool string) string {
	t.Helper()
	if os.Getenv(toolsVariable) == "" {
		t.Skipf("%s is not set", toolsVariable)
	}
	path, err := exec.LookPath(tool)
	if err != nil {
		t.Skipf("%s is not installed", tool)
	}
	return path
}
