package request_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/generate/document/example"
	"github.com/dynmodel/dynmodel/generate/request"
	"github.com/dynmodel/dynmodel/generate/tree"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/sdk"
)

// table is a model's table in an engine, with the example items in it.
type table struct {
	t      *testing.T
	model  *model.Model
	world  *example.World
	client *dynamodb.Client
	server *httptest.Server
}

func newTable(t *testing.T, path string) *table {
	t.Helper()
	m := modeltest.File(t, path)
	db := engine.New()
	server := httptest.NewServer(db)
	t.Cleanup(func() { server.Close(); db.Close() })
	x := &table{t: t, model: m, world: example.New(m), client: db.Client(), server: server}
	x.fill()
	return x
}

// fill makes the table anew, with the example items as they are.
func (x *table) fill() {
	x.t.Helper()
	ctx := context.Background()
	x.client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: &x.model.Table.Name.Text}) // there is none at first
	if _, err := x.client.CreateTable(ctx, sdk.Structure(x.model.Table.Name.Text, x.model.Table, func(*model.Index) bool { return true })); err != nil {
		x.t.Fatal(err)
	}
	for _, i := range x.world.Items {
		if _, err := x.client.PutItem(ctx, &dynamodb.PutItemInput{TableName: &x.model.Table.Name.Text, Item: sdk.Item(i.Stored)}); err != nil {
			x.t.Fatal(err)
		}
	}
}

// requests are all that the examples of a model's patterns send.
func (x *table) requests() (out []plan.Request) {
	planner := plan.New(x.model)
	for _, p := range x.model.Patterns {
		if c := x.world.Call(planner.Pattern(p)); c != nil {
			out = slices.Concat(out, c.First, c.Requests, c.After)
		}
	}
	return out
}

// models are those whose requests are tried.
var models = []string{"shop", "telemetry", "gaming-profile", "github", "recurring-payments"}

func modelPath(name string) string {
	return filepath.Join("..", "..", "examples", name, "access-patterns.yaml")
}

// answer is the status and the body of an API call.
func (x *table) answer(api plan.API, body []byte) (int, string) {
	x.t.Helper()
	r, err := http.NewRequest("POST", x.server.URL, bytes.NewReader(body))
	if err != nil {
		x.t.Fatal(err)
	}
	r.Header.Set("X-Amz-Target", "DynamoDB_20120810."+string(api))
	r.Header.Set("Content-Type", "application/x-amz-json-1.0")
	r.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=x")
	r.Header.Set("X-Amz-Date", "20260101T000000Z")
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		x.t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		x.t.Fatal(err)
	}
	return got.StatusCode, string(text)
}

// refusedByCondition tells whether an answer says no more than that a condition
// does not hold on the example's items.
func refusedByCondition(text string) bool {
	return strings.Contains(text, "ConditionalCheckFailed") || strings.Contains(text, "DuplicateItem") || strings.Contains(text, "TransactionCanceled")
}

// Every input is one that the API takes.
func TestInput(t *testing.T) {
	for _, name := range models {
		x := newTable(t, modelPath(name))
		n := 0
		for _, r := range x.requests() {
			n++
			status, text := x.answer(r.API, tree.JSON(request.Input(x.model.Table.Name.Text, r)))
			if status != http.StatusOK && !refusedByCondition(text) {
				t.Errorf("%s: %s: %d %s\n%s", name, r.API, status, text, tree.JSON(request.Input(x.model.Table.Name.Text, r)))
			}
		}
		if n < 5 {
			t.Errorf("%s: only %d requests", name, n)
		}
	}
}

// A shell hands the AWS CLI exactly what the input says, whatever is in it.
func TestCLI(t *testing.T) {
	for _, name := range models {
		x := newTable(t, modelPath(name))
		for _, r := range x.requests() {
			input := request.Input(x.model.Table.Name.Text, r)
			words := shellWords(t, request.CLI(x.model.Table.Name.Text, r))
			if words[0] != "dynamodb" {
				t.Fatalf("%s: %q", r.API, words)
			}
			got := 2
			for _, f := range input {
				if word, ok := optionOf(f); !ok {
					got++ // a flag is one word
				} else {
					if strings.ReplaceAll(words[got+1], `\udbff\udfff`, plan.Max) != word {
						t.Errorf("%s: %s is %q, want %q", r.API, words[got], words[got+1], word)
					}
					got += 2
				}
			}
			if got != len(words) {
				t.Errorf("%s: %d words of %d: %q", r.API, got, len(words), words)
			}
		}
	}
}

// optionOf is what an option of the CLI says; false for a flag, which says it by
// being there.
func optionOf(f tree.Field) (string, bool) {
	switch v := f.Value.(type) {
	case tree.Bool:
		return "", false
	case tree.Text:
		return string(v), true
	}
	return strings.TrimSpace(tree.Compact(f.Value)), true
}

