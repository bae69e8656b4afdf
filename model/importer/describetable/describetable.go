// Package describetable reads what DynamoDB's DescribeTable answers, as the AWS
// CLI prints it, or the input of CreateTable.
package describetable

import (
	"fmt"

	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// Read reads a description. The error says that the file is none.
func Read(file *source.File) ([]*draft.Draft, error) {
	d := &draft.Draft{Format: "a table's description"}
	root, err := draft.ReadJSON(file, &d.Notes)
	if err != nil {
		return nil, err
	}
	if !Recognised(root) {
		return nil, fmt.Errorf("%s: no description of a table: there is neither `Table` nor `KeySchema` at its top", file.Name())
	}
	d.CreateTable(tableOf(root))
	d.Complete(root.At)
	return []*draft.Draft{d}, nil
}

// Recognised tells whether a document describes a table.
func Recognised(root *yamltree.Node) bool {
	n := tableOf(root)
	return n != nil && n.Kind == yamltree.Mapping && n.Get("KeySchema") != nil
}

// tableOf is the description inside the answer, or the document itself.
func tableOf(root *yamltree.Node) *yamltree.Node {
	for _, key := range []string{"Table", "TableDescription"} {
		if n := root.Get(key); n != nil {
			return n
		}
	}
	return root
}
