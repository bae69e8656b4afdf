// Package iam makes IAM policies: of each access pattern the one that allows its
// requests and nothing else, and of each role the one for its patterns together.
package iam

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/table"
	"github.com/dynmodel/dynmodel/generate/tree"
	"github.com/dynmodel/dynmodel/model"
)

// Target is the generator.
func Target() generate.Target {
	return generate.Target{
		Name:  "iam",
		Title: "IAM policies: the least that each access pattern and role needs",
		Text: `Makes a folder with an identity policy for every access pattern, and for every role
of the model one for its patterns together. A policy names the actions that the
pattern's requests need, and the table or the index they go to: single actions for
transactions, allowed inside of transactions only; attributes and what is
selected, when the pattern has "select" or "count".

In a model with isolate_by, policies are bound to one of its values by
dynamodb:LeadingKeys (dynamodb:FirstPartitionKeyValues and so on for keys of
several attributes), wherever that attribute leads the partition key. The value is
that of a tag of the principal, unless the option principal names another policy
variable. Patterns with "across: true" are not bound to it; a scan cannot be, and a
PartiQL statement is not: its keys are what its text says, which is run as written.

Policies have no place for a mark; README.md carries it for all of them.`,
		Options: []generate.Option{
			{Name: "account", Text: "the AWS account of the table", Default: "*"},
			{Name: "region", Text: "the region of the table (default: that of the model, or any)"},
			{Name: "partition", Text: "the partition of AWS", Values: []string{"aws", "aws-cn", "aws-us-gov"}, Default: "aws"},
			{Name: "table", Text: "the name of the table (default: that of the model)"},
			{Name: "principal", Text: "the policy variable with the principal's value of isolate_by (default: ${aws:PrincipalTag/ATTRIBUTE})"},
		},
		Path:  "iam/",
		Files: files,
	}
}

func files(in generate.Input) ([]generate.File, error) {
	c := collector{model: in.Model, principal: in.Options["principal"]}
	if by := in.Model.Table.IsolateBy; by != nil && c.principal == "" {
		c.principal = "${aws:PrincipalTag/" + by.Text + "}"
	}
	arns := resources(in)
	uses := map[*model.Pattern][]use{}
	var out []policy
	ofPatterns, ofRoles := fileNames("pattern"), fileNames("role")
	for _, p := range in.Plans {
		needed := c.pattern(p)
		uses[p.Pattern] = needed
		if len(needed) == 0 {
			continue
		}
		out = append(out, policy{file: ofPatterns.Of(p.Pattern.Name.Text) + ".json", what: "access pattern " + p.Pattern.Name.Text,
			patterns: []*model.Pattern{p.Pattern}, statements: statements(needed)})
	}
	for _, r := range in.Model.Table.Roles {
		var needed []use
		for _, p := range r.Patterns {
			needed = append(needed, uses[p]...)
		}
		if needed = essential(needed); len(needed) > 0 {
			out = append(out, policy{file: ofRoles.Of(r.Name.Text) + ".json", what: "role " + r.Name.Text, patterns: r.Patterns, statements: statements(needed)})
		}
	}
	made := []generate.File{{Path: "README.md", Content: []byte(readme(in, out))}}
	for _, p := range out {
		made = append(made, generate.File{Path: p.file, Content: tree.JSON(p.document(arns))})
	}
	return made, nil
}

// resources are the ARNs of the table, one for each region it is in, without
// what names an index.
func resources(in generate.Input) []string {
	t := in.Model.Table
	name := in.Options["table"]
	if name == "" {
		name = t.Name.Text
	}
	account := in.Options["account"]
	if account == "" {
		account = "*"
	}
	partition := in.Options["partition"]
	if partition == "" {
		partition = "aws"
	}
	regions := []string{"*"}
	switch {
	case in.Options["region"] != "":
		regions = []string{in.Options["region"]}
	case t.Region != "":
		regions = append([]string{t.Region}, table.OtherRegions(t)...)
	}
	var out []string
	for _, region := range regions {
		out = append(out, fmt.Sprintf("arn:%s:dynamodb:%s:%s:table/%s", partition, region, account, name))
	}
	return out
}

// notInFile is what the names of files do not have, which have no case.
var notInFile = regexp.MustCompile(`[^a-z0-9_.-]+`)

// fileNames gives the names of files of patterns, or of roles.
func fileNames(kind string) *table.Distinct {
	return table.NewDistinct(func(name string) string {
		return kind + "-" + notInFile.ReplaceAllString(strings.ToLower(name), "-")
	}, "-no")
}
