package engine

import (
	"compress/gzip"
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
	status := db.respond(w.Header(), r, b)
	w.WriteHeader(status)
	w.Write(b.out)
}

// respond answers a request: headers in h, the body in b.out.
func (db *DB) respond(h http.Header, r *http.Request, b *buffer) (status int) {
	h["X-Amzn-Requestid"] = []string{string(db.AppendRequestID(nil))}
	if r.Header["Origin"] != nil {
		allowOrigin(h, r)
	}
	b.out = b.out[:0]
	switch r.Method {
	case http.MethodPost:
		status = db.call(r, b)
		b.compress(h, r)
		h["Content-Type"] = []string{ContentType}
		h["X-Amz-Crc32"] = []string{strconv.FormatUint(uint64(crc32.ChecksumIEEE(b.out)), 10)}
	case http.MethodGet, http.MethodHead:
		status = http.StatusOK
		b.out = append(b.out, "healthy: dynamodb."+region+".amazonaws.com "...)
		h["Content-Type"] = []string{"text/plain; charset=utf-8"}
	case http.MethodOptions:
		status = http.StatusOK
	default:
		status = http.StatusMethodNotAllowed
	}
	h["Content-Length"] = []string{strconv.Itoa(len(b.out))}
	return status
}

// call runs the operation of a request.
func (db *DB) call(r *http.Request, b *buffer) (status int) {
	if err := first(b.readBody(r), checkSigned(r)); err != nil {
		b.out, status = refuse(b.out, err)
		return status
	}
	ctx := r.Context()
	if own := r.Header[FaultHeader]; own != nil {
		var err error
		if ctx, err = withOwnFaults(ctx, own[0]); err != nil {
			b.out, status = refuse(b.out, api.Invalid("%s: %s", FaultHeader, err))
			return status
		}
	}
	b.out, status = db.Answer(ctx, r.Header.Get("X-Amz-Target"), b.in, b.out)
	return status
}

// allowOrigin lets pages of any origin use the endpoint, as the service does.
func allowOrigin(h http.Header, r *http.Request) {
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", "x-amzn-RequestId, x-amz-crc32, x-amzn-ErrorType")
	if r.Method == http.MethodOptions {
		h.Set("Access-Control-Allow-Methods", "POST, GET, OPTIONS")
		h.Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
		h.Set("Access-Control-Max-Age", "172800")
	}
}

// checkSigned asks for a signature; any will do, since there is nobody to
// check it against.
func checkSigned(r *http.Request) error {
	a := r.Header.Get("Authorization")
	if a == "" && r.URL.RawQuery == "" {
		return api.Errorf(api.MissingAuthenticationToken, "Request must contain either a valid (registered) AWS access key ID or X.509 certificate.")
	}
	if a != "" && !strings.HasPrefix(a, "AWS4-") {
		return api.Errorf(api.MissingAuthenticationToken, "Request must contain an AWS Signature Version 4 in its Authorization header.")
	}
	return nil
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
