package seed

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model/modeltest"
)

func run(args ...string) error {
	var out, errs bytes.Buffer
	cmd := New(&terminal.Streams{In: strings.NewReader(modeltest.Shop()), Out: &out, Err: &errs, Env: func(string) string { return "" }})
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	cmd.SetArgs(append([]string{"-f", "-", "--now", "2026-06-01T00:00:00Z"}, args...))
	return cmd.Execute()
}

func count(t *testing.T, db *engine.DB, table string) int {
	t.Helper()
	n := 0
	pages := dynamodb.NewScanPaginator(db.Client(), &dynamodb.ScanInput{TableName: aws.String(table)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		n += len(page.Items)
	}
	return n
}

// A run that is stopped half-way and taken up again leaves what a whole one
// leaves, though some batches come back unprocessed.
func TestTakenUpAgain(t *testing.T) {
	db := engine.New()
	defer db.Close()
	var batches, most atomic.Int64
	most.Store(1 << 40)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".BatchWriteItem") && batches.Add(1) > most.Load() {
			w.WriteHeader(http.StatusBadRequest)
			w.Write([]byte(`{"__type":"AccessDeniedException","message":"enough"}`))
			return
		}
		db.ServeHTTP(w, r)
	}))
	defer server.Close()
	to := []string{"--items", "12000", "--endpoint", server.URL, "--create"}
	if err := run(append(to, "--table", "whole")...); err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(t.TempDir(), "state.json")
	batches.Store(0)
	most.Store(300)
	parts := append(to, "--table", "parts", "--state", state)
	if err := run(parts...); err == nil || !strings.Contains(err.Error(), "AccessDeniedException: enough") {
		t.Fatalf("stopped with %v", err)
	}
	if _, err := os.Stat(state); err != nil {
		t.Fatalf("no state was kept: %v", err)
	}
	batches.Store(0)
	most.Store(1 << 40)
	if err := run(parts...); err != nil {
		t.Fatal(err)
	}
	again := batches.Load()
	whole, taken := count(t, db, "whole"), count(t, db, "parts")
	if whole != taken || whole < 4000 {
		t.Errorf("%d items in parts, %d in one go", taken, whole)
	}
	if all := int64(whole / perBatch); again >= all {
		t.Errorf("%d batches the second time, all are %d: it began again", again, all)
	}
	if err := run(append(to, "--table", "other", "--state", state)...); err == nil || !strings.Contains(err.Error(), "is of another run (table parts, seed 1, 12000 items") {
		t.Errorf("the state of another run: %v", err)
	}
}

func TestTableThatDoesNotFit(t *testing.T) {
	db := engine.New()
	defer db.Close()
	server := httptest.NewServer(http.HandlerFunc(db.ServeHTTP))
	defer server.Close()
	if err := run("--endpoint", server.URL); err == nil || err.Error() != "there is no table shop; make it, or say --create" {
		t.Errorf("no table: %v", err)
	}
	if err := run("--endpoint", server.URL, "--create", "--items", "10"); err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(modeltest.Shop(), "sort_key: SK", "sort_key: Sort", 1)
	path := filepath.Join(t.TempDir(), "other.yaml")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(other, " SK: ", " Sort: ")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run("-f", path, "--endpoint", server.URL); err == nil || err.Error() != "table shop has the key [PK SK], and the model's is [PK Sort]" {
		t.Errorf("another key: %v", err)
	}
}

func TestInterrupt(t *testing.T) {
	db := engine.New()
	defer db.Close()
	ctx, cancel := context.WithCancel(context.Background())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".BatchWriteItem") {
			cancel()
		}
		db.ServeHTTP(w, r)
	}))
	defer server.Close()
	var out, errs bytes.Buffer
	cmd := New(&terminal.Streams{In: strings.NewReader(modeltest.Shop()), Out: &out, Err: &errs, Env: func(string) string { return "" }})
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	cmd.SetArgs([]string{"-f", "-", "--items", "100000", "--endpoint", server.URL, "--create"})
	if err := cmd.ExecuteContext(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped with %v", err)
	}
}
