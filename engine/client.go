package engine

import (
	"bytes"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
)

// Client returns the SDK's client on this DB. It serialises requests, reads
// answers and types errors as it does in production, but there is no socket
// in between, no signature, and no retry.
func (db *DB) Client() *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region:       region,
		BaseEndpoint: aws.String("http://dynamodb.invalid"),
		Credentials:  aws.AnonymousCredentials{},
		HTTPClient:   transport{db},
		Retryer:      aws.NopRetryer{},
	})
}

// StreamsClient returns the SDK's client of the Streams API on this DB.
func (db *DB) StreamsClient() *dynamodbstreams.Client {
	return dynamodbstreams.New(dynamodbstreams.Options{
		Region:       region,
		BaseEndpoint: aws.String("http://streams.dynamodb.invalid"),
		Credentials:  aws.AnonymousCredentials{},
		HTTPClient:   transport{db},
		Retryer:      aws.NopRetryer{},
	})
}

// transport answers the requests of an SDK client in process.
type transport struct{ db *DB }

// Do answers one request.
func (t transport) Do(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	answer, status := t.db.answer(r.Context(), r.Header.Get("X-Amz-Target"), body, nil)
	return &http.Response{
		StatusCode:    status,
		Proto:         "HTTP/1.1",
		ProtoMajor:    1,
		ProtoMinor:    1,
		ContentLength: int64(len(answer)),
		Body:          io.NopCloser(bytes.NewReader(answer)),
		Request:       r,
		Header: http.Header{
			"Content-Type":     {contentType},
			"X-Amzn-Requestid": {t.db.requests.next()},
			"X-Amz-Crc32":      {strconv.FormatUint(uint64(crc32.ChecksumIEEE(answer)), 10)},
		},
	}, nil
}
