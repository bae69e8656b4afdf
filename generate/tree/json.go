package tree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// JSON writes a document in lines, with a final newline.
func JSON(n Node) []byte {
	w := jsonWriter{}
	w.node(n, 0)
	w.WriteByte('\n')
	return w.Bytes()
}

// Compact writes a document in one line, without a final newline.
func Compact(n Node) string {
	var out bytes.Buffer
	if err := json.Compact(&out, JSON(n)); err != nil {
		panic(err) // JSON writes JSON
	}
	return out.String()
}

type jsonWriter struct{ bytes.Buffer }

func (w *jsonWriter) node(n Node, depth int) {
	switch n := n.(type) {
	case Call:
		w.node(n.long(), depth)
	case List:
		if text, ok := line(n); ok {
			w.WriteString(text)
			return
		}
		w.members('[', ']', len(n), depth, func(i int) { w.node(n[i], depth+1) })
	case Map:
		if text, ok := line(n); ok && depth > 0 {
			w.WriteString(text)
			return
		}
		w.members('{', '}', len(n), depth, func(i int) {
			w.WriteString(quote(n[i].Key) + ": ")
			w.node(n[i].Value, depth+1)
		})
	default:
		w.WriteString(atom(n))
	}
}

func (w *jsonWriter) members(open, shut byte, n, depth int, member func(i int)) {
	w.WriteByte(open)
	for i := range n {
		if i > 0 {
			w.WriteByte(',')
		}
		w.indent(depth + 1)
		member(i)
	}
	if n > 0 {
		w.indent(depth)
	}
	w.WriteByte(shut)
}

// short is how long a list or map of scalars may be to stand in one line.
const short = 80

// line is a list or map of scalars in one line; false for what is longer, or
// holds more than scalars.
func line(n Node) (string, bool) {
	var parts []string
	open, shut := "{", "}"
	switch n := n.(type) {
	case List:
		open, shut = "[", "]"
		for _, item := range n {
			parts = append(parts, atom(item))
		}
	case Map:
		for _, f := range n {
			if atom(f.Value) == "" {
				return "", false
			}
			parts = append(parts, quote(f.Key)+": "+atom(f.Value))
		}
	}
	text := open + strings.Join(parts, ", ") + shut
	return text, !slices.Contains(parts, "") && len(text) <= short
}

// atom is a scalar in JSON; "" for what is none.
func atom(n Node) string {
	switch n := n.(type) {
	case Text:
		return quote(string(n))
	case Number:
		return strconv.FormatInt(int64(n), 10)
	case Bool:
		return strconv.FormatBool(bool(n))
	}
	return ""
}

func (w *jsonWriter) indent(depth int) { w.WriteString("\n" + strings.Repeat("  ", depth)) }

// long is the form that a call has in JSON.
func (c Call) long() Map {
	switch c.Function {
	case "Ref":
		return Map{{"Ref", Text(c.Argument)}}
	case "GetAtt":
		resource, attribute, _ := strings.Cut(c.Argument, ".")
		return Map{{"Fn::GetAtt", Texts(resource, attribute)}}
	}
	return Map{{"Fn::" + c.Function, Text(c.Argument)}}
}

// quote writes a text as JSON, without the escapes that only HTML needs, but with
// those of characters that YAML does not take as they are.
func quote(s string) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // any text can be encoded
	}
	var b strings.Builder
	for _, r := range strings.TrimSuffix(out.String(), "\n") {
		if r >= 0x7f && r <= 0x9f || r == 0xfeff || r == 0xfffe || r == 0xffff {
			fmt.Fprintf(&b, "\\u%04x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
