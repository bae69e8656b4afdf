// Package rawclient sends DynamoDB requests as the JSON text that goes over
// the wire, along the road of an SDK client: its endpoint, credentials and HTTP
// transport, but none of its validation, retries or typed answers.
//
// Conformance cases need it, because a request that the SDK would refuse to
// build must still reach the service, and an answer must be seen as it was sent.
package rawclient

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
)

// targetTables and targetStreams are the X-Amz-Target prefixes of the two APIs
// that make up DynamoDB.
const (
	targetTables  = "DynamoDB_20120810."
	targetStreams = "DynamoDBStreams_20120810."
)

// Client sends raw requests to one endpoint. It is safe for concurrent use if
// the SDK client's transport is.
type Client struct {
	options dynamodb.Options
	signer  *v4.Signer
}

// New borrows the endpoint, region, credentials and transport of an SDK client.
func New(client *dynamodb.Client) *Client {
	return &Client{options: client.Options(), signer: v4.NewSigner()}
}

// Answer is what the endpoint sent back.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Failed reports whether the endpoint refused the request.
func (a Answer) Failed() bool { return a.Status != http.StatusOK }

// Refused reports whether that is the request's own fault.
func (a Answer) Refused() bool { return a.Status >= 400 && a.Status < 500 }

// Error returns the exception's short name and its message. DynamoDB writes the
// message as "message" or "Message", depending on which layer refused the request.
func (a Answer) Error() (code, message string) {
	var body struct {
		Type    string `json:"__type"`
		Message string `json:"message"` // encoding/json matches either case
	}
	if err := json.Unmarshal(a.Body, &body); err != nil {
		return "", string(a.Body)
	}
	return body.Type[strings.LastIndexByte(body.Type, '#')+1:], body.Message
}

// Call sends one operation ("GetItem") with its JSON body. An exception from
// the endpoint is an Answer, not an error: the error says that no well-formed
// answer came back.
func (c *Client) Call(ctx context.Context, operation, body string) (Answer, error) {
	url, err := c.endpoint(ctx, operation)
	if err != nil {
		return Answer{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	request.Header.Set("Content-Type", "application/x-amz-json-1.0")
	request.Header.Set("X-Amz-Target", Target(operation))
	request.Header.Set("Accept-Encoding", "identity")
	return c.Do(request, []byte(body))
}

// Target is the X-Amz-Target header of an operation.
func Target(operation string) string {
	if isStreams(operation) {
		return targetStreams + operation
	}
	return targetTables + operation
}

func isStreams(operation string) bool {
	switch operation {
	case "ListStreams", "DescribeStream", "GetShardIterator", "GetRecords":
		return true
	}
	return false
}

// NewRequest builds an unsigned request to the table API's endpoint, without
// any of the headers an SDK would add.
func (c *Client) NewRequest(ctx context.Context, method, path string, body []byte) (*http.Request, error) {
	url, err := c.endpoint(ctx, "")
	if err != nil {
		return nil, err
	}
	return http.NewRequestWithContext(ctx, method, strings.TrimSuffix(url, "/")+path, bytes.NewReader(body))
}

// Do signs the request, sends it and checks the answer's length and checksum.
func (c *Client) Do(request *http.Request, body []byte) (Answer, error) {
	if err := c.sign(request, body); err != nil {
		return Answer{}, err
	}
	return c.Send(request)
}

// Send is Do without a signature.
func (c *Client) Send(request *http.Request) (Answer, error) {
	response, err := c.options.HTTPClient.Do(request)
	if err != nil {
		return Answer{}, err
	}
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return Answer{}, fmt.Errorf("answer cut short: %w", err)
	}
	answer := Answer{Status: response.StatusCode, Header: response.Header, Body: content}
	if err := answer.checkCRC(); err != nil && !response.Uncompressed {
		return Answer{}, err
	}
	return answer, answer.decompress()
}

func (a *Answer) decompress() error {
	if a.Header.Get("Content-Encoding") != "gzip" {
		return nil
	}
	reader, err := gzip.NewReader(bytes.NewReader(a.Body))
	if err != nil {
		return fmt.Errorf("answer that says it is compressed: %w", err)
	}
	a.Body, err = io.ReadAll(reader)
	return err
}

// checkCRC compares the body with x-amz-crc32, which covers the bytes as sent.
func (a *Answer) checkCRC() error {
	header := a.Header.Get("X-Amz-Crc32")
	if header == "" {
		return nil
	}
	if got := strconv.FormatUint(uint64(crc32.ChecksumIEEE(a.Body)), 10); got != header {
		return fmt.Errorf("x-amz-crc32 is %s, the body's checksum %s", header, got)
	}
	return nil
}

func (c *Client) endpoint(ctx context.Context, operation string) (string, error) {
	if c.options.BaseEndpoint != nil {
		return *c.options.BaseEndpoint, nil
	}
	if isStreams(operation) {
		resolved, err := dynamodbstreams.NewDefaultEndpointResolverV2().ResolveEndpoint(ctx,
			dynamodbstreams.EndpointParameters{Region: aws.String(c.options.Region)})
		return resolved.URI.String(), err
	}
	if c.options.EndpointResolverV2 == nil {
		return "", errors.New("the SDK client has no endpoint")
	}
	resolved, err := c.options.EndpointResolverV2.ResolveEndpoint(ctx,
		dynamodb.EndpointParameters{Region: aws.String(c.options.Region)})
	return resolved.URI.String(), err
}

func (c *Client) sign(request *http.Request, body []byte) error {
	if c.options.Credentials == nil ||
		aws.IsCredentialsProvider(c.options.Credentials, (*aws.AnonymousCredentials)(nil)) {
		return nil
	}
	credentials, err := c.options.Credentials.Retrieve(request.Context())
	if err != nil {
		return fmt.Errorf("credentials: %w", err)
	}
	sum := sha256.Sum256(body)
	return c.signer.SignHTTP(request.Context(), credentials, request,
		hex.EncodeToString(sum[:]), "dynamodb", c.options.Region, time.Now())
}
