package rules

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/validate"
)

func tooManyIndexes() *validate.Rule {
	return &validate.Rule{
		Name: diag.TooManyIndexes, Severity: diag.Error, FoundBy: validate.ByRule, Check: checkTooManyIndexes,
		Title: "the table has more indexes than DynamoDB allows",
		Text: "A table has at most 20 global indexes, unless AWS raises the quota, and 5 local ones, which no request can raise: CreateTable is refused. " +
			"One index for each way to ask is rarely needed. Entities can share an index whose keys each of them fills by its own template, and a sort key serves every prefix of its parts.",
		Bad:  filesModel(6),
		Good: filesModel(3),
		Fix:  "let entities share indexes, serve several questions by prefixes of one sort key, filter small results, or leave free combinations of filters to a search engine",
	}
}

// filesModel is a table of files with so many local indexes, all of them read
// consistently.
func filesModel(n int) string {
	fields := []string{"name", "owner", "kind", "changedBy", "checksum", "label"}[:n]
	var b strings.Builder
	b.WriteString("version: 1\ntable:\n  name: files\n  partition_key: folder\n  sort_key: fileId\n  indexes:\n")
	for i, f := range fields {
		fmt.Fprintf(&b, "    Local%d: {local: true, sort_key: %s}\n", i+1, f)
	}
	b.WriteString("entities:\n  File:\n    attributes: {folder: slug, fileId: ulid")
	for _, f := range fields {
		fmt.Fprintf(&b, ", %s: slug", f)
	}
	b.WriteString("}\naccess_patterns:\n  - {name: file, get: File}\n")
	for _, f := range fields {
		fmt.Fprintf(&b, "  - {name: files-by-%s, query: File, where: folder = $folder AND %s = $%s, consistent: true}\n", strings.ToLower(f), f, f)
	}
	return b.String()
}

// DynamoDB's numbers of indexes of a table (Developer Guide, "Quotas").
const (
	maxGlobalIndexes = 20
	maxLocalIndexes  = 5
)

func checkTooManyIndexes(p *validate.Pass) {
	count := func(local bool, limit int, kind string) {
		var all []*model.Index
		for _, x := range p.Model.Table.Indexes {
			if x.Local == local {
				all = append(all, x)
			}
		}
		if len(all) > limit {
			first := all[limit]
			p.Report(diag.Finding{Span: first.Name.At, Index: first.Name.Text,
				Message: fmt.Sprintf("the table has %d %s indexes, of which DynamoDB allows %d: the table cannot be created", len(all), kind, limit),
				Fix:     "let entities share an index, or serve several questions by prefixes of one sort key"})
		}
	}
	count(false, maxGlobalIndexes, "global")
	count(true, maxLocalIndexes, "local")
}
