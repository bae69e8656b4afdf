package engine

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/dynmodel/dynmodel/engine/api"
)

const (
	// ContentType is that of requests and answers: JSON 1.0 of AWS.
	ContentType = "application/x-amz-json-1.0"

	// plainJSON is the other content type that the service takes, and answers in.
	plainJSON = "application/json"

	// MaxRequestBytes bounds the body of a request: the greatest batch is 16 MB.
	MaxRequestBytes = 16 << 20

	// gzipBytes is the size from which an answer is worth compressing for a
	// client that accepts it.
	gzipBytes = 1 << 10
)

// ServeHTTP answers the service's protocol: a POST of JSON whose operation is
// in the header X-Amz-Target. A GET is answered with a word on the health of
// the endpoint.
func (db *DB) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b := buffers.Get().(*buffer)
	defer b.release()
	status := db.respond(w.Header(), r, b, checkSigned)
	w.WriteHeader(status)
	w.Write(b.out)
}

// respond answers a request: headers in h, the body in b.out. authorize refuses
// requests that are not signed.
func (db *DB) respond(h http.Header, r *http.Request, b *buffer, authorize func(*http.Request) error) (status int) {
	h["X-Amzn-Requestid"] = []string{string(db.AppendRequestID(nil))}
	asked := r.Header["Origin"] != nil
	if asked {
		allowOrigin(h, r)
	}
	b.out = b.out[:0]
	switch {
	case r.Method == http.MethodPost:
		status = db.post(h, r, b, authorize)
	case r.Method == http.MethodGet, r.Method == http.MethodHead:
		status = http.StatusOK
		b.out = append(b.out, "healthy: dynamodb."+region+".amazonaws.com "...)
		h["Content-Type"] = []string{"text/plain; charset=utf-8"}
	case r.Method == http.MethodOptions && asked:
		status = http.StatusOK
	default:
		status = b.unknown(h)
	}
	h["Content-Length"] = []string{strconv.Itoa(len(b.out))}
	return status
}

// post answers a POST in the dialect of JSON that it is in.
func (db *DB) post(h http.Header, r *http.Request, b *buffer, authorize func(*http.Request) error) (status int) {
	dialect, ok := dialectOf(r)
	if !ok {
		return b.unknown(h)
	}
	status = db.call(r, b, authorize)
	b.compress(h, r)
	h["Content-Type"] = []string{dialect}
	h["X-Amz-Crc32"] = checksum(b.out)
	return status
}

// dialectOf returns the content type of a request without its parameters; ok is
// false if the service does not know it.
func dialectOf(r *http.Request) (dialect string, ok bool) {
	dialect, _, _ = strings.Cut(r.Header.Get("Content-Type"), ";")
	switch dialect = strings.TrimSpace(dialect); {
	case dialect == "" && r.ContentLength == 0:
		return plainJSON, true
	case dialect == ContentType, dialect == plainJSON:
		return dialect, true
	}
	return "", false
}

func checksum(body []byte) []string {
	return []string{strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10)}
}

// unknown answers what is no call of an operation.
func (b *buffer) unknown(h http.Header) (status int) {
	b.out = append(b.out[:0], "<UnknownOperationException/>\n"...)
	h["Content-Type"] = nil // there is none; net/http shall not guess
	h["X-Amz-Crc32"] = checksum(b.out)
	return http.StatusNotFound
}

// call runs the operation of a request.
func (db *DB) call(r *http.Request, b *buffer, authorize func(*http.Request) error) (status int) {
	if err := b.readBody(r); err != nil {
		b.out, status = refuse(b.out, err)
		return status
	}
	target := r.Header.Get("X-Amz-Target")
	if _, known := operations[target]; known {
		if err := authorize(r); err != nil {
			b.out, status = refuse(b.out, first(checkJSON(b.in), err))
			return status
		}
	}
	ctx := r.Context()
	if own := r.Header[FaultHeader]; own != nil {
		var err error
		if ctx, err = withOwnFaults(ctx, own[0]); err != nil {
			b.out, status = refuse(b.out, api.Invalid("%s: %s", FaultHeader, err))
			return status
		}
	}
	b.out, status = db.Answer(ctx, target, b.in, b.out)
	return status
}

