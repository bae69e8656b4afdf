package cost

import (
	"fmt"
	"math"

	"github.com/dynmodel/dynmodel/model/load"
)

// allServices are the charges beside throughput and storage that the model's
// options bring.
func (s *snapshot) allServices() (out []Service) {
	t := s.bill.model.Table
	if t.PointInTimeRecovery.Enabled {
		table := s.places[0].Bytes
		out = append(out, Service{Name: "point-in-time recovery", Month: table / gigabyte * s.bill.region.Recovery, Priced: s.bill.region.Recovery > 0,
			Assumption: fmt.Sprintf("%s of the table and its local indexes; global indexes are not charged for", Bytes(table))})
	}
	if t.Stream != nil {
		out = append(out, s.stream())
	}
	for _, r := range t.Replicas {
		if r.Text != s.bill.name {
			out = append(out, s.replica(r.Text))
		}
	}
	if t.DAX != nil {
		out = append(out, s.dax())
	}
	return out
}

// freeStreamReads are the GetRecords calls of a month that are free.
const freeStreamReads = 2.5e6

// stream is what reading the stream costs: nothing, for Lambda and replicas; the
// assumption says what another reader would.
func (s *snapshot) stream() Service {
	shards := s.shards()
	calls := max(0, shards*secondsPerMonth-freeStreamReads)
	other := calls / 1e5 * s.bill.region.StreamReads
	return Service{Name: "stream", Priced: true, Assumption: fmt.Sprintf(
		"read by Lambda or replicas, which is free; a consumer of its own that asks each of about %.0f shards once a second would cost %s a month", shards, Money(s.bill.prices.Currency, other))}
}

// shards is how many partitions, and with them stream shards, the table has at
// least: by throughput and by size.
func (s *snapshot) shards() float64 {
	peak := s.load.Peak(nil)
	const partitionBytes = 10 * gigabyte
	return max(1, math.Ceil(peak.Reads/load.PartitionReads), math.Ceil(peak.Writes/load.PartitionWrites), math.Ceil(s.places[0].Bytes/partitionBytes))
}

// replica is what a replica costs: the table's writes replicated, those of the
// indexes at the usual price, storage and backup; on demand.
func (s *snapshot) replica(name string) Service {
	region := s.bill.prices.Regions[name]
	prices := region.class(s.bill.class)
	money := func(x float64) string { return Money(s.bill.prices.Currency, x) }
	writes, storage := 0.0, s.stored()/gigabyte*prices.Storage
	for _, p := range s.places {
		price := prices.WriteMillion
		if p.Index == nil {
			price = region.Replicated
		}
		writes += p.Units.Writes / 1e6 * price
	}
	backup := 0.0
	if s.bill.model.Table.PointInTimeRecovery.Enabled {
		backup = s.places[0].Bytes / gigabyte * region.Recovery
	}
	return Service{Name: "replica " + name, Month: writes + storage + backup, Priced: region.Replicated > 0, Assumption: fmt.Sprintf(
		"replicated writes on demand %s, storage %s, backup %s; reads there and traffic between regions are not counted", money(writes), money(storage), money(backup))}
}

// defaultNodes is what a DAX cluster should have to survive the loss of a node.
const defaultNodes = 3

func (s *snapshot) dax() Service {
	d := s.bill.model.Table.DAX
	nodes := d.Nodes
	if nodes == 0 {
		nodes = defaultNodes
	}
	price, known := s.bill.region.DAXNode[d.Type]
	out := Service{Name: "DAX", Month: float64(nodes) * price * hoursPerMonth, Priced: known}
	switch {
	case d.Type == "":
		out.Assumption = fmt.Sprintf("%d nodes; no `type` is declared, so that they are not priced", nodes)
	case !known:
		out.Assumption = fmt.Sprintf("%d nodes of %s; no price of them is known: give dax_node_hour with --prices", nodes, d.Type)
	default:
		out.Assumption = fmt.Sprintf("%d nodes of %s; units of the table that the cache saves are not taken off", nodes, d.Type)
	}
	return out
}
