package rules_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/validate/rules"
	"github.com/dynmodel/dynmodel/validate/rules/page"
	"github.com/dynmodel/dynmodel/validate/verify"
)

// TestDocs holds the reference against the rules it is made from.
func TestDocs(t *testing.T) {
	db := engine.New()
	defer db.Close()
	tables := 0
	endpoint := verify.Endpoint{Client: db.Client(), Table: func() string { tables++; return fmt.Sprintf("docs-%d", tables) }}
	var pages []page.Page
	for _, r := range rules.All() {
		p, err := page.Of(context.Background(), r, endpoint)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, p)
	}
	var want bytes.Buffer
	if err := page.Markdown(&want, pages); err != nil {
		t.Fatal(err)
	}
	const path = "../../docs/rules.md"
	modeltest.Golden(t, path, want.String())
}
