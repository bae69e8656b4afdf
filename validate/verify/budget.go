package verify

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model/diag"
)

// overBudget holds the pattern's budget against the costs of its plans at the
// declared volume. The number of requests is known without a volume.
func (t *trial) overBudget() []finding {
	b := t.pattern.Budget
	if b == nil {
		return nil
	}
	var over []string
	for _, v := range t.plan.Variants {
		cost := v.Cost()
		for _, item := range []struct {
			what  string
			limit *float64
			takes float64
			known bool
		}{
			{"requests", b.Requests, cost.Requests, true},
			{"read units", b.RCU, cost.RCU, cost.Known},
			{"write units", b.WCU, cost.WCU, cost.Known},
			{"items read", b.ItemsRead, cost.ItemsRead, cost.Known},
		} {
			if item.limit != nil && item.known && item.takes > *item.limit {
				over = append(over, fmt.Sprintf("%s %s, of which the budget allows %s", amount(item.takes), item.what, amount(*item.limit)))
			}
		}
		if len(over) > 0 {
			break
		}
	}
	if len(over) == 0 {
		return nil
	}
	f := diag.Finding{Rule: diag.OverBudget, Severity: diag.Error, Span: b.At, Pattern: t.pattern.Name.Text,
		Message: fmt.Sprintf("%s takes %s", t.pattern.Name.Text, strings.Join(over, ", and ")),
		Fix:     "Read less, or raise the budget."}
	return []finding{{Finding: f}}
}

func amount(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") }
