package enginetest

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/dynmodel/dynmodel/engine/enginetest/rawclient"
)

const (
	caseTimeout       = 3 * time.Minute // a hang is a failure, not the end of the run
	eventuallyTimeout = 10 * time.Second
	tableTimeout      = 2 * time.Minute
	pollInterval      = 20 * time.Millisecond
)

// session is one run of a case against an endpoint.
type session struct {
	endpoint  Endpoint
	client    *rawclient.Client
	variables map[string]string
	// eventually is how long a step may take to be answered as expected, if
	// that is expected to take a while.
	eventually time.Duration
	// mayExist are the tables to delete in the end.
	mayExist []string
}

func newSession(endpoint Endpoint) *session {
	s := &session{endpoint: endpoint, client: rawclient.New(endpoint.Client), variables: map[string]string{}}
	prefix := "enginetest." + strings.ToLower(rand.Text()[:10])
	for _, variable := range []string{"$NEW", "$NEW2"} {
		s.variables[variable] = prefix + "." + variable[1:]
		s.mayExist = append(s.mayExist, s.variables[variable])
	}
	s.variables["$T"] = prefix
	return s
}

func (s *session) setUp(ctx context.Context, tables []Table) error {
	prefix := s.variables["$T"]
	for i, table := range tables {
		name, variable := prefix, "$T"
		if i > 0 {
			variable += strconv.Itoa(i + 1)
			name += "." + strconv.Itoa(i+1)
		}
		s.variables[variable] = name
		s.mayExist = append(s.mayExist, name)
		if err := s.create(ctx, table, name); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) create(ctx context.Context, table Table, name string) error {
	request, err := table.Schema.CreateTable(name)
	if err != nil {
		return err
	}
	if _, err := s.must(ctx, "CreateTable", request); err != nil {
		return err
	}
	if err := s.awaitActive(ctx, name); err != nil {
		return err
	}
	for _, item := range table.Items {
		for _, item := range splitItems(expand(item, s.variables)) {
			if _, err := s.must(ctx, "PutItem", fmt.Sprintf(`{"TableName":%q,"Item":%s}`, name, item)); err != nil {
				return fmt.Errorf("item %s: %w", shorten(item), err)
			}
		}
	}
	return nil
}

// splitItems separates the items that a repetition made out of one.
func splitItems(text string) []string {
	var items []json.RawMessage
	if err := json.Unmarshal([]byte("["+text+"]"), &items); err != nil {
		return []string{text} // for the endpoint to complain about
	}
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = string(item)
	}
	return texts
}

func (s *session) awaitActive(ctx context.Context, table string) error {
	ctx, cancel := context.WithTimeout(ctx, tableTimeout)
	defer cancel()
	for {
		answer, err := s.must(ctx, "DescribeTable", fmt.Sprintf(`{"TableName":%q}`, table))
		if err != nil {
			return err
		}
		var described struct{ Table struct{ TableStatus string } }
		if err := json.Unmarshal(answer.Body, &described); err != nil {
			return err
		}
		if described.Table.TableStatus == "ACTIVE" {
			return nil
		}
		if err := pause(ctx); err != nil {
			return fmt.Errorf("table %s is not active: %w", table, err)
		}
	}
}

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pollInterval):
		return nil
	}
}

// must sends a request that has to succeed.
func (s *session) must(ctx context.Context, operation, body string) (rawclient.Answer, error) {
	answer, err := s.client.Call(ctx, operation, body)
	if err == nil && answer.Failed() {
		code, message := answer.Error()
		err = fmt.Errorf("%s: %s: %s", operation, code, message)
	}
	return answer, err
}

// cleanUp deletes what the case may have created, whatever became of it.
func (s *session) cleanUp(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, tableTimeout)
	defer cancel()
	for _, table := range s.mayExist {
		if err := s.delete(ctx, table); err != nil {
			return fmt.Errorf("cleaning up %s: %w", table, err)
		}
	}
	return nil
}

