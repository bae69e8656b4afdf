package parse

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// reader turns nodes into parts of a model and gathers what is wrong with them.
type reader struct {
	list *diag.List
	// faults counts what made something unusable: errors reported here, and
	// values that were reported as unreadable before. A part is whole when its
	// reading added none.
	faults int
	// reported counts the errors that were reported here, compared the words that
	// unknown ones were compared with.
	reported, compared int
}

// The bounds of what is said about one model; a person reads no more.
const (
	maxReported = 1000    // errors
	maxCompared = 500_000 // words compared to find the nearest
)

// report adds an error, unless there are enough.
func (r *reader) report(f diag.Finding) {
	r.faults++
	switch r.reported++; {
	case r.reported < maxReported:
		r.list.Add(f)
	case r.reported == maxReported:
		r.list.Addf(diag.InvalidModel, diag.Error, f.Span, "this is error number %d, and there are more; the others are left out", maxReported)
	}
}

// reportf adds an error of a rule.
func (r *reader) reportf(rule string, at source.Span, format string, args []any) {
	f := diag.Finding{Rule: rule, Severity: diag.Error, Span: at}
	if r.reported < maxReported {
		f.Message = fmt.Sprintf(format, args...)
	}
	r.report(f)
}

// whole runs read and tells whether everything it read is usable.
func (r *reader) whole(read func()) bool {
	before := r.faults
	read()
	return r.faults == before
}

// errorf reports an invalid-model error.
func (r *reader) errorf(at source.Span, format string, args ...any) {
	r.reportf(diag.InvalidModel, at, format, args)
}

// unknownf reports a name that refers to nothing.
func (r *reader) unknownf(at source.Span, format string, args ...any) {
	r.reportf(diag.UnknownReference, at, format, args)
}

// broken notes a value that cannot be used and has been reported already.
func (r *reader) broken() { r.faults++ }

// field is a key of a mapping and what reads its value.
type field struct {
	key      string
	required bool
	read     func(*yamltree.Node)
}

// object reads a mapping by its fields, in the fields' order. What names the
// thing in messages ("an index"); owner is where a missing key is reported.
// It returns false when the node is no mapping at all. A key that is unknown is
// reported, and leaves the node incomplete: it may stand for one that is missed.
func (r *reader) object(n *yamltree.Node, owner source.Span, what string, fields []field) bool {
	if n.Kind != yamltree.Mapping {
		r.wrongKind(n, what+" is a mapping")
		return false
	}
	values := make([]*yamltree.Node, len(fields))
	misspelt := map[string]bool{}
	for _, e := range n.Entries {
		switch i := find(fields, e.Key.Text); {
		case i >= 0:
			values[i] = e.Value
		case e.Key.Text == "description":
			r.text(e.Value)
		default:
			misspelt[r.unknownKey(e.Key, what, fields)] = true
		}
	}
	incomplete := n.Incomplete
	if incomplete {
		r.broken()
	}
	n.Incomplete = incomplete || len(misspelt) > 0
	for i, f := range fields {
		switch value := values[i]; {
		case value != nil:
			r.present(f, value)
		case f.required && !incomplete && !misspelt[f.key]:
			r.errorf(owner, "%s needs `%s`", what, f.key)
		case f.required:
			r.broken()
		}
	}
	return true
}

// present reads the value of a field unless there is none to read.
func (r *reader) present(f field, value *yamltree.Node) {
	switch value.Kind {
	case yamltree.Broken:
		r.broken()
	case yamltree.Null:
		r.noValue(value, "`"+f.key+"`")
	default:
		f.read(value)
	}
}

// noValue reports that nothing is written where a value belongs.
func (r *reader) noValue(n *yamltree.Node, what string) {
	if comment := n.Comment(); cutOff(comment) {
		r.errorf(comment, "%s has no value: ` #` starts a comment in YAML. Put the value in quotes", what)
		return
	}
	r.errorf(n.At, "%s has no value", what)
}

// cutOff tells a comment that looks as if it were meant to be part of a value:
// no space follows its number sign, or a template does.
func cutOff(comment source.Span) bool {
	text := comment.Text()
	return len(text) > 1 && text[1] != ' ' && text[1] != '\t' && text[1] != '#' || strings.HasPrefix(text, "# {")
}

