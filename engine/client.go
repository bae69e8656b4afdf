package engine

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
)

// Client returns the SDK's client on this DB. It serialises requests, reads
// answers and types errors as it does in production, but there is no socket
// in between and no retry.
func (db *DB) Client() *dynamodb.Client { return dynamodb.New(db.clientOptions()) }

func (db *DB) clientOptions() dynamodb.Options {
	return dynamodb.Options{
		Region:       region,
		BaseEndpoint: aws.String("http://dynamodb.invalid"),
		Credentials:  inProcess,
		HTTPSignerV4: signer{},
		HTTPClient:   transport{db},
		Retryer:      aws.NopRetryer{},
	}
}

// StreamsClient returns the SDK's client of the Streams API on this DB.
func (db *DB) StreamsClient() *dynamodbstreams.Client {
	return dynamodbstreams.New(dynamodbstreams.Options{
		Region:       region,
		BaseEndpoint: aws.String("http://streams.dynamodb.invalid"),
		Credentials:  inProcess,
		HTTPSignerV4: signer{},
		HTTPClient:   transport{db},
		Retryer:      aws.NopRetryer{},
	})
}

// inProcess are the credentials of clients that need none.
var inProcess = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "dynmodel", SecretAccessKey: "dynmodel"}, nil
})

// signer does not sign, since nobody checks.
type signer struct{}

// SignHTTP does nothing.
func (signer) SignHTTP(context.Context, aws.Credentials, *http.Request, string, string, string, time.Time, ...func(*v4.SignerOptions)) error {
	return nil
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
	h, b := make(http.Header, 4), new(buffer)
	status := t.db.respond(h, r, b, func(*http.Request) error { return nil })
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
