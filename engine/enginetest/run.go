package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/engine/enginetest/rawclient"
)

// Endpoint is a DynamoDB to question.
type Endpoint struct {
	Client *dynamodb.Client
	// Kind decides which known differences apply.
	Kind Kind
	// Patience is how long a wrong answer of a read may turn into the right
	// one, for endpoints whose indexes lag: zero for emulators.
	Patience time.Duration
	// InProcess says that the client's transport is no HTTP, so that cases
	// about HTTP itself do not apply.
	InProcess bool
	// Pass moves the endpoint's clock, and does what the service does in the
	// background by then. Without it, cases that need time to pass are skipped.
	Pass func(time.Duration) error
	// Serial runs the cases one by one, for endpoints that fail at random
	// when tables are changed at the same time.
	Serial bool
}

// Run checks every case against the endpoint, each as a subtest. Every
// case works on tables of its own, with random names, and deletes them.
func Run(t *testing.T, endpoint Endpoint) {
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) {
			switch {
			case c.needsClock() && endpoint.Pass == nil:
				t.Skip("there is no clock to move")
			case !endpoint.Serial && !c.needsClock(): // others would miss the time
				t.Parallel()
			}
			if endpoint.InProcess && c.isAboutHTTP() {
				t.Skip("there is no HTTP below this client")
			}
			known := c.difference(endpoint.Kind)
			if known != nil && known.Fatal {
				t.Skipf("known difference: %s", known.Reason)
			}
			patience := eventuallyTimeout
			if known != nil {
				patience = time.Second // the answer is not expected to come
			}
			err := c.check(t.Context(), endpoint, patience)
			switch {
			case known == nil && err != nil:
				t.Errorf("%v\nwhy: %s", err, c.Reason)
			case known != nil && err == nil:
				t.Errorf("answers as AWS does: its known difference (%s) is out of date", known.Reason)
			}
		})
	}
}

// Check runs the case against the endpoint and returns the first difference
// from what DynamoDB answers.
func (c Case) Check(ctx context.Context, endpoint Endpoint) error {
	return c.check(ctx, endpoint, eventuallyTimeout)
}

func (c Case) check(ctx context.Context, endpoint Endpoint, eventually time.Duration) (err error) {
	ctx, cancel := context.WithTimeout(ctx, caseTimeout)
	defer cancel()
	s := newSession(endpoint)
	s.eventually = eventually
	defer func() { err = errors.Join(err, s.cleanUp(context.WithoutCancel(ctx))) }()
	if err := s.setUp(ctx, c.Tables); err != nil {
		return fmt.Errorf("fixture: %w", err)
	}
	for i, step := range c.Steps {
		if err := s.check(ctx, step); err != nil {
			return fmt.Errorf("request %d, %s %s\n%w", i+1, step.Operation, shorten(step.Request), err)
		}
	}
	return nil
}

// check sends the request of a step, again and again if its answer may take a
// while, and compares the answer.
func (s *session) check(ctx context.Context, step Step) error {
	patience := s.endpoint.Patience
	if step.Eventually {
		patience = max(patience, s.eventually)
	} else if !isRead(step.Operation) {
		patience = 0
	}
	deadline := time.Now().Add(patience)
	for {
		answer, err := s.ask(ctx, step.Operation, expand(step.Request, s.variables))
		if err != nil {
			return err
		}
		if err = s.compare(step.Want, answer); err == nil || time.Now().After(deadline) {
			return err
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

func isRead(operation string) bool {
	for _, prefix := range []string{"Get", "BatchGet", "TransactGet", "Query", "Scan", "Describe", "List"} {
		if strings.HasPrefix(operation, prefix) {
			return true
		}
	}
	return false
}

// ask sends one request, adding the table name that most requests leave out.
func (s *session) ask(ctx context.Context, operation, body string) (rawclient.Answer, error) {
	switch operation {
	case "HTTP":
		return s.http(ctx, body)
	case "Concurrently":
		return s.concurrently(ctx, body)
	case "Pass":
		return s.pass(body)
	}
	if takesTableName(operation) && strings.HasPrefix(body, "{") && !strings.Contains(body, `"TableName"`) {
		comma := ","
		if strings.TrimSpace(body[1:]) == "}" {
			comma = ""
		}
		body = fmt.Sprintf(`{"TableName":%q%s%s`, s.variables["$T"], comma, body[1:])
	}
	return s.client.Call(ctx, operation, body)
}

func takesTableName(operation string) bool {
	switch operation {
	case "GetItem", "PutItem", "UpdateItem", "DeleteItem", "Query", "Scan",
		"DescribeTable", "UpdateTable", "DeleteTable", "DescribeTimeToLive", "UpdateTimeToLive",
		"CreateBackup", "DescribeContinuousBackups", "UpdateContinuousBackups":
		return true
	}
	return false
}

func (s *session) compare(want Want, answer rawclient.Answer) error {
	if want.Code != "" {
		return s.compareException(want, answer)
	}
	if answer.Failed() {
		code, message := answer.Error()
		return fmt.Errorf("want %s\ngot  %d %s: %s", shorten(want.Body), answer.Status, code, message)
	}
	var got any = map[string]any{} // operations that return nothing may send no body
	if len(answer.Body) == 0 {
		return s.compareBody(want, got)
	}
	if err := json.Unmarshal(answer.Body, &got); err != nil {
		return fmt.Errorf("the answer is not JSON: %w: %s", err, shorten(string(answer.Body)))
	}
	return s.compareBody(want, got)
}

func (s *session) compareException(want Want, answer rawclient.Answer) error {
	wantMessage := expand(want.Message, s.variables)
	if !answer.Failed() {
		return fmt.Errorf("want %s: %s\ngot  %s", want.Code, wantMessage, shorten(string(answer.Body)))
	}
	code, message := answer.Error()
	if want.Code == AnyRefusal && answer.Refused() {
		return nil
	}
	if code != want.Code || want.Message != "" && !matchMessage(wantMessage, message) {
		return fmt.Errorf("want %s: %s\ngot  %s: %s", want.Code, wantMessage, code, message)
	}
	if want.Body == "" {
		return nil
	}
	body := map[string]any{}
	if err := json.Unmarshal(answer.Body, &body); err != nil {
		return fmt.Errorf("the exception is not a JSON object: %w", err)
	}
	for _, member := range []string{"__type", "message", "Message"} {
		delete(body, member)
	}
	return s.compareBody(want, body)
}

func (s *session) compareBody(want Want, got any) error {
	var body any
	if err := json.Unmarshal([]byte(expand(want.Body, s.variables)), &body); err != nil {
		return fmt.Errorf("the expected answer is not JSON: %w", err)
	}
	if err := (matcher{want.Match, s.variables}).match("answer", body, got); err != nil {
		return fmt.Errorf("%w\nwhole answer: %s", err, show(got))
	}
	return nil
}
