package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
)

const smallModel = "testdata/sound/sort-direction.yaml"

// roundTripper is a transport of the SDK's client.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) Do(r *http.Request) (*http.Response, error) { return f(r) }

// through is an endpoint whose requests go through a function.
func through(client *dynamodb.Client, f func(*http.Request, dynamodb.HTTPClient) (*http.Response, error)) Endpoint {
	inner := client.Options().HTTPClient
	n := 0
	return Endpoint{
		Table: func() string { n++; return fmt.Sprintf("through-%d", n) },
		Client: dynamodb.New(client.Options(), func(o *dynamodb.Options) {
			o.HTTPClient = roundTripper(func(r *http.Request) (*http.Response, error) { return f(r, inner) })
		}),
	}
}

func TestTablesAreDeleted(t *testing.T) {
	m, plans := load(t, smallModel)
	client := engine.New().Client()
	endpoint := Endpoint{Client: client, Table: func() string { return "only" }}
	tables := func() int {
		t.Helper()
		out, err := client.ListTables(context.Background(), &dynamodb.ListTablesInput{})
		if err != nil {
			t.Fatal(err)
		}
		return len(out.TableNames)
	}
	done := 0
	c := Config{Model: m, Plans: plans, Endpoint: endpoint, Progress: func(d, total int) { done = d }}
	if _, err := Run(context.Background(), c); err != nil || tables() != 0 || done != len(plans) {
		t.Errorf("error %v, %d tables left, %d of %d patterns done", err, tables(), done, len(plans))
	}
	ctx, cancel := context.WithCancel(context.Background())
	c.Endpoint = through(client, func(r *http.Request, to dynamodb.HTTPClient) (*http.Response, error) {
		if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".Query") {
			cancel()
			return nil, context.Canceled
		}
		return to.Do(r)
	})
	if _, err := Run(ctx, c); !errors.Is(err, context.Canceled) || tables() != 0 {
		t.Errorf("given up: error %v, %d tables left", err, tables())
	}
}

// A table is deleted too when nobody waits for it to become active, and it is
// busy at first.
func TestTablesAreDeletedWhileTheyAreMade(t *testing.T) {
	m, plans := load(t, smallModel)
	ctx, cancel := context.WithCancel(context.Background())
	deletions := 0
	endpoint := through(engine.New().Client(), func(r *http.Request, to dynamodb.HTTPClient) (*http.Response, error) {
		answer := func(status int, body string) (*http.Response, error) {
			return &http.Response{StatusCode: status, Header: http.Header{}, Request: r, Body: io.NopCloser(strings.NewReader(body))}, nil
		}
		switch _, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), "."); operation {
		case "CreateTable":
			return answer(http.StatusOK, `{"TableDescription":{"TableStatus":"CREATING"}}`)
		case "DescribeTable":
			cancel()
			return nil, context.Canceled
		case "DeleteTable":
			if deletions++; deletions == 1 {
				return answer(http.StatusBadRequest, `{"__type":"ResourceInUseException","message":"busy"}`)
			}
		}
		return answer(http.StatusBadRequest, `{"__type":"ResourceNotFoundException","message":"gone"}`)
	})
	endpoint.Tables = 1
	if _, err := Run(ctx, Config{Model: m, Plans: plans, Endpoint: endpoint}); !errors.Is(err, context.Canceled) || deletions != 2 {
		t.Errorf("error %v, %d deletions", err, deletions)
	}
}

func TestTablesAreTaggedAndKept(t *testing.T) {
	m, plans := load(t, smallModel)
	client := engine.New().Client()
	endpoint := Endpoint{Client: client, Table: func() string { return "kept" }, Tables: 1, Keep: true, Tags: map[string]string{"made-by": "a test"}}
	if _, err := Run(context.Background(), Config{Model: m, Plans: plans, Endpoint: endpoint}); err != nil {
		t.Fatal(err)
	}
	table, err := client.DescribeTable(context.Background(), &dynamodb.DescribeTableInput{TableName: aws.String("kept")})
	if err != nil {
		t.Fatal(err)
	}
	tags, err := client.ListTagsOfResource(context.Background(), &dynamodb.ListTagsOfResourceInput{ResourceArn: table.Table.TableArn})
	if err != nil || len(tags.Tags) != 1 || *tags.Tags[0].Value != "a test" {
		t.Errorf("got %v, %v", tags, err)
	}
}

func TestEndpointThatDoesNotAnswer(t *testing.T) {
	m, plans := load(t, smallModel)
	dead := errors.New("connection refused")
	endpoint := through(engine.New().Client(), func(*http.Request, dynamodb.HTTPClient) (*http.Response, error) { return nil, dead })
	if _, err := Run(context.Background(), Config{Model: m, Plans: plans, Endpoint: endpoint}); !errors.Is(err, dead) {
		t.Errorf("error %v", err)
	}
}

