package plan

import (
	"testing"

	"github.com/dynmodel/dynmodel/model"
)

// What is suggested for old values is what the language takes: parameters of
// plain names, and no members of maps in `old`.
func TestHandingOldValues(t *testing.T) {
	entity := &model.Entity{Attributes: []*model.Attribute{
		{Name: model.Name{Text: "placedAt"}}, {Name: model.Name{Text: "user-id"}}, {Name: model.Name{Text: "größe#2"}}, {Name: model.Name{Text: "address"}},
	}}
	const other = ", demand it in `if`, or read the item first (`read_first: true`)"
	for _, tt := range []struct {
		names []string
		want  string
	}{
		{[]string{"placedAt"}, "have the caller give it (`old: {placedAt: $oldPlacedAt}`)" + other},
		{[]string{"user-id", "größe#2"}, "have the caller give it (`old: {user-id: $oldUserId, größe#2: $oldGröße2}`)" + other},
		{[]string{"address.zip"}, "demand it in `if` (`address.zip = $oldAddressZip`), or read the item first (`read_first: true`)"},
		{[]string{"placedAt", "address.zip"}, "demand it in `if` (`placedAt = $oldPlacedAt AND address.zip = $oldAddressZip`), or read the item first (`read_first: true`)"},
	} {
		if got := handing(entity, tt.names); got != tt.want {
			t.Errorf("%v: %s", tt.names, got)
		}
	}
}
