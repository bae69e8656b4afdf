package document

import (
	"fmt"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// Attribute is an attribute of an entity.
type Attribute struct {
	Name     string
	Type     string // as in the model: ulid, placed | paid
	Optional bool
	Notes    []string // references, the domain, defaults, what keeps it
}

func attributeOf(a *model.Attribute) Attribute {
	return Attribute{Name: a.Name.Text, Type: typeText(a), Optional: a.Optional, Notes: notesOf(a)}
}

// typeText is an attribute's type with the values it may have.
func typeText(a *model.Attribute) string {
	if values := a.Domain.Values; len(values) > 0 {
		var out []string
		for _, c := range values {
			out = append(out, plain(c.Value))
		}
		return strings.Join(out, " | ")
	}
	return string(a.Type)
}

// plain is a value without the quotes of a text.
func plain(v value.Value) string {
	if v.Kind() == value.String {
		return v.Text()
	}
	return v.String()
}

func notesOf(a *model.Attribute) []string {
	var out []string
	add := func(when bool, format string, args ...any) {
		if when {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	for _, r := range refsOf(a) {
		add(true, "refers to %s.%s", r.Entity.Name.Text, r.Attribute.Name.Text)
	}
	if r := a.CopyOf; r != nil {
		add(true, "copy of %s.%s", r.Entity.Name.Text, r.Attribute.Name.Text)
	}
	if r := a.SnapshotOf; r != nil {
		add(true, "as %s.%s was when written", r.Entity.Name.Text, r.Attribute.Name.Text)
	}
	if g := a.Aggregate; g != nil {
		of := "number of " + g.Source.Name.Text
		if g.Sum != nil {
			of = "sum of " + g.Source.Name.Text + "." + g.Sum.Name.Text
		}
		if g.Where != nil {
			of += " where " + g.Where.Text
		}
		add(true, "%s", of)
	}
	add(a.KeptBy != "", "kept by the %s", a.KeptBy)
	if len(out) == 0 { // what refers, copies or counts has the domain of that
		out = domainOf(a.Domain)
	}
	if a.Derive != nil {
		add(true, "computed: %s", expr.String(a.Derive.Expr))
	}
	add(a.Default.Exists(), "default %s", plain(a.Default))
	if a.DefaultNow != nil {
		add(true, "default %s", expr.String(a.DefaultNow))
	}
	if a.OnWrite != nil {
		add(true, "%s on every write", expr.String(a.OnWrite))
	}
	if a.PresentWith != nil {
		add(true, "there exactly when %s is", a.PresentWith.Name.Text)
	}
	add(a.Version, "version, for optimistic locking")
	add(a.Minted, "minted")
	add(a.Immutable, "never changes")
	add(a.Stored != "", "stored in %s case", a.Stored)
	add(a.Description != "", "%s", a.Description)
	return out
}

// refsOf are the references of an attribute.
func refsOf(a *model.Attribute) []*model.Ref {
	if a.Ref != nil {
		return []*model.Ref{a.Ref}
	}
	return a.Refs
}

// domainOf is what the values of an attribute are held to, beside their type.
func domainOf(d model.Domain) []string {
	var out []string
	add := func(when bool, format string, args ...any) {
		if when {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	add(sharesOf(d.Values) != "", "%s", sharesOf(d.Values))
	if d.Pattern != nil {
		add(true, "matches %s", d.Pattern)
	}
	switch {
	case d.Min.Exists() && d.Max.Exists():
		add(true, "%s to %s", bound(d.Min), bound(d.Max))
	case d.Min.Exists():
		add(true, "at least %s", bound(d.Min))
	case d.Max.Exists():
		add(true, "at most %s", bound(d.Max))
	}
	counted := func(n int64) string { return thousands(n) }
	add(d.Length != nil, "%s characters", between(d.Length, counted))
	add(d.Size != nil, "%s", between(d.Size, func(n int64) string { return Bytes(float64(n)) }))
	add(d.Members != nil, "%s members", between(d.Members, counted))
	add(d.Precision != "" && d.Precision != model.PrecisionSecond, "precision %s", d.Precision)
	add(d.AnyZone, "in any zone")
	add(d.NoZone, "without a zone")
	return out
}

// bound is the least or greatest value of an attribute.
func bound(v value.Value) string {
	if v.Kind() == value.Number {
		return thousandsOf(plain(v))
	}
	return plain(v)
}

// between are the bounds of a range; "" for none.
func between(r *model.Range, number func(int64) string) string {
	switch {
	case r == nil:
		return ""
	case r.Min == r.Max:
		return number(r.Min)
	case r.Min == 0:
		return "at most " + number(r.Max)
	}
	return number(r.Min) + " to " + number(r.Max)
}

// sharesOf are the declared shares of values; "" when none is.
func sharesOf(values []model.Choice) string {
	var out []string
	for _, c := range values {
		if c.Share > 0 {
			out = append(out, plain(c.Value)+" "+Percent(c.Share))
		}
	}
	return strings.Join(out, ", ")
}
