package endpoint_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/endpoint"
)

// serving runs a server for the time of a test.
func serving(t *testing.T) (address string, end func() error) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	db := engine.New()
	t.Cleanup(func() { db.Close() })
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- endpoint.Serve(ctx, listener, db) }()
	return listener.Addr().String(), func() error {
		cancel()
		return <-ended
	}
}

func listTables(address string) (*http.Response, error) {
	r, err := http.NewRequest(http.MethodPost, "http://"+address, strings.NewReader("{}"))
	if err != nil {
		return nil, err
	}
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810.ListTables")
	r.Header.Set("Content-Type", engine.ContentType)
	r.Header.Set("X-Amz-Date", "20261130T000000Z")
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=a, SignedHeaders=b, Signature=c")
	client := http.Client{Timeout: 30 * time.Second}
	return client.Do(r)
}

// Clients that send the half of a request do not keep others from being served,
// nor the server from ending.
func TestSlowClients(t *testing.T) {
	t.Parallel()
	address, end := serving(t)
	for i := range 200 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if i%2 == 0 {
			fmt.Fprint(conn, "POST / HTTP/1.1\r\nHost: x\r\nX-Amz-")
		} else {
			fmt.Fprint(conn, line+usual+"Content-Length: 16000000\r\n\r\n{\"TableName\"")
		}
	}
	for range 20 {
		resp, err := listTables(address)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Errorf("status %s", resp.Status)
		}
	}
	if err := end(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	if _, err := listTables(address); err == nil {
		t.Error("an ended server has answered")
	}
}

// What is under way is answered when the server is told to end.
func TestShutdownWaits(t *testing.T) {
	t.Parallel()
	address, end := serving(t)
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, line+usual+"Content-Length: 2\r\n\r\n{")
	time.Sleep(100 * time.Millisecond) // until it is under way
	ended := make(chan error, 1)
	go func() { ended <- end() }()
	time.Sleep(100 * time.Millisecond) // until it is ending
	fmt.Fprint(conn, "}")
	answer := make([]byte, 15)
	if _, err := conn.Read(answer); err != nil || string(answer) != "HTTP/1.1 200 OK" {
		t.Errorf("answer %q, %v", answer, err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// Connections without a request are closed at once, those that net/http has as
// well as those of the lane.
func TestShutdownOfIdleConnections(t *testing.T) {
	t.Parallel()
	address, end := serving(t)
	for _, text := range []string{
		line + usual + "Content-Length: 2\r\n\r\n{}",
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprint(conn, text)
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatal(resp, err)
		}
		io.Copy(io.Discard, resp.Body)
	}
	start := time.Now()
	if err := end(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("it took %v", took)
	}
}
