package endpoint_test

import (
	"bufio"
	"bytes"
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

// A pair is the endpoint and net/http alone, over two engines in one state.
type pair struct{ own, standard string }

func newPair(t testing.TB) pair {
	listen := func() net.Listener {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		return listener
	}
	clock := func() time.Time { return time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC) }
	own, standard := listen(), listen()
	dbs := []*engine.DB{engine.New(engine.WithClock(clock)), engine.New(engine.WithClock(clock))}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- endpoint.Serve(ctx, own, dbs[0]) }()
	server := &http.Server{Handler: dbs[1], MaxHeaderBytes: 64 << 10}
	go server.Serve(standard)
	t.Cleanup(func() {
		cancel()
		server.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		for _, db := range dbs {
			db.Close()
		}
	})
	return pair{own.Addr().String(), standard.Addr().String()}
}

// answersOf sends the parts of a text and returns all answers to it, without
// what is different every time.
func answersOf(t testing.TB, address string, parts ...string) string {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	for i, part := range parts {
		if i > 0 {
			time.Sleep(10 * time.Millisecond) // so that it comes alone
		}
		io.WriteString(conn, part)
	}
	conn.(*net.TCPConn).CloseWrite()
	text, err := io.ReadAll(conn)
	if err != nil && len(text) == 0 {
		return err.Error()
	}
	var all strings.Builder
	for in := bufio.NewReader(bytes.NewReader(text)); ; {
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			return all.String()
		}
		body, _ := io.ReadAll(resp.Body)
		for _, changing := range []string{"Date", "X-Amzn-Requestid"} {
			if resp.Header[changing] != nil {
				resp.Header.Set(changing, "some")
			}
		}
		fmt.Fprintf(&all, "%s %v %d %q\n", resp.Status, resp.Header, resp.ContentLength, body)
	}
}

const (
	line   = "POST / HTTP/1.1\r\n"
	signed = "Content-Type: application/x-amz-json-1.0\r\nX-Amz-Date: 20261130T000000Z\r\nAuthorization: AWS4-HMAC-SHA256 Credential=a, SignedHeaders=b, Signature=c\r\n"
	usual  = "Host: localhost:8000\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n" + signed
)