// shellWords are the arguments that a shell hands a program.
func shellWords(t *testing.T, command string) []string {
	t.Helper()
	out, err := exec.Command("sh", "-c", "aws() { printf '%s\\0' \"$@\"; }; "+command).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// The AWS CLI itself takes the commands, one of each operation, and gets the
// answer that the API gives.
func TestCLIWithAWS(t *testing.T) {
	if _, err := exec.LookPath("aws"); err != nil {
		t.Skip("the AWS CLI is not on this machine")
	}
	x := newTable(t, modelPath("shop"))
	var done []plan.API
	for _, r := range x.requests() {
		if slices.Contains(done, r.API) {
			continue
		}
		done = append(done, r.API)
		x.fill()
		status, want := x.answer(r.API, tree.JSON(request.Input(x.model.Table.Name.Text, r)))
		if status != http.StatusOK {
			continue
		}
		x.fill()
		cmd := exec.Command("sh", "-c", request.CLI(x.model.Table.Name.Text, r)+" --output json")
		cmd.Env = append(os.Environ(), "AWS_ENDPOINT_URL="+x.server.URL, "AWS_ACCESS_KEY_ID=x", "AWS_SECRET_ACCESS_KEY=x", "AWS_REGION=us-east-1", "AWS_DEFAULT_REGION=us-east-1", "AWS_PAGER=")
		got, err := cmd.Output()
		if err != nil {
			var failed *exec.ExitError
			errors.As(err, &failed)
			t.Errorf("%s: %v %s\n%s", r.API, err, failed.Stderr, request.CLI(x.model.Table.Name.Text, r))
			continue
		}
		if !sameItems(t, want, string(got)) {
			t.Errorf("%s: the CLI gets %s, the API gives %s", r.API, got, want)
		}
	}
	if len(done) < 5 {
		t.Errorf("only %v were tried", done)
	}
}

// sameItems tells whether two answers hold the same items.
func sameItems(t *testing.T, a, b string) bool {
	t.Helper()
	items := func(text string) any {
		var out struct{ Item, Items, Responses any }
		if strings.TrimSpace(text) == "" {
			return out
		}
		if err := json.Unmarshal([]byte(text), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	return reflect.DeepEqual(items(a), items(b))
}

// A PartiQL statement gives what the request gives: the same items, or the same
// table afterwards.
func TestPartiQL(t *testing.T) {
	for _, name := range models {
		x := newTable(t, modelPath(name))
		said, unsaid := 0, 0
		for _, r := range x.requests() {
			statements, err := request.PartiQL(x.model.Table, r)
			if err != nil {
				unsaid++
				continue
			}
			said++
			x.fill()
			status, answer := x.answer(r.API, tree.JSON(request.Input(x.model.Table.Name.Text, r)))
			want := x.everything()
			x.fill()
			items, err := x.execute(r, statements)
			if (err != nil) != (status != http.StatusOK) {
				t.Errorf("%s: %s: %v, while the API says %d %s\n%s", name, r.API, err, status, answer, strings.Join(statements, "\n"))
				continue
			}
			if got := x.everything(); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s: another table afterwards\n%s", name, r.API, strings.Join(statements, "\n"))
			}
			if r.API == plan.Query || r.API == plan.GetItem {
				var out struct {
					Items []any
					Item  any
				}
				if err := json.Unmarshal([]byte(answer), &out); err != nil {
					t.Fatal(err)
				}
				if out.Item != nil {
					out.Items = []any{out.Item}
				}
				if r.Limit == 0 && len(items) != len(out.Items) {
					t.Errorf("%s: %s gives %d items, the API %d\n%s", name, r.API, len(items), len(out.Items), strings.Join(statements, "\n"))
				}
			}
		}
		if said < unsaid {
			t.Errorf("%s: %d requests can be said, %d cannot", name, said, unsaid)
		}
	}
}

// execute runs the statements of a request: one, a batch, or a transaction.
func (x *table) execute(r plan.Request, statements []string) ([]map[string]types.AttributeValue, error) {
	ctx := context.Background()
	switch r.API {
	case plan.TransactWriteItems, plan.TransactGetItems:
		in := &dynamodb.ExecuteTransactionInput{}
		for _, s := range statements {
			in.TransactStatements = append(in.TransactStatements, types.ParameterizedStatement{Statement: aws.String(s)})
		}
		_, err := x.client.ExecuteTransaction(ctx, in)
		return nil, err
	}
	var items []map[string]types.AttributeValue
	for _, s := range statements {
		got, err := x.client.ExecuteStatement(ctx, &dynamodb.ExecuteStatementInput{Statement: aws.String(s)})
		if err != nil {
			return nil, err
		}
		items = append(items, got.Items...)
	}
	return items, nil
}

// everything is the whole table.
func (x *table) everything() []map[string]types.AttributeValue {
	x.t.Helper()
	got, err := x.client.Scan(context.Background(), &dynamodb.ScanInput{TableName: &x.model.Table.Name.Text})
	if err != nil {
		x.t.Fatal(err)
	}
	return got.Items
}
