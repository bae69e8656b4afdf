package parse_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

// A bracket or a quote that is lost is one error, in its line: what cannot be
// judged without what stood there stays silent.
func TestLostBracketsAndQuotes(t *testing.T) {
	models := append(files(t, "testdata/valid/*.yaml"), files(t, "../../examples/*/access-patterns.yaml")...)
	for _, file := range models {
		t.Run(filepath.Base(filepath.Dir(file.Name()))+"/"+filepath.Base(file.Name()), func(t *testing.T) {
			text := file.Text()
			places := brackets(text)
			every := 1 + len(places)/100 // of a long model some
			for n := 0; n < len(places); n += every {
				i, line := places[n].at, places[n].line
				_, list := parse.File(source.NewFile("m.yaml", text[:i]+text[i+1:]), nil)
				found := slices.DeleteFunc(list.All(), func(f diag.Finding) bool { return f.Severity != diag.Error })
				switch {
				case len(found) > 1:
					t.Errorf("line %d without %c: %q", line, text[i], messages(found))
				case len(found) == 1 && found[0].Span.From().Line != line:
					t.Errorf("line %d without %c: line %d: %s", line, text[i], found[0].Span.From().Line, found[0].Message)
				case len(found) == 0 && strings.ContainsRune("{}", rune(text[i])):
					t.Errorf("line %d without %c: nothing is found", line, text[i])
				}
			}
		})
	}
}

// bracket is the place of a bracket or quote, and its line.
type bracket struct{ at, line int }

// brackets are the places of YAML's own brackets and quotes: those that no quotes, comments or plain values hold.
func brackets(text string) (out []bracket) {
	at := 0
	for number, line := range strings.Split(text, "\n") {
		value := strings.Index(line, ": ")
		for i := value; value >= 0 && i < len(line) && line[i] != '#'; i++ {
			switch c := line[i]; {
			case strings.IndexByte("{}[]", c) >= 0:
				out = append(out, bracket{at + i, number + 1})
			case c == '"' && strings.IndexByte(" [{,", line[i-1]) >= 0:
				end := i + 1 + strings.IndexByte(line[i+1:], '"')
				out = append(out, bracket{at + i, number + 1}, bracket{at + end, number + 1})
				i = end
			}
		}
		at += len(line) + 1
	}
	return out
}
