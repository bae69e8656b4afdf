package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/validate"
)

func largeItem() *validate.Rule {
	return &validate.Rule{
		Name: diag.LargeItem, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkLargeItem,
		Title: "items are usually large",
		Text: "Every write of an item is paid for by its whole size, also where a single flag changes, and every read of it likewise: 100 KB are 100 write units and 25 read units, and an eleventh of what a page of a query holds. The rule speaks up where the usual item, by its `size`, its samples or the middle of what is declared, is over 100 KB. " +
			"What is large is usually one text or document that queries do not look into: S3 keeps it for a tenth of the price, and an `s3_object` in the item says where.",
		Bad: `version: 1
table: documents
entities:
  Document:
    attributes: {documentId: ulid, title: string, body: {type: binary, size: 50KB..300KB}}
    keys: {PK: "DOCUMENT#{documentId}", SK: DOCUMENT}
access_patterns:
  - {name: add-document, create: Document}
  - {name: document, get: Document}
`,
		Good: `version: 1
table: documents
entities:
  Document:
    attributes: {documentId: ulid, title: string, body: s3_object}
    keys: {PK: "DOCUMENT#{documentId}", SK: DOCUMENT}
access_patterns:
  - {name: add-document, create: Document}
  - {name: document, get: Document}
`,
		Fix: "keep the large content in S3 and its place here (`s3_object`), or in an item of its own that only those read who need it",
	}
}

// largeBytes is where an item is large.
const largeBytes = 100 << 10

func checkLargeItem(p *validate.Pass) {
	for _, e := range p.Model.Entities {
		bytes := p.Planner.ItemSize(e)
		if bytes <= largeBytes {
			continue
		}
		if _, worse := tooLarge(p, e); worse {
			continue
		}
		at := e.Name.At
		what := "what is large"
		if _, largest := p.Planner.Most(e); largest != nil && !sized(e) {
			at, what = largest.Name.At, largest.Name.Text
		}
		p.Report(diag.Finding{
			Span: at, Entity: e.Name.Text,
			Message: fmt.Sprintf("an item of %s usually has %s: each read takes %s units, and each write, of whatever of it, %s",
				e.Name.Text, kilobytes(bytes), amount(plan.ReadUnits(bytes, true)), amount(plan.WriteUnits(bytes))),
			Fix: fmt.Sprintf("keep %s in S3 and an `s3_object` here that points there, or in an item of its own", what),
		})
	}
}

// sized tells whether the size of the whole item is declared.
func sized(e *model.Entity) bool {
	for _, v := range e.Volumes {
		if v.Size > 0 {
			return true
		}
	}
	return false
}
