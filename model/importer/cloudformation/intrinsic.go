package cloudformation

import (
	"regexp"
	"strings"

	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// tags are the short forms of intrinsic functions in a YAML text: the name, by
// the byte offset after the tag.
type tags map[int]string

// tag is `!Ref`, `!GetAtt` and so on, where a value may begin.
var tag = regexp.MustCompile(`(^|[\s\[,:-])!([A-Za-z][A-Za-z0-9:]*)[ \t\r\n]`)

// blankTags takes the tags out of a YAML text, so that what follows each is the
// value, at its place.
func blankTags(text string) (string, tags) {
	found := tags{}
	out := []byte(text)
	for at := 0; ; {
		m := tag.FindStringSubmatchIndex(text[at:])
		if m == nil {
			return string(out), found
		}
		from, to := at+m[4]-1, at+m[5]
		found[to] = text[from+1 : to]
		for i := from; i < to; i++ {
			out[i] = ' '
		}
		at = to // the blank after it may begin the next
	}
}

// of is the tag before a node; "" when there is none.
func (t tags) of(n *yamltree.Node, text string) string {
	for at := n.At.Start; at > 0; at-- {
		if name, ok := t[at]; ok {
			return name
		}
		if strings.IndexByte(" \t\r\n", text[at-1]) < 0 {
			return ""
		}
	}
	return ""
}

// resolver puts values in place of intrinsic functions.
type resolver struct {
	notes      *draft.Notes
	parameters *yamltree.Node
	tags       tags
	done       map[*yamltree.Node]*yamltree.Node // what an anchor shares is resolved once
}

// resolve is a node with values in place of functions; nil where there is no
// value.
func (r *resolver) resolve(n *yamltree.Node) *yamltree.Node {
	if n == nil {
		return nil
	}
	if out, ok := r.done[n]; ok {
		return out
	}
	out := r.fresh(n)
	r.done[n] = out
	return out
}

func (r *resolver) fresh(n *yamltree.Node) *yamltree.Node {
	if n.At.Known() && len(r.tags) > 0 {
		if name := r.tags.of(n, n.At.File.Text()); name != "" {
			return r.function(name, n, n)
		}
	}
	if n.Kind == yamltree.Mapping && len(n.Entries) == 1 {
		name, isFunction := strings.CutPrefix(n.Entries[0].Key.Text, "Fn::")
		if isFunction || name == "Ref" {
			return r.function(name, n, n.Entries[0].Value)
		}
	}
	return r.inside(n)
}

// inside resolves what a node holds.
func (r *resolver) inside(n *yamltree.Node) *yamltree.Node {
	out := *n
	out.Entries, out.Items = nil, nil
	for _, e := range n.Entries {
		if v := r.resolve(e.Value); v != nil {
			out.Entries = append(out.Entries, &yamltree.Entry{Key: e.Key, Value: v})
		}
	}
	for _, item := range n.Items {
		if v := r.resolve(item); v != nil {
			out.Items = append(out.Items, v)
		}
	}
	return &out
}

// function is the value of an intrinsic function as far as it can be known.
func (r *resolver) function(name string, at, argument *yamltree.Node) *yamltree.Node {
	switch name {
	case "Ref":
		return r.text(at, r.reference(at, argument.Text))
	case "Sub":
		return r.text(at, r.substitute(at, argument))
	case "If":
		return r.choice(at, argument)
	case "Join":
		return r.text(at, r.joined(argument))
	}
	r.notes.Lostf(at.At, "what `%s` gives is not known here; its text stands for it", name)
	text := argument.Text
	if text == "" {
		text = name
	}
	return r.text(at, text)
}

// noValue is the parameter that takes a property away.
const noValue = "AWS::NoValue"

func (r *resolver) text(at *yamltree.Node, text string) *yamltree.Node {
	if text == noValue {
		return nil
	}
	return &yamltree.Node{Kind: yamltree.Scalar, Style: yamltree.DoubleQuoted, At: at.At, Text: text}
}

// reference is the default of a parameter; its name when it has none.
func (r *resolver) reference(at *yamltree.Node, name string) string {
	if name == noValue {
		return name
	}
	if p := r.parameters.Get(name); p != nil {
		if v := p.Get("Default"); v != nil && v.Kind == yamltree.Scalar {
			r.notes.Lostf(at.At, "the parameter `%s` is taken at its default, `%s`", name, v.Text)
			return v.Text
		}
	}
	r.notes.Lostf(at.At, "the value of `%s` is not known here; its name stands for it", name)
	return plain(name)
}

// plain is a name without the signs that no table's name may have.
func plain(name string) string {
	return strings.Map(func(c rune) rune {
		if c < 0x80 && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == '_') {
			return c
		}
		return -1
	}, strings.ReplaceAll(name, "::", "-"))
}

var variable = regexp.MustCompile(`\$\{([^}]*)\}`)

// substitute puts values into the text of a Sub.
func (r *resolver) substitute(at, argument *yamltree.Node) string {
	text, own := argument.Text, (*yamltree.Node)(nil)
	if argument.Kind == yamltree.Sequence && len(argument.Items) > 0 {
		text = argument.Items[0].Text
		if len(argument.Items) > 1 {
			own = r.resolve(argument.Items[1])
		}
	}
	return variable.ReplaceAllStringFunc(text, func(m string) string {
		name := m[2 : len(m)-1]
		if v := own.Get(name); v != nil {
			return v.Text
		}
		if literal, ok := strings.CutPrefix(name, "!"); ok {
			return "${" + literal + "}"
		}
		return r.reference(at, name)
	})
}

// choice is the first of the two values of an If that there is.
func (r *resolver) choice(at, argument *yamltree.Node) *yamltree.Node {
	if argument.Kind != yamltree.Sequence || len(argument.Items) != 3 {
		r.notes.Faultf(at.At, "If takes a condition and two values")
		return nil
	}
	r.notes.Lostf(at.At, "the condition `%s` is taken to hold", argument.Items[0].Text)
	if v := r.resolve(argument.Items[1]); v != nil {
		return v
	}
	return r.resolve(argument.Items[2])
}

func (r *resolver) joined(argument *yamltree.Node) string {
	if argument.Kind != yamltree.Sequence || len(argument.Items) != 2 {
		return ""
	}
	var words []string
	for _, item := range argument.Items[1].Items {
		if v := r.resolve(item); v != nil {
			words = append(words, v.Text)
		}
	}
	return strings.Join(words, argument.Items[0].Text)
}
