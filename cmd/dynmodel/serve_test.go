package main_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/dynmodel/dynmodel/engine/enginetest"
	"github.com/dynmodel/dynmodel/model/modeltest"
)

// TestServe runs the transcripts in testdata/serve. They have some commands
// more: start runs `dynmodel serve` on a free port and sets $URL and $PORT; call sends an
// operation and writes what is answered to the file "answer"; conformance holds
// the server against the engine's cases of some topics; finish ends the
// server, by an interrupt or with -9, and writes what it printed to "out" and
// "err".
func TestServe(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/serve",
		UpdateScripts:       modeltest.Update(),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"start":  start,
			"call":   call,
			"fetch":  fetch,
			"finish": finish,

			"conformance": conformance,
		},
		Setup: func(env *testscript.Env) error {
			s := new(server)
			env.Values[serverKey{}] = s
			env.Defer(s.kill)
			return nil
		},
	})
}

// A server is the process that a transcript has started.
type server struct {
	cmd      *exec.Cmd
	out, err strings.Builder
	read     sync.WaitGroup
}

type serverKey struct{}

func serverOf(ts *testscript.TestScript) *server { return ts.Value(serverKey{}).(*server) }

func (s *server) kill() {
	if s.cmd != nil {
		s.cmd.Process.Kill()
	}
}

func start(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("! start is not supported")
	}
	s := serverOf(ts)
	s.out.Reset()
	s.err.Reset()
	bin, _, _ := strings.Cut(ts.Getenv("PATH"), string(os.PathListSeparator))
	s.cmd = exec.Command(filepath.Join(bin, "dynmodel"), append([]string{"serve", "--port", "0"}, args...)...)
	s.cmd.Dir = ts.MkAbs(".")
	s.cmd.Env = []string{"PATH=" + ts.Getenv("PATH")}
	s.cmd.Stderr = &s.err
	out, err := s.cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(s.cmd.Start())
	url := make(chan string, 1)
	s.read.Go(func() {
		defer close(url)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			s.out.WriteString(lines.Text() + "\n")
			if at := strings.Index(lines.Text(), "http://"); at >= 0 && s.out.Len() == len(lines.Text())+1 {
				address, _, _ := strings.Cut(lines.Text()[at:], ",")
				url <- address
			}
		}
	})
	select {
	case u, ok := <-url:
		if !ok {
			s.cmd.Wait()
			ts.Fatalf("the server has ended: %s", s.err.String())
		}
		ts.Setenv("URL", u)
		ts.Setenv("PORT", u[strings.LastIndex(u, ":")+1:])
	case <-time.After(time.Minute):
		ts.Fatalf("the server has not started")
	}
}

// call OPERATION JSON [HEADER: VALUE]: with !, the answer has to be a refusal.
func call(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: call OPERATION JSON [HEADER: VALUE]")
	}
	r, err := http.NewRequest(http.MethodPost, ts.Getenv("URL"), strings.NewReader(args[1]))
	ts.Check(err)
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+args[0])
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("X-Amz-Date", "20261130T000000Z")
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=a, SignedHeaders=b, Signature=c")
	for _, h := range args[2:] {
		name, value, _ := strings.Cut(h, ":")
		r.Header.Set(name, strings.TrimSpace(value))
	}
	send(ts, neg, r)
}

// conformance TOPIC… runs the cases of some topics.
func conformance(ts *testscript.TestScript, neg bool, topics []string) {
	if neg {
		ts.Fatalf("! conformance is not supported")
	}
	client := dynamodb.New(dynamodb.Options{
		Region:       "us-east-1",
		BaseEndpoint: aws.String(ts.Getenv("URL")),
		Credentials:  credentials.NewStaticCredentialsProvider("id", "secret", ""),
	})
	endpoint := enginetest.Endpoint{Client: client, Kind: enginetest.Embedded}
	for _, c := range enginetest.Cases() {
		if !slices.Contains(topics, c.Topic()) {
			continue
		}
		if err := c.Check(context.Background(), endpoint); err != nil {
			ts.Fatalf("%s: %v", c.Name, err)
		}
	}
}

// fetch METHOD [HEADER: VALUE] sends a request without a body.
func fetch(ts *testscript.TestScript, neg bool, args []string) {
	r, err := http.NewRequest(args[0], ts.Getenv("URL"), nil)
	ts.Check(err)
	for _, h := range args[1:] {
		name, value, _ := strings.Cut(h, ":")
		r.Header.Set(name, strings.TrimSpace(value))
	}
	send(ts, neg, r)
}

func send(ts *testscript.TestScript, neg bool, r *http.Request) {
	resp, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	ts.Check(err)
	var headers strings.Builder
	resp.Header.Write(&headers)
	answer := resp.Status + "\n" + headers.String() + "\n" + string(body) + "\n"
	ts.Check(os.WriteFile(ts.MkAbs("answer"), []byte(answer), 0o644))
	if refused := resp.StatusCode != http.StatusOK; refused != neg {
		ts.Fatalf("%s", answer)
	}
}

func finish(ts *testscript.TestScript, neg bool, args []string) {
	s := serverOf(ts)
	kill := len(args) == 1 && args[0] == "-9"
	if kill {
		ts.Check(s.cmd.Process.Kill())
	} else {
		ts.Check(s.cmd.Process.Signal(syscall.SIGTERM))
	}
	s.read.Wait()
	err := s.cmd.Wait()
	s.cmd = nil
	if !kill && (err != nil) != neg {
		ts.Fatalf("the server ended with %v\n%s", err, s.err.String())
	}
	ts.Check(os.WriteFile(ts.MkAbs("out"), []byte(s.out.String()), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs("err"), []byte(s.err.String()), 0o644))
}
