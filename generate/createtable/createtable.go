// Package createtable makes the JSON of the calls of DynamoDB's API that create a table.
package createtable

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/table"
	"github.com/dynmodel/dynmodel/generate/tree"
)

// Target is the generator.
func Target() generate.Target {
	return generate.Target{
		Name:  "create-table",
		Title: "API JSON: the table as calls of DynamoDB's API",
		Text: `Makes a folder with create-table.json, the input of CreateTable, and the inputs of
the calls that settings need which CreateTable does not take: time to live,
point-in-time recovery, replicas. README.md beside them has the commands in
their order. The files are plain API JSON, for the AWS CLI and for any SDK:

  aws dynamodb create-table --cli-input-json file://create-table/create-table.json

JSON of the API has no place for a mark, so README.md carries it for all of them.`,
		Path:  "create-table/",
		Files: files,
	}
}

func files(in generate.Input) ([]generate.File, error) {
	calls := table.Calls(in.Model.Table)
	out := []generate.File{{Path: "README.md", Content: []byte(readme(in, calls))}}
	for _, c := range calls {
		out = append(out, generate.File{Path: c.File, Content: tree.JSON(c.Input)})
	}
	return out, nil
}

func readme(in generate.Input, calls []table.Call) string {
	t := in.Model.Table
	var b strings.Builder
	fmt.Fprintf(&b, "<!-- %s -->\n\n# Table %s\n\n", generate.Mark, t.Name.Text)
	b.WriteString("The inputs of the calls of DynamoDB's API that make the table. Between them, wait until it is active.\n\n```sh\n")
	for i, c := range calls {
		if i == 1 {
			b.WriteString("aws dynamodb wait table-exists --table-name " + t.Name.Text + "\n")
		}
		fmt.Fprintf(&b, "aws dynamodb %s --cli-input-json file://%s  # %s\n", c.Name, c.File, c.Does)
	}
	b.WriteString("```\n")
	if len(table.Scalings(t)) > 0 {
		b.WriteString("\nAuto scaling is no part of the table but of Application Auto Scaling; `dynmodel generate cli` makes a script that sets it, too.\n")
	}
	return b.String()
}
