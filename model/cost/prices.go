package cost

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model/diag"
)

//go:embed prices.json
var published []byte

// Prices are what DynamoDB costs by region, on a date.
type Prices struct {
	Date     string            `json:"date"`     // of the table, or of the file that overrides it
	Currency string            `json:"currency"` // USD
	Regions  map[string]Region `json:"regions"`
}

// Region are the prices of one region.
type Region struct {
	// Confirmed tells that the figures of throughput and storage were read from
	// AWS's price list. Those of other regions were not: they are known or worked
	// out from the region's price of a write unit, and may be out of date.
	Confirmed        bool  `json:"confirmed"`
	Standard         Class `json:"standard"`
	InfrequentAccess Class `json:"infrequent_access"`
	// Replicated is the price of a million replicated write units.
	Replicated float64 `json:"replicated_write_million"`
	Recovery   float64 `json:"point_in_time_recovery"` // of a GB a month
	Backup     float64 `json:"backup"`                 // of a GB of a backup on demand a month
	// StreamReads is the price of 100,000 GetRecords calls to a stream.
	StreamReads float64 `json:"stream_reads"`
	// Reserved1 and Reserved3 are what a reserved unit costs over one and three
	// years, as a part of a unit that is not reserved; the payment up front is
	// spread over the term.
	Reserved1 float64 `json:"reserved_1_year"`
	Reserved3 float64 `json:"reserved_3_years"`
	// DAXNode is the price of an hour of a DAX node by its type.
	DAXNode map[string]float64 `json:"dax_node_hour,omitempty"`
}

// Class are the prices of a table class.
type Class struct {
	WriteMillion float64 `json:"write_million"` // of a million write request units
	ReadMillion  float64 `json:"read_million"`
	WriteHour    float64 `json:"write_hour"` // of a provisioned write unit for an hour
	ReadHour     float64 `json:"read_hour"`
	Storage      float64 `json:"storage"` // of a GB a month
}

// Published are the prices that this version of dynmodel knows.
func Published() *Prices {
	p, err := (&Prices{}).Override(published)
	if err != nil {
		panic("cost: the embedded price table: " + err.Error())
	}
	return p
}

// Override is a copy with the figures of a JSON text in place of its own; what
// the text leaves out stays, also within a region. A region that is new needs
// all figures of its standard class. The error says which figure is wrong.
func (p *Prices) Override(text []byte) (*Prices, error) {
	var given struct {
		Date, Currency string
		Regions        map[string]json.RawMessage
	}
	if err := strictly(text, &given); err != nil {
		return nil, err
	}
	out := &Prices{Date: p.Date, Currency: p.Currency, Regions: maps.Clone(p.Regions)}
	if out.Regions == nil {
		out.Regions = map[string]Region{}
	}
	if given.Date != "" {
		out.Date = given.Date
	}
	if given.Currency != "" {
		out.Currency = given.Currency
	}
	for _, name := range slices.Sorted(maps.Keys(given.Regions)) {
		region := out.Regions[name]
		region.DAXNode = maps.Clone(region.DAXNode)
		if err := strictly(given.Regions[name], &region); err != nil {
			return nil, fmt.Errorf("region %s: %w", name, err)
		}
		if err := region.check(); err != nil {
			return nil, fmt.Errorf("region %s: %w", name, err)
		}
		out.Regions[name] = region
	}
	return out, nil
}

// strictly decodes JSON that has no field that nobody reads.
func strictly(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("it is no JSON: %w", err)
	case err != nil:
		return fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// check refuses prices that are missing or below zero.
func (r Region) check() error {
	for _, figure := range []struct {
		name  string
		price float64
	}{
		{"standard.write_million", r.Standard.WriteMillion},
		{"standard.read_million", r.Standard.ReadMillion},
		{"standard.write_hour", r.Standard.WriteHour},
		{"standard.read_hour", r.Standard.ReadHour},
		{"standard.storage", r.Standard.Storage},
	} {
		if figure.price <= 0 {
			return fmt.Errorf("%s is missing; it is a price above 0", figure.name)
		}
	}
	return nil
}

// NoRegion is the error of a region without prices.
type NoRegion struct {
	Name  string
	Known []string // sorted
}

func (e *NoRegion) Error() string {
	if near := diag.Nearest(e.Name, e.Known); near != "" {
		return fmt.Sprintf("no prices of region %q are known; did you mean %s?", e.Name, near)
	}
	return fmt.Sprintf("no prices of region %q are known; give them with --prices, or take one of %s", e.Name, strings.Join(e.Known, ", "))
}

// Region are the prices of a region; the error is a *NoRegion.
func (p *Prices) Region(name string) (Region, error) {
	r, ok := p.Regions[name]
	if !ok {
		return Region{}, &NoRegion{Name: name, Known: slices.Sorted(maps.Keys(p.Regions))}
	}
	return r, nil
}

// class are the prices of a table class: standard or infrequent_access.
func (r Region) class(name string) Class {
	if name == InfrequentAccess {
		return r.InfrequentAccess
	}
	return r.Standard
}

// The table classes, as the language names them.
const (
	Standard         = "standard"
	InfrequentAccess = "infrequent_access"
)
