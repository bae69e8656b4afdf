package rules

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/cost"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/validate"
)

func hotPartition() *validate.Rule {
	return &validate.Rule{
		Name: diag.HotPartition, Severity: diag.Error, FoundBy: validate.ByRule, Check: checkHotPartition,
		Title: "the declared traffic is more than one partition key value takes",
		Text: "One partition key value has at most one partition's throughput, 3000 read and 1000 write units a second, whatever the table is given. Rates, peaks and `skew` say how much falls on the busiest value: all of it where every call has the same one (a constant, a fixed status, the present day), the share of the commonest word of an enumeration, else one part of the number of items that the values stand for. " +
			"From 100% on it is an error, from half of it a warning. Writes to an index count like those to the table, and when the index throttles, so do the table's own writes. Where nothing says how many values there are, the rule is silent.",
		Bad: `version: 1
table:
  name: jobs
  partition_key: jobId
  indexes:
    ByQueue: {partition_key: queue, sort_key: jobId}
entities:
  Job:
    attributes: {jobId: ulid, queue: slug}
access_patterns:
  - {name: add, create: Job, rate: 1000/s, peak: 3000/s, skew: {hottest: 50%}}
  - {name: of-queue, query: Job, where: queue = $queue, page: 50}
`,
		Good: `version: 1
table:
  name: jobs
  partition_key: jobId
  indexes:
    ByQueue: {partition_key: QueuePK, sort_key: jobId}
entities:
  Job:
    attributes: {jobId: ulid, queue: slug}
    keys: {QueuePK: "{queue}#{jobId|shard(4)}"}
access_patterns:
  - {name: add, create: Job, rate: 1000/s, peak: 3000/s, skew: {hottest: 50%}}
  - {name: of-queue, query: Job, where: queue = $queue, page: 50}
`,
		Fix: "spread a value over shards ({id|shard(n)}) and let readers ask all of them; put hot items that are read behind a cache, or keep copies; index fewer items (`when`)",
	}
}

func checkHotPartition(p *validate.Pass) {
	for _, g := range p.Load.Groups {
		u := g.Busiest()
		if u.Use() < 0.5 {
			continue
		}
		e := contributors(g)[0].Entity
		f := diag.Finding{Entity: e.Name.Text, Index: indexName(g.Index), Span: partitionSpan(p.Model.Table, e, g.Index)}
		if g.Index != nil {
			f.Span = g.Index.Name.At
		}
		if u.Use() < 1 {
			if fewValuesSaidSo(p, g) {
				continue
			}
			f.Severity = diag.Warning
		}
		f.Message, f.Fix = hotMessage(g, u), hotFix(g, u)
		for _, part := range contributors(g)[1:] {
			f.Related = append(f.Related, diag.Related{Span: part.Traffic.Plan.Pattern.Name.At, Text: part.Traffic.Plan.Pattern.Name.Text + " puts " + unitsText(part.Busiest()) + " on it too"})
		}
		p.Report(f)
	}
}

// fewValuesSaidSo tells whether another rule warns of the same values.
func fewValuesSaidSo(p *validate.Pass, g *load.Group) bool {
	return slices.ContainsFunc(g.Entities, func(e *model.Entity) bool {
		s := spreadOf(p, e, g.Index)
		return len(s.attributes) == 0 || s.values < fewValues && crowd(p, e, g.Index, s) != ""
	})
}

// contributors are the parts of a group's load that matter, the greatest first.
func contributors(g *load.Group) []load.Part {
	parts := slices.DeleteFunc(slices.Clone(g.Loads), func(p load.Part) bool { return p.Busiest().Use() < 0.05 })
	slices.SortStableFunc(parts, func(a, b load.Part) int { return cmp.Compare(b.Busiest().Use(), a.Busiest().Use()) })
	if len(parts) == 0 {
		return g.Loads[:1]
	}
	return parts
}

func hotMessage(g *load.Group, u load.Units) string {
	parts := contributors(g)
	most := parts[0]
	name := most.Traffic.Plan.Pattern.Name.Text
	text := fmt.Sprintf("one value of the partition key of %s for %s gets about %s at the peak, of the %s that a partition takes (%s)",
		placeName(g.Index), list(entityNames(g.Entities)), unitsText(u), limitText(u), whyShare(most))
	at := 1 / u.Use()
	switch {
	case len(parts) == 1:
		text += fmt.Sprintf(": %s throttles from about %s calls a second on", name, amount(most.Traffic.Peak*at))
	case at < 1:
		text += fmt.Sprintf(": it throttles at %.0f%% of the declared peaks", 100*at)
	default:
		text += fmt.Sprintf(": it throttles at %.2g times the declared peaks", at)
	}
	if g.Index != nil && u.Writes >= halfWrites {
		text += ", and the table's own writes with it"
	}
	return text
}

// unitsText is the load that is nearest to its limit: 1500 write units a second.
func unitsText(u load.Units) string {
	if writesLead(u) {
		return amount(u.Writes) + " write units a second"
	}
	return amount(u.Reads) + " read units a second"
}

func limitText(u load.Units) string {
	if writesLead(u) {
		return fmt.Sprint(load.PartitionWrites)
	}
	return fmt.Sprint(load.PartitionReads)
}

func writesLead(u load.Units) bool {
	return u.Writes/load.PartitionWrites >= u.Reads/load.PartitionReads
}

// whyShare says in words what share of a pattern's traffic has the busiest value.
func whyShare(p load.Part) string {
	name := p.Traffic.Plan.Pattern.Name.Text
	top := p.Top * p.Shards
	switch {
	case p.Values == 1 && p.Shards > 1:
		return fmt.Sprintf("every call of %s goes to one of %.0f shards", name, p.Shards)
	case p.Values == 1:
		return fmt.Sprintf("every call of %s has the same one", name)
	case p.Skew == "hottest":
		return fmt.Sprintf("%s of the calls of %s have it, as declared", cost.Percent(top), name)
	case p.Skew == "zipf":
		return fmt.Sprintf("%s of the calls of %s have it, by Zipf's law over %s values", cost.Percent(top), name, short(p.Values))
	}
	return fmt.Sprintf("%s of the calls of %s have it, of %s values", cost.Percent(top), name, short(p.Values))
}

// hotFix is how many shards bring the busiest value under half of what a
// partition takes, and how to make them.
func hotFix(g *load.Group, u load.Units) string {
	n := math.Floor(2*u.Use()*mostShards(g)) + 1
	if writesLead(u) {
		return fmt.Sprintf("spread each value over %.0f shards, as by `%s` in the partition key; readers then ask all of them", n, shardPart(contributors(g)[0], n))
	}
	return fmt.Sprintf("keep the item in a cache in front of the table (`dax`, where reads need not be consistent), or spread what is read over %.0f partition key values", n)
}

// mostShards is over how many shards the group's values are spread already.
func mostShards(g *load.Group) float64 {
	n := 1.0
	for _, p := range g.Loads {
		n = max(n, p.Shards)
	}
	return n
}

// shardPart is a piece of a template that spreads what a pattern writes: by an
// id that is not in the key yet.
func shardPart(p load.Part, n float64) string {
	for _, a := range p.Entity.Attributes {
		if a.Minted && !slices.Contains(p.Keys, a.Name.Text) {
			return fmt.Sprintf("{%s|shard(%.0f)}", a.Name.Text, n)
		}
	}
	return fmt.Sprintf("{random(%.0f)}", n)
}

func entityNames(entities []*model.Entity) (names []string) {
	for _, e := range entities {
		names = append(names, e.Name.Text)
	}
	return names
}
