package model

import "testing"

func TestOrderOverTypes(t *testing.T) {
	device, alert := &Entity{Name: Name{Text: "Device"}}, &Entity{Name: Name{Text: "Alert"}}
	order := []OrderBy{{Entity: device}, {Entity: alert, Attribute: "level", Desc: true}, {Entity: alert, Attribute: "at"}}
	if !OverTypes(order) || OverTypes(nil) || OverTypes([]OrderBy{{Attribute: "at"}}) {
		t.Error("an order over types is one whose entries name entities")
	}
	if PlaceOf(order, device) >= PlaceOf(order, alert) {
		t.Errorf("devices are at %d, alerts at %d", PlaceOf(order, device), PlaceOf(order, alert))
	}
	if len(OrderWithin(order, device)) != 0 || len(OrderWithin(order, alert)) != 2 {
		t.Errorf("within: %v and %v", OrderWithin(order, device), OrderWithin(order, alert))
	}
	all := []OrderBy{{Attribute: "at"}}
	if PlaceOf(all, device) != 0 || len(OrderWithin(all, device)) != 1 {
		t.Error("an order of all items holds within each entity")
	}
	for i, want := range []string{"Device", "Alert.level", "Alert.at"} {
		if got := order[i].Subject(); got != want {
			t.Errorf("subject %q, want %q", got, want)
		}
	}
}
