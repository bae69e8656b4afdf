package differ_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/enginetest/differ"
)

// TestEngineAgainstItself: one engine answers as the other.
func TestEngineAgainstItself(t *testing.T) {
	left, right := engine.New(), engine.New()
	t.Cleanup(func() { left.Close() })
	t.Cleanup(func() { right.Close() })
	report, err := differ.Run(t.Context(), differ.Options{
		Left: left.Client(), Right: right.Client(), Seed: 1, Operations: 5000,
	})
	if err != nil {
		t.Fatal(err)
	}
	if report.Difference != nil {
		t.Errorf("after %d operations:\n%v", report.Operations, report.Difference)
	}
	if report.Operations < 5000 || report.Sequences < 5000/150 || len(report.Known) != 0 {
		t.Errorf("unexpected report %+v", report)
	}
}

// TestShrink finds a fault that was put in, and the few operations that show it.
func TestShrink(t *testing.T) {
	db, faulty := engine.New(), engine.New()
	t.Cleanup(func() { db.Close() })
	t.Cleanup(func() { faulty.Close() })
	options := faulty.Client().Options()
	options.HTTPClient = forgetful{options.HTTPClient}
	report, err := differ.Run(t.Context(), differ.Options{
		Left: db.Client(), Right: dynamodb.New(options), Seed: 1, Operations: 5000,
	})
	if err != nil {
		t.Fatal(err)
	}
	if report.Difference == nil {
		t.Fatal("the fault was not found")
	}
	trace := report.Difference.Trace
	if len(trace) != 2 || trace[0].Name != "PutItem" {
		t.Errorf("want a PutItem and what shows its fault, got\n%v", report.Difference)
	}
	if text := report.Difference.String(); !strings.HasPrefix(text, "# seed ") || !strings.Contains(text, "\ntable pk ") ||
		!strings.Contains(text, "\n> PutItem {") || !strings.Contains(text, "\n# right: ") {
		t.Errorf("printed as\n%s", text)
	}
}

// forgetful is a transport that loses an attribute of every item put.
type forgetful struct{ dynamodb.HTTPClient }

func (f forgetful) Do(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(request.Header.Get("X-Amz-Target"), ".PutItem") {
		body = bytes.ReplaceAll(body, []byte(`"cc":`), []byte(`"forgotten":`))
	}
	request.Body = io.NopCloser(bytes.NewReader(body))
	request.ContentLength = int64(len(body))
	return f.HTTPClient.Do(request)
}
