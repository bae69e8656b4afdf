package oracle

import (
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// conflict refuses effects that cannot stand together in this world because of
// values that no two items may share; true when they can.
func (w *World) conflict(effects []effect) (Outcome, bool) {
	touched := map[string]bool{} // unique values that the effects take or give up
	for _, e := range effects {
		for _, u := range e.Step.Entity.Unique {
			before, after := claim(u, e.Before), claim(u, e.After)
			if before == after {
				continue
			}
			for _, c := range []string{before, after} {
				if c != "" && touched[c] {
					return w.refused(Duplicate, e.Step, nil), false
				}
				touched[c] = true
			}
			if holder := w.holder(u, e.Step.Entity, after); after != "" && holder != nil {
				out := w.refused(Taken, e.Step, holder)
				out.Unique = u
				return out, false
			}
		}
	}
	return Outcome{}, true
}

// holder is the item of the world that holds the unique value, or nil.
func (w *World) holder(u *model.Unique, e *model.Entity, c string) *model.Instance {
	for i := range w.instances {
		if in := &w.instances[i]; in.Entity == e && claim(u, in) == c {
			return in
		}
	}
	return nil
}

// claim is the value under which an item is unique, "" when it has none: an
// attribute is absent, or the limit of the rule leaves the item out.
func claim(u *model.Unique, in *model.Instance) string {
	if in == nil {
		return ""
	}
	if u.When != nil {
		s := scope{entity: in.Entity, item: in.Item, args: &bindings{}}
		if !s.holds(u.When.Cond) {
			return ""
		}
	}
	var b strings.Builder
	b.WriteString(in.Entity.Name.Text)
	for _, a := range u.Of {
		v := in.Item[a.Name.Text]
		if !v.Exists() {
			return ""
		}
		b.WriteString("\x00" + a.Name.Text + "\x00" + folded(u, a, v).String())
	}
	return b.String()
}

// folded is the value as the rule's declaration sees it: one that declares
// `lower` or `upper` on the attribute takes letter cases for the same.
func folded(u *model.Unique, a *model.Attribute, v value.Value) value.Value {
	for _, key := range u.Keys {
		for _, part := range key.Template.Parts {
			if part.Attribute != a {
				continue
			}
			for _, f := range part.Funcs {
				if (f.Name == expr.Lower || f.Name == expr.Upper) && v.Kind() == value.String {
					v = cased(v, f.Name)
				}
			}
		}
	}
	return v
}

// Claims are the unique values an item holds, as texts that are equal for
// items that may not both exist.
func Claims(in model.Instance) []string {
	var out []string
	for i, u := range in.Entity.Unique {
		if c := claim(u, &in); c != "" {
			out = append(out, strconv.Itoa(i)+c)
		}
	}
	return out
}
