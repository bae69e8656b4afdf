package migration

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// narrowing says how the values of an attribute changed, and whether items that
// are there may have one that it no longer takes.
func narrowing(old, new *model.Attribute, text func(*model.Attribute) string) string {
	out := fmt.Sprintf("was %s, is %s", text(old), text(new))
	if covers(new, old) {
		return out + "; all items that are there fit"
	}
	return out + "; items outside of that have to be mended"
}

// covers tells whether an attribute certainly takes every value of another one,
// which is stored in the same way.
func covers(new, old *model.Attribute) bool {
	if len(old.Domain.Values) > 0 {
		return !slices.ContainsFunc(old.Domain.Values, func(c model.Choice) bool { return new.Check(c.Value) != nil })
	}
	n, o := new.Domain, old.Domain
	wider := new.Type == old.Type || new.Type == model.TypeString || new.Type == model.TypeNumber
	return wider && len(n.Values) == 0 &&
		(n.Pattern == nil || o.Pattern != nil && n.Pattern.String() == o.Pattern.String()) &&
		(!n.Min.Exists() || o.Min.Exists() && !less(o.Min, n.Min)) &&
		(!n.Max.Exists() || o.Max.Exists() && !less(n.Max, o.Max)) &&
		within(o.Length, n.Length) && within(o.Size, n.Size) && within(o.Members, n.Members)
}

// less tells whether a value certainly is less than another one, or cannot be compared.
func less(a, b value.Value) bool {
	c, ok := value.Compare(a, b)
	return !ok || c < 0
}

// within tells whether all numbers of a range lie in another one; nil is all numbers.
func within(a, b *model.Range) bool {
	return b == nil || a != nil && b.Min <= a.Min && a.Max <= b.Max
}

// domainText says which values an attribute may have.
func domainText(a *model.Attribute) string {
	var parts []string
	for _, c := range a.Domain.Values {
		parts = append(parts, c.Value.Text())
	}
	if d := a.Domain.Pattern; d != nil {
		parts = append(parts, "matching "+d.String())
	}
	if a.Domain.Min.Exists() {
		parts = append(parts, "from "+a.Domain.Min.Text())
	}
	if a.Domain.Max.Exists() {
		parts = append(parts, "to "+a.Domain.Max.Text())
	}
	for _, r := range []struct {
		what string
		of   *model.Range
	}{{"characters", a.Domain.Length}, {"bytes", a.Domain.Size}, {"members", a.Domain.Members}} {
		if r.of != nil {
			parts = append(parts, fmt.Sprintf("%d to %d %s", r.of.Min, r.of.Max, r.what))
		}
	}
	if len(parts) == 0 {
		return "any " + string(a.Type)
	}
	return strings.Join(parts, ", ")
}
