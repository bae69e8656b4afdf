package engine

import (
	"bytes"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// Client returns the SDK's client on this DB. It validates and serialises
// requests, reads answers and types errors as it does in production, but there
// is no socket in between, no signature and no retry.
func (db *DB) Client() *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region:     region,
		APIOptions: []func(*middleware.Stack) error{inProcessCall},
		HTTPClient: transport{db},
	})
}

// StreamsClient returns the SDK's client of the Streams API on this DB.
func (db *DB) StreamsClient() *dynamodbstreams.Client {
	return dynamodbstreams.New(dynamodbstreams.Options{
		Region:     region,
		APIOptions: []func(*middleware.Stack) error{inProcessCall},
		HTTPClient: transport{db},
	})
}

// inProcessCall takes out of a call the steps between a request that is
// serialised and its transport: the search for an endpoint, the signature, the
// attempts, and headers that nobody reads. They cost more than the answer of
// the DB. What a caller adds to these steps stays.
func inProcessCall(call *middleware.Stack) error {
	call.Build.Clear()
	call.Finalize.Clear()
	return smithyhttp.AddComputeContentLengthMiddleware(call)
}

// transport answers the requests of an SDK client in process.
type transport struct{ db *DB }

// Do answers one request.
func (t transport) Do(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if r.Body == nil {
		r.Body = http.NoBody
	}
	r.Header["Authorization"] = []string{"AWS4-HMAC-SHA256 in process"} // of the form that a signature has
	h, b := make(http.Header, 4), new(buffer)
	status := t.db.respond(h, r, b)
	return &http.Response{
		Status:        http.StatusText(status),
		StatusCode:    status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		Header:        h,
		ContentLength: int64(len(b.out)),
		Body:          io.NopCloser(bytes.NewReader(b.out)),
		Request:       r,
	}, nil
}
