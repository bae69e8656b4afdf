package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func daxUnsuitable() *validate.Rule {
	return &validate.Rule{
		Name: diag.DAXUnsuitable, Severity: diag.Info, FoundBy: validate.ByRule, Check: checkDAXUnsuitable,
		Title: "DAX has little to answer",
		Text:  "DAX stands in front of the table and answers nothing but repeated reads that need not be consistent: consistent and transactional reads go through it to the table, and every write goes through it and makes it forget. The rule speaks up when a cluster is declared and less than half of the declared calls are reads that it can answer, and when patterns are there, without rates, of which none is such a read.",
		Bad: `version: 1
table: {name: ledger, partition_key: PK, sort_key: SK, dax: true}
entities:
  Account:
    attributes: {accountId: ulid, balance: integer}
    keys: {PK: "ACCOUNT#{accountId}", SK: ACCOUNT}
access_patterns:
  - {name: balance, get: Account, consistent: true, rate: 100/s}
  - {name: pay-in, update: Account, change: SET balance = balance + $amount, rate: 50/s}
`,
		Good: `version: 1
table: {name: ledger, partition_key: PK, sort_key: SK}
entities:
  Account:
    attributes: {accountId: ulid, balance: integer}
    keys: {PK: "ACCOUNT#{accountId}", SK: ACCOUNT}
access_patterns:
  - {name: balance, get: Account, consistent: true, rate: 100/s}
  - {name: pay-in, update: Account, change: SET balance = balance + $amount, rate: 50/s}
`,
		Fix: "leave `dax` out, or drop `consistent` where a second's delay does no harm",
	}
}

func checkDAXUnsuitable(p *validate.Pass) {
	if p.Model.Table.DAX == nil || p.Partial {
		return
	}
	s := daxShareOf(p)
	all := s.reads + s.writes
	message := ""
	switch {
	case all > 0 && s.eventual < all/2:
		message = fmt.Sprintf("DAX can answer %.0f%% of the declared calls: the others are writes or consistent reads, which go through it to the table", 100*s.eventual/all)
	case all == 0 && !anyEventual(p):
		message = "DAX can answer none of the access patterns: they are writes and consistent reads, which go through it to the table"
	default:
		return
	}
	p.Report(diag.Finding{Span: daxAt(p.Model.Table), Message: message, Fix: "leave `dax` out, or drop `consistent` where a second's delay does no harm"})
}

// anyEventual tells whether any pattern is a read that DAX can answer.
func anyEventual(p *validate.Pass) bool {
	for _, pl := range p.Plans {
		if r := pl.Variants[0].Read; r != nil && !r.Consistent && pl.Pattern.Operation.IsRead() && pl.Pattern.Operation != "transact_get" {
			return true
		}
	}
	return len(p.Plans) == 0
}
