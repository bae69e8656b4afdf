// Package mutation checks the check: it breaks sound models in the ways in
// which people break them, one thing at a time, and sees whether the check
// notices.
//
// A mutant is made on the text of a model, so it is a model that someone could
// have written. It is killed by a finding of severity warning or worse that the
// model did not have before. Of the mutants that nothing is said about, those
// that a stated argument shows to behave as before do not count; the argument
// is computed from the two models and their plans. The rest survived: each is a
// fault that the check would have let through.
package mutation

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// Operator is a way to break a model.
type Operator string

// The operators, in the order in which they are reported.
const (
	LostDelimiter    Operator = "lost-delimiter"     // a literal between two parts of a template
	LostFunction     Operator = "lost-function"      // a pad, a lower, a day … of a template's part
	LostPart         Operator = "lost-part"          // a part of a template; what identifies an item is written out
	SwappedParts     Operator = "swapped-parts"      // two parts of a template change places
	ShortenedPrefix  Operator = "shortened-prefix"   // what a template, or a pinned key, begins with
	LostProjection   Operator = "lost-projection"    // an attribute that an index projects
	LostIndex        Operator = "lost-index"         // an index with its own key templates
	LooserDomain     Operator = "looser-domain"      // a type, or an option of one, of an attribute or parameter
	LostCondition    Operator = "lost-condition"     // an `if`, `filter` or one of the conditions joined by AND
	WeakerBound      Operator = "weaker-bound"       // > becomes >=, < becomes <=
	LostWhen         Operator = "lost-when"          // a `when` of an index key
	LostUnique       Operator = "lost-unique"        // an entry of `unique`
	LostOldValue     Operator = "lost-old-value"     // an `old`, a `read_first`
	LostKeyCondition Operator = "lost-key-condition" // a key attribute of a pinned request
	LostVersion      Operator = "lost-version"       // a `version: true`
)

// Operators are all of them.
func Operators() []Operator {
	return []Operator{LostDelimiter, LostFunction, LostPart, SwappedParts, ShortenedPrefix, LostProjection, LostIndex,
		LooserDomain, LostCondition, WeakerBound, LostWhen, LostUnique, LostOldValue, LostKeyCondition, LostVersion}
}

// Mutant is a model with one thing broken.
type Mutant struct {
	Operator Operator
	// Line is where the text differs first, counted from 1, with that line before
	// and after; After is "" where the line is gone.
	Line          int
	Before, After string
	// Text is the whole model.
	Text string

	part part
}

// part is what was changed, as far as it is such a thing.
type part struct {
	entity    string
	key       string // key attribute whose template changed
	guard     bool   // the template is one of a guard's
	attribute string
	index     string
	pattern   string
	condition expr.Cond   // what no longer holds
	step      *model.Step // of the sound model
}

// Mutants are all ways to break a model that can be read without errors, in
// order of the operators and of place. What it includes is left alone.
func Mutants(m *model.Model) []Mutant {
	var ignored diag.List // the model has been read before
	b := &breaker{model: m, file: m.File, root: yamltree.Parse(m.File, &ignored)}
	b.templates()
	b.indexes()
	b.domains()
	b.conditions()
	b.promises()
	return b.sorted()
}
