package infer

import (
	"regexp"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/importer/printer"
	"github.com/dynmodel/dynmodel/model/parse"
	"github.com/dynmodel/dynmodel/model/source"
)

// rounds is how often a model is read to find patterns that are none: one may
// hide what is wrong with another.
const rounds = 3

// agree leaves out the patterns with which the language does not agree, such as
// one that compares a text with a number, and reports why.
func (in *inference) agree() {
	for range rounds {
		_, found := parse.File(source.NewFile("model", printer.Model(in.Draft)), nil)
		wrong := map[string]string{}
		for _, f := range found.All() {
			if name := patternAt(f.Span); f.Severity == diag.Error && name != "" && wrong[name] == "" {
				wrong[name] = f.Message
			}
		}
		if len(wrong) == 0 {
			return
		}
		in.Patterns = slices.DeleteFunc(in.Patterns, func(p *draft.Pattern) bool {
			message, bad := wrong[p.Name]
			if bad {
				in.Lostf(in.Table.At, "the access pattern `%s` is not carried over: %s", p.Name, message)
			}
			return bad
		})
	}
}

var patternLine = regexp.MustCompile(`^  - name: (\S+)`)

// patternAt is the name of the pattern in whose lines a place of a printed model
// is; "" elsewhere.
func patternAt(at source.Span) string {
	if !at.Known() {
		return ""
	}
	for n := at.From().Line; n > 0; n-- {
		line := at.File.Line(n)
		if m := patternLine.FindStringSubmatch(line); m != nil {
			return m[1]
		}
		if line != "" && !strings.HasPrefix(line, " ") {
			return ""
		}
	}
	return ""
}
