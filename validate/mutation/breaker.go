package mutation

import (
	"cmp"
	"slices"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// breaker gathers the mutants of one model.
type breaker struct {
	model   *model.Model
	file    *source.File
	root    *yamltree.Node
	mutants []Mutant
}

// add makes a mutant, unless the edits leave the text as it is.
func (b *breaker) add(op Operator, p part, edits ...edit) {
	before := b.file.Text()
	after := apply(before, edits)
	line, was, is := differs(before, after)
	if line == 0 {
		return
	}
	b.mutants = append(b.mutants, Mutant{Operator: op, Line: line, Before: was, After: is, Text: after, part: p})
}

// remove makes a mutant without an entry of the text, if there is one.
func (b *breaker) remove(op Operator, p part, is func(*yamltree.Entry) bool) {
	if e, ok := removal(b.root, is); ok {
		b.add(op, p, e)
	}
}

// sorted are the mutants in order of operator and place, each text once.
func (b *breaker) sorted() []Mutant {
	ops := Operators()
	slices.SortStableFunc(b.mutants, func(x, y Mutant) int {
		return cmp.Or(cmp.Compare(slices.Index(ops, x.Operator), slices.Index(ops, y.Operator)), cmp.Compare(x.Line, y.Line))
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(b.mutants, func(m Mutant) bool {
		double := seen[m.Text]
		seen[m.Text] = true
		return double
	})
}

// here tells whether something stands in the document itself.
func (b *breaker) here(at source.Span) bool { return at.File == b.file }

// entity is the node of an entity in the document, or nil.
func (b *breaker) entity(e *model.Entity) *yamltree.Node {
	return b.root.Get("entities").Get(e.Name.Text)
}

// pattern is the node of an access pattern in the document, or nil.
func (b *breaker) pattern(p *model.Pattern) *yamltree.Node {
	all := b.root.Get("access_patterns")
	if all == nil {
		return nil
	}
	for _, item := range all.Items {
		if name := item.Get("name"); name != nil && name.Text == p.Name.Text {
			return item
		}
	}
	return nil
}