// requestTexts are requests of the lane's kind and of others, with how many
// answers they have.
var requestTexts = []struct {
	name    string
	answers int
	parts   []string
}{
	{"usual", 1, []string{line + usual + "Content-Length: 2\r\n\r\n{}"}},
	{"other letters", 1, []string{line + "HOST:x\r\nx-amz-target:\tDynamoDB_20120810.ListTables \r\ncontent-type: application/x-amz-json-1.0\r\nx-amz-date:x\r\nauthorization:AWS4-x Credential=a, SignedHeaders=b, Signature=c\r\ncontent-length:2\r\n\r\n{}"}},
	{"headers that do not matter", 1, []string{line + usual + "User-Agent: caf\xc3\xa9\r\nConnection: Keep-Alive\r\nAccept-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}"}},
	{"two at once", 2, []string{strings.Repeat(line+usual+"Content-Length: 2\r\n\r\n{}", 2)}},
	{"two, the other one is different", 2, []string{line + usual + "Content-Length: 2\r\n\r\n{}GET / HTTP/1.1\r\nHost: x\r\n\r\n"}},
	{"one after the other", 2, []string{line + usual + "Content-Length: 2\r\n\r\n{}", line + usual + "Content-Length: 2\r\n\r\n{}"}},
	{"body in pieces", 1, []string{line + usual + "Content-Length: 2\r\n\r\n", "{", "}"}},
	{"large body", 1, []string{line + usual + "Content-Length: 300002\r\n\r\n{" + strings.Repeat(" ", 300_000) + "}"}},
	{"head in pieces", 1, []string{"PO", "ST / HTTP/1.1\r\n" + usual, "Content-Length: 2\r\n\r\n{}"}},
	{"body ends early", 1, []string{line + usual + "Content-Length: 3\r\n\r\n{}"}},
	{"no body", 1, []string{line + usual + "\r\n"}},
	{"refused", 1, []string{line + usual + "Content-Length: 1\r\n\r\n["}},
	{"no operation", 1, []string{line + "Host: x\r\n" + signed + "Content-Length: 2\r\n\r\n{}"}},
	{"unknown operation", 1, []string{line + "Host: x\r\nX-Amz-Target: x\r\n" + signed + "Content-Length: 2\r\n\r\n{}"}},
	{"no JSON", 1, []string{line + usual + "Content-Length: 1\r\n\r\n{"}},
	{"no JSON, no operation", 1, []string{line + "Host: x\r\nX-Amz-Target: x\r\n" + signed + "Content-Length: 1\r\n\r\n{"}},
	{"plain JSON", 1, []string{line + strings.Replace(usual, "x-amz-json-1.0", "json", 1) + "Content-Length: 2\r\n\r\n{}"}},
	{"no type", 1, []string{line + strings.Replace(usual, "Content-Type", "X", 1) + "Content-Length: 2\r\n\r\n{}"}},
	{"half signed", 1, []string{line + strings.Replace(usual, "Signature=c", "", 1) + "Content-Length: 2\r\n\r\n{}"}},
	{"no date", 1, []string{line + strings.Replace(usual, "X-Amz-Date", "X", 1) + "Content-Length: 2\r\n\r\n{}"}},
	{"not signed", 1, []string{line + "Host: x\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\nContent-Length: 2\r\n\r\n{}"}},
	{"chunks", 1, []string{line + usual + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"}},
	{"chunks and a length", 1, []string{line + usual + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"}},
	{"may I", 2, []string{line + usual + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n", "{}"}},
	{"the last", 1, []string{line + usual + "Connection: close\r\nContent-Length: 2\r\n\r\n{}" + line + usual + "Content-Length: 2\r\n\r\n{}"}},
	{"old", 1, []string{"POST / HTTP/1.0\r\n" + usual + "Content-Length: 2\r\n\r\n{}"}},
	{"zipped", 1, []string{line + usual + "Accept-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}"}},
	{"of a page", 1, []string{line + usual + "Origin: http://x\r\nContent-Length: 2\r\n\r\n{}"}},
	{"of a page that asks", 1, []string{"OPTIONS / HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\n\r\n"}},
	{"own faults", 1, []string{line + usual + engine.FaultHeader + ": nonsense\r\nContent-Length: 2\r\n\r\n{}"}},
	{"other path", 1, []string{"POST /x?y HTTP/1.1\r\n" + usual + "Content-Length: 2\r\n\r\n{}"}},
	{"no host", 1, []string{line + "X-Amz-Target: DynamoDB_20120810.ListTables\r\n" + signed + "Content-Length: 2\r\n\r\n{}"}},
	{"two hosts", 1, []string{line + usual + "Host: x\r\nContent-Length: 2\r\n\r\n{}"}},
	{"bad host", 1, []string{line + "Host: a b\r\nX-Amz-Target: DynamoDB_20120810.ListTables\r\n" + signed + "Content-Length: 2\r\n\r\n{}"}},
	{"two lengths", 1, []string{line + usual + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"}},
	{"bad length", 1, []string{line + usual + "Content-Length: +2\r\n\r\n{}"}},
	{"no number", 1, []string{line + usual + "Content-Length: -1\r\n\r\n{}"}},
	{"too long", 1, []string{line + usual + "Content-Length: 16777217\r\n\r\n{}"}},
	{"folded header", 1, []string{line + usual + "X: a\r\n b\r\nContent-Length: 2\r\n\r\n{}"}},
	{"space in a name", 1, []string{line + usual + "X : a\r\nContent-Length: 2\r\n\r\n{}"}},
	{"control character", 1, []string{line + usual + "X: a\x00\r\nContent-Length: 2\r\n\r\n{}"}},
	{"no colon", 1, []string{line + usual + "X\r\nContent-Length: 2\r\n\r\n{}"}},
	{"lines end otherwise", 1, []string{strings.ReplaceAll(line+usual, "\r\n", "\n") + "Content-Length: 2\n\n{}"}},
	{"large header", 1, []string{line + usual + "X: " + strings.Repeat("x", 80<<10) + "\r\nContent-Length: 2\r\n\r\n{}"}},
	{"something else", 1, []string{"\x16\x03\x01\x02"}},
	{"nothing", 0, []string{""}},
}

// The endpoint answers whatever it is sent as net/http does.
func TestAnswersAsNetHTTP(t *testing.T) {
	p := newPair(t)
	for _, c := range requestTexts {
		t.Run(c.name, func(t *testing.T) {
			got, want := answersOf(t, p.own, c.parts...), answersOf(t, p.standard, c.parts...)
			if got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if n := strings.Count(want, "\n"); n != c.answers {
				t.Errorf("%d answers, want %d: %s", n, c.answers, want)
			}
		})
	}
}

// rubbish is how net/http refuses what is no request. It does not refuse fewer
// than four bytes behind another request, which the lane has it see as the
// first ones.
const rubbish = `400 Bad Request map[Content-Type:[text/plain; charset=utf-8]] -1 "400 Bad Request"` + "\n"

// FuzzAnswersAsNetHTTP sends anything at all.
func FuzzAnswersAsNetHTTP(f *testing.F) {
	for _, c := range requestTexts {
		if text := strings.Join(c.parts, ""); len(text) < 10_000 {
			f.Add(text)
		}
	}
	p := newPair(f)
	f.Fuzz(func(t *testing.T, text string) {
		got, want := answersOf(t, p.own, text), answersOf(t, p.standard, text)
		if strings.TrimSuffix(got, rubbish) != strings.TrimSuffix(want, rubbish) {
			t.Errorf("%q:\ngot  %s\nwant %s", text, got, want)
		}
	})
}