func (s *session) delete(ctx context.Context, table string) error {
	name := fmt.Sprintf(`{"TableName":%q}`, table)
	for {
		answer, err := s.client.Call(ctx, "DeleteTable", name)
		if err != nil {
			return err
		}
		switch code, message := answer.Error(); {
		case !answer.Failed(), code == "ResourceNotFoundException":
			return nil
		case code == "ResourceInUseException": // still being created or changed
		case code == "ValidationException" && strings.Contains(message, "protect"):
			unprotect := fmt.Sprintf(`{"TableName":%q,"DeletionProtectionEnabled":false}`, table)
			if _, err := s.must(ctx, "UpdateTable", unprotect); err != nil {
				return err
			}
		default:
			return fmt.Errorf("%s: %s", code, message)
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// http sends a request that is spelled out, and returns the answer as a JSON
// object of its status, headers and body. The body is JSON if it can be.
func (s *session) http(ctx context.Context, text string) (rawclient.Answer, error) {
	spec := struct {
		Method, Path, Body string
		Headers            map[string]string
		// Gzip compresses the body; Unsigned leaves the signature out.
		Gzip, Unsigned bool
	}{Method: http.MethodPost, Path: "/"}
	if err := json.Unmarshal([]byte(text), &spec); err != nil {
		return rawclient.Answer{}, fmt.Errorf("step HTTP: %w", err)
	}
	body := []byte(spec.Body)
	if spec.Gzip {
		body = compress(body)
	}
	request, err := s.client.NewRequest(ctx, spec.Method, spec.Path, body)
	if err != nil {
		return rawclient.Answer{}, err
	}
	for name, value := range spec.Headers {
		request.Header.Set(name, value)
	}
	send := func() (rawclient.Answer, error) { return s.client.Do(request, body) }
	if spec.Unsigned {
		send = func() (rawclient.Answer, error) { return s.client.Send(request) }
	}
	answer, err := send()
	if err != nil {
		return rawclient.Answer{}, err
	}
	return wrap(answer)
}

func compress(body []byte) []byte {
	var compressed bytes.Buffer
	writer := gzip.NewWriter(&compressed)
	_, _ = writer.Write(body) // a Buffer takes everything
	_ = writer.Close()
	return compressed.Bytes()
}

// wrap makes the answer itself the body of an answer.
func wrap(answer rawclient.Answer) (rawclient.Answer, error) {
	headers := map[string]string{}
	for name := range answer.Header {
		headers[strings.ToLower(name)] = answer.Header.Get(name)
	}
	var body any = string(answer.Body)
	var parsed any
	if json.Unmarshal(answer.Body, &parsed) == nil {
		body = parsed
	}
	text, err := json.Marshal(map[string]any{"status": answer.Status, "headers": headers, "body": body})
	return rawclient.Answer{Status: http.StatusOK, Body: text}, err
}

// pass lets time pass on the endpoint's clock.
func (s *session) pass(text string) (rawclient.Answer, error) {
	d, err := time.ParseDuration(text)
	if err != nil {
		return rawclient.Answer{}, fmt.Errorf("step Pass: %w", err)
	}
	return rawclient.Answer{Status: http.StatusOK, Body: []byte("{}")}, s.endpoint.Pass(d)
}

// concurrently sends the same request many times at once and counts the
// outcomes: "ok" or the exception's name.
func (s *session) concurrently(ctx context.Context, text string) (rawclient.Answer, error) {
	var spec struct {
		Times     int
		Operation string
		Request   json.RawMessage
	}
	if err := json.Unmarshal([]byte(text), &spec); err != nil {
		return rawclient.Answer{}, fmt.Errorf("step Concurrently: %w", err)
	}
	outcomes := make([]string, spec.Times)
	var group sync.WaitGroup
	for i := range outcomes {
		group.Go(func() {
			answer, err := s.ask(ctx, spec.Operation, string(spec.Request))
			code, _ := answer.Error()
			switch {
			case err != nil:
				outcomes[i] = err.Error()
			case answer.Failed():
				outcomes[i] = code
			default:
				outcomes[i] = "ok"
			}
		})
	}
	group.Wait()
	counts := map[string]int{}
	for _, outcome := range outcomes {
		counts[outcome]++
	}
	body, err := json.Marshal(counts)
	return rawclient.Answer{Status: http.StatusOK, Body: body}, err
}
