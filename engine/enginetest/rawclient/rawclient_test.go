package rawclient_test

import (
	"bytes"
	"compress/gzip"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/engine/enginetest/rawclient"
)

func serve(t *testing.T, handler http.HandlerFunc) *rawclient.Client {
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return rawclient.New(dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(server.URL),
		Region:       "eu-west-1",
		Credentials:  credentials.NewStaticCredentialsProvider("id", "secret", ""),
		HTTPClient:   server.Client(),
	}))
}

func TestCall(t *testing.T) {
	var targets []string
	client := serve(t, func(w http.ResponseWriter, r *http.Request) {
		targets = append(targets, r.Header.Get("X-Amz-Target"))
		if !strings.Contains(r.Header.Get("Authorization"), "/eu-west-1/dynamodb/aws4_request") {
			t.Errorf("not signed: %v", r.Header)
		}
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusBadRequest)
		w.Write([]byte(`{"__type":"com.amazon.coral.validate#ValidationException","Message":"you said ` + string(body) + `"}`))
	})
	for _, operation := range []string{"GetItem", "GetRecords"} {
		answer, err := client.Call(t.Context(), operation, "not JSON")
		if err != nil {
			t.Fatal(err)
		}
		code, message := answer.Error()
		if code != "ValidationException" || message != "you said not JSON" || !answer.Failed() || !answer.Refused() {
			t.Errorf("got %s: %s", code, message)
		}
	}
	if got := strings.Join(targets, " "); got != "DynamoDB_20120810.GetItem DynamoDBStreams_20120810.GetRecords" {
		t.Errorf("targets: %s", got)
	}
}

func TestChecksum(t *testing.T) {
	body := []byte(`{"a":1}`)
	var compressed bytes.Buffer
	writer := gzip.NewWriter(&compressed)
	writer.Write(body)
	writer.Close()
	for _, test := range []struct {
		name    string
		sent    []byte
		gzip    bool
		sum     uint32
		problem string
	}{
		{"plain", body, false, crc32.ChecksumIEEE(body), ""},
		{"wrong", body, false, 1, "x-amz-crc32 is 1"},
		{"compressed", compressed.Bytes(), true, crc32.ChecksumIEEE(compressed.Bytes()), ""},
		{"of the wrong bytes", compressed.Bytes(), true, crc32.ChecksumIEEE(body), "x-amz-crc32"},
		{"not compressed", body, true, crc32.ChecksumIEEE(body), "says it is compressed"},
	} {
		client := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Amz-Crc32", strconv.FormatUint(uint64(test.sum), 10))
			if test.gzip {
				w.Header().Set("Content-Encoding", "gzip")
			}
			w.Write(test.sent)
		})
		answer, err := client.Call(t.Context(), "GetItem", "{}")
		switch {
		case test.problem == "" && (err != nil || !bytes.Equal(answer.Body, body)):
			t.Errorf("%s: got %q, %v", test.name, answer.Body, err)
		case test.problem != "" && (err == nil || !strings.Contains(err.Error(), test.problem)):
			t.Errorf("%s: want an error with %q, got %v", test.name, test.problem, err)
		}
	}
}
