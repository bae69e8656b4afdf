package mermaid

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/generate/document"
)

// Keys is the diagram of the key layout: for the table and each index the item
// collections, by the templates of their partition keys, and in each the
// entities by the templates of their sort keys.
func Keys(d document.Document) string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for i, s := range d.Layout {
		fmt.Fprintf(&b, "    subgraph s%d[%s]\n        direction LR\n", i, quoted(s.Name))
		for j, c := range s.Collections {
			id := fmt.Sprintf("s%dc%d", i, j)
			fmt.Fprintf(&b, "        %s([\"%s\"])\n", id, keyLabel(s.Partition, c.Partition))
			for k, m := range c.Members {
				label := "<b>" + escaped(m.Entity) + "</b>"
				if len(s.Sort) > 0 {
					label += "<br>" + keyLabel(s.Sort, m.Sort)
				}
				if m.When != "" {
					label += "<br><i>when " + escaped(m.When) + "</i>"
				}
				fmt.Fprintf(&b, "        %s --> %sm%d[\"%s\"]\n", id, id, k, label)
			}
		}
		b.WriteString("    end\n")
	}
	return b.String()
}

// keyLabel is each key attribute with its template.
func keyLabel(names, templates []string) string {
	var lines []string
	for i, n := range names {
		lines = append(lines, escaped(n+" = "+templates[i]))
	}
	return strings.Join(slices.Compact(lines), "<br>")
}
