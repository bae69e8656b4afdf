package cost

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model"
)

// assumptions are all that the figures rest on, the general ones first.
func assumptions(b *bill, e *Estimate, s *snapshot) []string {
	out := []string{
		fmt.Sprintf("prices of %s in %s as of %s, without taxes, discounts and the free tier%s", e.Region, e.Currency, e.PriceDate, confirmed(e)),
		fmt.Sprintf("a month has %d hours; a GB has 2^30 bytes", hoursPerMonth),
		"units are those of one call at the declared volume, with all optional parameters given; sizes come from `size`, else from samples, else from types and the middle of declared lengths (32 characters, 3 members where none is declared)",
		fmt.Sprintf("%d bytes are stored beside every item and index entry", int(s.overhead())),
	}
	if curve := curveAssumption(s); curve != "" {
		out = append(out, curve)
	}
	if grows(b.model) {
		out = append(out, "volumes grow as declared, compounding; rates stay as they are, save those for each item of an entity")
	}
	if len(b.model.Table.Replicas) > 0 {
		out = append(out, "in a global table the table's own region pays for its writes as if they were local, which is the same price")
	}
	if b.model.Table.Encryption.Kind == "aws_managed" || b.model.Table.Encryption.Kind == "kms_key" {
		out = append(out, "calls to KMS for the encryption key are not counted")
	}
	if b.model.Table.TTL != nil {
		out = append(out, "deletions of expired items are free where they happen, and expired items are stored until then: some hours or days, not counted")
	}
	if names := entityNames(s.uncounted); names != "" {
		out = append(out, "without a volume, and left out of storage: "+names)
	}
	return append(out, swelling(s)...)
}

func confirmed(e *Estimate) string {
	if e.Confirmed {
		return ""
	}
	return "; they are approximate and not confirmed by AWS's price list: check them, or give --prices"
}

// curveAssumption says what is assumed of the day where `daily` does not.
func curveAssumption(s *snapshot) string {
	flat, peaked := 0, 0
	for _, t := range s.load.Traffic {
		switch {
		case !t.Declared || t.Plan.Pattern.Daily != nil:
		case t.Spikiness() > 1:
			peaked++
		default:
			flat++
		}
	}
	switch {
	case flat > 0 && peaked > 0:
		return fmt.Sprintf("a day's traffic is even where no peak is declared (%s), else a smooth curve that reaches the peak once (%s)", patternsText(flat), patternsText(peaked))
	case flat > 0:
		return "a day's traffic is even, for no `peak` or `daily` is declared"
	case peaked > 0:
		return "a day's traffic is a smooth curve that reaches the peak once, for no `daily` is declared"
	}
	return ""
}

func patternsText(n int) string {
	if n == 1 {
		return "1 pattern"
	}
	return fmt.Sprintf("%d patterns", n)
}

func entityNames(entities []*model.Entity) string {
	var names []string
	for _, e := range entities {
		names = append(names, e.Name.Text)
	}
	return strings.Join(names, ", ")
}

// swelling says of which entities more items are created than their declared
// volume accounts for.
func swelling(s *snapshot) (out []string) {
	for _, e := range s.bill.model.Entities {
		created, by := 0.0, ""
		for _, t := range s.load.Traffic {
			if n := creates(t.Plan.Pattern, e); n > 0 && t.Average > 0 {
				created += n * t.Average * secondsPerMonth
				by = t.Plan.Pattern.Name.Text
			}
		}
		count, known := s.planner.Count(e)
		if !known || created < count/10 || expires(e) {
			continue
		}
		out = append(out, fmt.Sprintf("%s adds about %s %s items a month, which the declared volume does not show: storage is that of %s items (declare `growth`, or {per, rate, keep})",
			by, Count(created), e.Name.Text, Count(count)))
	}
	return out
}

// creates is how many items of an entity a call of a pattern creates.
func creates(p *model.Pattern, e *model.Entity) (n float64) {
	for _, s := range p.Steps {
		if s.ForEach != nil {
			for _, inner := range s.ForEach.Steps {
				if inner.Operation == model.Create && inner.Entity == e {
					n += float64(s.ForEach.Count.Min+s.ForEach.Count.Max) / 2
				}
			}
		} else if s.Operation == model.Create && s.Entity == e {
			n++
		}
	}
	if p.Step != nil && p.Step.Operation == model.Create && p.Step.Entity == e {
		n++
	}
	return n
}

// expires tells whether a volume says for how long items are kept, or how it grows.
func expires(e *model.Entity) bool {
	for _, v := range e.Volumes {
		if v.Keep > 0 || v.Growth != nil {
			return true
		}
	}
	return false
}
