// Package tree holds documents whose members keep the order in which they are
// written, and writes them as JSON and as YAML.
package tree

// Node is a part of a document: Text, Number, Bool, List, Map or Call.
type Node interface{ node() }

// The parts that hold no others.
type (
	Text   string
	Number int64
	Bool   bool
)

// List is nodes in order.
type List []Node

// Map is members in the order of writing. No two have the same key.
type Map []Field

// Field is a member of a Map.
type Field struct {
	Key   string
	Value Node
}

// Call is an intrinsic function of CloudFormation: Ref, GetAtt or Sub.
type Call struct{ Function, Argument string }

func (Text) node()   {}
func (Number) node() {}
func (Bool) node()   {}
func (List) node()   {}
func (Map) node()    {}
func (Call) node()   {}

// Add appends a member.
func (m *Map) Add(key string, value Node) { *m = append(*m, Field{key, value}) }

// Texts is a list of texts.
func Texts[S ~string](texts ...S) List {
	out := make(List, len(texts))
	for i, s := range texts {
		out[i] = Text(s)
	}
	return out
}