func TestTableThatIsRefused(t *testing.T) {
	m, plans := load(t, smallModel)
	for i := range 21 {
		key := []model.KeyAttribute{{Name: fmt.Sprintf("K%d", i), Kind: m.Table.PartitionKey.Kind}}
		m.Table.Indexes = append(m.Table.Indexes, &model.Index{Name: model.Name{Text: fmt.Sprintf("Index%d", i)}, PartitionKey: key})
	}
	r, err := Run(context.Background(), Config{Model: m, Plans: plans, Endpoint: embedded()})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range r.Patterns {
		if p.Verdict != Error || !strings.HasPrefix(p.Reason, "DynamoDB refuses the table: ") || p.Cases != 0 {
			t.Errorf("%s: %s, %s", p.Pattern.Name.Text, p.Verdict, p.Reason)
		}
	}
	if len(r.Findings) != 1 {
		t.Fatalf("%d findings, want one for all patterns", len(r.Findings))
	}
	f := r.Findings[0]
	if f.Rule != diag.InvalidModel || f.Severity != diag.Error || f.Span != m.Table.Name.At || !strings.HasPrefix(f.Message, "no access pattern can be run, as DynamoDB refuses the table: ") {
		t.Errorf("%s at %v: %s", f.Rule, f.Span, f.Message)
	}
}

// TestLag runs on an endpoint whose index gives nothing at first: that is only
// wrong where the endpoint may not lag.
func TestLag(t *testing.T) {
	for lag, want := range map[time.Duration]Verdict{0: Fail, 10 * time.Second: Pass} {
		m, plans := load(t, "testdata/sound/projection.yaml")
		var queries atomic.Int64
		endpoint := through(engine.New().Client(), func(r *http.Request, to dynamodb.HTTPClient) (*http.Response, error) {
			if !strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".Query") || queries.Add(1) > 2 {
				return to.Do(r)
			}
			return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: r,
				Body: io.NopCloser(bytes.NewReader([]byte(`{"Items":[],"Count":0,"ScannedCount":0}`)))}, nil
		})
		endpoint.Lag = lag
		r, err := Run(context.Background(), Config{Model: m, Plans: plans, Endpoint: endpoint})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Patterns[0].Verdict; got != want {
			t.Errorf("lag %v: %s, want %s", lag, got, want)
		}
	}
}

// TestFaultsAreNotWaitedFor: where indexes may lag, a model with faults gives the
// same findings, after a few waits rather than one for every wrong answer.
func TestFaultsAreNotWaitedFor(t *testing.T) {
	m, plans := load(t, "testdata/flawed/isolation.yaml")
	run := func(lag time.Duration) ([]string, time.Duration) {
		t.Helper()
		endpoint := embedded()
		endpoint.Lag, endpoint.Tables = lag, 1
		begin := time.Now()
		r, err := Run(context.Background(), Config{Model: m, Plans: plans, Endpoint: endpoint})
		if err != nil {
			t.Fatal(err)
		}
		var messages []string
		for _, f := range r.Findings {
			messages = append(messages, f.Message)
		}
		return messages, time.Since(begin)
	}
	want, atOnce := run(0)
	lag := 500 * time.Millisecond
	got, took := run(lag)
	if len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("with a lag: %q, without: %q", got, want)
	}
	if most := 3*atOnce + time.Duration(len(want)+2*fullWaits)*lag; took > most {
		t.Errorf("it took %v, and %v without a lag", took, atOnce)
	}
}

func TestPatience(t *testing.T) {
	wrong, fast := &failure{kind: extra}, 20*time.Millisecond
	strange := func(*failure) bool { return false }
	p := patience{lag: fast}
	looks := 0
	after := func(n int) func() (*failure, error) {
		looks = 0
		return func() (*failure, error) {
			if looks++; looks > n {
				return nil, nil
			}
			return wrong, nil
		}
	}
	if f, err := p.await(t.Context(), strange, after(2)); f != nil || err != nil || looks != 3 || p.late == 0 {
		t.Errorf("right at last: %v, %v after %d looks, late %v", f, err, looks, p.late)
	}
	p.late = 0
	for i, want := range []time.Duration{fast, fast, fast / shortWait} {
		if got := p.wait(); got != want {
			t.Errorf("wait %d lasts %v, want %v", i, got, want)
		}
		if f, err := p.await(t.Context(), strange, after(1<<30)); f != wrong || err != nil || looks < 2 {
			t.Errorf("wrong for ever: %v, %v after %d looks", f, err, looks)
		}
	}
	if f, err := p.await(t.Context(), func(*failure) bool { return true }, after(1<<30)); f != wrong || err != nil || looks != 1 {
		t.Errorf("known: %v, %v after %d looks", f, err, looks)
	}
}
