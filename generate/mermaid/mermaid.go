// Package mermaid draws a model as Mermaid diagrams, which GitHub and many
// editors show: the entities with their references, and the key layout.
package mermaid

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/document"
)

// Target makes the diagrams.
func Target() generate.Target {
	return generate.Target{
		Name:  "mermaid",
		Title: "Mermaid: diagrams of the entities and of the key layout",
		Text: `Two Mermaid files: entities.mmd draws the entities with their attributes and how
they refer to each other, keys.mmd the item collections of the table and of each
index. GitHub shows them as they are; in Markdown, put one into a block that is
fenced as mermaid.`,
		Path: "mermaid/",
		Files: func(in generate.Input) ([]generate.File, error) {
			d := document.Outline(in)
			mark := "%% " + generate.Mark + "\n"
			return []generate.File{
				{Path: "entities.mmd", Content: []byte(mark + Entities(d))},
				{Path: "keys.mmd", Content: []byte(mark + Keys(d))},
			}, nil
		},
	}
}

// Entities is the entity relationship diagram of a document.
func Entities(d document.Document) string {
	var b strings.Builder
	b.WriteString("erDiagram\n")
	ids := map[string]string{}
	for i, e := range d.Entities {
		ids[e.Name] = fmt.Sprintf("e%d", i+1)
	}
	for _, r := range d.Relations {
		fmt.Fprintf(&b, "    %s %s--%s %s : %s\n", ids[r.To], target(r), source(r), ids[r.From], quoted(strings.Join(r.By, ", ")))
	}
	for _, e := range d.Entities {
		fmt.Fprintf(&b, "    %s[%s] {\n", ids[e.Name], quoted(e.Name))
		for _, a := range e.Attributes {
			b.WriteString("        " + attribute(d, e, a) + "\n")
		}
		b.WriteString("    }\n")
	}
	return b.String()
}

// target is the end of a relation at what is referred to.
func target(r document.Relation) string {
	if r.Optional {
		return "|o"
	}
	return "||"
}

// source is the end of a relation at what refers.
func source(r document.Relation) string {
	switch {
	case r.Most == 1 && r.Least == 1:
		return "||"
	case r.Most == 1:
		return "o|"
	case r.Least > 0:
		return "|{"
	}
	return "o{"
}

// attribute is a line of an entity: type, name, keys and, in quotes, what the
// first two cannot say.
func attribute(d document.Document, e document.Entity, a document.Attribute) string {
	var said []string
	kind := word(a.Type)
	if strings.Contains(a.Type, " | ") {
		kind, said = "enum", append(said, a.Type)
	}
	if name := word(a.Name); name != a.Name {
		said = append(said, "named "+a.Name)
	}
	if a.Optional {
		said = append(said, "optional")
	}
	line := kind + " " + word(a.Name)
	var keys []string
	if slices.Contains(e.Identity, a.Name) {
		keys = append(keys, "PK")
	}
	if slices.ContainsFunc(d.Relations, func(r document.Relation) bool { return r.From == e.Name && slices.Contains(r.By, a.Name) }) {
		keys = append(keys, "FK")
	}
	if slices.Contains(e.Unique, a.Name) {
		keys = append(keys, "UK")
	}
	if len(keys) > 0 {
		line += " " + strings.Join(keys, ", ")
	}
	if len(said) > 0 {
		line += " " + quoted(strings.Join(said, "; "))
	}
	return line
}

// word is a text as a word that may stand without quotes: letters, digits and
// underscores, the first no digit.
func word(text string) string {
	out := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, text)
	if out == "" || out[0] >= '0' && out[0] <= '9' {
		return "_" + out
	}
	return out
}

// escapes are Mermaid's for what has a meaning of its own inside a quoted text.
var escapes = strings.NewReplacer("#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "`", "#96;", "%%", "#37;#37;", "\\", "#92;", "\r", " ", "\n", " ")

// escaped is a text that stands for itself within quotes.
func escaped(text string) string { return escapes.Replace(text) }

func quoted(text string) string { return `"` + escaped(text) + `"` }
