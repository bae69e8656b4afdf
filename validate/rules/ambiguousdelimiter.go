package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate"
)

func ambiguousDelimiter() *validate.Rule {
	return &validate.Rule{
		Name: diag.AmbiguousDelimiter, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkAmbiguousDelimiter,
		LeadsTo: []string{diag.KeyCollision, diag.WrongResult, diag.WrongWrite},
		Title:   "different values can make the same key",
		Text: "A value that may contain the delimiter after it, or that has no delimiter after it at all, can be cut in more than one place: two different sets of values make one text. " +
			"In the table's keys that is one item overwriting another, in the keys of an index a query that returns somebody else's items, in the key of a unique value a refusal of what is not taken. " +
			"The message shows two such sets of values. Where the proof meets them in a pattern, it reports the loss itself instead.",
		Bad: `version: 1
table:
  name: files
  partition_key: fileId
  indexes:
    OfTeam: {partition_key: team, sort_key: Path}
entities:
  File:
    attributes: {fileId: ulid, team: slug, owner: string, folder: string}
    keys: {Path: "{owner}#{folder}"}
access_patterns:
  - {name: file, get: File}
  - {name: files-of-team, query: File, where: team = $team}
`,
		Good: `version: 1
table:
  name: files
  partition_key: fileId
  indexes:
    OfTeam: {partition_key: team, sort_key: Path}
entities:
  File:
    attributes: {fileId: ulid, team: slug, owner: {type: string, pattern: "[^#]+"}, folder: string}
    keys: {Path: "{owner}#{folder}"}
access_patterns:
  - {name: file, get: File}
  - {name: files-of-team, query: File, where: team = $team}
`,
		Fix: "declare the attribute so that it cannot contain the delimiter: `slug`, an id type, or pattern: \"[^#]+\", which generated code then enforces; or use a delimiter that it cannot contain",
	}
}

func checkAmbiguousDelimiter(p *validate.Pass) {
	for _, k := range keysOf(p.Model) {
		if f, ok := ambiguity(k.entity, k.attribute.Name, k.template); ok {
			f.Span, f.Index = k.at, indexName(k.places[0].index)
			p.Report(f)
		}
	}
	for _, e := range p.Model.Entities {
		for _, u := range e.Unique {
			for _, k := range u.Keys {
				if f, ok := ambiguity(e, k.Name.Text, k.Template); ok {
					f.Span = at(k.Template.At, u.At)
					f.Message = "the guard of a unique value: " + f.Message
					p.Report(f)
					break
				}
			}
		}
	}
}

func at(s, otherwise source.Span) source.Span {
	if s.Known() {
		return s
	}
	return otherwise
}

// ambiguity is the finding about a template that makes one text of different values.
func ambiguity(e *model.Entity, key string, t model.Template) (diag.Finding, bool) {
	text, one, two, found := keytext.Ambiguous(t)
	if !found {
		return diag.Finding{}, false
	}
	culprit, fix := culpritOf(t, one, two)
	return diag.Finding{
		Entity: e.Name.Text, Cause: t.At,
		Message: fmt.Sprintf("%s = %q of %s makes the same key, %q, of %s and of %s: the two cannot be told apart",
			key, t.Text, e.Name.Text, text, valuesText(t, one), valuesText(t, two)),
		Why: culprit,
		Fix: fix,
	}, true
}

// valuesText writes the attributes of a reading: {owner: "a", folder: "b"}.
func valuesText(t model.Template, r keytext.Reading) string {
	out := ""
	for i, p := range t.Parts {
		if p.Attribute == nil {
			continue
		}
		if out != "" {
			out += ", "
		}
		name := p.Path.String()
		for _, f := range p.Funcs {
			name += "|" + f.String()
		}
		out += fmt.Sprintf("%s: %q", name, r[i])
	}
	return "{" + out + "}"
}

// culpritOf explains where the two readings part.
func culpritOf(t model.Template, one, two keytext.Reading) (why, fix string) {
	for i, p := range t.Parts {
		if one[i] == two[i] || p.Attribute == nil {
			continue
		}
		name := p.Path.String()
		if i+1 < len(t.Parts) && t.Parts[i+1].Literal != "" {
			d := t.Parts[i+1].Literal
			return fmt.Sprintf("%s can contain %q, the delimiter that ends it", name, d),
				fmt.Sprintf("declare %s as `slug` or an id type, or with a pattern without %q, or end it with a delimiter that it cannot contain", name, d)
		}
		return fmt.Sprintf("nothing says where %s ends and what follows begins", name),
			fmt.Sprintf("put a delimiter after {%s} that it cannot contain", name)
	}
	return "", ""
}
