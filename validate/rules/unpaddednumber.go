package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate"
)

func unpaddedNumber() *validate.Rule {
	return &validate.Rule{
		Name: diag.UnpaddedNumber, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkUnpaddedNumber,
		LeadsTo: []string{diag.WrongOrder, diag.WrongResult, diag.WrongWrite, diag.NoIndex},
		Title:   "a number in a text sort key is not padded",
		Text: "Texts sort character by character, so that version 10 stands before version 9 and a price of 900 after 2800. A number inside a text sort key therefore needs a fixed width. " +
			"It is an error once a pattern orders by the number or asks for a range of it: the order comes out wrong, and ranges lose items. Numbers whose declared bounds have equally many digits are fine, and so is a sort key that is a number itself. " +
			"A padding that is too narrow for the declared bounds is an error in every key: the first number with more digits cannot be stored.",
		Bad: `version: 1
table: secrets
entities:
  Version:
    attributes: {name: slug, revision: {type: integer, min: 1}, value: string}
    keys: {PK: "SECRET#{name}", SK: "VERSION#{revision}"}
access_patterns:
  - {name: version, get: Version}
  - {name: versions, query: Version, where: name = $name}
`,
		Good: `version: 1
table: secrets
entities:
  Version:
    attributes: {name: slug, revision: {type: integer, min: 1, max: 999999}, value: string}
    keys: {PK: "SECRET#{name}", SK: "VERSION#{revision|pad(6)}"}
access_patterns:
  - {name: version, get: Version}
  - {name: versions, query: Version, where: name = $name, order: revision desc}
`,
		Fix: "pad it, as in {revision|pad(6)}, wide enough for the greatest value; or make the sort key a number",
	}
}

func checkUnpaddedNumber(p *validate.Pass) {
	checkNarrowPadding(p)
	for _, k := range keysOf(p.Model) {
		in := k.in(sorting)
		if in == nil || !k.isText() {
			continue
		}
		for _, part := range k.template.Parts {
			if !unpadded(part) {
				continue
			}
			name := part.Path.String()
			f := diag.Finding{
				Span: part.At, Entity: k.entity.Name.Text, Index: indexName(in.index), Cause: k.template.At,
				Message: fmt.Sprintf("%s of %s holds %s, a number, without padding, and texts sort 10 before 9", k.written(), k.entity.Name.Text, name),
				Fix:     widthFix(part),
			}
			if patterns := sorters(p.Model, k.entity, part.Path); len(patterns) > 0 {
				f.Severity, f.Pattern, f.Related = diag.Error, patterns[0].Name.Text, related(patterns)
				f.Message += fmt.Sprintf(": %s, which goes by %s, gets them in the wrong order or misses some", f.Pattern, name)
			}
			p.Report(f)
			break
		}
	}
}

// checkNarrowPadding reports paddings without room for what is declared. A run
// finds them only where a pattern brings the number itself, and not where it is
// counted up.
func checkNarrowPadding(p *validate.Pass) {
	for _, k := range keysOf(p.Model) {
		for _, part := range k.template.Parts {
			number, fits := widest(part)
			if fits {
				continue
			}
			p.Report(diag.Finding{
				Span: part.At, Entity: k.entity.Name.Text, Index: indexName(k.places[0].index), Cause: k.template.At, Severity: diag.Error,
				Message: fmt.Sprintf("%s of %s has no room for %s, which %s can be: no %s with it can be stored",
					k.written(), k.entity.Name.Text, number, part.Path, k.entity.Name.Text),
				Fix: roomFix(part, number),
			})
		}
	}
}

func roomFix(part model.Part, number string) string {
	if strings.HasPrefix(number, "-") {
		return widthFix(part)
	}
	return fmt.Sprintf("pad to the digits of the greatest value, or declare the bounds of %s as narrow as the key has room for", part.Path)
}

// widest is the declared bound of a padded number that has no room in the
// padding; fits when both have, or none is declared.
func widest(part model.Part) (number string, fits bool) {
	a := keytext.Leaf(part)
	i := slices.IndexFunc(part.Funcs, func(f expr.Func) bool { return f.Name == expr.Pad || f.Name == expr.Invert })
	if a == nil || i != 0 {
		return "", true
	}
	for _, bound := range []value.Value{a.Domain.Min, a.Domain.Max} {
		text := bound.Text()
		if bound.Exists() && (strings.HasPrefix(text, "-") || len(text) > part.Funcs[i].N) {
			return text, false
		}
	}
	return "", true
}

// unpadded tells whether a part is a number as it stands, of varying width.
func unpadded(part model.Part) bool {
	a := keytext.Leaf(part)
	return a != nil && len(part.Funcs) == 0 && a.Type.Kind() == value.Number && len(a.Domain.Values) == 0 && keytext.Width(a) == 0
}

// widthFix says how to sort by the number: padded, which takes whole numbers
// from 0 only, or as a number.
func widthFix(part model.Part) string {
	a, name := keytext.Leaf(part), part.Path.String()
	if a.Type == model.TypeNumber || strings.HasPrefix(a.Domain.Min.Text(), "-") {
		return fmt.Sprintf("sort by %s itself, as {name: %s, type: number} in the key, for padding takes whole numbers from 0 only; or store it as such a number", name, name)
	}
	var undeclared []string
	if !a.Domain.Min.Exists() && a.Type == model.TypeInteger {
		undeclared = append(undeclared, "its `min`, from 0")
	}
	if !a.Domain.Max.Exists() {
		undeclared = append(undeclared, "its `max`")
	}
	fix := fmt.Sprintf("write {%s|pad(n)} with n digits, enough for its greatest value", name)
	if len(undeclared) > 0 {
		fix += ", and declare " + list(undeclared)
	}
	return fix
}
