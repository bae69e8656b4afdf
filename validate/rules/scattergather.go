package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/validate"
)

// mostRequests is how many requests one call may send before it is remarked on.
const mostRequests = 10

func scatterGather() *validate.Rule {
	return &validate.Rule{
		Name: diag.ScatterGather, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkScatterGather,
		Title: "one call needs many requests",
		Text:  "The pattern is served by one request for each shard, time bucket or value of a list, and they are many; or it reads time buckets without a `span` that bounds how many. The slowest request decides how long the call takes, each one costs at least half a unit even where it finds nothing, and a caller who asks for ten years sends thousands.",
		Bad: `version: 1
table: log
entities:
  Event:
    attributes: {eventId: ulid, at: datetime}
    keys: {PK: "MONTH#{at|month}", SK: "{at}#{eventId}"}
access_patterns:
  - {name: events, query: Event, where: at BETWEEN $from AND $to, order: at asc, page: 100}
`,
		Good: `version: 1
table: log
entities:
  Event:
    attributes: {eventId: ulid, at: datetime}
    keys: {PK: "MONTH#{at|month}", SK: "{at}#{eventId}"}
access_patterns:
  - {name: events, query: Event, where: at BETWEEN $from AND $to, order: at asc, page: 100, span: 7d}
`,
		Fix: "use larger buckets or fewer shards, bound the range with `span`, or give the pattern an index of its own",
	}
}

func checkScatterGather(p *validate.Pass) {
	for _, pl := range p.Plans {
		v := pl.Variants[0]
		r := v.Read
		if r == nil || len(r.Fan) == 0 {
			continue
		}
		name, requests := pl.Pattern.Name.Text, v.Cost().Requests
		f := diag.Finding{Span: pl.Pattern.Name.At, Pattern: name, Index: indexName(r.Index)}
		switch {
		case bucketed(r) && pl.Pattern.Span == 0:
			f.Message = fmt.Sprintf("%s sends a request for each %s between its two ends, and nothing bounds how far apart they are", name, bucketUnit(r))
			f.Fix = "add `span`, the greatest distance of the two ends"
		case requests > mostRequests:
			f.Message = fmt.Sprintf("one call of %s sends up to %s requests", name, amount(requests))
			f.Fix = "use larger buckets, fewer shards or a shorter list, or give it an index of its own"
		default:
			continue
		}
		p.Report(f)
	}
}

func bucketed(r *plan.Read) bool { return bucketUnit(r) != "" }

// bucketUnit is the time bucket the read walks over, or "".
func bucketUnit(r *plan.Read) string {
	for _, f := range r.Fan {
		if f.Kind == plan.FanBucket {
			return f.Unit.String()
		}
	}
	return ""
}
