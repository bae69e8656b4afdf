package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/value"
	"github.com/dynmodel/dynmodel/validate"
)

func ttlType() *validate.Rule {
	return &validate.Rule{
		Name: diag.TTLType, Severity: diag.Error, FoundBy: validate.ByRule, Check: checkTTLType,
		Title: "the expiry is no number of epoch seconds",
		Text:  "DynamoDB expires an item whose TTL attribute is a number of seconds since 1970 that has passed. It says nothing of anything else: a text never expires, and milliseconds lie fifty thousand years ahead. Nothing fails, the table just keeps growing.",
		Bad: `version: 1
table: {name: sessions, partition_key: sessionId, ttl: expiresAt}
entities:
  Session:
    attributes: {sessionId: uuid, user: slug, expiresAt: epoch_ms}
access_patterns:
  - {name: log-in, create: Session}
  - {name: session, get: Session, filter: expiresAt > $now}
`,
		Good: `version: 1
table: {name: sessions, partition_key: sessionId, ttl: expiresAt}
entities:
  Session:
    attributes: {sessionId: uuid, user: slug, expiresAt: epoch}
access_patterns:
  - {name: log-in, create: Session}
  - {name: session, get: Session, filter: expiresAt > $now}
`,
		Fix: "declare the TTL attribute as `epoch`, or keep it beside the other form: `expiresOn: {type: epoch, derive: expiresAt}`",
	}
}

func checkTTLType(p *validate.Pass) {
	ttl := p.Model.Table.TTL
	if ttl == nil {
		return
	}
	for _, e := range p.Model.Entities {
		a := e.Attribute(ttl.Text)
		if a == nil {
			continue
		}
		if what := notSeconds(a); what != "" {
			p.Report(diag.Finding{
				Span: a.Name.At, Entity: e.Name.Text,
				Message: fmt.Sprintf("%s of %s is %s, and the table's TTL looks for seconds since 1970: the item never expires", a.Name.Text, e.Name.Text, what),
				Fix:     fmt.Sprintf("declare `%s: epoch`, and write seconds", a.Name.Text),
			})
		}
	}
}

// laterThanSeconds is a number that is no time in seconds any more, for it lies
// beyond the year 5000.
const laterThanSeconds = 100_000_000_000

// notSeconds says what an attribute is that DynamoDB does not take for a time of
// expiry; "" for one that it does.
func notSeconds(a *model.Attribute) string {
	switch {
	case a.Type == model.TypeEpochMS:
		return "milliseconds"
	case a.Type.Kind() != value.Number && a.Type != model.TypeAny:
		return "of type " + string(a.Type)
	}
	if low, ok := a.Domain.Min.Int(); ok && low > laterThanSeconds {
		return fmt.Sprintf("a number from %d on", low)
	}
	return ""
}
