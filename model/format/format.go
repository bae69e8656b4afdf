// Package format lays a model's text out in the one way that all models are
// laid out: keys in the order of the language's reference, two blanks a level,
// short collections in brackets kept on their line and long ones opened,
// comments beside lines aligned. Comments, anchors and blank lines are kept, and
// every scalar stays as it is written, so that nothing is read differently.
//
// The package has its own reader, because package yamltree expands what a
// formatter has to keep. Both read the result once more and compare: a text that
// would not be read as before is not given out.
package format

import (
	"strings"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// Text is the canonical layout of the text of a model or of a fragment. Text
// that is canonical comes back as it is. What cannot be read as YAML, and the
// few ways of writing that are not handled, are in the list; the text is then "".
//
// It takes any readable text, so that code that writes models need not care for
// layout: see Scalar.
func Text(file *source.File) (string, *diag.List) {
	list := &diag.List{}
	before := yamltree.Parse(file, list)
	if list.Len() > 0 {
		return "", list
	}
	for _, top := range []*shape{modelShape(), asWritten()} {
		d, problem := read(file.Text())
		if problem != nil {
			refuse(list, file, problem)
			return "", list
		}
		text := d.print(top)
		if sameReading(before, text, top) {
			return text, list
		}
	}
	refuse(list, file, &problem{at: 0, message: "this text is written in a way that cannot be laid out without a change of what it says"})
	return "", list
}

func refuse(list *diag.List, file *source.File, p *problem) {
	at := min(p.at, len(file.Text()))
	list.Addf(diag.InvalidModel, diag.Error, source.Span{File: file, Start: at, End: at}, "%s", p.message)
}

// sameReading tells whether a text is read as a tree was, but for the order of
// keys where that says nothing.
func sameReading(before *yamltree.Node, text string, top *shape) bool {
	list := &diag.List{}
	after := yamltree.Parse(source.NewFile("", text), list)
	return list.Len() == 0 && same(before, after, top)
}

func same(a, b *yamltree.Node, s *shape) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind || a.Text != b.Text || len(a.Items) != len(b.Items) || len(a.Entries) != len(b.Entries) {
		return false
	}
	for i := range a.Items {
		if !same(a.Items[i], b.Items[i], s.member("")) {
			return false
		}
	}
	byKey := func(e *yamltree.Entry) string { return e.Key.Text }
	left, right := inOrder(s, a.Entries, byKey), inOrder(s, b.Entries, byKey)
	for i := range left {
		if left[i].Key.Text != right[i].Key.Text || !same(left[i].Value, right[i].Value, s.member(left[i].Key.Text)) {
			return false
		}
	}
	return true
}

// clean takes off what is no text of the model: the byte order mark and the
// carriage returns of other systems' line ends.
func clean(text string) string {
	text = strings.TrimPrefix(text, "\uFEFF")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}
