package mermaid_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/document"
	"github.com/dynmodel/dynmodel/generate/internal/chromium"
	"github.com/dynmodel/dynmodel/generate/mermaid"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

const library = `version: 1
name: library
table:
  name: library
  partition_key: PK
  sort_key: SK
  indexes:
    ByTitle: {partition_key: TitlePK, sort_key: TitleSK}
entities:
  Book:
    attributes:
      isbn: slug
      title: string
      "shelf#row": string?
      state: [here, lent, "x|y", "<i>"]
    keys:
      PK: BOOK#{isbn}
      SK: BOOK
      TitlePK: {template: "TITLE#{title|lower}", when: "state = 'here'"}
      TitleSK: "\"{isbn}\""
    volume: {count: 500}
  Loan:
    attributes:
      isbn: {ref: Book}
      loanId: ulid
      reader: email
      after: {ref: Loan.loanId, optional: true}
    keys: {PK: "BOOK#{isbn}", SK: "LOAN#{loanId}"}
    unique: [reader]
    volume: {per: Book, count: 1..20}
access_patterns:
  - {name: book, get: Book}
  - {name: add-book, create: Book}
  - {name: add-loan, create: Loan}
  - {name: by-title, query: Book, where: "state = 'here' AND lower(title) = lower($title)"}
  - {name: loans, query: Loan, where: isbn = $isbn}
`

func TestEntities(t *testing.T) {
	want := `erDiagram
    e1 ||--|{ e2 : "isbn"
    e2 |o--o{ e2 : "after"
    e1["Book"] {
        slug isbn PK
        string title
        string shelf_row "named shelf#35;row; optional"
        enum state "here | lent | x|y | #lt;i#gt;"
    }
    e2["Loan"] {
        slug isbn PK, FK
        ulid loanId PK
        email reader UK
        ulid after FK "optional"
    }
`
	if got := mermaid.Entities(documentOf(t, "library", library)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestKeys(t *testing.T) {
	want := `flowchart LR
    subgraph s0["table"]
        direction LR
        s0c0(["PK = BOOK#35;{isbn}"])
        s0c0 --> s0c0m0["<b>Book</b><br>SK = BOOK"]
        s0c0 --> s0c0m1["<b>Loan</b><br>SK = LOAN#35;{loanId}"]
    end
    subgraph s1["ByTitle"]
        direction LR
        s1c0(["TitlePK = TITLE#35;{title|lower}"])
        s1c0 --> s1c0m0["<b>Book</b><br>TitleSK = #quot;{isbn}#quot;<br><i>when state = 'here'</i>"]
    end
`
	if got := mermaid.Keys(documentOf(t, "library", library)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestMermaidReads has Mermaid itself (MERMAID is its script) draw both diagrams
// of every example and of the library, and looks for the names in what it draws.
func TestMermaidReads(t *testing.T) {
	script := chromium.Script(t, "MERMAID")
	page := chromium.Start(t).Open("about:blank")
	page.Eval(script+"; mermaid.initialize({startOnLoad: false, securityLevel: 'loose'}); 0", nil)
	for name, text := range texts(t) {
		d := documentOf(t, name, text)
		for kind, diagram := range map[string]string{"entities": mermaid.Entities(d), "keys": mermaid.Keys(d)} {
			quoted, err := json.Marshal(diagram)
			if err != nil {
				t.Fatal(err)
			}
			drawn := page.Text(fmt.Sprintf(`mermaid.render("drawn", %s).then((r) => {
				const holder = document.createElement("div");
				holder.innerHTML = r.svg;
				return "drawn " + holder.textContent;
			}, (e) => "refused: " + e.message)`, quoted))
			if !strings.HasPrefix(drawn, "drawn ") {
				t.Errorf("%s, %s: %s\n%s", name, kind, drawn, diagram)
				continue
			}
			for _, e := range d.Entities {
				if !strings.Contains(drawn, e.Name) {
					t.Errorf("%s, %s: %s is not drawn", name, kind, e.Name)
				}
			}
			if name == "library" && kind == "keys" && !strings.Contains(drawn, `TitleSK = "{isbn}"`) {
				t.Errorf("keys are drawn as %q", drawn)
			}
		}
	}
}

// texts are the example models and the library.
func texts(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{"library": library}
	err := filepath.WalkDir(filepath.Join("..", "..", "examples"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		out[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func documentOf(t *testing.T, name, text string) document.Document {
	t.Helper()
	m, findings := parse.File(source.NewFile(name, text), os.DirFS(filepath.Dir(name)))
	if m == nil {
		t.Fatalf("%s: %+v", name, findings.All())
	}
	return document.Outline(generate.Input{Model: m})
}
