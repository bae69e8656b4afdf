package cost

import (
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/model/plan"
)

// DefaultRegion is the region of a table that names none.
const DefaultRegion = "us-east-1"

// MaxMonths is how far an estimate looks ahead: five years.
const MaxMonths = 60

// A month of billing: 730 hours.
const (
	hoursPerMonth   = 730
	secondsPerMonth = hoursPerMonth * 3600
	month           = hoursPerMonth * time.Hour
)

// Options say for where and how long to estimate.
type Options struct {
	Prices *Prices // nil: Published
	Region string  // "": the table's, else DefaultRegion
	Months int     // how many to look ahead, at least 1
	// Planner and Load are those of the model, where they are there already; nil:
	// they are made.
	Planner *plan.Planner
	Load    *load.Load
}

// Estimate is what a table costs. Its figures are of the first month, save for
// Months; money is in Currency.
type Estimate struct {
	Table               string
	Region              string
	Currency, PriceDate string
	Confirmed           bool   // whether the region's prices were read from the price list
	Class               string // the table class declared
	Declared            string // the capacity mode declared: OnDemand or Provisioned
	Patterns            []Pattern
	Places              []Place // the table, then its global indexes
	Modes               []Mode  // all of them, OnDemand first
	Recommended         Recommendation
	Classes             []ClassCost // of both table classes, the declared one first
	Services            []Service   // what there is beside throughput and storage
	Months              []Month
	Assumptions         []string
}

// Pattern is what the calls of one access pattern cost.
type Pattern struct {
	Pattern *model.Pattern
	// Declared tells that its traffic is known; the figures a month are zero else.
	Declared bool
	// Estimated tells that volumes which the units of a call need are not declared,
	// so that they are a guess.
	Estimated bool
	// Call are the units of one call, in all and by place.
	Call   load.Units
	Places []PlaceUnits
	// Million is what a million calls cost on demand.
	Million float64
	Calls   float64    // a month
	Units   load.Units // a month
	Month   float64    // on demand
	Note    string     // what is missing or assumed of it; may be ""
}

// PlaceUnits are units of the table or an index.
type PlaceUnits struct {
	Index *model.Index // nil: the table
	load.Units
}

// Place is what the table or a global index takes. Local indexes are part of the table.
type Place struct {
	Index *model.Index // nil: the table
	Units load.Units   // a month
	// Items and Bytes are what is stored, with DynamoDB's overhead for each item.
	Items, Bytes float64
	Throughput   map[string]float64 // a month by mode; of the available ones
	Storage      float64            // a month
}

// Service is something a table is charged for beside throughput and storage.
type Service struct {
	Name       string
	Month      float64
	Priced     bool // whether a price is known
	Assumption string
}

// Month is what a later month costs in every mode, with all that belongs to it.
type Month struct {
	Number   int // from 1
	Units    load.Units
	Bytes    float64
	Storage  float64
	Services float64
	// Total is by mode, of those available.
	Total map[string]float64
}

// Total is what the first month costs in a mode.
func (e *Estimate) Total(mode string) float64 { return e.Months[0].Total[mode] }

// Of estimates a model's cost. The error is a *NoRegion: of the table or one of
// its replicas no prices are known.
func Of(m *model.Model, o Options) (*Estimate, error) {
	if o.Prices == nil {
		o.Prices = Published()
	}
	if o.Region == "" {
		o.Region = m.Table.Region
	}
	if o.Region == "" {
		o.Region = DefaultRegion
	}
	region, err := o.Prices.Region(o.Region)
	if err != nil {
		return nil, err
	}
	b := &bill{model: m, prices: o.Prices, name: o.Region, region: region, class: className(m.Table)}
	for _, r := range m.Table.Replicas {
		if _, err := o.Prices.Region(r.Text); err != nil {
			return nil, err
		}
	}
	if o.Planner == nil || o.Load == nil {
		o.Planner, o.Load = b.loadAfter(0)
	}
	first := b.snapshot(o.Planner, o.Load)
	e := &Estimate{
		Table: m.Table.Name.Text, Region: o.Region, Currency: o.Prices.Currency, PriceDate: o.Prices.Date,
		Confirmed: region.Confirmed, Class: b.class, Declared: declaredMode(m.Table),
		Patterns: first.patterns, Places: first.places, Modes: first.modes, Services: first.services,
	}
	e.Recommended = recommend(first)
	e.Classes = first.classes(e.Recommended.Mode)
	for n := range min(max(o.Months, 1), MaxMonths) {
		s := first
		if n > 0 && grows(m) {
			s = b.snapshot(b.loadAfter(time.Duration(n) * month))
		}
		e.Months = append(e.Months, s.month(n+1))
	}
	e.Assumptions = assumptions(b, e, first)
	return e, nil
}

func className(t *model.Table) string {
	if t.Class == InfrequentAccess {
		return InfrequentAccess
	}
	return Standard
}

func declaredMode(t *model.Table) string {
	if t.Capacity.OnDemand {
		return OnDemand
	}
	return Provisioned
}

// grows tells whether any volume grows.
func grows(m *model.Model) bool {
	for _, e := range m.Entities {
		for _, v := range e.Volumes {
			if v.Growth != nil {
				return true
			}
		}
	}
	return false
}

// bill is what goes into every month.
type bill struct {
	model  *model.Model
	prices *Prices
	name   string // of the region
	region Region
	class  string
}

// snapshot is one month.
type snapshot struct {
	bill      *bill
	planner   *plan.Planner
	load      *load.Load
	patterns  []Pattern
	places    []Place
	days      [][24]load.Units // of the places, units a second by hour
	modes     []Mode
	services  []Service
	uncounted []*model.Entity // of which no volume says how many there are
}

// loadAfter is the load after growth has gone on for some time.
func (b *bill) loadAfter(age time.Duration) (*plan.Planner, *load.Load) {
	planner := plan.After(b.model, age)
	plans := planner.All()
	return planner, load.Of(b.model, planner, plans)
}

// snapshot is the month of a load.
func (b *bill) snapshot(planner *plan.Planner, l *load.Load) *snapshot {
	s := &snapshot{bill: b, planner: planner, load: l}
	prices := b.region.class(b.class)
	for _, t := range s.load.Traffic {
		s.patterns = append(s.patterns, patternCost(b.model.Table, t, prices))
	}
	s.storage()
	s.modes = s.allModes(prices)
	s.services = s.allServices()
	return s
}

// month is the snapshot as the month of a number.
func (s *snapshot) month(number int) Month {
	m := Month{Number: number, Total: map[string]float64{}}
	for _, p := range s.places {
		m.Units = m.Units.Plus(p.Units)
		m.Bytes += p.Bytes
		m.Storage += p.Storage
	}
	for _, service := range s.services {
		m.Services += service.Month
	}
	for _, mode := range s.modes {
		if mode.Available {
			m.Total[mode.Name] = mode.Month + m.Storage + m.Services
		}
	}
	return m
}
