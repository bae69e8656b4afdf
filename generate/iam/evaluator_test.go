package iam_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// document is a policy as IAM reads it.
type document struct {
	Version   string
	Statement []clause
}

// clause is a statement.
type clause struct {
	Effect    string
	Action    []string
	Resource  []string
	Condition map[string]map[string]texts
}

// texts is one text or several.
type texts []string

func (t *texts) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = texts{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(t))
}

// access is what a request asks to do: one for each action that IAM checks.
type access struct {
	action, resource string
	context          map[string][]string // condition keys and their values
}

func parse(t *testing.T, text []byte) document {
	t.Helper()
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return d
}

// allows evaluates the policy for a principal whose tags all have one value.
func (d document) allows(a access, tag string) bool {
	return slices.ContainsFunc(d.Statement, func(c clause) bool { return c.allows(a, tag) })
}

func (c clause) allows(a access, tag string) bool {
	if c.Effect != "Allow" || !slices.Contains(c.Action, a.action) ||
		!slices.ContainsFunc(c.Resource, func(r string) bool { return like(r, a.resource, tag) }) {
		return false
	}
	for operator, keys := range c.Condition {
		for key, patterns := range keys {
			if !holds(operator, patterns, a.context[key], tag) {
				return false
			}
		}
	}
	return true
}

// holds evaluates a condition on the values of a key. An operator that the
// evaluator does not know holds of nothing.
func holds(operator string, patterns, values []string, tag string) bool {
	quantifier := ""
	if q, rest, ok := strings.Cut(operator, ":"); ok {
		quantifier, operator = q, rest
	}
	operator, ifExists := strings.CutSuffix(operator, "IfExists")
	match := func(v string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool {
			switch operator {
			case "StringEquals":
				return substitute(p, tag) == v
			case "StringLike":
				return like(p, v, tag)
			}
			return false
		})
	}
	switch {
	case len(values) == 0:
		return ifExists || quantifier == "ForAllValues"
	case quantifier == "ForAnyValue":
		return slices.ContainsFunc(values, match)
	}
	return !slices.ContainsFunc(values, func(v string) bool { return !match(v) })
}

var variables = regexp.MustCompile(`\$\{[^}]*\}`)

func substitute(pattern, tag string) string {
	return variables.ReplaceAllStringFunc(pattern, func(v string) string { return valueOf(v, tag) })
}

// valueOf is the value of a policy variable: that of a tag, or a character that
// otherwise means something.
func valueOf(variable, tag string) string {
	if strings.HasPrefix(variable, "${aws:PrincipalTag/") {
		return tag
	}
	return variable[2 : len(variable)-1]
}

// like matches a pattern in which * stands for anything, and ? for a character.
func like(pattern, value, tag string) bool {
	var b strings.Builder
	b.WriteString("(?s)^")
	for len(pattern) > 0 {
		if at := variables.FindStringIndex(pattern); at != nil && at[0] == 0 {
			b.WriteString(regexp.QuoteMeta(valueOf(pattern[:at[1]], tag)))
			pattern = pattern[at[1]:]
			continue
		}
		switch pattern[0] {
		case '*':
			b.WriteString(".*")
		case '?':
			b.WriteString(".")
		default:
			b.WriteString(regexp.QuoteMeta(string([]rune(pattern)[:1])))
		}
		pattern = string([]rune(pattern)[1:])
	}
	return regexp.MustCompile(b.String() + "$").MatchString(value)
}

func TestLike(t *testing.T) {
	for _, c := range []struct {
		pattern, value string
		want           bool
	}{
		{"A#*", "A#b", true}, {"A#*", "AB#b", false}, {"A${*}", "A*", true}, {"A${*}", "Ab", false},
		{"${aws:PrincipalTag/t}#*", "me#x", true}, {"${aws:PrincipalTag/t}#*", "you#x", false}, {"${$}{x}", "${x}", true},
	} {
		if got := like(c.pattern, c.value, "me"); got != c.want {
			t.Errorf("%s like %s: %v", c.value, c.pattern, got)
		}
	}
}
