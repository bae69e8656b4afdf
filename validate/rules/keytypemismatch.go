package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate"
)

func keyTypeMismatch() *validate.Rule {
	return &validate.Rule{
		Name: diag.KeyTypeMismatch, Severity: diag.Error, FoundBy: validate.ByRule, Check: checkKeyTypeMismatch,
		LeadsTo: []string{diag.WrongWrite, diag.WrongResult},
		Title:   "a key is made in another type than its attribute has",
		Text: "A key attribute has one type, text, number or binary, for all items of the table. A template that is nothing but one attribute keeps that attribute's type; every other template makes a text. " +
			"Where the two differ, DynamoDB refuses each write of such an item, for a key of an index just as for one of the table.",
		Bad: `version: 1
table: tickets
entities:
  Ticket:
    attributes: {project: slug, number: {type: integer, min: 1}, title: string}
    keys: {PK: "PROJECT#{project}", SK: "{number}"}
access_patterns:
  - {name: ticket, get: Ticket}
`,
		Good: `version: 1
table:
  name: tickets
  partition_key: PK
  sort_key: {name: SK, type: number}
entities:
  Ticket:
    attributes: {project: slug, number: {type: integer, min: 1}, title: string}
    keys: {PK: "PROJECT#{project}", SK: "{number}"}
access_patterns:
  - {name: ticket, get: Ticket}
`,
		Fix: "declare the key attribute's type, as in {name: SK, type: number}, or make the template a text, such as TICKET#{number|pad(8)}",
	}
}

func checkKeyTypeMismatch(p *validate.Pass) {
	keys := keysOf(p.Model)
	for _, k := range keys {
		made := madeKind(k.template)
		if made == k.attribute.Kind {
			continue
		}
		f := diag.Finding{
			Span: k.at, Entity: k.entity.Name.Text, Cause: k.template.At,
			Message: fmt.Sprintf("%s of %s makes %s, and %s is %s: DynamoDB refuses every %s",
				k.written(), k.entity.Name.Text, kindWord(made), k.attribute.Name, kindWord(k.attribute.Kind), k.entity.Name.Text),
			Fix: mismatchFix(k, made),
		}
		if x := k.places[0].index; x != nil {
			f.Index = x.Name.Text
		}
		for _, other := range keys {
			if other != k && other.attribute.Name == k.attribute.Name && madeKind(other.template) == k.attribute.Kind {
				f.Related = append(f.Related, diag.Related{Span: other.at, Text: fmt.Sprintf("here it is %s", kindWord(k.attribute.Kind))})
				break
			}
		}
		p.Report(f)
	}
}

func mismatchFix(k *keyOf, made value.Kind) string {
	switch {
	case k.attribute.Kind == value.String && made.IsKey():
		return fmt.Sprintf("declare the key as {name: %s, type: %s} if all entities agree, or put a text before the attribute", k.attribute.Name, map[value.Kind]string{value.Number: "number", value.Binary: "binary"}[made])
	case made == value.None:
		return fmt.Sprintf("give %s a type that a key can have", k.template.Whole().Path)
	}
	return fmt.Sprintf("let the template be one attribute of type %s, or key by another attribute", map[value.Kind]string{value.String: "string", value.Number: "number", value.Binary: "binary"}[k.attribute.Kind])
}

// madeKind is the type of what a template makes; None when that is open.
func madeKind(t model.Template) value.Kind {
	if whole := t.Whole(); whole != nil {
		return encode.TypeOf(*whole).Kind()
	}
	return value.String
}

func kindWord(k value.Kind) string {
	switch k {
	case value.String:
		return "text"
	case value.Number:
		return "a number"
	case value.Binary:
		return "binary"
	case value.None:
		return "a value of any type"
	}
	return "a value that no key can have"
}
