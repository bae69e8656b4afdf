package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/modeltest"
	"github.com/dynmodel/dynmodel/model/plan"
)

// large is a model of many entities and patterns, all of one kind.
func large(entities int) string {
	var b strings.Builder
	b.WriteString(`version: 1
name: large
table:
  name: large
  partition_key: PK
  sort_key: SK
  indexes:
    GSI1: {partition_key: GSI1PK, sort_key: GSI1SK}
    GSI2: {partition_key: GSI2PK, sort_key: GSI2SK}
    GSI3: {partition_key: GSI3PK, sort_key: GSI3SK}
entities:
`)
	for i := range entities {
		fmt.Fprintf(&b, `  E%d:
    attributes: {owner: slug, id: ulid, at: datetime, state: [open, closed], rank: {type: integer, min: 0, max: 999}}
    keys:
      PK: OWNER%d#{owner}
      SK: E%d#{id}
      GSI1PK: E%d#{state}
      GSI1SK: "{at}#{id}"
      GSI2PK: {template: "OPEN%d#{owner}", when: state = 'open'}
      GSI2SK: "{rank|pad(3)}#{id}"
      GSI3PK: DAY%d#{at|day}
      GSI3SK: "{at}"
`, i, i/3, i, i, i, i)
	}
	b.WriteString("access_patterns:\n")
	for i := range entities {
		fmt.Fprintf(&b, `  - {name: a%d, query: E%d, where: owner = $owner, page: 10}
  - {name: b%d, query: E%d, where: state = 'open' AND at >= $since, order: at desc, limit: 10}
  - {name: c%d, query: E%d, where: owner = $owner AND state = 'open', order: rank}
  - {name: d%d, query: E%d, where: at BETWEEN $from AND $to, span: 3d}
  - {name: e%d, update: E%d, change: SET state = $state, old: {rank: $rank, at: $at}}
`, i, i, i, i, i, i, i, i, i, i)
	}
	return b.String()
}

func BenchmarkPlan(b *testing.B) {
	for _, entities := range []int{15, 60} {
		b.Run(fmt.Sprintf("%d patterns", entities*5), func(b *testing.B) {
			m := modeltest.Model(b, large(entities))
			b.ResetTimer()
			for b.Loop() {
				p := plan.New(m)
				for _, pattern := range m.Patterns {
					p.Pattern(pattern)
				}
			}
		})
	}
}
