package rules

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/validate"
)

func streamRequired() *validate.Rule {
	return &validate.Rule{
		Name: diag.StreamRequired, Severity: diag.Error, FoundBy: validate.ByRule, Check: checkStreamRequired,
		Title: "something needs a stream that is not there or shows too little",
		Text: "Replicas of an eventually consistent global table are fed by the stream, with both images of every item. What is `kept_by: stream` has a consumer that needs to see the changes: the new image for a copy, both for a sum or for a count of some of the items. A stream shows what it was set up to show, and the view of one that exists cannot be changed. " +
			"It is a warning when more consumers are named than may read a shard at once: two, and one beside the replication of a global table; more are throttled.",
		Bad: `version: 1
table: shop
entities:
  Product:
    attributes: {sku: {type: slug, minted: true}, title: string, reviews: {count_of: Review, kept_by: stream}}
    keys: {PK: "PRODUCT#{sku}", SK: PRODUCT}
  Review:
    attributes: {sku: {ref: Product}, reviewId: ulid, stars: {type: integer, min: 1, max: 5}}
    keys: {PK: "PRODUCT#{sku}", SK: "REVIEW#{reviewId}"}
access_patterns:
  - {name: product, get: Product}
  - {name: review, create: Review}
`,
		Good: `version: 1
table: {name: shop, partition_key: PK, sort_key: SK, stream: new_and_old_images}
entities:
  Product:
    attributes: {sku: {type: slug, minted: true}, title: string, reviews: {count_of: Review, kept_by: stream}}
    keys: {PK: "PRODUCT#{sku}", SK: PRODUCT}
  Review:
    attributes: {sku: {ref: Product}, reviewId: ulid, stars: {type: integer, min: 1, max: 5}}
    keys: {PK: "PRODUCT#{sku}", SK: "REVIEW#{reviewId}"}
access_patterns:
  - {name: product, get: Product}
  - {name: review, create: Review}
`,
		Fix: "declare `stream: new_and_old_images`; for more than two consumers, let one of them (EventBridge Pipes, a Lambda, Kinesis) pass the changes on",
	}
}

// The most consumers that may read a shard at once (Developer Guide, "Service
// quotas").
const (
	maxConsumers       = 2
	maxConsumersGlobal = 1
)

func checkStreamRequired(p *validate.Pass) {
	t := p.Model.Table
	global := len(t.Replicas) > 0 && t.Consistency != strong
	if global && !shows(t.Stream, bothImages) {
		p.Report(streamFinding(t, t.Replicas[0].At, "the replicas of a global table are fed by a stream with both images", bothImages))
	}
	for _, e := range p.Model.Entities {
		for _, a := range e.Attributes {
			view, what := viewFor(a)
			if view != "" && !shows(t.Stream, view) {
				f := streamFinding(t, a.Name.At, fmt.Sprintf("%s of %s is kept by a stream consumer, which %s", a.Name.Text, e.Name.Text, what), view)
				f.Entity = e.Name.Text
				p.Report(f)
			}
		}
	}
	most := maxConsumers
	if global {
		most = maxConsumersGlobal
	}
	if s := t.Stream; s != nil && len(s.Consumers) > most {
		p.Report(diag.Finding{
			Severity: diag.Warning, Span: s.Consumers[most].At,
			Message: fmt.Sprintf("%d consumers read the stream, and DynamoDB serves %d at once of each shard%s: more are throttled and fall behind", len(s.Consumers), most, besideReplicas(global)),
			Fix:     "let one consumer pass the changes on to the others, or use the table's Kinesis stream",
		})
	}
}

func besideReplicas(global bool) string {
	if global {
		return " beside the replication"
	}
	return ""
}

// The views of a stream, as the language names them.
const (
	keysOnly   = "keys_only"
	newImage   = "new_image"
	bothImages = "new_and_old_images"
)

// shows tells whether a stream shows what a view shows.
func shows(s *model.Stream, view string) bool {
	if s == nil {
		return false
	}
	return s.View == view || s.View == bothImages || view == keysOnly
}

// viewFor is the view that keeping an attribute by a stream needs, and why; ""
// when it is not kept so.
func viewFor(a *model.Attribute) (view, what string) {
	switch {
	case a.KeptBy != "stream":
		return "", ""
	case a.Aggregate == nil:
		return newImage, "needs the new value of what is copied"
	case a.Aggregate.Sum == nil && a.Aggregate.Where == nil:
		return keysOnly, "needs to see items come and go"
	}
	return bothImages, "needs what an item was and what it is"
}

func streamFinding(t *model.Table, at source.Span, why, view string) diag.Finding {
	has := "and the table has none"
	if t.Stream != nil {
		has = fmt.Sprintf("and the table's shows %s", t.Stream.View)
	}
	if !slices.Contains([]string{keysOnly, newImage}, view) {
		view = bothImages
	}
	return diag.Finding{Span: at, Message: fmt.Sprintf("%s, %s", why, has), Fix: fmt.Sprintf("declare `stream: %s` on the table", view)}
}
