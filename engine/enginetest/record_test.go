package enginetest

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/engine/enginetest/witness"
)

var update = flag.Bool("update", false, "write the answers of DynamoDB Local below requests that have none yet")

// TestRecord helps to write cases: with -update, requests without an expected
// answer get the one of DynamoDB Local, to be reviewed against the documentation.
func TestRecord(t *testing.T) {
	if !*update {
		t.Skip("records only with -update")
	}
	endpoint := Endpoint{Client: witness.Client(witness.Start(t)), Kind: DynamoDBLocal}
	files, err := filepath.Glob("cases/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if err := record(t.Context(), endpoint, file); err != nil {
			t.Error(err)
		}
	}
}

// record writes the missing answers of a case file into it.
func record(ctx context.Context, endpoint Endpoint, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	cases, err := Parse(strings.TrimSuffix(filepath.Base(file), ".txt"), string(text))
	if err != nil {
		return err
	}
	lines := strings.Split(string(text), "\n")
	added := 0
	for _, c := range cases {
		recorded, err := c.answers(ctx, endpoint)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		for _, r := range recorded {
			lines = slices.Insert(lines, r.line+added, r.lines...)
			added += len(r.lines)
		}
	}
	if added == 0 {
		return nil
	}
	return os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644)
}

type recording struct {
	line  int
	lines []string
}

// answers runs the case and returns the answers of the steps that have none.
func (c Case) answers(ctx context.Context, endpoint Endpoint) ([]recording, error) {
	if !slices.ContainsFunc(c.Steps, Step.unanswered) {
		return nil, nil
	}
	s := newSession(endpoint)
	defer func() { _ = s.cleanUp(ctx) }()
	if err := s.setUp(ctx, c.Tables); err != nil {
		return nil, err
	}
	var recorded []recording
	for _, step := range c.Steps {
		answer, err := s.ask(ctx, step.Operation, expand(step.Request, s.variables))
		if err != nil {
			return nil, err
		}
		if !step.unanswered() {
			_ = s.compare(step.Want, answer) // only to bind the variables
			continue
		}
		var body map[string]any
		if err := json.Unmarshal(answer.Body, &body); err != nil {
			return nil, err
		}
		lines := []string{"< " + compactJSON(body)}
		if answer.Failed() {
			code, message := answer.Error()
			lines = []string{fmt.Sprintf("! %s: %s", code, message)}
			for _, member := range []string{"__type", "message", "Message"} {
				delete(body, member)
			}
			if len(body) > 0 {
				lines = append(lines, "+ "+compactJSON(body))
			}
		}
		for i := range lines {
			lines[i] = s.unexpand(lines[i])
		}
		recorded = append(recorded, recording{step.end, lines})
	}
	return recorded, nil
}

func (s Step) unanswered() bool { return s.Want.Body == "" && s.Want.Code == "" }

// unexpand puts the names of variables in the place of their values.
func (s *session) unexpand(text string) string {
	names := slices.SortedFunc(maps.Keys(s.variables), func(a, b string) int {
		return len(s.variables[b]) - len(s.variables[a])
	})
	for _, name := range names {
		text = strings.ReplaceAll(text, s.variables[name], name)
	}
	return text
}
