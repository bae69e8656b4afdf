// Package clients_test runs programs that use other SDKs than Go's, and the
// libraries above them, against the engine over HTTP. Each program does real
// work on a table and checks what it gets; it prints "ok" when all was right.
package clients_test

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/endpoint"
)

// nodeVariable names the folder with the node_modules that the programs need, as
// `.ci/node-tools clients` prints it.
const nodeVariable = "DYNMODEL_CLIENTS_HOME"

func TestNode(t *testing.T) {
	home := os.Getenv(nodeVariable)
	if home == "" {
		t.Skipf("%s is not set; it is what .ci/node-tools clients prints", nodeVariable)
	}
	for _, program := range []string{"sdk.mjs", "electrodb.mjs", "onetable.mjs"} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			run(t, exec.Command("node", copyInto(t, home, program)))
		})
	}
}

// copyInto copies a program to where it finds its modules, for the time of the
// test.
func copyInto(t *testing.T, home, program string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", program))
	if err != nil {
		t.Fatal(err)
	}
	folder, err := os.MkdirTemp(home, "test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	copied := filepath.Join(folder, program)
	if err := os.WriteFile(copied, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return copied
}

func TestBoto3(t *testing.T) {
	if exec.Command("python3", "-c", "import boto3").Run() != nil {
		t.Skip("there is no Python with boto3")
	}
	t.Parallel()
	run(t, exec.Command("python3", filepath.Join("testdata", "boto.py")))
}

func TestAWSCLI(t *testing.T) {
	if _, err := exec.LookPath("aws"); err != nil {
		t.Skip("there is no AWS CLI")
	}
	t.Parallel()
	run(t, exec.Command("bash", filepath.Join("testdata", "cli.sh")))
}

// run runs a program against an engine of its own, which the usual variables
// of the environment name.
func run(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	url := serve(t)
	cmd.Env = append(os.Environ(), "AWS_ENDPOINT_URL_DYNAMODB="+url, "AWS_ENDPOINT_URL_DYNAMODB_STREAMS="+url,
		"AWS_ACCESS_KEY_ID=any", "AWS_SECRET_ACCESS_KEY=any", "AWS_REGION=us-east-1", "AWS_DEFAULT_REGION=us-east-1", "AWS_PAGER=")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasSuffix(strings.TrimSpace(string(out)), "ok") {
		t.Errorf("%v\n%s", err, out)
	}
}

func serve(t *testing.T) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	db := engine.New()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- endpoint.Serve(ctx, listener, db) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		db.Close()
	})
	return "http://" + listener.Addr().String()
}
