package cost

import (
	"fmt"
	"math"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/load"
)

// The capacity modes.
const (
	OnDemand    = "on_demand"
	Provisioned = "provisioned" // with auto scaling
	Reserved1   = "reserved_1_year"
	Reserved3   = "reserved_3_years"
	Fixed       = "fixed" // provisioned as the model declares it, without auto scaling
)

// Mode is what throughput costs a month in one capacity mode.
type Mode struct {
	Name  string
	Month float64 // of throughput alone
	// Available tells whether the table can have it; Why says what it rests on,
	// or why it cannot.
	Available bool
	Why       string
	// Capacity are the units provisioned over all places, as a mean of the hours
	// of a day; zero on demand.
	Capacity load.Units
	// Reserved are the units of it that are reserved, in blocks of 100.
	Reserved load.Units
}

// Auto scaling as DynamoDB sets it up: 70 per cent of utilisation, and no less
// than one unit.
const (
	defaultTarget = 70
	leastUnits    = 1
	reservedBlock = 100
)

// capacity are provisioned units over the hours of a day.
type capacity [24]load.Units

func (c capacity) mean() (u load.Units) {
	for _, hour := range c {
		u = u.Plus(hour.Times(1.0 / 24))
	}
	return u
}

// least are the units provisioned in every hour.
func (c capacity) least() load.Units {
	u := c[0]
	for _, hour := range c {
		u.Reads, u.Writes = min(u.Reads, hour.Reads), min(u.Writes, hour.Writes)
	}
	return u
}

// allModes are the costs of throughput in every mode, and of every place.
func (s *snapshot) allModes(prices Class) []Mode {
	demand := Mode{Name: OnDemand, Available: true, Why: "every unit is paid for as it is taken"}
	scaled := Mode{Name: Provisioned, Available: true}
	var all capacity
	for i := range s.places {
		p := &s.places[i]
		p.Throughput[OnDemand] = prices.OnDemandPrice(p.Units)
		demand.Month += p.Throughput[OnDemand]
		c := scaledCapacity(s.days[i], s.scaling(p.Index))
		p.Throughput[Provisioned] = prices.hourly(c.mean())
		scaled.Month += p.Throughput[Provisioned]
		for h := range all {
			all[h] = all[h].Plus(c[h])
		}
	}
	scaled.Capacity = all.mean()
	scaled.Why = scalingText(s.scaling(nil))
	out := []Mode{demand, scaled}
	out = append(out, s.reserved(Reserved1, scaled, all, s.bill.region.Reserved1, prices))
	out = append(out, s.reserved(Reserved3, scaled, all, s.bill.region.Reserved3, prices))
	if fixed, ok := s.fixed(prices); ok {
		out = append(out, fixed)
	}
	return out
}

// scalingText says how capacity follows the traffic.
func scalingText(a model.AutoScaling) string {
	text := fmt.Sprintf("auto scaling at %d%% follows the day's curve", a.Target)
	if a.Max == math.MaxInt64 {
		return text + ", with no less than one unit of each kind for the table and each index"
	}
	return text + fmt.Sprintf(", with %d to %d units of each kind for the table and each index without its own", max(a.Min, leastUnits), a.Max)
}

// hourly is what units cost that are provisioned all month.
func (c Class) hourly(u load.Units) float64 {
	return (u.Reads*c.ReadHour + u.Writes*c.WriteHour) * hoursPerMonth
}

// scaling is the auto scaling of a place: as declared, else as DynamoDB sets it up.
func (s *snapshot) scaling(x *model.Index) model.AutoScaling {
	declared := capacityOf(s.bill.model.Table, x)
	if declared.AutoScaling != nil {
		return *declared.AutoScaling
	}
	return model.AutoScaling{Min: leastUnits, Max: math.MaxInt64, Target: defaultTarget}
}

// capacityOf is the capacity that a place is declared with: an index without its
// own has the table's.
func capacityOf(t *model.Table, x *model.Index) model.Capacity {
	if x != nil && x.Capacity != nil {
		return *x.Capacity
	}
	return t.Capacity
}

// scaledCapacity is what auto scaling provisions: in every hour what the busier
// of it and the next takes, over the target, within the bounds. It has to be
// there when the traffic comes.
func scaledCapacity(day [24]load.Units, a model.AutoScaling) (out capacity) {
	units := func(now, next float64) float64 {
		n := math.Ceil(max(now, next) * 100 / float64(a.Target))
		return max(float64(a.Min), leastUnits, min(n, float64(a.Max)))
	}
	for h := range day {
		next := day[(h+1)%24]
		out[h] = load.Units{Reads: units(day[h].Reads, next.Reads), Writes: units(day[h].Writes, next.Writes)}
	}
	return out
}

// reserved is provisioned capacity of which the units that are there all day are
// reserved for a term.
func (s *snapshot) reserved(name string, scaled Mode, c capacity, price float64, prices Class) Mode {
	m := Mode{Name: name, Capacity: scaled.Capacity}
	least := c.least()
	m.Reserved = load.Units{Reads: blocks(least.Reads), Writes: blocks(least.Writes)}
	switch {
	case s.bill.class == InfrequentAccess:
		m.Why = "there is no reserved capacity for infrequent access tables"
	case len(s.bill.model.Table.Replicas) > 0:
		m.Why = "there is no reserved capacity for replicated writes"
	case m.Reserved == load.Units{}:
		m.Why = "capacity is reserved in blocks of 100 units, and less than that is in use all day"
	default:
		m.Available = true
		m.Month = scaled.Month - (1-price)*prices.hourly(m.Reserved)
		m.Why = fmt.Sprintf("what is in use all day is reserved, %.0f read and %.0f write units, the payment up front spread over the term",
			m.Reserved.Reads, m.Reserved.Writes)
	}
	return m
}

func blocks(units float64) float64 { return math.Floor(units/reservedBlock) * reservedBlock }

// fixed is provisioned capacity without auto scaling, where the model declares it.
func (s *snapshot) fixed(prices Class) (Mode, bool) {
	t := s.bill.model.Table
	if t.Capacity.OnDemand || t.Capacity.AutoScaling != nil {
		return Mode{}, false
	}
	m := Mode{Name: Fixed, Available: true, Why: "the units that the model declares, all day"}
	for i := range s.places {
		p := &s.places[i]
		c := capacityOf(t, p.Index)
		u := load.Units{Reads: float64(c.Read), Writes: float64(c.Write)}
		p.Throughput[Fixed] = prices.hourly(u)
		m.Month += p.Throughput[Fixed]
		m.Capacity = m.Capacity.Plus(u)
	}
	return m, true
}
