package data

import (
	"testing"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// Taking the simplest again and again comes to an end within the domain.
func TestSimplerEnds(t *testing.T) {
	for _, a := range domains() {
		for _, v := range pool(a, testHints()) {
			for _, last := range []bool{false, true} {
				w := v
				if last && len(w.Text()) > 50 {
					continue // as many steps as characters
				}
				for steps := 0; ; steps++ {
					next := Simpler(a, w)
					if len(next) == 0 {
						break
					}
					if steps > 10_000 {
						t.Fatalf("%s: no end from %v", describe(a), v)
					}
					if w = next[0]; last {
						w = next[len(next)-1]
					}
					if !Valid(a, w) {
						t.Fatalf("%s: %v is outside the domain", describe(a), w)
					}
				}
			}
		}
	}
}

func TestSimplest(t *testing.T) {
	tests := []struct {
		a    *model.Attribute
		v    value.Value
		want string
	}{
		{&model.Attribute{Type: model.TypeString, Domain: model.Domain{Length: &model.Range{Min: 1, Max: 9}}}, text("日本#A"), `"a"`},
		{&model.Attribute{Type: model.TypeInteger, Domain: model.Domain{Min: value.OfInt(3)}}, value.OfInt(12345), "9"},
		{&model.Attribute{Type: model.TypeNumber}, number("-12.5"), "0"},
		{&model.Attribute{Type: model.TypeDatetime}, text("2099-12-31T23:59:59Z"), `"2026-01-01T00:00:00Z"`},
		{&model.Attribute{Type: model.TypeBoolean}, value.OfBool(false), "true"},
		{&model.Attribute{Type: model.TypeStringSet}, value.OfSet(value.StringSet, text("x#"), text("y")), `<"a">`},
		{&model.Attribute{Type: model.TypeEnum, Domain: model.Domain{Values: []model.Choice{{Value: text("open")}, {Value: text("a")}}}}, text("a"), `"open"`},
	}
	for _, tt := range tests {
		v := tt.v
		for next := Simpler(tt.a, v); len(next) > 0; next = Simpler(tt.a, v) {
			v = next[0]
		}
		if v.String() != tt.want {
			t.Errorf("%v becomes %v, want %s", tt.v, v, tt.want)
		}
	}
}

// Attributes that stand together go together; required ones stay.
func TestWithout(t *testing.T) {
	e := &model.Entity{Attributes: []*model.Attribute{
		{Name: model.Name{Text: "id"}, Type: model.TypeString},
		{Name: model.Name{Text: "deletedAt"}, Type: model.TypeDatetime, Optional: true},
		{Name: model.Name{Text: "note"}, Type: model.TypeString, Optional: true},
		{Name: model.Name{Text: "deletedBy"}, Type: model.TypeString, Optional: true},
	}}
	e.Attributes[3].PresentWith = e.Attributes[1]
	i := model.Instance{Entity: e, Item: model.Item{"id": text("a"), "deletedAt": text("2026-01-01T00:00:00Z"), "deletedBy": text("b")}}
	got := Without(i)
	if len(got) != 1 || len(got[0].Item) != 1 || !got[0].Item["id"].Exists() {
		t.Errorf("got %v", got)
	}
	if len(i.Item) != 3 {
		t.Errorf("the item itself changed: %v", i.Item)
	}
}
