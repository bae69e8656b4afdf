package simulate

import (
	"encoding/json"
	"io"
	"math"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/load"
	"github.com/dynmodel/dynmodel/model/simulation"
)

// The JSON output, described by schemas/simulate.schema.json.
type (
	document struct {
		Version     int          `json:"version"`
		Table       string       `json:"table"`
		Seed        uint64       `json:"seed"`
		Days        int          `json:"days"`
		Scale       float64      `json:"scale"`
		NewTable    bool         `json:"new_table"`
		Calls       float64      `json:"calls"`
		Throttled   float64      `json:"throttled"`
		Patterns    []pattern    `json:"patterns"`
		Places      []place      `json:"places"`
		Collections []collection `json:"collections"`
		Assumptions []string     `json:"assumptions"`
	}
	pattern struct {
		Name      string  `json:"name"`
		Calls     float64 `json:"calls"`
		Throttled float64 `json:"throttled"`
		Causes    []cause `json:"causes"`
	}
	cause struct {
		Reason simulation.Reason `json:"reason"`
		Index  string            `json:"index"`
		Calls  float64           `json:"calls"`
	}
	units struct {
		RCU float64 `json:"rcu"`
		WCU float64 `json:"wcu"`
	}
	place struct {
		Index           string `json:"index"`
		Partitions      int    `json:"partitions"`
		PartitionsAtEnd int    `json:"partitions_at_end"`
		Throttled       units  `json:"throttled"`
		Slots           []slot `json:"slots"`
		Rows            []row  `json:"rows"`
		Keys            []key  `json:"hottest_keys"`
	}
	slot struct {
		Asked    units `json:"asked"`
		Served   units `json:"served"`
		Capacity units `json:"capacity"`
	}
	row struct {
		Name      string    `json:"name"`
		Alike     int       `json:"alike"`
		Keys      []string  `json:"keys"`
		Use       []float64 `json:"use"`
		Throttled []bool    `json:"throttled"`
	}
	key struct {
		Key       string  `json:"key"`
		Rank      int     `json:"rank"`
		Peak      units   `json:"peak"`
		Throttled float64 `json:"throttled"`
	}
	collection struct {
		Key      string           `json:"key"`
		Entities []string         `json:"entities"`
		Limited  bool             `json:"limited"`
		Sizes    []collectionSize `json:"sizes"`
	}
	collectionSize struct {
		Days  int     `json:"days"`
		Items float64 `json:"items"`
		Bytes float64 `json:"bytes"`
		Most  struct {
			Items float64 `json:"items"`
			Bytes float64 `json:"bytes"`
		} `json:"most"`
		Known bool `json:"known"`
	}
)

func writeJSON(w io.Writer, r *report) error {
	d := document{Version: 1, Table: r.table, Seed: r.Seed, Days: r.Days, Scale: r.Scale, NewTable: r.New,
		Patterns: []pattern{}, Places: []place{}, Collections: []collection{}, Assumptions: r.Assumptions}
	d.Calls, d.Throttled = r.Calls()
	for _, p := range r.Patterns {
		out := pattern{p.Pattern.Name.Text, p.Calls, p.Throttled, []cause{}}
		for _, c := range p.Causes {
			out.Causes = append(out.Causes, cause{c.Reason, indexText(c.Index), c.Calls})
		}
		d.Patterns = append(d.Patterns, out)
	}
	for _, p := range r.Places {
		d.Places = append(d.Places, placeOf(p))
	}
	for _, c := range r.Collections {
		d.Collections = append(d.Collections, collectionOf(c))
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(d)
}

// indexText is an index's name as reports have it.
func indexText(x *model.Index) string {
	if x == nil {
		return "table"
	}
	return x.Name.Text
}

func placeOf(p simulation.Place) place {
	out := place{Index: indexText(p.Index), Partitions: p.Partitions, PartitionsAtEnd: p.PartitionsAtEnd, Throttled: unitsOf(p.Throttled),
		Slots: []slot{}, Rows: []row{}, Keys: []key{}}
	for _, s := range p.Slots {
		out.Slots = append(out.Slots, slot{unitsOf(s.Asked), unitsOf(s.Served), unitsOf(s.Capacity)})
	}
	for _, r := range p.Rows {
		use := make([]float64, len(r.Use))
		for i, u := range r.Use {
			use[i] = round(u, 1e4)
		}
		out.Rows = append(out.Rows, row{r.Name, r.Alike, append([]string{}, r.Keys...), use, r.Throttled})
	}
	for _, k := range p.Keys {
		out.Keys = append(out.Keys, key{k.Group.Key, k.Rank, unitsOf(k.Peak), round(k.Throttled, 1e6)})
	}
	return out
}

func collectionOf(c simulation.Collection) collection {
	out := collection{Key: c.Key, Limited: c.Limited}
	for _, e := range c.Entities {
		out.Entities = append(out.Entities, e.Name.Text)
	}
	for i, s := range c.Sizes {
		size := collectionSize{Days: int(simulation.Ages()[i].Hours() / 24), Items: round(s.Items, 10), Bytes: math.Round(s.Bytes), Known: s.Known}
		size.Most.Items, size.Most.Bytes = round(s.Most, 10), math.Round(s.MostBytes)
		out.Sizes = append(out.Sizes, size)
	}
	return out
}

func unitsOf(u load.Units) units { return units{round(u.Reads, 100), round(u.Writes, 100)} }

// round keeps 1/parts.
func round(x, parts float64) float64 { return math.Round(x*parts) / parts }
