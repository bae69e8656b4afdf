package rules

import (
	"fmt"
	"math"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func unboundedCollection() *validate.Rule {
	return &validate.Rule{
		Name: diag.UnboundedCollection, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkUnboundedCollection,
		Title: "the items under one partition key grow without end",
		Text: "The declared volume says that the items under one partition key value become ever more, and nothing ends it: no time in the partition key, no expiry. Reading the collection takes longer every month, and a busy one outgrows what a partition serves. The rule speaks up when over 100,000 items are in reach within five years. " +
			"With a local index it is an error as soon as 10 GB are in reach, in that time or at the declared count: DynamoDB then refuses every write that makes the collection larger.",
		Bad: `version: 1
table: chat
entities:
  Room:
    attributes: {roomId: ulid, name: string}
    keys: {PK: "ROOM#{roomId}", SK: ROOM}
    volume: {count: 5000}
  Message:
    attributes: {roomId: {ref: Room}, messageId: ulid, text: string}
    keys: {PK: "ROOM#{roomId}", SK: "MESSAGE#{messageId}"}
    volume: {per: Room, count: 0..40k, growth: 8%/month}
access_patterns:
  - {name: room, get: Room}
  - {name: messages, query: Message, where: roomId = $roomId, order: messageId desc, limit: 50}
`,
		Good: `version: 1
table: chat
entities:
  Room:
    attributes: {roomId: ulid, name: string}
    keys: {PK: "ROOM#{roomId}", SK: ROOM}
    volume: {count: 5000}
  Message:
    attributes: {roomId: {ref: Room}, messageId: ulid, text: string}
    keys: {PK: "ROOM#{roomId}#{messageId|month}", SK: "MESSAGE#{messageId}"}
    volume: {per: Room, count: 0..40k, growth: 8%/month}
access_patterns:
  - {name: room, get: Room}
  - {name: message, get: Message}
`,
		Fix: "put a time bucket into the partition key, let old items expire (`ttl`, with a volume of {per, rate, keep}), or declare the bound if there is one",
	}
}

// maxCollection is the most bytes under one partition key value of a table with
// local indexes (Developer Guide, "Item collections in Local Secondary Indexes").
const maxCollection = 10 << 30

// horizon is for how many years growth is looked ahead.
const horizon = 5

func checkUnboundedCollection(p *validate.Pass) {
	t := p.Model.Table
	local := slices.ContainsFunc(t.Indexes, func(x *model.Index) bool { return x.Local })
	for _, e := range p.Model.Entities {
		for _, x := range homes(t, e) {
			if x != nil && x.Local {
				continue // it is the table's collection
			}
			if f, ok := collection(p, e, x, local && x == nil); ok {
				f.Span, f.Entity, f.Index = partitionSpan(t, e, x), e.Name.Text, indexName(x)
				p.Report(f)
			}
		}
	}
}

// collection judges the items of an entity that stand under one partition key value.
func collection(p *validate.Pass, e *model.Entity, x *model.Index, limited bool) (f diag.Finding, found bool) {
	for _, v := range e.Volumes {
		if v.PerAttribute == nil || !sharedBy(partitionParts(p.Model.Table, e, x), v.PerAttribute) {
			continue
		}
		items := mostUnder(v) * yearsGrowth(v.Growth, horizon)
		bytes := items * p.Planner.ItemSize(e)
		where := fmt.Sprintf("under one %s in %s", v.PerAttribute.Name.Text, placeName(x))
		switch {
		case limited && bytes >= maxCollection:
			f.Severity = diag.Error
			f.Message = fmt.Sprintf("the %s items %s can reach %.0f GB: with a local index DynamoDB refuses every write beyond 10 GB", e.Name.Text, where, bytes/(1<<30))
			f.Fix = "make the local indexes global, or put a time bucket into the partition key"
			return f, true
		case v.Growth != nil && v.Growth.Percent > 0 && v.Keep == 0 && items > manyItems:
			f.Message = fmt.Sprintf("the %s items %s grow by %g%% and never become fewer: in %d years there are %s of them, to be read and written in one partition",
				e.Name.Text, where, v.Growth.Percent, horizon, short(items))
			f.Fix = "put a time bucket into the partition key, or let old items expire and say so: volume {per, rate, keep}"
			return f, true
		}
	}
	return f, false
}

// mostUnder is the greatest number of items under one value that a volume
// counts: its upper bound, or what comes in while items are kept.
func mostUnder(v *model.Volume) float64 {
	if v.Rate != nil {
		return v.Rate.PerSecond * v.Keep.Seconds()
	}
	return float64(v.Count.Max)
}

// sharedBy tells whether all items that refer to one parent by an attribute have
// the same partition key: nothing is in it but that attribute and those that
// refer together with it.
func sharedBy(parts []model.Part, a *model.Attribute) bool {
	refers := func(b *model.Attribute) bool {
		return b == a || a.Ref != nil && slices.ContainsFunc(a.Ref.With, func(w model.RefPart) bool { return w.Own == b })
	}
	held := false
	for _, p := range parts {
		if p.Random > 0 || p.Attribute != nil && !refers(p.Attribute) {
			return false
		}
		held = held || p.Attribute == a
	}
	return held
}

// yearsGrowth is by how much a growth multiplies in some years.
func yearsGrowth(g *model.Growth, years float64) float64 {
	if g == nil || g.Per <= 0 {
		return 1
	}
	const year = 365.25 * 24
	return math.Pow(1+g.Percent/100, years*year/g.Per.Hours())
}
