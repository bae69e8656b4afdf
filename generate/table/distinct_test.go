package table_test

import (
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/generate/table"
)

func TestDistinct(t *testing.T) {
	letters := func(s string) string { return "X" + strings.NewReplacer(".", "", "-", "").Replace(s) }
	d := table.NewDistinct(letters, "No")
	long := strings.Repeat("a", 255)
	for _, c := range []struct{ name, want string }{
		{"a.b", "Xab"}, {"a-b", "XabNo2"}, {"a.b", "Xab"}, {"ab", "XabNo3"}, {"abNo2", "XabNo2No2"},
		{long, "X" + long[:199]}, {long + "b", "X" + long[:199] + "No2"},
	} {
		if got := d.Of(c.name); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}
