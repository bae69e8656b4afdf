package modeltest

import (
	"fmt"
	"strings"
)

// Big makes the text of a sound model with that many entities and access
// patterns, the same every time: entities in families of a parent and its
// children, patterns of every common kind in turn.
func Big(entities, patterns int) string {
	b := &big{entities: max(entities, 1)}
	b.line("version: 1")
	b.line("name: big")
	b.line("table:")
	b.line("  name: big")
	b.line("  partition_key: PK")
	b.line("  sort_key: SK")
	b.line("  indexes:")
	b.line("    GSI1: {partition_key: GSI1PK, sort_key: GSI1SK}")
	b.line("    Open: {partition_key: OpenPK, sort_key: OpenSK}")
	b.line("entities:")
	for i := range b.entities {
		b.entity(i)
	}
	b.line("access_patterns:")
	for i := range patterns {
		b.pattern(i)
	}
	return b.text.String()
}

// family is how many entities share a parent: the first of them.
const family = 4

type big struct {
	text     strings.Builder
	entities int
}

func (b *big) line(format string, args ...any) {
	fmt.Fprintf(&b.text, format+"\n", args...)
}

// entity writes a parent, or a child of the last one.
func (b *big) entity(i int) {
	b.line("  E%d:", i)
	b.line("    attributes:")
	if i%family == 0 {
		b.line("      id%d: ulid", i)
		b.line("      email: {type: email, stored: lower}")
		b.line("      name: {type: string, length: 1..80}")
		b.line("      hits: {type: integer, min: 0, default: 0}")
		b.line("      createdAt: datetime")
		b.line("    keys:")
		b.line("      PK: E%d#{id%d}", i, i)
		b.line("      SK: E%d", i)
		b.line("      GSI1PK: EMAIL%d#{email}", i)
		b.line("      GSI1SK: E%d", i)
		b.line("    volume: {count: 1M}")
		return
	}
	parent := i - i%family
	b.line("      id%d: {ref: E%d}", parent, parent)
	b.line("      id%d: ulid", i)
	b.line("      status: [open, busy, done]")
	b.line("      rank: {type: integer, min: 0, max: 999}")
	b.line("      at: datetime")
	b.line("      note: {type: string, length: 0..500, optional: true}")
	b.line("    keys:")
	b.line("      PK: E%d#{id%d}", parent, parent)
	b.line("      SK: E%d#{at}#{id%d}", i, i)
	b.line("      GSI1PK: E%d#{id%d}", i, i)
	b.line("      GSI1SK: E%d", i)
	b.line("      OpenPK: {template: \"OPEN%d#{at|day}\", when: status = 'open'}", i)
	b.line("      OpenSK: \"{at}#{id%d}\"", i)
	b.line("    volume: {per: E%d, count: 0..50, average: 8}", parent)
}

// pattern writes one pattern about one of the entities.
func (b *big) pattern(i int) {
	e := (i / 6) % b.entities
	b.line("  - name: p%d", i)
	if e%family == 0 {
		b.ofParent(i%6, e)
	} else {
		b.ofChild(i%6, e)
	}
}

func (b *big) ofParent(kind, e int) {
	switch kind {
	case 0:
		b.line("    create: E%d", e)
	case 1:
		b.line("    get: E%d", e)
	case 2:
		b.line("    query: E%d", e)
		b.line("    where: email = $email")
		b.line("    page: 10")
	case 3:
		b.line("    update: E%d", e)
		b.line("    change: SET hits = hits + 1")
	case 4:
		b.line("    delete: E%d", e)
	default:
		b.line("    batch_get: E%d", e)
		b.line("    params: {keys: {max: 50}}")
	}
	b.line("    rate: 20/s")
}

func (b *big) ofChild(kind, e int) {
	parent := e - e%family
	switch kind {
	case 0:
		b.line("    transact_write:")
		b.line("      - create: E%d", e)
		b.line("        with: {status: open, at: $now}")
		b.line("      - update: E%d", parent)
		b.line("        change: SET hits = hits + 1")
	case 1:
		b.line("    query: E%d", e)
		b.line("    where: id%d = $id%d AND at >= $since", parent, parent)
		b.line("    order: at desc")
		b.line("    limit: 20")
	case 2:
		b.line("    query: E%d", e)
		b.line("    where: id%d = $id%d", e, e)
		b.line("    one: true")
	case 3:
		b.line("    query: E%d", e)
		b.line("    where: status = 'open' AND at BETWEEN $from AND $to")
		b.line("    span: 6d")
		b.line("    page: 100")
	case 4:
		b.line("    update: E%d", e)
		b.line("    change: SET status = 'done'")
		b.line("    if: status = 'busy'")
	default:
		b.line("    query: [E%d, E%d]", parent, e)
		b.line("    where: id%d = $id%d", parent, parent)
		b.line("    page: 50")
	}
	b.line("    rate: 20/s")
}
