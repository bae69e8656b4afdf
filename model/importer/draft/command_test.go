package draft_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/importer/draft"
)

func TestParseCommand(t *testing.T) {
	eq := func(attribute, v string) draft.KeyTest {
		return draft.KeyTest{Attribute: attribute, Op: "=", Values: []string{v}}
	}
	for _, c := range []struct {
		text string
		want draft.Command
	}{
		{
			`aws dynamodb get-item --table-name t --key '{"PK": {"S": "A#1"}}' --consistent-read`,
			draft.Command{Operation: "GetItem", Table: "t", Key: []draft.KeyTest{eq("PK", "A#1")}, Consistent: true},
		},
		{
			"AWS_PROFILE=x aws dynamodb query \\\n  --table-name=t --index-name 'GSI 1' \\\n  --key-condition-expression \"#p = :p AND begins_with(SK, :s)\" --expression-attribute-names '{\"#p\": \"PK\"}' " +
				`--expression-attribute-values '{":p": {"S": "A#1"}, ":s": {"S": "B#"}}' --no-scan-index-forward --limit 5`,
			draft.Command{Operation: "Query", Table: "t", Index: "GSI 1", Backward: true, Limit: 5,
				Key: []draft.KeyTest{eq("PK", "A#1"), {Attribute: "SK", Op: "begins_with", Values: []string{"B#"}}}},
		},
		{
			`aws dynamodb query --table-name t --key-condition-expression 'PK = :p and SK between :a and :b' --select COUNT --filter-expression '#s = :open' ` +
				`--expression-attribute-names '{"#s": "size"}' --expression-attribute-values '{":p": {"S": "x"}, ":a": {"N": "1"}, ":b": {"N": "2"}, ":open": {"S": "o"}}'`,
			draft.Command{Operation: "Query", Table: "t", Count: true, Filter: "size = $open",
				Key: []draft.KeyTest{eq("PK", "x"), {Attribute: "SK", Op: "between", Values: []string{"1", "2"}}}},
		},
		{
			`aws dynamodb update-item --table-name t --key '{"PK":{"S":"a"}}' --update-expression 'SET #a = :a' --condition-expression 'attribute_exists(PK)' --expression-attribute-names '{"#a":"and"}'`,
			draft.Command{Operation: "UpdateItem", Table: "t", Key: []draft.KeyTest{eq("PK", "a")}, Change: "SET `and` = $a", If: "attribute_exists(PK)"},
		},
	} {
		got, err := draft.ParseCommand(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
		} else if !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%s\n got %+v\nwant %+v", c.text, *got, c.want)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"", "no `aws dynamodb` command"},
		{"aws s3 ls", "no `aws dynamodb` command"},
		{"aws dynamodb query --table-name 'x", "a quote ' is not closed"},
		{"aws dynamodb query --key-condition-expression 'PK ~ :x'", "`PK ~ :x` is not understood"},
		{"aws dynamodb query --expression-attribute-values '[1]'", "no JSON object"},
		{"aws dynamodb query --expression-attribute-values '{'", "not closed"},
		{"aws dynamodb query " + strings.Repeat("x", 70_000), "too long"},
	} {
		if _, err := draft.ParseCommand(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60s: %v, want %q", c.text, err, c.want)
		}
	}
}

func TestParseTemplate(t *testing.T) {
	for _, text := range []string{"A#{b}#{c|pad(3)}", "{random(5)}", "{{x}}", "{a.b|upper}"} {
		parts, err := draft.ParseTemplate(text)
		if err != nil || draft.Text(parts) != text {
			t.Errorf("%s came back as %s, %v", text, draft.Text(parts), err)
		}
	}
	if _, err := draft.ParseTemplate("{"); err == nil {
		t.Error("{ is no template")
	}
}
