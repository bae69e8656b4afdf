package enginetest_test

import (
	"flag"
	"net/http/httptest"
	"testing"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/enginetest"
	"github.com/dynmodel/dynmodel/engine/enginetest/witness"
)

var (
	url  = flag.String("endpoint", "", "run the cases against the endpoint at this URL, with made-up credentials")
	kind = flag.String("kind", "", "what that endpoint is, for the cases' notes on known differences")
)

// TestEndpoint holds any endpoint against the cases.
func TestEndpoint(t *testing.T) {
	if *url == "" {
		t.Skip("no -endpoint given")
	}
	enginetest.Run(t, enginetest.Endpoint{
		Client: witness.Client(*url),
		Kind:   enginetest.Kind(*kind),
		Serial: enginetest.Kind(*kind) == enginetest.DynamoDBLocal,
	})
}

func TestEngineInProcess(t *testing.T) {
	db := engine.New(engine.WithBuckets(t.TempDir()))
	t.Cleanup(func() { db.Close() })
	enginetest.Run(t, enginetest.Endpoint{Client: db.Client(), Kind: enginetest.Embedded, InProcess: true})
}

func TestEngineOverHTTP(t *testing.T) {
	db := engine.New(engine.WithBuckets(t.TempDir()))
	t.Cleanup(func() { db.Close() })
	server := httptest.NewServer(db)
	t.Cleanup(server.Close)
	enginetest.Run(t, enginetest.Endpoint{Client: witness.Client(server.URL), Kind: enginetest.Embedded})
}

// TestDynamoDBLocal holds the cases against AWS's own emulator: a case that it
// fails without a note on the difference is probably wrong.
func TestDynamoDBLocal(t *testing.T) {
	enginetest.Run(t, enginetest.Endpoint{
		Client: witness.Client(witness.Start(t)),
		Kind:   enginetest.DynamoDBLocal,
		Serial: true,
	})
}
