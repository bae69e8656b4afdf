package diag_test

import (
	"testing"

	"github.com/dynmodel/dynmodel/model/diag"
)

func TestNearest(t *testing.T) {
	words := []string{"no-index", "no-backup", "unused-index", "key-collision"}
	tests := []struct{ word, want string }{
		{"no-indx", "no-index"},
		{"No-Index", "no-index"},
		{"no-backpu", "no-backup"},
		{"key-colision", "key-collision"},
		{"unusedindex", "unused-index"},
		{"recent-orders", ""},
		{"x", ""},
		{"", ""},
	}
	for _, test := range tests {
		if got := diag.Nearest(test.word, words); got != test.want {
			t.Errorf("%q: got %q, want %q", test.word, got, test.want)
		}
	}
}
