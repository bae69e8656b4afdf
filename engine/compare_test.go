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
// on connections that stay open, with requests made beforehand. x-bare and
// x-local say how many times as fast as they the engine is.
func BenchmarkCompare(b *testing.B) {
	peers := []*peer{startPeer(b, "engine"), startPeer(b, "bare")}
	if os.Getenv(witness.HomeVariable) != "" {
		peers = append(peers, &peer{role: "local", address: strings.TrimPrefix(witness.Start(b), "http://")})
	}
	for _, p := range peers {
		p.furnish(b)
	}
	for _, c := range comparisons() {
		for _, conns := range []int{1, 16} {
			b.Run(fmt.Sprintf("%s/%d", c.op, conns), func(b *testing.B) {
				c.sized(b, peers[0])
				rates := make([]float64, 0, compareRounds)
				times := make([][]float64, len(peers)) // as fast as a peer, by round
				for range compareRounds {
					own := c.rate(b, peers[0], conns)
					rates = append(rates, own)
					for i, p := range peers[1:] {
						times[i+1] = append(times[i+1], own/c.rate(b, p, conns))
					}
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(median(rates), "op/s")
				for i, p := range peers[1:] {
					b.ReportMetric(median(times[i+1]), "x-"+p.role)
				}
			})
		}
	}
}

const (
	compareRounds = 11
	compareTurn   = 100 * time.Millisecond
	compareItems  = 2000
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
	text := bytes.Repeat([]byte("x"), 1<<20)
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

// furnish makes the table of the benchmarks with some of its items.
func (p *peer) furnish(b *testing.B) {
	c := p.dial(b)
	defer c.conn.Close()
	must := func(op, body string) {
		if status, answer := c.send(b, requestOf(op, body, 0)); status != 200 {
			b.Fatalf("%s: %s: %s", p.role, op, answer)
		}
	}
	must("CreateTable", ordersTable)
	for i := range compareItems {
		must("PutItem", `{"TableName":"orders","Item":`+itemText(i, i)+`}`)
	}
}

// ordersTable makes the table of [benchItem], with an index of all attributes.
const ordersTable = `{"TableName":"orders","BillingMode":"PAY_PER_REQUEST",
		"AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"},{"AttributeName":"SK","AttributeType":"S"},{"AttributeName":"GSI1PK","AttributeType":"S"},{"AttributeName":"GSI1SK","AttributeType":"S"}],
		"KeySchema":[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}],
		"GlobalSecondaryIndexes":[{"IndexName":"GSI1","Projection":{"ProjectionType":"ALL"},"KeySchema":[{"AttributeName":"GSI1PK","KeyType":"HASH"},{"AttributeName":"GSI1SK","KeyType":"RANGE"}]}]}`

func itemText(i, version int) string { return string(benchItem(i, version).AppendJSON(nil)) }
func keyText(i int) string           { return string(benchKey(i).AppendJSON(nil)) }

// A comparison is an operation with several requests to take turns with.
type comparison struct {
	op       string
	requests [][]byte
	bodies   []string
}

func comparisons() []*comparison {
	var all []*comparison
	add := func(op string, body func(i int) string) {
		c := &comparison{op: op}
		for i := range 32 {
			c.bodies = append(c.bodies, body(i*61%compareItems))
		}
		all = append(all, c)
	}
	add("GetItem", func(i int) string { return `{"TableName":"orders","Key":` + keyText(i) + `}` })
	add("PutItem", func(i int) string { return `{"TableName":"orders","Item":` + itemText(i, i+1) + `}` })
	add("UpdateItem", func(i int) string {
		return `{"TableName":"orders","Key":` + keyText(i) + `,"UpdateExpression":"SET GSI1SK = :s, #t = #t + :n","ExpressionAttributeNames":{"#t":"total"},"ExpressionAttributeValues":{":s":{"S":"2026-02-01#` + strconv.Itoa(i) + `"},":n":{"N":"1"}}}`
	})
	add("Query", func(i int) string {
		return fmt.Sprintf(`{"TableName":"orders","KeyConditionExpression":"PK = :p","ExpressionAttributeValues":{":p":{"S":"CUST#%06d"}}}`, i/20)
	})
	add("BatchGetItem", func(i int) string {
		keys := make([]string, 25)
		for k := range keys {
			keys[k] = keyText((i + k*7) % compareItems)
		}
		return `{"RequestItems":{"orders":{"Keys":[` + strings.Join(keys, ",") + `]}}}`
	})
	add("BatchWriteItem", func(i int) string {
		puts := make([]string, 25)
		for k := range puts {
			puts[k] = `{"PutRequest":{"Item":` + itemText((i+k*7)%compareItems, i+k) + `}}`
		}
		return `{"RequestItems":{"orders":[` + strings.Join(puts, ",") + `]}}`
	})
	add("TransactWriteItems", func(i int) string {
		puts := make([]string, 3)
		for k := range puts {
			puts[k] = `{"Put":{"TableName":"orders","Item":` + itemText((i+k*7)%compareItems, i+k) + `}}`
		}
		return `{"TransactItems":[` + strings.Join(puts, ",") + `]}`
	})
	return all
}

// sized makes the requests, which say how long the engine's answer is.
func (c *comparison) sized(b *testing.B, engine *peer) {
	conn := engine.dial(b)
	defer conn.conn.Close()
	c.requests = nil
	for _, body := range c.bodies {
		status, answer := conn.send(b, requestOf(c.op, body, 0))
		if status != 200 {
			b.Fatalf("%s: %s", c.op, answer)
		}
		c.requests = append(c.requests, requestOf(c.op, body, len(answer)))
	}
}

func requestOf(op, body string, answer int) []byte {
	return fmt.Appendf(nil, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810.%s\r\n"+
		"X-Amz-Date: 20260101T000000Z\r\nAuthorization: AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0\r\n"+
		"%s: %d\r\nContent-Length: %d\r\n\r\n%s", op, sizeHeader, answer, len(body), body)
}

// rate returns how many requests per second a server answers on so many
// connections.
func (c *comparison) rate(b *testing.B, p *peer, conns int) float64 {
	var clients sync.WaitGroup
	var done, refused atomic.Int64
	start := time.Now()
	for n := range conns {
		conn := p.dial(b)
		clients.Go(func() {
			defer conn.conn.Close()
			for i := n; time.Since(start) < compareTurn; i++ {
				if status, _ := conn.send(b, c.requests[i%len(c.requests)]); status == 200 {
					done.Add(1)
				} else {
					refused.Add(1)
				}
			}
		})
	}
	clients.Wait()
	// Writes to one item at a time can meet each other in transactions.
	if n := refused.Load(); n > 0 && (c.op != "TransactWriteItems" || n > done.Load()/10) {
		b.Errorf("%s: %s: %d of %d requests were refused", p.role, c.op, n, n+done.Load())
	}
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
