package iam

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/generate/tree"
	"github.com/dynmodel/dynmodel/model"
)

// statement allows several actions, which have all else in common.
type statement struct {
	use
	actions []string // sorted
}

// statements are uses with the actions that have all else in common together:
// those on the table first, then those on indexes by their names.
func statements(uses []use) []statement {
	var out []statement
	for _, u := range uses {
		i := slices.IndexFunc(out, func(s statement) bool { return s.same(u) })
		if i < 0 {
			i = len(out)
			out = append(out, statement{use: u})
		}
		out[i].actions = append(out[i].actions, u.action)
	}
	for i := range out {
		slices.Sort(out[i].actions)
	}
	slices.SortStableFunc(out, func(a, b statement) int {
		return cmp.Or(cmp.Compare(a.index, b.index), slices.Compare(a.actions, b.actions), cmp.Compare(a.enclosing, b.enclosing))
	})
	return out
}

func (s statement) same(u use) bool {
	return s.index == u.index && s.enclosing == u.enclosing && s.selects == u.selects &&
		slices.Equal(s.attributes, u.attributes) && slices.EqualFunc(s.leading, u.leading, slices.Equal)
}

// policy is a policy and the file it goes to.
type policy struct {
	file       string
	what       string
	patterns   []*model.Pattern
	statements []statement
}

// version is that of the policy language.
const version = "2012-10-17"

func (p policy) document(arns []string) tree.Map {
	var list tree.List
	for _, s := range p.statements {
		list = append(list, s.document(arns))
	}
	return tree.Map{{Key: "Version", Value: tree.Text(version)}, {Key: "Statement", Value: list}}
}

func (s statement) document(arns []string) tree.Map {
	var actions, resources []string
	for _, a := range s.actions {
		actions = append(actions, "dynamodb:"+a)
	}
	for _, arn := range arns {
		if s.index != "" {
			arn += "/index/" + s.index
		}
		resources = append(resources, arn)
	}
	out := tree.Map{
		{Key: "Effect", Value: tree.Text("Allow")},
		{Key: "Action", Value: tree.Texts(actions...)},
		{Key: "Resource", Value: tree.Texts(resources...)},
	}
	if c := s.conditions(); len(c) > 0 {
		out.Add("Condition", c)
	}
	return out
}

// positions are the condition keys of the attributes of a partition key. The
// first has a second name, which older policies have.
var positions = []string{"FirstPartitionKeyValues", "SecondPartitionKeyValues", "ThirdPartitionKeyValues", "FourthPartitionKeyValues"}

// conditions are by operator, and in it by key, as policies have them.
func (s statement) conditions() tree.Map {
	var equal, like, out tree.Map
	for i, patterns := range s.leading {
		if slices.Contains(patterns, anyValue) {
			continue
		}
		key := "dynamodb:" + positions[i]
		if len(s.leading) == 1 {
			key = "dynamodb:LeadingKeys"
		}
		if slices.ContainsFunc(patterns, wild) {
			like.Add(key, tree.Texts(patterns...))
		} else {
			equal.Add(key, tree.Texts(patterns...))
		}
	}
	if s.attributes != nil {
		equal.Add("dynamodb:Attributes", tree.Texts(s.attributes...))
	}
	if equal != nil {
		out.Add("ForAllValues:StringEquals", equal)
	}
	if like != nil {
		out.Add("ForAllValues:StringLike", like)
	}
	if s.enclosing != "" {
		out.Add("ForAnyValue:StringEquals", tree.Map{{Key: "dynamodb:EnclosingOperation", Value: tree.Texts(s.enclosing)}})
	}
	if s.selects != "" {
		out.Add("StringEqualsIfExists", tree.Map{{Key: "dynamodb:Select", Value: tree.Text(s.selects)}})
	}
	return out
}

// wild tells whether a pattern has something that stands for anything.
func wild(pattern string) bool {
	return strings.Contains(strings.ReplaceAll(pattern, "${*}", ""), "*")
}

// The parts of a PartiQL statement that tell what it needs: its first word, and
// the table with the index after it.
var (
	verb = regexp.MustCompile(`(?i)^\s*(SELECT|INSERT|UPDATE|DELETE)\b`)
	from = regexp.MustCompile(`(?i)\bFROM\s+"?[A-Za-z0-9_.-]+"?\."?([A-Za-z0-9_.-]+)"?`)
)

// statementUse is what a PartiQL statement needs.
func statementUse(t *model.Table, text string) use {
	u := use{action: "PartiQLSelect"}
	if m := verb.FindStringSubmatch(text); m != nil {
		word := strings.ToUpper(m[1])
		u.action = "PartiQL" + word[:1] + strings.ToLower(word[1:])
	}
	if m := from.FindStringSubmatch(text); m != nil && t.Index(m[1]) != nil {
		u.index = m[1]
	}
	return u
}
