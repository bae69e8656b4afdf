package engine_test

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/enginetest"
)

func TestConformance(t *testing.T) {
	t.Run("in process", func(t *testing.T) {
		c := newClock()
		db := newDB(t, engine.WithBuckets(t.TempDir()), engine.WithClock(c.now))
		enginetest.Run(t, enginetest.Endpoint{Client: db.Client(), Kind: enginetest.Embedded, InProcess: true, Pass: passing(t, db, c)})
	})
	t.Run("on disk", func(t *testing.T) {
		c := newClock()
		db := openDB(t, t.TempDir(), engine.WithBuckets(t.TempDir()), engine.WithClock(c.now))
		enginetest.Run(t, enginetest.Endpoint{Client: db.Client(), Kind: enginetest.Embedded, InProcess: true, Pass: passing(t, db, c)})
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

// passing lets time pass, and the DB do what is due by then.
func passing(t *testing.T, db *engine.DB, c *clock) func(time.Duration) error {
	return func(d time.Duration) error {
		c.pass(d)
		_, err := db.Sweep(t.Context())
		return err
	}
}
