package mutation

import (
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
)

// templates breaks key templates, those of guards and pinned keys.
func (b *breaker) templates() {
	for _, e := range b.model.Entities {
		for _, k := range e.Keys {
			if !k.Implied {
				b.template(k, part{entity: e.Name.Text, key: k.Name.Text}, b.pin(e, k))
			}
		}
		for _, u := range e.Unique {
			if u.Default {
				continue
			}
			for _, k := range u.Keys {
				b.template(k, part{entity: e.Name.Text, key: k.Name.Text, guard: true}, nil)
			}
		}
	}
	for _, p := range b.model.Patterns {
		for _, k := range p.Key {
			for _, v := range k.Values {
				b.pinned(p, v)
			}
		}
	}
}

// pin writes out what identifies an entity's items, so that a broken table key
// is not taken for the definition of an identity.
func (b *breaker) pin(e *model.Entity, k *model.Key) []edit {
	isTable := slices.ContainsFunc(b.model.Table.Keys(), func(a model.KeyAttribute) bool { return a.Name == k.Name.Text })
	node := b.entity(e)
	if e.IdentityDeclared || !isTable || node == nil || node.Flow {
		return nil
	}
	var names []string
	for _, p := range e.Identity {
		names = append(names, p.Attribute.Name.Text)
	}
	for _, entry := range node.Entries {
		if entry.Key.Text == "keys" {
			start := strings.LastIndexByte(b.file.Text()[:entry.Key.At.Start], '\n') + 1
			indent := b.file.Text()[start:entry.Key.At.Start]
			// after the keys, so that the key is the first difference
			end := max(entry.Value.At.End, entry.Key.At.End)
			line := strings.IndexByte(b.file.Text()[end:], '\n')
			if line < 0 || strings.TrimLeft(indent, " ") != "" {
				return nil
			}
			at := end + line + 1
			return []edit{{at, at, indent + "identity: [" + strings.Join(names, ", ") + "]\n"}}
		}
	}
	return nil
}

// template breaks one template. Pin is added where a part is lost.
func (b *breaker) template(k *model.Key, p part, pin []edit) {
	t := k.Template
	if !b.here(t.At) {
		return
	}
	texts := partTexts(t)
	change := func(op Operator, texts []string, more ...edit) {
		b.add(op, p, append(more, scalar(t.At, strings.Join(texts, "")))...)
	}
	for i, text := range texts {
		literal := t.Parts[i].Literal != ""
		if literal && i > 0 && i+1 < len(texts) {
			change(LostDelimiter, slices.Delete(slices.Clone(texts), i, i+1))
		}
		if literal {
			if i == 0 {
				for _, shorter := range shorter(text, len(texts) > 1) {
					change(ShortenedPrefix, append([]string{shorter}, texts[1:]...))
				}
			}
			continue
		}
		for n := range t.Parts[i].Funcs {
			changed := slices.Clone(texts)
			changed[i] = partText(t.Parts[i].Path, slices.Delete(slices.Clone(t.Parts[i].Funcs), n, n+1))
			change(LostFunction, changed)
		}
		if rest := withoutPart(t, texts, i); len(rest) > 0 {
			change(LostPart, rest, pin...)
		}
		for j := i + 1; j < len(texts); j++ {
			if t.Parts[j].Literal == "" {
				swapped := slices.Clone(texts)
				swapped[i], swapped[j] = swapped[j], swapped[i]
				change(SwappedParts, swapped)
				break
			}
		}
	}
}

// partTexts are a template's parts as they are written.
func partTexts(t model.Template) []string {
	out := make([]string, len(t.Parts))
	for i, p := range t.Parts {
		if p.Literal != "" {
			out[i] = strings.NewReplacer("{", "{{", "}", "}}").Replace(p.Literal)
		} else {
			out[i] = p.At.Text()
		}
	}
	return out
}

func partText(path expr.Path, funcs []expr.Func) string {
	out := "{" + path.String()
	for _, f := range funcs {
		out += "|" + f.String()
	}
	return out + "}"
}

// withoutPart leaves out a part and the delimiter that goes with it: the one
// before it, or the one after it where it is the first.
func withoutPart(t model.Template, texts []string, i int) []string {
	from, to := i, i+1
	switch {
	case i > 1 && t.Parts[i-1].Literal != "":
		from--
	case i+2 < len(texts) && t.Parts[i+1].Literal != "":
		to++
	}
	return slices.Delete(slices.Clone(texts), from, to)
}

// shorter are the ways to write less of a prefix: its first letter with the
// delimiter, the word without the delimiter, and, where more follows, nothing.
func shorter(prefix string, more bool) []string {
	runes := []rune(prefix)
	word := strings.TrimRight(prefix, "#:/|_-.~")
	var out []string
	if len([]rune(word)) > 1 {
		out = append(out, string(runes[:1])+prefix[len(word):])
	}
	if word != prefix && word != "" {
		out = append(out, word)
	}
	if more {
		out = append(out, "")
	}
	return out
}

// pinned breaks a value of a pinned key: shorter by its first literal's end, and
// without each of its parameters.
func (b *breaker) pinned(p *model.Pattern, v model.ParamTemplate) {
	if !b.here(v.At) {
		return
	}
	texts := make([]string, len(v.Parts))
	for i, x := range v.Parts {
		texts[i] = x.At.Text()
	}
	at := part{pattern: p.Name.Text}
	if len(v.Parts) > 0 && v.Parts[0].Literal != "" {
		for _, s := range shorter(texts[0], len(texts) > 1) {
			b.add(ShortenedPrefix, at, scalar(v.At, s+strings.Join(texts[1:], "")))
		}
	}
	for i, x := range v.Parts {
		if x.Literal == "" && i > 0 {
			b.add(LostPart, at, scalar(v.At, strings.Join(texts[:i], "")))
		} else if x.Literal != "" && i > 0 && i+1 < len(texts) {
			b.add(LostDelimiter, at, scalar(v.At, strings.Join(slices.Delete(slices.Clone(texts), i, i+1), "")))
		}
	}
}
