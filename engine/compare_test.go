package engine_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/endpoint"
	"github.com/dynmodel/dynmodel/engine/enginetest/witness"
)

// BenchmarkCompare measures the engine over HTTP beside a bare handler, and
// beside DynamoDB Local if there is one: each in a process of its own, in turns,
// on connections that stay open, with requests made beforehand. It prints how
// many times as fast as they the engine is, and how fast it means to be.
func BenchmarkCompare(b *testing.B) {
	peers := []*peer{startPeer(b, "engine"), startPeer(b, "bare")}
	if os.Getenv(witness.HomeVariable) != "" {
		peers = append(peers, &peer{role: "local", address: strings.TrimPrefix(witness.Start(b), "http://")})
	}
	for _, p := range peers {
		p.furnish(b)
	}
	var table strings.Builder
	fmt.Fprintf(&table, "%-22s %11s %10s %14s %5s %16s\n", "operation", "connections", "requests/s", "× bare handler", "goal", "× DynamoDB Local")
	for _, w := range workloads(compareItems) {
		requests := w.requests(b, peers[0])
		for i, conns := range []int{1, 16} {
			b.Run(fmt.Sprintf("%s/%d", w.name, conns), func(b *testing.B) {
				own, times := compare(b, peers, requests, conns)
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(own, "op/s")
				fmt.Fprintf(&table, "%-22s %11d %10.0f %14.2f %5.2f", w.name, conns, own, times[0], w.goals[i])
				for k, p := range peers[1:] {
					b.ReportMetric(times[k], "x-"+p.role)
				}
				if len(times) > 1 {
					fmt.Fprintf(&table, " %16.1f", times[1])
				}
				fmt.Fprintln(&table)
			})
		}
	}
	fmt.Print("\n", table.String(), "\n")
}

// compare returns how many requests per second the first peer answers, and how
// many times as fast as each of the others that is.
func compare(b *testing.B, peers []*peer, requests [][]byte, conns int) (own float64, times []float64) {
	var rates []float64
	byPeer := make([][]float64, len(peers)-1)
	for range compareRounds {
		rate := peers[0].rate(b, requests, conns)
		rates = append(rates, rate)
		for i, p := range peers[1:] {
			byPeer[i] = append(byPeer[i], rate/p.rate(b, requests, conns))
		}
	}
	for _, figures := range byPeer {
		times = append(times, median(figures))
	}
	return median(rates), times
}

const (
	compareRounds = 11
	compareTurn   = 100 * time.Millisecond
	compareItems  = 30 * workloadRequests
)

// A peer is a server that is compared with others.
type peer struct{ role, address string }

// startPeer runs a server as a process of this binary for the time of the
// benchmark.
func startPeer(b *testing.B, role string) *peer {
	b.Helper()
	cmd := processOf(role, "")
	if _, err := cmd.StdinPipe(); err != nil { // which ends with this process, and with it the peer
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return &peer{role: role, address: strings.TrimSpace(address)}
}

func serveEngine() {
	listener := listenPrinted()
	endpoint.Serve(context.Background(), listener, engine.New())
}

// sizeHeader tells the bare handler how long an answer the engine gives.
const sizeHeader = "X-Answer-Bytes"

func serveBare() {
	text := bytes.Repeat([]byte("x"), 2<<20) // more than a page of a Scan
	http.Serve(listenPrinted(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		n, _ := strconv.Atoi(r.Header.Get(sizeHeader))
		w.Header()["Content-Length"] = []string{strconv.Itoa(n)}
		w.Write(text[:n])
	}))
}

// listenPrinted listens on any free port, tells it, and ends the process with
// the one that has started it.
func listenPrinted() net.Listener {
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(listener.Addr())
	return listener
}

// furnish makes the table of the workloads with its items.
func (p *peer) furnish(b *testing.B) {
	c := p.dial(b)
	defer c.conn.Close()
	furnishing(compareItems, func(op, body string) {
		if status, answer := c.send(b, requestOf(op, body, 0)); status != 200 {
			b.Fatalf("%s: %s: %s", p.role, op, answer)
		}
	})
}

// requests makes the requests of a workload, which say how long the engine's
// answer is.
func (w *workload) requests(b *testing.B, engine *peer) [][]byte {
	conn := engine.dial(b)
	defer conn.conn.Close()
	var all [][]byte
	for _, body := range w.bodies {
		status, answer := conn.send(b, requestOf(w.op, body, 0))
		if status != 200 {
			b.Fatalf("%s: %s", w.op, answer)
		}
		all = append(all, requestOf(w.op, body, len(answer)))
	}
	return all
}

func requestOf(op, body string, answer int) []byte {
	return fmt.Appendf(nil, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.%s\r\n"+
		"X-Amz-Date: 20260101T000000Z\r\nAuthorization: AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0\r\n"+
		"%s: %d\r\nContent-Length: %d\r\n\r\n%s", op, sizeHeader, answer, len(body), body)
}

// rate returns how many requests per second a server answers on so many
// connections, of which each has requests of its own.
func (p *peer) rate(b *testing.B, requests [][]byte, conns int) float64 {
	var clients sync.WaitGroup
	var done atomic.Int64
	start := time.Now()
	for n := range conns {
		conn := p.dial(b)
		clients.Go(func() {
			defer conn.conn.Close()
			for i := n; time.Since(start) < compareTurn; i += conns {
				status, answer := conn.send(b, requests[i%len(requests)])
				if status != 200 {
					b.Errorf("%s: %d %s", p.role, status, answer)
					return
				}
				done.Add(1)
			}
		})
	}
	clients.Wait()
	return float64(done.Load()) / time.Since(start).Seconds()
}

// A rawConn sends requests that are there already, and reads of the answer no
// more than it needs, so that the client is not what is measured.
type rawConn struct {
	conn net.Conn
	in   *bufio.Reader
	body []byte
}

func (p *peer) dial(b *testing.B) *rawConn {
	conn, err := net.Dial("tcp", p.address)
	if err != nil {
		b.Fatal(err)
	}
	return &rawConn{conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}
}

func (c *rawConn) send(b *testing.B, request []byte) (status int, body []byte) {
	if _, err := c.conn.Write(request); err != nil {
		b.Error(err)
		return 0, nil
	}
	length, chunked := 0, false
	for first := true; ; first = false {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			b.Error(err)
			return 0, nil
		}
		line = bytes.TrimRight(line, "\r\n")
		if first {
			status, _ = strconv.Atoi(string(line[len("HTTP/1.1 "):][:3]))
		}
		if len(line) == 0 {
			break
		}
		if name, value, _ := bytes.Cut(line, []byte(":")); bytes.EqualFold(name, []byte("Content-Length")) {
			length, _ = strconv.Atoi(string(bytes.TrimSpace(value)))
		} else if bytes.EqualFold(name, []byte("Transfer-Encoding")) {
			chunked = true
		}
	}
	c.body = slices.Grow(c.body[:0], length)[:length]
	_, err := io.ReadFull(c.in, c.body)
	if chunked {
		c.body, err = io.ReadAll(httputil.NewChunkedReader(c.in))
		c.in.Discard(len("\r\n"))
	}
	if err != nil {
		b.Error(err)
	}
	return status, c.body
}

func median(figures []float64) float64 {
	slices.Sort(figures)
	return figures[len(figures)/2]
}
