// Package witness starts DynamoDB Local, AWS's own emulator, so that tests can
// put the same questions to it. It is a witness, not a judge: where it
// contradicts the documentation of DynamoDB, DynamoDB is right.
package witness

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Environment variables that steer the tests against DynamoDB Local.
const (
	// HomeVariable names the folder that holds DynamoDBLocal.jar.
	HomeVariable = "DYNAMODB_LOCAL_HOME"
	// RequireVariable, when it is "1", makes the witness's absence a failure.
	RequireVariable = "REQUIRE_DYNAMODB_LOCAL"
)

const startTimeout = 60 * time.Second

// Start runs DynamoDB Local in memory on a free port until the test ends, and
// returns the URL of its endpoint. Without java or DynamoDB Local the test is
// skipped, or fails if the environment requires them.
func Start(t testing.TB) string {
	t.Helper()
	home, err := find()
	if err != nil {
		if os.Getenv(RequireVariable) == "1" {
			t.Fatalf("%v, but %s=1 requires it", err, RequireVariable)
		}
		t.Skipf("no DynamoDB Local to compare with: %v", err)
	}
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	var output strings.Builder
	ctx, cancel := context.WithCancel(context.Background())
	command := exec.CommandContext(ctx, "java", "-Djava.library.path=./DynamoDBLocal_lib",
		"-jar", "DynamoDBLocal.jar", "-inMemory", "-port", strconv.Itoa(port))
	command.Dir = home
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = command.Wait() // killed by cancel: the exit status says nothing
	})
	url := fmt.Sprintf("http://127.0.0.1:%d", port)
	if err := awaitAnswer(ctx, url); err != nil {
		t.Fatalf("DynamoDB Local did not start: %v", err)
	}
	return url
}

// Client is an SDK client of a local endpoint, with made-up credentials and no
// retries: the first answer is the one that counts.
func Client(url string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(url),
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("local", "local", ""),
		Retryer:      aws.NopRetryer{},
		HTTPClient:   &http.Client{Timeout: time.Minute},
	})
}

func find() (home string, err error) {
	home = os.Getenv(HomeVariable)
	if home == "" {
		return "", fmt.Errorf("%s is not set; it names the folder of DynamoDBLocal.jar", HomeVariable)
	}
	if _, err := os.Stat(filepath.Join(home, "DynamoDBLocal.jar")); err != nil {
		return "", fmt.Errorf("%s: %w", HomeVariable, err)
	}
	if _, err := exec.LookPath("java"); err != nil {
		return "", fmt.Errorf("DynamoDB Local needs java: %w", err)
	}
	return home, nil
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

func awaitAnswer(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	client := Client(url)
	for {
		_, err := client.ListTables(ctx, &dynamodb.ListTablesInput{})
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}
