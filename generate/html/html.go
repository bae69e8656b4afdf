// Package html writes the design document of a table as one page that needs
// nothing beside it: it works from disk, offline, with a keyboard and in the
// dark. A reader chooses an access pattern and sees which items it reads in
// which index.
//
// The page is whole without its script, which only hides, marks and finds what
// is there.
package html

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/document"
)

//go:embed assets
var assets embed.FS

// Target makes the page.
func Target() generate.Target {
	return generate.Target{
		Name:  "html",
		Title: "Design document of the table, as one page to explore",
		Text: `One HTML file that needs nothing beside it; open it from disk. It says what docs
says, and lets a reader choose an access pattern to see which of the example items
it reads in which index, search all tables, and look at the entities and the
capacity as diagrams.`,
		Path: "table.html",
		Files: func(in generate.Input) ([]generate.File, error) {
			page, err := Render(document.New(in))
			if err != nil {
				return nil, err
			}
			return []generate.File{{Content: page}}, nil
		},
	}
}

// page is what the templates are filled with.
type page struct {
	document.Document
	CSS     template.CSS
	Script  template.JS
	Diagram diagram
	Bars    bars
	Day     *day
	tints   map[string]int
}

// Render writes a document as a page. The error says that a template is wrong.
func Render(d document.Document) ([]byte, error) {
	css, err := assets.ReadFile("assets/page.css")
	if err != nil {
		return nil, err
	}
	script, err := assets.ReadFile("assets/page.js")
	if err != nil {
		return nil, err
	}
	p := &page{Document: d, CSS: template.CSS(css), Script: template.JS(script), tints: tintsOf(d), Bars: newBars(d.Mix), Day: newDay(d.Mix)}
	p.Diagram = newDiagram(d, p.tints)
	t, err := template.New("page.html").Funcs(p.functions()).ParseFS(assets, "assets/*.html")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "<!doctype html>\n<!-- %s -->\n", generate.Mark)
	if err := t.Execute(&out, p); err != nil {
		return nil, err
	}
	return append(bytes.TrimRight(out.Bytes(), "\n"), '\n'), nil
}

// tintMost is how many colours there are; the stylesheet has a class for each.
const tintMost = 10

// tintsOf gives every entity a colour, in turn.
func tintsOf(d document.Document) map[string]int {
	tints := map[string]int{}
	for i, e := range d.Entities {
		tints[e.Name] = i % tintMost
	}
	return tints
}

// functions are what templates call.
func (p *page) functions() template.FuncMap {
	return template.FuncMap{
		"tint":          func(entity string) string { return fmt.Sprintf("tint%d", p.tints[entity]) },
		"count":         document.Count,
		"bytes":         document.Bytes,
		"percent":       document.Percent,
		"plural":        document.Plural,
		"join":          func(words []string) string { return strings.Join(words, ", ") },
		"numbers":       numbers,
		"pieces":        pieces,
		"stretches":     document.Stretches,
		"isTable":       func(name string) bool { return name == document.TableName },
		"item":          func(n int) document.Item { return p.Items[n] },
		"zip":           zip,
		"meter":         meter,
		"width":         width,
		"hundred":       func(share float64) float64 { return 100 * share },
		"numberPattern": number,
		"numberView":    numberView,
		"columns":       columns,
		"reading":       reading,
		"writing":       writing,
		"rows":          rows,
		"head":          head,
		"spaces":        spacesOf,
		"costs":         costs,
	}
}

// numbers are items as a list for the page's script.
func numbers(items []int) string {
	var out []string
	for _, n := range items {
		out = append(out, fmt.Sprint(n))
	}
	return strings.Join(out, " ")
}

// piece is a stretch of a template or condition: fixed text, or a variable.
type piece struct {
	Text     string
	Variable bool
}

// pieces are a key template or condition cut at its variables: what stands in
// braces, unless they are doubled.
func pieces(text string) []piece {
	var out []piece
	rest := text
	for {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			break
		}
		end := strings.IndexByte(rest[open:], '}')
		if strings.HasPrefix(rest[open:], "{{") || end < 0 {
			break
		}
		if open > 0 {
			out = append(out, piece{Text: rest[:open]})
		}
		out = append(out, piece{Text: rest[open : open+end+1], Variable: true})
		rest = rest[open+end+1:]
	}
	if rest != "" {
		out = append(out, piece{Text: rest})
	}
	return out
}

// pair is a key attribute with a value or template of it.
type pair struct{ Name, Value string }

func zip(names, values []string) []pair {
	var out []pair
	for i, n := range names {
		out = append(out, pair{n, values[i]})
	}
	return out
}
