package typescript

import (
	"os"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

func TestCamel(t *testing.T) {
	for _, c := range []struct{ name, small, capital string }{
		{"recent-orders", "recentOrders", "RecentOrders"},
		{"Order", "order", "Order"},
		{"OrderItem", "orderItem", "OrderItem"},
		{"123-go", "x123Go", "X123Go"},
		{"größer als", "größerAls", "GrößerAls"},
		{"日本", "日本", "日本"},
		{"--", "x", "X"},
	} {
		if small, capital := camel(c.name, false), camel(c.name, true); small != c.small || capital != c.capital {
			t.Errorf("%s: %s and %s, not %s and %s", c.name, small, capital, c.small, c.capital)
		}
	}
}

func TestTake(t *testing.T) {
	all := names{}
	for _, c := range [][2]string{{"orders", "orders"}, {"orders", "orders2"}, {"delete", "delete2"}, {"orders2", "orders22"}, {"Entity", "Entity2"}} {
		if got := all.take(c[0]); got != c[1] {
			t.Errorf("%s is %s, not %s", c[0], got, c[1])
		}
	}
}

func TestTexts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{property("status"), `status`},
		{property("State#Date"), `'State#Date'`},
		{property("größe"), `'größe'`},
		{member("p", "it's"), `p["it's"]`},
		{maybeMember("p", "a b"), `p?.['a b']`},
		{quote(`a"b`), `"a\"b"`},
		{quote("line\n"), `"line\n"`},
		{written(inTemplate("ORDER#")), `'ORDER#'`},
		{written(inTemplate("it's")), "`it's`"},
		{written(inTemplate("`${x}\\")), "`\\`\\${x}\\\\`"},
		{written(inTemplate("#") + "${v}"), "`#${v}`"},
		{regexpQuote("a.b/c|d"), `a\.b\/c\|d`},
	} {
		if c.got != c.want {
			t.Errorf("%s, not %s", c.got, c.want)
		}
	}
}

// What cannot be generated is refused with the access pattern and a way out.
func TestRefused(t *testing.T) {
	for pattern, want := range map[string]string{
		"get: Job, filter: note = $note?":                                  "access pattern p: a read by keys with optional parameters is not supported: give them",
		"update_each: Job, where: team = $team, change: SET note = $note?": "access pattern p: optional parameters of update_each are not supported: make a pattern of each",
		"delete: Step, read_first: true, returns: old":                     "access pattern p: `returns: old` of a write that keeps guards is not supported: leave it out",
	} {
		m, found := parse.File(source.NewFile("m.yaml", head+"  - {name: p, "+quoted(pattern)+"}\n"), os.DirFS("."))
		if m == nil || len(m.Patterns) != 1 {
			t.Errorf("%s: %+v", pattern, found.All())
			continue
		}
		if _, err := filesOf(m); err == nil || err.Error() != want {
			t.Errorf("%s: %v", pattern, err)
		}
	}
	m, _ := parse.File(source.NewFile("m.yaml", strings.ReplaceAll(head, "note: string?", "__proto__: string?")+"  - {name: p, get: Job}\n"), os.DirFS("."))
	if _, err := filesOf(m); err == nil || !strings.Contains(err.Error(), "__proto__") {
		t.Errorf("__proto__: %v", err)
	}
}

func filesOf(m *model.Model) ([]generate.File, error) {
	return files(generate.NewInput(m))
}
