package golang

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/sdk"
)

// createTable writes the function that gives the table's keys and indexes, for tests
// and local work: what a table in production has besides is not for an application.
func (g *generator) createTable(w *writer) {
	in := sdk.Structure("", g.table, func(*model.Index) bool { return true })
	w.line("// CreateTableInput is the request that makes a table with the keys and indexes of the")
	w.line("// model, on demand and without any other setting: for tests and local work.")
	w.line("func CreateTableInput(name string) *dynamodb.CreateTableInput {")
	w.line("return &dynamodb.CreateTableInput{")
	w.line("TableName: &name,")
	w.line("BillingMode: types.BillingModePayPerRequest,")
	w.line("AttributeDefinitions: []types.AttributeDefinition{")
	for _, a := range in.AttributeDefinitions {
		w.line("{AttributeName: ptr(%q), AttributeType: %q},", *a.AttributeName, a.AttributeType)
	}
	w.line("},")
	w.line("KeySchema: %s,", keySchema(in.KeySchema))
	if len(in.GlobalSecondaryIndexes) > 0 {
		w.line("GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{")
		for _, x := range in.GlobalSecondaryIndexes {
			w.line("{IndexName: ptr(%q), KeySchema: %s, Projection: %s},", *x.IndexName, keySchema(x.KeySchema), projectionCode(x.Projection))
		}
		w.line("},")
	}
	if len(in.LocalSecondaryIndexes) > 0 {
		w.line("LocalSecondaryIndexes: []types.LocalSecondaryIndex{")
		for _, x := range in.LocalSecondaryIndexes {
			w.line("{IndexName: ptr(%q), KeySchema: %s, Projection: %s},", *x.IndexName, keySchema(x.KeySchema), projectionCode(x.Projection))
		}
		w.line("},")
	}
	w.line("}")
	w.line("}")
}

func keySchema(keys []types.KeySchemaElement) string {
	var out []string
	for _, k := range keys {
		out = append(out, fmt.Sprintf("{AttributeName: ptr(%q), KeyType: %q}", *k.AttributeName, k.KeyType))
	}
	return "[]types.KeySchemaElement{" + strings.Join(out, ", ") + "}"
}

func projectionCode(p *types.Projection) string {
	out := fmt.Sprintf("&types.Projection{ProjectionType: %q", p.ProjectionType)
	if len(p.NonKeyAttributes) > 0 {
		out += ", NonKeyAttributes: []string{" + quotedList(p.NonKeyAttributes) + "}"
	}
	return out + "}"
}
