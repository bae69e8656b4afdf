package model

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/model/value"
)

// Check tells why a value is not in the attribute's declared domain, or nil
// when it is. The error continues a sentence that begins with the value:
// "is above the greatest value, 999".
func (a *Attribute) Check(v value.Value) error {
	if want := a.Type.Kind(); want != value.None && v.Kind() != want {
		return fmt.Errorf("is %s, not %s", kindWord(v.Kind()), kindWord(want))
	}
	if v.Kind() == value.String {
		if ok, want := a.wellFormed(v.Text()); !ok {
			return fmt.Errorf("is not %s", want)
		}
	}
	if a.Type == TypeInteger || a.Type == TypeEpoch || a.Type == TypeEpochMS {
		if strings.Contains(v.Text(), ".") {
			return fmt.Errorf("is not a whole number")
		}
	}
	if err := a.checkChoice(v); err != nil {
		return err
	}
	if err := a.checkBounds(v); err != nil {
		return err
	}
	return a.checkMembers(v)
}

func (a *Attribute) checkChoice(v value.Value) error {
	if len(a.Domain.Values) == 0 {
		return nil
	}
	words := make([]string, len(a.Domain.Values))
	for i, c := range a.Domain.Values {
		if value.Equal(c.Value, v) {
			return nil
		}
		words[i] = c.Value.Text()
	}
	return fmt.Errorf("is not one of its values: %s", strings.Join(words, ", "))
}

func (a *Attribute) checkBounds(v value.Value) error {
	d := a.Domain
	if c, ok := value.Compare(v, d.Min); ok && d.Min.Exists() && c < 0 {
		return fmt.Errorf("is below the least value, %s", d.Min.Text())
	}
	if c, ok := value.Compare(v, d.Max); ok && d.Max.Exists() && c > 0 {
		return fmt.Errorf("is above the greatest value, %s", d.Max.Text())
	}
	if v.Kind() == value.String && !d.Matches(v.Text()) {
		return fmt.Errorf("does not match the pattern %s", d.Pattern)
	}
	if v.Kind() == value.String && !d.Length.holds(int64(utf8.RuneCountInString(v.Text()))) {
		return fmt.Errorf("has %d characters, not %s", utf8.RuneCountInString(v.Text()), d.Length)
	}
	if k := v.Kind(); (k == value.String || k == value.Binary) && !d.Size.holds(int64(len(v.Text()))) {
		return fmt.Errorf("has %d bytes, not %s", len(v.Text()), d.Size)
	}
	return nil
}

func (a *Attribute) checkMembers(v value.Value) error {
	d := a.Domain
	count := len(v.Items()) + len(v.Fields())
	switch v.Kind() {
	case value.List, value.Map, value.StringSet, value.NumberSet, value.BinarySet:
		if !d.Members.holds(int64(count)) {
			return fmt.Errorf("has %d members, not %s", count, d.Members)
		}
	}
	if d.Items != nil {
		for _, item := range v.Items() {
			if err := d.Items.Check(item); err != nil {
				return fmt.Errorf("holds %s, which %w", item, err)
			}
		}
		if err := d.checkFields(v.Fields()); err != nil {
			return err
		}
	}
	for _, member := range d.Attributes {
		m := v.Field(member.Name.Text)
		if !m.Exists() {
			if member.Optional {
				continue
			}
			return fmt.Errorf("lacks `%s`", member.Name.Text)
		}
		if err := member.Check(m); err != nil {
			return fmt.Errorf("has a `%s` that %w", member.Name.Text, err)
		}
	}
	return nil
}

// checkFields checks the names and values of a map whose values are all alike.
func (d Domain) checkFields(fields []value.Field) error {
	for _, f := range fields {
		if d.Keys != nil {
			if err := d.Keys.Check(value.OfString(f.Name)); err != nil {
				return fmt.Errorf("has a key %q that %w", f.Name, err)
			}
		}
		if err := d.Items.Check(f.Value); err != nil {
			return fmt.Errorf("holds %s under %q, which %w", f.Value, f.Name, err)
		}
	}
	return nil
}

// Matches tells whether a text as a whole matches the pattern; always when
// there is none.
func (d Domain) Matches(text string) bool {
	if d.Pattern == nil {
		return true
	}
	at := d.Pattern.FindStringIndex(text)
	return at != nil && at[0] == 0 && at[1] == len(text)
}

// holds tells whether a number lies in the range; always when there is none.
func (r *Range) holds(n int64) bool { return r == nil || r.Min <= n && n <= r.Max }

// String writes the range as in the language.
func (r Range) String() string {
	if r.Min == r.Max {
		return fmt.Sprint(r.Min)
	}
	return fmt.Sprintf("%d..%d", r.Min, r.Max)
}

// kindWord is a DynamoDB type in words.
func kindWord(k value.Kind) string {
	switch k {
	case value.None:
		return "nothing"
	case value.String:
		return "text"
	case value.Number:
		return "a number"
	case value.Binary:
		return "binary"
	case value.Bool:
		return "true or false"
	case value.Null:
		return "null"
	case value.List:
		return "a list"
	case value.Map:
		return "a map"
	}
	return "a set"
}
