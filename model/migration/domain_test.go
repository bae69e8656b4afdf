package migration_test

import (
	"testing"

	"github.com/dynmodel/dynmodel/model/migration"
)

// TestDomains holds what is said of stored items when the values of an attribute
// change: whether each still fits.
func TestDomains(t *testing.T) {
	const fit, mend = "; all items that are there fit", "; items outside of that have to be mended"
	for _, test := range []struct{ old, new, want string }{
		{"string", "{type: string, length: 1..80}", "was any string, is 1 to 80 characters" + mend},
		{"{type: string, length: 1..80}", "string", "was 1 to 80 characters, is any string" + fit},
		{"{type: string, length: 1..80}", "{type: string, length: 0..100}", "was 1 to 80 characters, is 0 to 100 characters" + fit},
		{"{type: string, length: 1..80}", "{type: string, length: 2..100}", "was 1 to 80 characters, is 2 to 100 characters" + mend},
		{"slug", "string", "was slug, is string" + fit},
		{"string", "slug", "was string, is slug" + mend},
		{"slug", "{type: string, length: 1..80}", "was slug, is string" + mend},
		{"integer", "number", "was integer, is number" + fit},
		{"number", "integer", "was number, is integer" + mend},
		{"{type: integer, min: 1, max: 9}", "{type: integer, min: 0}", "was from 1, to 9, is from 0" + fit},
		{"{type: integer, min: 1}", "{type: integer, min: 1, max: 9}", "was from 1, is from 1, to 9" + mend},
		{"[a, b]", "[b, a]", ""},
		{"[a, b]", "[b, a, c]", "was a, b, is b, a, c" + fit},
		{"[a, b]", "[a]", "was a, b, is a" + mend},
		{"[a, bc]", "{type: string, length: 1..2}", "was enum, is string" + fit},
		{"[a, bc]", "{type: string, length: 1}", "was enum, is string" + mend},
		{"{type: string, pattern: \"[ab]\"}", "{type: string, pattern: \"[abc]\"}", "was matching [ab], is matching [abc]" + mend},
	} {
		with := func(domain string) migration.Side { return side(t, edit(t, "title: string", "title: "+domain)) }
		want := test.want
		if want != "" {
			want = "code attribute Note.title " + want
		}
		if got := changesText(migration.Between(with(test.old), with(test.new), nil)); got != want {
			t.Errorf("from %s to %s\n got %q\nwant %q", test.old, test.new, got, want)
		}
	}
}
