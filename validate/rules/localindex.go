package rules

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func localIndex() *validate.Rule {
	return &validate.Rule{
		Name: diag.LocalIndex, Severity: diag.Warning, FoundBy: validate.ByRule, Check: checkLocalIndex,
		Title: "a local index that no consistent read needs",
		Text: "A local index can only be made with the table and never removed. As long as it is there, the items under one partition key value may take 10 GB together with their index entries, and beyond that writes are refused. " +
			"What it has over a global index is the consistent read. Where a pattern asks for one, the rule is silent; where none does, a global index with the same keys does the same without the limits.",
		Bad: `version: 1
table:
  name: inbox
  partition_key: userId
  sort_key: mailId
  indexes:
    BySender: {local: true, sort_key: sender}
entities:
  Mail:
    attributes: {userId: ulid, mailId: ulid, sender: {type: email, stored: lower}, subject: string}
access_patterns:
  - {name: mail, get: Mail}
  - {name: mails-of-sender, query: Mail, where: userId = $userId AND sender = $sender}
`,
		Good: `version: 1
table:
  name: inbox
  partition_key: userId
  sort_key: mailId
  indexes:
    BySender: {partition_key: userId, sort_key: sender}
entities:
  Mail:
    attributes: {userId: ulid, mailId: ulid, sender: {type: email, stored: lower}, subject: string}
access_patterns:
  - {name: mail, get: Mail}
  - {name: mails-of-sender, query: Mail, where: userId = $userId AND sender = $sender}
`,
		Fix: "make it a global index with the table's partition key, or read it with `consistent: true` where that is needed",
	}
}

func checkLocalIndex(p *validate.Pass) {
	for _, x := range p.Model.Table.Indexes {
		if !x.Local || consistentUse(p, x) || len(p.Plans) > 0 && len(users(p, x)) == 0 {
			continue // what nobody reads is reported as such
		}
		p.Report(diag.Finding{Span: x.Name.At, Index: x.Name.Text,
			Message: fmt.Sprintf("index %s is local: it limits the items of one partition key value to 10 GB and can neither be added to the table later nor removed, and no pattern reads it consistently", x.Name.Text),
			Fix:     fmt.Sprintf("make it global: {partition_key: %s, sort_key: %s}", p.Model.Table.PartitionKey.Name, x.SortKey[0].Name)})
	}
}
