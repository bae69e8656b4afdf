package cost

import (
	"encoding/json"
	"io"

	"github.com/dynmodel/dynmodel/model/cost"
)

// The JSON output, described by schemas/cost.schema.json.
type (
	document struct {
		Version     int            `json:"version"`
		Table       string         `json:"table"`
		Region      string         `json:"region"`
		Currency    string         `json:"currency"`
		Prices      string         `json:"prices_of"`
		Confirmed   bool           `json:"prices_confirmed"`
		Class       string         `json:"class"`
		Declared    string         `json:"declared_mode"`
		Patterns    []pattern      `json:"patterns"`
		Places      []place        `json:"places"`
		Modes       []mode         `json:"modes"`
		Recommended recommendation `json:"recommended"`
		Classes     []class        `json:"classes"`
		Services    []service      `json:"services"`
		Months      []month        `json:"months"`
		Assumptions []string       `json:"assumptions"`
	}
	pattern struct {
		Name      string    `json:"name"`
		Declared  bool      `json:"traffic_declared"`
		Estimated bool      `json:"units_guessed"`
		RCU       float64   `json:"rcu"`
		WCU       float64   `json:"wcu"`
		By        []byPlace `json:"by_place"`
		Million   float64   `json:"cost_of_a_million"`
		Calls     float64   `json:"calls"`
		Reads     float64   `json:"read_units"`
		Writes    float64   `json:"write_units"`
		Cost      float64   `json:"cost"`
		Note      string    `json:"note"`
	}
	byPlace struct {
		Index string  `json:"index"` // table, or the index's name
		RCU   float64 `json:"rcu"`
		WCU   float64 `json:"wcu"`
	}
	place struct {
		Index      string             `json:"index"`
		Reads      float64            `json:"read_units"`
		Writes     float64            `json:"write_units"`
		Items      float64            `json:"items"`
		Bytes      float64            `json:"bytes"`
		Throughput map[string]float64 `json:"throughput"`
		Storage    float64            `json:"storage"`
	}
	mode struct {
		Name           string   `json:"name"`
		Available      bool     `json:"available"`
		Throughput     *float64 `json:"throughput"`
		Total          *float64 `json:"total"`
		CapacityReads  float64  `json:"capacity_read_units"`
		CapacityWrites float64  `json:"capacity_write_units"`
		ReservedReads  float64  `json:"reserved_read_units"`
		ReservedWrites float64  `json:"reserved_write_units"`
		Why            string   `json:"rests_on"`
	}
	recommendation struct {
		Mode        string  `json:"mode"`
		Reason      string  `json:"reason"`
		Utilisation float64 `json:"utilisation"`
		BreakEven   float64 `json:"break_even"`
		Spikiness   float64 `json:"peak_to_average"`
	}
	class struct {
		Class   string  `json:"class"`
		Cost    float64 `json:"cost"`
		Storage float64 `json:"storage"`
	}
	service struct {
		Name       string   `json:"name"`
		Cost       *float64 `json:"cost"`
		Assumption string   `json:"rests_on"`
	}
	month struct {
		Number   int                `json:"month"`
		Reads    float64            `json:"read_units"`
		Writes   float64            `json:"write_units"`
		Bytes    float64            `json:"bytes"`
		Storage  float64            `json:"storage"`
		Services float64            `json:"services"`
		Total    map[string]float64 `json:"total"`
	}
)

// writeJSON writes an estimate for programs.
func writeJSON(w io.Writer, e *cost.Estimate, _ options) error {
	d := document{Version: 1, Table: e.Table, Region: e.Region, Currency: e.Currency, Prices: e.PriceDate, Confirmed: e.Confirmed,
		Class: e.Class, Declared: declaredTotal(e), Assumptions: e.Assumptions,
		Patterns: convert(e.Patterns, toPattern), Places: convert(e.Places, toPlace), Classes: convert(e.Classes, toClass),
		Services: convert(e.Services, toService), Months: convert(e.Months, toMonth),
		Modes: convert(e.Modes, func(m cost.Mode) mode { return toMode(e, m) }),
		Recommended: recommendation{Mode: e.Recommended.Mode, Reason: e.Recommended.Reason, Utilisation: e.Recommended.Utilisation,
			BreakEven: e.Recommended.BreakEven, Spikiness: e.Recommended.Spikiness},
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(d)
}

func convert[A, B any](in []A, f func(A) B) []B {
	out := make([]B, 0, len(in))
	for _, a := range in {
		out = append(out, f(a))
	}
	return out
}

func toPattern(p cost.Pattern) pattern {
	return pattern{Name: p.Pattern.Name.Text, Declared: p.Declared, Estimated: p.Estimated, RCU: p.Call.Reads, WCU: p.Call.Writes,
		By: convert(p.Places, func(u cost.PlaceUnits) byPlace {
			return byPlace{Index: placeName(u.Index), RCU: u.Reads, WCU: u.Writes}
		}),
		Million: p.Million, Calls: p.Calls, Reads: p.Units.Reads, Writes: p.Units.Writes, Cost: p.Month, Note: p.Note}
}

func toPlace(p cost.Place) place {
	return place{Index: placeName(p.Index), Reads: p.Units.Reads, Writes: p.Units.Writes, Items: p.Items, Bytes: p.Bytes, Throughput: p.Throughput, Storage: p.Storage}
}

func toMode(e *cost.Estimate, m cost.Mode) mode {
	out := mode{Name: m.Name, Available: m.Available, CapacityReads: m.Capacity.Reads, CapacityWrites: m.Capacity.Writes,
		ReservedReads: m.Reserved.Reads, ReservedWrites: m.Reserved.Writes, Why: m.Why}
	if m.Available {
		total := e.Total(m.Name)
		out.Throughput, out.Total = &m.Month, &total
	}
	return out
}

func toClass(c cost.ClassCost) class {
	return class{Class: c.Class, Cost: c.Month, Storage: c.Storage}
}

func toService(s cost.Service) service {
	out := service{Name: s.Name, Assumption: s.Assumption}
	if s.Priced {
		out.Cost = &s.Month
	}
	return out
}

func toMonth(m cost.Month) month {
	return month{Number: m.Number, Reads: m.Units.Reads, Writes: m.Units.Writes, Bytes: m.Bytes, Storage: m.Storage, Services: m.Services, Total: m.Total}
}
