package engine_test

import (
	"os"
	"os/exec"
	"testing"
)

// Variables that make this test binary another process: what it is to be, and
// on what.
const (
	roleVariable    = "DYNMODEL_TEST_ROLE"
	subjectVariable = "DYNMODEL_TEST_SUBJECT"
)

func TestMain(m *testing.M) {
	switch subject := os.Getenv(subjectVariable); os.Getenv(roleVariable) {
	case "victim":
		victim(subject)
	case "engine":
		serveEngine()
	case "bare":
		serveBare()
	default:
		os.Exit(m.Run())
	}
}

// processOf is a process of this binary.
func processOf(role, subject string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"="+role, subjectVariable+"="+subject)
	cmd.Stderr = os.Stderr
	return cmd
}
