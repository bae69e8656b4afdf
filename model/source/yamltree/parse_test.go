package yamltree

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
)

func dump(b *strings.Builder, n *Node, indent string) {
	fmt.Fprintf(b, "%s%d:%q", indent, n.Kind, n.At.Text())
	if n.Incomplete {
		b.WriteString(" incomplete")
	}
	b.WriteString("\n")
	for _, e := range n.Entries {
		fmt.Fprintf(b, "%s  [%s]\n", indent, e.Key.At.Text())
		dump(b, e.Value, indent+"    ")
	}
	for _, i := range n.Items {
		dump(b, i, indent+"  - ")
	}
}

func TestX(t *testing.T) {
	for _, s := range []string{
		"a: &x  bar\nb: *x\nc: 'it''s' # hi\nd: |\n  hi\n  # no\n\ne: [1, {a: b}, \"x\\\"y\" ] # x\nf: {\n a: 1 # }\n }\n",
		"a: 1\nb:\n  c: `x`\n  d: {a}-{b}\n  e: 3\nf:\n  - name: x\n    w: 'a' = b\n  - name: y\n\tz: 1\n",
		"a: {p: x, 500}\nb: {t: A#{b}, w: c}\nc: !foo x\nd: *zz\ne: x: y\nf: {c\ng: [a\n]\nh: ok\n",
		"a:\n  b: 1\n c: 2\nd: 1\nd: 2\nfoo\n---\nx: 1\n",
		"d: 1\n---\nx: 1\n",
	} {
		var l diag.List
		n := Parse(source.NewFile("t", s), &l)
		var b strings.Builder
		if n != nil {
			dump(&b, n, "")
		}
		for _, f := range l.All() {
			fmt.Fprintf(&b, "%d:%d %s  <<%s>>\n", f.Span.From().Line, f.Span.From().Column, f.Message, f.Span.Text())
		}
		fmt.Println("------\n" + s + "---\n" + b.String())
	}
}