func find(fields []field, key string) int {
	for i, f := range fields {
		if f.key == key {
			return i
		}
	}
	return -1
}

// unknownKey reports a key that is none, and returns the one that was meant,
// or "".
func (r *reader) unknownKey(key *yamltree.Node, what string, fields []field) string {
	said, advice := r.meaning(key.Text, fields)
	r.errorf(key.At, "%s has no key `%s`%s", what, clip(key.Text), advice)
	return said
}

// meaning is the key that an unknown one stands for, or "", and the end of a
// message about it.
func (r *reader) meaning(word string, fields []field) (key, advice string) {
	if key, advice = foreign(word, fields); advice != "" {
		return key, advice
	}
	keys := make([]string, len(fields))
	for i, f := range fields {
		keys[i] = f.key
	}
	return diag.Nearest(word, keys), r.meant(word, keys, "; its keys are ")
}

// wrongKind reports a value of the wrong kind of YAML.
func (r *reader) wrongKind(n *yamltree.Node, want string) {
	switch n.Kind {
	case yamltree.Broken:
		r.broken()
	case yamltree.Null:
		r.errorf(n.At, "%s, and here is nothing", want)
	case yamltree.Scalar:
		r.errorf(n.At, "%s, not `%s`", want, clip(n.Text))
	default:
		r.errorf(head(n), "%s, not %s", want, n.Describe())
	}
}

// head is the first line of a node, to point at something long.
func head(n *yamltree.Node) source.Span {
	line, _, _ := strings.Cut(n.At.Text(), "\n")
	return n.At.Sub(0, len(strings.TrimRight(line, " \t\r")))
}

// text reads a scalar.
func (r *reader) text(n *yamltree.Node) (string, bool) {
	if n.Kind == yamltree.Scalar {
		return n.Text, true
	}
	if n.Kind == yamltree.Mapping && n.Flow {
		at := n.At
		if comment := n.Comment(); comment.Start == at.End {
			rest, _, _ := strings.Cut(comment.Text(), " #")
			at.End += len(rest) // the rest of a template, such as {a}#{b}
		}
		r.errorf(at, "text is wanted here; a value that starts with `{` is a mapping to YAML, so put it in quotes: \"%s\"", clip(at.Text()))
		return "", false
	}
	r.wrongKind(n, "text is wanted here")
	return "", false
}

// into reads a scalar into a string.
func (r *reader) into(target *string) func(*yamltree.Node) {
	return func(n *yamltree.Node) { *target, _ = r.text(n) }
}

// flag reads true or false.
func (r *reader) flag(target *bool) func(*yamltree.Node) {
	return func(n *yamltree.Node) { *target = r.boolean(n) }
}

func (r *reader) boolean(n *yamltree.Node) bool {
	switch {
	case n.Kind != yamltree.Scalar:
		r.wrongKind(n, "this is `true` or `false`")
	case n.Text == "true":
		return true
	case n.Text != "false":
		r.errorf(n.At, "this is `true` or `false`, not `%s`", clip(n.Text))
	}
	return false
}

// word reads one of some words.
func (r *reader) word(n *yamltree.Node, words ...string) string {
	text, ok := r.text(n)
	if !ok {
		return ""
	}
	for _, w := range words {
		if text == w {
			return w
		}
	}
	r.errorf(n.At, "`%s` is not possible here%s", clip(text), r.meant(text, words, "; write "))
	return ""
}

// members gives the items of a list; a single value counts as a list of one.
func (r *reader) members(n *yamltree.Node) []*yamltree.Node {
	switch n.Kind {
	case yamltree.Sequence:
		if n.Incomplete {
			r.broken()
		}
		return n.Items
	case yamltree.Broken:
		r.broken()
		return nil
	}
	return []*yamltree.Node{n}
}

// list gives the items of a list and reports what is none.
func (r *reader) items(n *yamltree.Node, want string) []*yamltree.Node {
	if n.Kind != yamltree.Sequence {
		r.wrongKind(n, want)
		return nil
	}
	return n.Items
}

// entries gives the entries of a mapping and reports what is none.
func (r *reader) entries(n *yamltree.Node, want string) []*yamltree.Entry {
	if n.Kind != yamltree.Mapping {
		r.wrongKind(n, want)
		return nil
	}
	return n.Entries
}
