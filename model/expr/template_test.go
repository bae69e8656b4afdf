package expr_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/expr"
)

// show writes the parts of a template so that their borders are seen.
func show(parts []expr.TemplatePart) string {
	var out []string
	for _, p := range parts {
		s := fmt.Sprintf("%q", p.Literal)
		switch {
		case p.Path.Name != "":
			s = p.Path.String()
		case p.Param != "":
			s = "$" + p.Param
		case p.Random > 0:
			s = fmt.Sprintf("random(%d)", p.Random)
		}
		for _, f := range p.Funcs {
			s += "|" + f.String()
		}
		out = append(out, s)
	}
	return strings.Join(out, " ")
}

func TestParseTemplate(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", ""},
		{"PROFILE", `"PROFILE"`},
		{"CUSTOMER#{customerId}", `"CUSTOMER#" customerId`},
		{"{a}{b}", "a b"},
		{"ITEM#{line|pad(3)}#", `"ITEM#" line|pad(3) "#"`},
		{"{at|bucket(15m)}{at|week}{at|minute}", "at|bucket(15m) at|week at|minute"},
		{"{email|lower|prefix(2)}", "email|lower|prefix(2)"},
		{"{ at | day }", "at|day"},
		{"{address.city}-{tags[0]}", `address.city "-" tags[0]`},
		{"{{literal}} }}{{{x}}}", `"{literal} }{" x "}"`},
		{"S{random(10)}", `"S" random(10)`},
		{"{random}{order}{`first-name`}", "random order first-name"},
		{"cost $5 : a|b", `"cost $5 : a|b"`},
		{"é{x}ü", `"é" x "ü"`},
	}
	for _, tt := range tests {
		parts, problem := expr.ParseTemplate(input(tt.text))
		if problem != nil {
			t.Errorf("%s: %s", tt.text, problem)
		} else if got := show(parts); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
	parts, _ := expr.ParseTemplate(input("A#{b|lower}#{{"))
	for i, want := range []string{"A#", "{b|lower}", "#{{"} {
		if got := parts[i].At.Text(); got != want {
			t.Errorf("span %d: got %q, want %q", i, got, want)
		}
	}
}

func TestParseParamTemplate(t *testing.T) {
	parts, problem := expr.ParseParamTemplate(input("ORDER#{orderId}#{$since|day}#{$now|month}"))
	if want := `"ORDER#" orderId "#" $since|day "#" $now|month`; problem != nil || show(parts) != want {
		t.Errorf("got %s, %v", show(parts), problem)
	}
	_, problem = expr.ParseParamTemplate(input("{random(3)}"))
	checkProblem(t, problemTest{"{random(3)}", "random", "a request names one shard"}, problem)
	_, problem = expr.ParseParamTemplate(input("{$a?}"))
	checkProblem(t, problemTest{"{$a?}", "$a?", "cannot be left out"}, problem)
}

func TestTemplateProblems(t *testing.T) {
	tests := []problemTest{
		{"A#{b", "{", "a brace is not closed: a brace in the text is written twice: {{"},
		{"A}", "}", "a closing brace without an opening one"},
		{"A#${id}", "${", "write {name} without the $"},
		{"{$id}", "$id", "write {id}"},
		{"{}", "", "the braces are empty"},
		{"{a b}", "b", "a name that is no plain word stands in backquotes: write {`a b`}"},
		{"{a|}", "", "expected a template function"},
		{"{a|lowr}", "lowr", "there is no template function lowr"},
		{"{a|size}", "size", "there is no template function size"},
		{"{a|pad}", "", "and a number, as in pad(3)"},
		{"{a|bucket}", "", "and a length of time, as in bucket(15m)"},
		{"{a|bucket(30s)}", "30s", "bucket takes a length of time in whole minutes"},
		{"{a|bucket(400d)}", "400d", "bucket takes a length of time in whole minutes"},
		{"{a|pad(0)}", "0", "pad takes a whole number from 1 to 38"},
		{"{a|pad(39)}", "39", "from 1 to 38"},
		{"{a|lower(2)}", "(", "lower takes no number"},
		{"{a|shard(1.5)}", "1.5", "from 1 to 10000"},
		{"{random(0)}", "0", "random takes a whole number"},
		{"{random(3)|lower}", "|", "expected"},
		{"{lower(a)}", "lower", "write {name|lower}"},
		{"{a-b}", "-", "found -"},
		{"{'a'}", "'a'", "an attribute's name"},
		{"{:a}", ":a", "placeholders"},
	}
	for _, tt := range tests {
		_, problem := expr.ParseTemplate(input(tt.text))
		checkProblem(t, tt, problem)
	}
}
