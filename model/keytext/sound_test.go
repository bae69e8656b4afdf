package keytext_test

import (
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/keytext"
	"github.com/dynmodel/dynmodel/model/value"
)

// TestSound renders templates and looks the texts up in what is known of them:
// nothing that can be stored may be missing.
func TestSound(t *testing.T) {
	text := value.OfString
	tests := []struct {
		attribute, part string
		values          []value.Value
	}{
		{"string", "{a}", []value.Value{text("x"), text("#"), text("ä\n\U0010FFFD")}},
		{"string", "{a|lower}", []value.Value{text("ÀÉ#X"), text("İ")}},
		{"string", "{a|upper}", []value.Value{text("straße"), text("ŉ")}},
		{"string", "{a|prefix(2)}", []value.Value{text("x"), text("xyz"), text("äöü")}},
		{"{type: string, stored: upper}", "{a}", []value.Value{text("abc")}},
		{"[on, off]", "{a|upper}", []value.Value{text("on"), text("off")}},
		{"slug", "{a}", []value.Value{text("a-0")}},
		{"email", "{a}", []value.Value{text("a#b@c.example"), text("ä@ö")}},
		{"url", "{a}", []value.Value{text("https://a.example/?q=#x")}},
		{"ulid", "{a}", []value.Value{text("01J8ZQ6V3N5T0K2R4M6P8S0A1B")}},
		{"ulid", "{a|day}", []value.Value{text("01J8ZQ6V3N5T0K2R4M6P8S0A1B")}},
		{"uuid", "{a}", []value.Value{text("0b0e7a3c-6d2f-4f6e-9c1d-2a5b8e4f7a10"), text("0B0E7A3C-6D2F-4F6E-9C1D-2A5B8E4F7A10")}},
		{"integer", "{a}", []value.Value{value.OfInt(0), value.OfInt(-12), value.OfInt(900)}},
		{"integer", "{a|pad(4)}", []value.Value{value.OfInt(0), value.OfInt(9999)}},
		{"integer", "{a|invert(4)}", []value.Value{value.OfInt(0), value.OfInt(9999)}},
		{"integer", "{a|shard(12)}", []value.Value{value.OfInt(0), value.OfInt(1), value.OfInt(7), value.OfInt(11)}},
		{"{type: integer, min: 10, max: 99}", "{a}", []value.Value{value.OfInt(10), value.OfInt(99)}},
		{"epoch", "{a}", []value.Value{value.OfInt(0), value.OfInt(1790000000)}},
		{"epoch", "{a|hour}", []value.Value{value.OfInt(1790000000)}},
		{"month", "{a|year}", []value.Value{text("2026-01")}},
		{"date", "{a}", []value.Value{text("2026-01-05")}},
		{"datetime", "{a}", []value.Value{text("2026-01-05T09:00:00Z")}},
		{"datetime", "{a|month}", []value.Value{text("2026-01-05T09:00:00Z")}},
		{"{type: datetime, precision: us, zone: none}", "{a}", []value.Value{text("2026-01-05T09:00:00.000001")}},
		{"{type: datetime, precision: variable}", "{a}", []value.Value{text("2026-01-05T09:00Z"), text("2026-01-05T09:00:00.5Z")}},
		{"{type: datetime, zone: any}", "{a}", []value.Value{text("2026-01-05T09:00:00+02:00"), text("2026-01-05T09:00:00Z")}},
	}
	for _, test := range tests {
		tp := template(t, "a: "+test.attribute, "K#"+test.part+"#Z")
		for _, v := range test.values {
			item := encode.Normalise(&model.Entity{Attributes: []*model.Attribute{tp.Parts[1].Attribute}}, model.Item{"a": v})
			key, err := encode.Render(tp, item, func(int) int { return 0 })
			if err != nil {
				t.Errorf("%s of %s: %v", test.part, v, err)
				continue
			}
			if !keytext.OfTemplate(tp).Meets(keytext.Row{keytext.Literal(key.Text())}) {
				t.Errorf("%s with %s: the key %q is not among its texts", test.part, test.attribute, key.Text())
			}
			if n := keytext.MaxBytes(tp); keytext.Leaf(tp.Parts[1]).Domain.Length != nil && len(key.Text()) > n {
				t.Errorf("%s with %s: the key %q is longer than %d bytes", test.part, test.attribute, key.Text(), n)
			}
		}
	}
}
