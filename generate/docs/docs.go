// Package docs writes the design document of a table as Markdown, as GitHub
// renders it.
package docs

import (
	"fmt"
	"html"
	"strings"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/document"
	"github.com/dynmodel/dynmodel/generate/mermaid"
)

// Target makes the document.
func Target() generate.Target {
	return generate.Target{
		Name:  "docs",
		Title: "Design document of the table, in Markdown",
		Text: `One Markdown file, made to be read in a review: the entity chart, how each access
pattern is served and what it takes, item collections with example items, sizes,
capacity, operations, security, limits and accepted findings. GitHub shows it with
the diagram of the entities.`,
		Path: "table.md",
		Files: func(in generate.Input) ([]generate.File, error) {
			return []generate.File{{Content: Render(document.New(in))}}, nil
		},
	}
}

// Render writes a document as Markdown.
func Render(d document.Document) []byte {
	w := &writer{doc: d}
	w.line("<!-- " + generate.Mark + " -->")
	w.head()
	w.entities()
	w.patterns()
	w.collections()
	w.calls()
	w.sizes()
	w.mix()
	w.capacity()
	w.indexes()
	w.operations()
	w.security()
	w.limits()
	w.accepted()
	return []byte(w.String())
}

// writer writes a document section by section.
type writer struct {
	strings.Builder
	doc document.Document
}

func (w *writer) line(text string) { w.WriteString(text + "\n") }

// paragraph writes a paragraph of Markdown.
func (w *writer) paragraph(format string, args ...any) {
	fmt.Fprintf(w, "\n"+format+"\n", args...)
}

func (w *writer) section(title string) { w.paragraph("## %s", title) }

func (w *writer) part(title string) { w.paragraph("### %s", title) }

// table writes a table of cells in Markdown; nothing without rows.
func (w *writer) table(head []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	w.line("")
	w.row(head)
	rule := make([]string, len(head))
	for i := range rule {
		rule[i] = "---"
		if strings.HasSuffix(head[i], figure) {
			rule[i] = "--:"
		}
	}
	w.line("| " + strings.Join(rule, " | ") + " |")
	for _, r := range rows {
		w.row(r)
	}
}

// figure ends the heads of columns of figures, which are set to the right. It is
// not written.
const figure = "\x00"

// row writes a row of a table; bars within its cells are escaped, those in code
// too, as a table is cut into cells before code is looked for.
func (w *writer) row(cells []string) {
	var out strings.Builder
	for _, c := range cells {
		out.WriteString("| " + strings.ReplaceAll(strings.TrimSuffix(c, figure), "|", `\|`) + " ")
	}
	w.line(out.String() + "|")
}

// facts writes labels and values as a table.
func (w *writer) facts(facts []document.Fact) {
	var rows [][]string
	for _, f := range facts {
		rows = append(rows, []string{escape(f.Label), escape(f.Value)})
	}
	w.table([]string{"", ""}, rows)
}

func (w *writer) head() {
	w.paragraph("# %s", escape(w.doc.Name))
	if w.doc.Description != "" {
		w.paragraph("%s", escape(w.doc.Description))
	}
	w.paragraph("Design of the DynamoDB table %s.", code(w.doc.Table))
	w.facts(w.doc.Glance)
}

func (w *writer) entities() {
	d := w.doc
	w.section("Entities")
	head := []string{"Entity"}
	for _, c := range d.Columns {
		head = append(head, escape(c.Name))
	}
	var rows [][]string
	for _, e := range d.Entities {
		row := []string{"**" + escape(e.Name) + "**"}
		for _, k := range e.Keys {
			row = append(row, keyCell(k))
		}
		var names []string
		for _, a := range e.Attributes {
			name := a.Name
			if a.Optional {
				name += "?"
			}
			names = append(names, code(name))
		}
		rows = append(rows, append(row, strings.Join(names, ", ")))
	}
	w.table(append(head, "Attributes"), rows)
	w.columns()
	if len(d.Relations) > 0 {
		w.paragraph("```mermaid\n%s```", mermaid.Entities(d))
	}
	for _, e := range d.Entities {
		w.entity(e)
	}
}

func keyCell(k document.Key) string {
	text := code(k.Template)
	if k.When != "" {
		text += "<br>when " + code(k.When)
	}
	return text
}

// columns says what the key attributes key.
func (w *writer) columns() {
	var rows [][]string
	for _, c := range w.doc.Columns {
		rows = append(rows, []string{code(c.Name), c.Type, escape(strings.Join(c.Roles, ", "))})
	}
	w.table([]string{"Key attribute", "Type", "Keys"}, rows)
}

func (w *writer) entity(e document.Entity) {
	w.paragraph("<details>\n<summary>%s</summary>", html.EscapeString(oneLine(e.Name)+": "+document.Plural(len(e.Attributes), "attribute")))
	defer w.paragraph("</details>")
	if e.Description != "" {
		w.paragraph("%s", escape(e.Description))
	}
	var rows [][]string
	for _, a := range e.Attributes {
		need := ""
		if a.Optional {
			need = "optional"
		}
		rows = append(rows, []string{code(a.Name), escape(a.Type), need, escape(strings.Join(a.Notes, "; "))})
	}
	w.table([]string{"Attribute", "Type", "", "Notes"}, rows)
	var rules []string
	for _, f := range e.Rules {
		rules = append(rules, "- "+escape(f.Label)+": "+code(f.Value))
	}
	if len(rules) > 0 {
		w.paragraph("%s", strings.Join(rules, "\n"))
	}
}
