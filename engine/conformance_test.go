package engine_test

import (
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/enginetest"
)

func TestConformance(t *testing.T) {
	t.Run("in process", func(t *testing.T) {
		enginetest.Run(t, enginetest.Endpoint{Client: newDB(t, engine.WithBuckets(t.TempDir())).Client(), Kind: enginetest.Embedded, InProcess: true})
	})
	t.Run("on disk", func(t *testing.T) {
		enginetest.Run(t, enginetest.Endpoint{Client: openDB(t, t.TempDir(), engine.WithBuckets(t.TempDir())).Client(), Kind: enginetest.Embedded, InProcess: true})
	})
	t.Run("over HTTP", func(t *testing.T) {
		server := httptest.NewServer(newDB(t, engine.WithBuckets(t.TempDir())))
		t.Cleanup(server.Close)
		client := dynamodb.New(dynamodb.Options{
			Region:       "us-east-1",
			BaseEndpoint: aws.String(server.URL),
			Credentials:  credentials.NewStaticCredentialsProvider("id", "secret", ""),
		})
		enginetest.Run(t, enginetest.Endpoint{Client: client, Kind: enginetest.Embedded})
	})
}