// checkJSON refuses a body that is not JSON, which the service does before it
// looks at the rest of the request. One that is empty comes last.
func checkJSON(body []byte) error {
	if len(body) == 0 || json.Valid(body) {
		return nil
	}
	return api.Errorf(api.Serialization, "")
}

// allowOrigin lets pages of any origin use the endpoint, as the service does.
func allowOrigin(h http.Header, r *http.Request) {
	h.Set("Access-Control-Allow-Origin", "*")
	if r.Method != http.MethodOptions {
		h.Set("Access-Control-Expose-Headers", "x-amzn-RequestId, x-amz-crc32, x-amzn-ErrorType")
		return
	}
	for _, what := range []string{"Headers", "Method"} {
		if asked := r.Header.Get("Access-Control-Request-" + what); asked != "" {
			h.Set("Access-Control-Allow-"+strings.TrimSuffix(what, "s")+"s", asked)
		}
	}
	h.Set("Access-Control-Max-Age", "172800")
}

// A buffer holds the texts of one request.
type buffer struct {
	in, out []byte
}

// buffers saves the memory of requests that have been answered.
var buffers = sync.Pool{New: func() any { return new(buffer) }}

const (
	// keptBytes bounds what an idle buffer may hold: a page of a Scan, which is
	// a megabyte by DynamoDB's count, is more on the wire.
	keptBytes = 4 << 20

	// believedBytes is the memory that a request gets for the length that it
	// claims, before it has sent anything.
	believedBytes = 512 << 10
)

func (b *buffer) release() {
	if cap(b.in)+cap(b.out) <= keptBytes {
		buffers.Put(b)
	}
}

var errTooLarge = api.Errorf(api.RequestTooLarge, "Request body is larger than %d bytes", MaxRequestBytes)

func (b *buffer) readBody(r *http.Request) error {
	if r.ContentLength > MaxRequestBytes {
		return errTooLarge
	}
	b.in = b.in[:0]
	body := io.LimitReader(r.Body, MaxRequestBytes+1)
	if r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(body)
		if err != nil {
			return api.Errorf(api.Serialization, "Request body is not gzip")
		}
		body = io.LimitReader(z, MaxRequestBytes+1)
	} else if want := min(r.ContentLength, believedBytes) + 1; int64(cap(b.in)) < want {
		b.in = make([]byte, 0, want) // as far as the client is to be believed
	}
	for {
		if len(b.in) == cap(b.in) {
			b.in = append(b.in, 0)[:len(b.in)]
		}
		n, err := body.Read(b.in[len(b.in):cap(b.in)])
		b.in = b.in[:len(b.in)+n]
		switch {
		case len(b.in) > MaxRequestBytes:
			return errTooLarge
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return api.Errorf(api.Serialization, "Request body ends early")
		}
	}
}

// compress compresses the answer for a client that accepts it. The checksum is
// that of the body as sent.
func (b *buffer) compress(h http.Header, r *http.Request) {
	if len(b.out) < gzipBytes || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		return
	}
	b.in, b.out = b.out, compressed(b.in[:0], b.out)
	h["Content-Encoding"] = []string{"gzip"}
}

// compressed appends the gzip form of body to dst.
func compressed(dst, body []byte) []byte {
	out := appendWriter(dst)
	z, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	z.Write(body)
	z.Close()
	return out
}

type appendWriter []byte

func (w *appendWriter) Write(p []byte) (int, error) {
	*w = append(*w, p...)
	return len(p), nil
}

// The form of request ids: 52 letters and digits, here a number and a tail.
const (
	idDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUV"
	idTail   = "VV4KQNSO5AEMVJF66Q9ASUAAJG"
)

// AppendRequestID appends the id of another request to dst, for the header
// x-amzn-RequestId of its answer.
func (db *DB) AppendRequestID(dst []byte) []byte {
	dst = append(dst, "00000000000000000000000000"+idTail...)
	for i, n := len(dst)-len(idTail)-1, db.requests.Add(1); n > 0; i-- {
		dst[i] = idDigits[n%32]
		n /= 32
	}
	return dst
}
