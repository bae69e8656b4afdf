package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/validate"
)

func daxCandidate() *validate.Rule {
	return &validate.Rule{
		Name: diag.DAXCandidate, Severity: diag.Info, FoundBy: validate.ByRule, Check: checkDAXCandidate,
		Title: "a cache would answer most of the reads",
		Text: "DAX answers repeated reads that need not be consistent from memory, in microseconds and without read units; the application keeps its calls. It is a cluster that is paid for by the hour, so that it pays only for much traffic that repeats. The rule speaks up when gets and queries of over 1000 read units a second at the average ask for the same few things: a partition key value has a tenth of the traffic or more (`skew`), or each value is asked for ten times in the five minutes that DAX keeps it; " +
			"and when there are ten such reads for every write.",
		Bad: `version: 1
table: catalogue
entities:
  Product:
    attributes: {sku: {type: slug, minted: true}, title: string, price: integer}
    keys: {PK: "PRODUCT#{sku}", SK: PRODUCT}
    volume: {count: 5k}
access_patterns:
  - {name: product, get: Product, rate: 4000/s}
  - {name: set-price, update: Product, change: SET price = $price, rate: 1/s}
`,
		Good: `version: 1
table: {name: catalogue, partition_key: PK, sort_key: SK, dax: {nodes: 3, type: dax.r5.large}}
entities:
  Product:
    attributes: {sku: {type: slug, minted: true}, title: string, price: integer}
    keys: {PK: "PRODUCT#{sku}", SK: PRODUCT}
    volume: {count: 5k}
access_patterns:
  - {name: product, get: Product, rate: 4000/s}
  - {name: set-price, update: Product, change: SET price = $price, rate: 1/s}
`,
		Fix: "put DAX in front (`dax: {nodes: 3, type: }`) after comparing its price with `dynmodel cost`, or cache in the application",
	}
}

// When a cache is worth thinking of: read units a second, and reads of one
// value while DAX keeps it (its default time to live).
const (
	cachedUnits  = 1000
	daxKeeps     = 300 // seconds
	daxRepeats   = 10
	readsToWrite = 10
	hotShare     = 0.1
)

func checkDAXCandidate(p *validate.Pass) {
	if p.Model.Table.DAX != nil {
		return
	}
	share := daxShareOf(p)
	if share.repeated < cachedUnits || share.reads < readsToWrite*share.writes {
		return
	}
	p.Report(diag.Finding{
		Span: p.Model.Table.Name.At,
		Message: fmt.Sprintf("%s read units a second are repeated reads that need not be consistent (%s): a cache in front of the table would answer most of them",
			amount(share.repeated), list(share.patterns)),
		Fix: "compare a DAX cluster (`dax`) with what `dynmodel cost` says of these patterns; or cache in the application",
	})
}

// daxShare is what of a model's traffic DAX can answer.
type daxShare struct {
	reads    float64  // calls a second that read
	eventual float64  // of them, those that need not be consistent
	writes   float64  // calls a second that write
	repeated float64  // read units a second of eventual reads that repeat
	patterns []string // of those
}

func daxShareOf(p *validate.Pass) (s daxShare) {
	for _, t := range p.Load.Traffic {
		v := t.Plan.Variants[0]
		switch {
		case v.Read != nil && t.Plan.Pattern.Operation.IsRead():
			s.reads += t.Average
			if v.Read.Consistent || t.Plan.Pattern.Operation == "transact_get" {
				continue
			}
			s.eventual += t.Average
			if repeats(p.Load, t) {
				s.repeated += v.Cost().RCU * t.Average
				s.patterns = append(s.patterns, t.Plan.Pattern.Name.Text)
			}
		case v.Write != nil || v.Each != nil:
			s.writes += t.Average
		}
	}
	return s
}

// repeats tells whether the calls of a pattern ask for the same things again and
// again.
func repeats(l *load.Load, t *load.Traffic) bool {
	for _, g := range l.Groups {
		for _, part := range g.Loads {
			if part.Traffic != t || !part.Known {
				continue
			}
			if part.Top*part.Shards >= hotShare || part.Values > 0 && t.Average*daxKeeps/part.Values >= daxRepeats {
				return true
			}
		}
	}
	return false
}
