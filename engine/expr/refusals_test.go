package expr

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/engine/attr"
)

var testNames = map[string]string{"#n": "n", "#s": "s", "#k": "k", "#dot": "a.b"}

const testValues = `{":n":{"N":"5"},":s":{"S":"h"},":l":{"L":[{"N":"9"}]},":m":{"M":{}},":ss":{"SS":["a"]},":ns":{"NS":["1"]},
	":bs":{"BS":["YQ=="]},":b":{"BOOL":true},":bin":{"B":"YQ=="},":nul":{"NULL":true},":lo":{"N":"1"},":hi":{"N":"9"},
	":T":{"S":"S"},":bad":{"S":"QQ"},":k":{"S":"a"},":r":{"N":"1"},":r2":{"N":"3"},":es":{"S":""},":big":{"N":"1e125"},":huge":{"N":"9e125"}}`

func item(t testing.TB, text string) attr.Item {
	t.Helper()
	it, err := attr.ParseItem([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return it
}

func context(t testing.TB) *Context {
	t.Helper()
	c, err := NewContext(testNames, item(t, testValues))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// tableSchema is the key that the key conditions in testdata are meant for.
var tableSchema = KeySchema{Hash: []KeyAttribute{{"k", attr.S}}, Range: []KeyAttribute{{"r", attr.N}}}

func parseKind(c *Context, kind Kind, text string) error {
	switch kind {
	case UpdateExpression:
		_, err := c.Update(text)
		return err
	case ProjectionExpression:
		_, err := c.Projection(text)
		return err
	case KeyConditionExpression:
		cond, err := keyCondition(c, text)
		if err != nil {
			return err
		}
		_, err = tableSchema.Resolve(cond)
		return err
	}
	_, err := c.Condition(kind, text)
	return err
}

func TestRefusals(t *testing.T) {
	file, err := os.Open("testdata/refusals.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var kind Kind
	expression, count := "", 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		line := lines.Text()
		switch {
		case line == "" || strings.HasPrefix(line, "# "):
		case line[0] == '[':
			kind = Kind(strings.Trim(line, "[]"))
		case line[0] == '\t':
			checkRefusal(t, kind, expression, line[1:])
			count++
		default:
			expression = line
		}
	}
	if count < 200 {
		t.Errorf("only %d refusals were read", count)
	}
}

func checkRefusal(t *testing.T, kind Kind, expression, want string) {
	t.Helper()
	err := parseKind(context(t), kind, expression)
	switch {
	case err == nil:
		t.Errorf("%s %q is accepted, want %s", kind, expression, want)
	case err.Error() != want && err.Error() != "Invalid "+string(kind)+": "+want:
		t.Errorf("%s %q:\n got %s\nwant %s", kind, expression, err, want)
	}
}
