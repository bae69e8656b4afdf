package oracle

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// shown writes the item with its attributes in order of their names.
func shown(item model.Item) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(item)) {
		out = append(out, name+"="+item[name].String())
	}
	return strings.Join(out, " ")
}

func TestChanges(t *testing.T) {
	args := model.Args{"v": str("V"), "n": num(5), "more": value.OfList(str("z")), "set": value.OfSet(value.StringSet, strs("y", "z")...),
		"huge": mustNumber(t, "1E40"), "mail": str("ADA@X.ORG")}
	base := model.Item{"id": str("1"), "n": num(10), "email": str("a@x.org"),
		"tags": value.OfSet(value.StringSet, strs("x", "y")...), "list": value.OfList(str("a"), str("b")),
		"map": value.OfMap(value.Field{Name: "c", Value: num(1)})}
	for _, test := range []struct{ change, want string }{
		{"SET gone = $v", `gone="V"`},
		{"SET gone = 'x', lost = gone", "refused"},
		{"SET n = n + 1, id = 'n'", `id="n" n=11`},
		{"SET n = n - $n", "n=5"},
		{"SET n = gone + 1", "refused"},
		{"SET n = id + 1", "refused"},
		{"SET n = n + $huge", "refused"},
		{"SET n = if_not_exists(n, 0) + 1", "n=11"},
		{"SET ms = if_not_exists(ms, 0) + 1", "ms=1"},
		{"SET gone = if_not_exists(gone, $v)", `gone="V"`},
		{"SET email = $mail", `email="ada@x.org"`},
		{"SET at = $now, ttl = $now + 1h, day = $now", `at="2026-01-05T09:00:00Z" day="2026-01-05" ttl=1767607200`},
		{"SET list = list_append(list, $more)", `list=["a", "b", "z"]`},
		{"SET list = list_append($more, list)", `list=["z", "a", "b"]`},
		{"SET list = list_append(gone, $more)", "refused"},
		{"SET list[0] = 'q', list[7] = 's', list[5] = 'r'", `list=["q", "b", "r", "s"]`},
		{"SET map.d = 2", "map={c: 1, d: 2}"},
		{"SET map.x.y = 2", "refused"},
		{"SET gone.x = 2", "refused"},
		{"SET gone = $left?, n = 1", "n=1"},
		{"REMOVE n, gone", "n=-"},
		{"REMOVE list[0], list[1]", `list=[]`},
		{"REMOVE list[9]", ``},
		{"REMOVE map.c, list[0]", `list=["b"] map={}`},
		{"REMOVE gone.x", "refused"},
		{"ADD n 5, ms $n", "ms=5 n=15"},
		{"ADD tags $set", `tags=<"x", "y", "z">`},
		{"ADD id $n", "refused"},
		{"ADD tags $n", "refused"},
		{"DELETE tags $set", `tags=<"x">`},
		{"DELETE gone $set", ""},
		{"DELETE n $set", "refused"},
		{"SET id = email REMOVE email", `email=- id="a@x.org"`},
	} {
		t.Run(test.change, func(t *testing.T) {
			s := scope{entity: thing(), item: base, args: &bindings{args: args}, now: testNow}
			item, ok := s.changed(change(t, test.change), base, true)
			got := "refused"
			if ok {
				got = shown(difference(base, item))
				for name := range base {
					if !item[name].Exists() {
						got = strings.TrimSpace(strings.Replace(got, name+"=(absent)", name+"=-", 1))
					}
				}
			}
			if got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// difference are the attributes that differ, as they are afterwards.
func difference(before, after model.Item) model.Item {
	out := model.Item{}
	for name := range before {
		if !value.Equal(before[name], after[name]) {
			out[name] = after[name]
		}
	}
	for name, v := range after {
		if !value.Equal(before[name], v) {
			out[name] = v
		}
	}
	return out
}

func mustNumber(t *testing.T, text string) value.Value {
	t.Helper()
	v, err := value.OfNumber(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
