package rules

import (
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func staleIndexKey() *validate.Rule {
	return &validate.Rule{
		Name: diag.StaleIndexKey, Severity: diag.Error, FoundBy: validate.ByPlan,
		LeadsTo: []string{diag.WrongWrite},
		Title:   "an update changes part of an index key without the rest of it at hand",
		Text:    "An index key made of several attributes is one text in the item. To change one of them, the update must write the whole text, and so must know the others. Where it does not, the key keeps its old value: the item is found under what it no longer is, and not under what it is.",
		Bad: `version: 1
table:
  name: tickets
  partition_key: PK
  sort_key: SK
  indexes:
    Queue: {partition_key: QueuePK, sort_key: QueueSK}
entities:
  Ticket:
    attributes: {ticketId: ulid, team: slug, priority: [low, high], openedAt: datetime}
    keys:
      PK: TICKET#{ticketId}
      SK: TICKET
      QueuePK: TEAM#{team}
      QueueSK: "{priority}#{openedAt}"
access_patterns:
  - {name: queue, query: Ticket, where: team = $team AND priority = $priority, order: openedAt asc, page: 20}
  - {name: raise, update: Ticket, change: SET priority = $priority}
`,
		Good: `version: 1
table:
  name: tickets
  partition_key: PK
  sort_key: SK
  indexes:
    Queue: {partition_key: QueuePK, sort_key: QueueSK}
entities:
  Ticket:
    attributes: {ticketId: ulid, team: slug, priority: [low, high], openedAt: datetime}
    keys:
      PK: TICKET#{ticketId}
      SK: TICKET
      QueuePK: TEAM#{team}
      QueueSK: "{priority}#{openedAt}"
access_patterns:
  - {name: queue, query: Ticket, where: team = $team AND priority = $priority, order: openedAt asc, page: 20}
  - {name: raise, update: Ticket, change: SET priority = $priority, old: {openedAt: $openedAt}}
`,
		Fix: "give the other attributes with `old` or `if`, or set `read_first: true`; on a global index, keys of several attributes need no such text",
	}
}
