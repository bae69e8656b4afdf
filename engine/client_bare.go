package engine

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// BareClient returns a client as Client does, for those who make very many
// calls. What lies between a request that is serialised and the answer to be read
// is left out: the search for an endpoint, the signature, attempts (a retryer is
// never asked), headers that nobody reads, checksums, and net/http. These cost
// more than the answer.
func (db *DB) BareClient() *dynamodb.Client {
	return dynamodb.New(db.clientOptions(), dynamodb.WithAPIOptions(func(call *middleware.Stack) error {
		reader, ok := call.Deserialize.Get("OperationDeserializer")
		if !ok {
			return fmt.Errorf("the SDK has nothing that reads the answer of %s", call.ID())
		}
		call.Build.Clear()
		call.Finalize.Clear()
		call.Deserialize.Clear()
		if err := call.Deserialize.Add(reader, middleware.After); err != nil {
			return err
		}
		return call.Deserialize.Add(direct{db}, middleware.After)
	}))
}

// direct answers the requests of an SDK client without HTTP.
type direct struct{ db *DB }

// ID names the middleware.
func (direct) ID() string { return "InProcess" }

// HandleDeserialize answers one request; there is nothing behind it.
func (d direct) HandleDeserialize(ctx context.Context, in middleware.DeserializeInput, _ middleware.DeserializeHandler) (out middleware.DeserializeOutput, metadata middleware.Metadata, err error) {
	if err := ctx.Err(); err != nil {
		return out, metadata, err
	}
	request := in.Request.(*smithyhttp.Request)
	b := buffers.Get().(*buffer)
	if b.in, err = appendAll(b.in[:0], request.GetStream()); err != nil {
		return out, metadata, err
	}
	var status int
	b.out, status = d.db.Answer(ctx, request.Header.Get("X-Amz-Target"), b.in, b.out[:0])
	out.RawResponse = &smithyhttp.Response{Response: &http.Response{StatusCode: status, Body: &answer{Reader: *bytes.NewReader(b.out), of: b}}}
	return out, metadata, nil
}

// answer is the body of an answer, whose memory is used again once it is closed.
type answer struct {
	bytes.Reader
	of *buffer
}

// Close gives the memory back.
func (a *answer) Close() error {
	a.of.release()
	return nil
}

// appendAll appends what a request's stream holds.
func appendAll(dst []byte, stream io.Reader) ([]byte, error) {
	if stream == nil {
		return dst, nil
	}
	w := appendWriter(dst)
	_, err := io.Copy(&w, stream)
	return w, err
}
