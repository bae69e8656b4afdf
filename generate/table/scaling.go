package table

import "github.com/dynmodel/dynmodel/model"

// Scaling moves one capacity of the table, or of a global index, between two bounds.
type Scaling struct {
	Index string // "" for the table
	Write bool   // else read
	model.AutoScaling
}

// Dimension is the name of what is scaled, as Application Auto Scaling has it.
func (s Scaling) Dimension() string {
	resource, units := "table", "Read"
	if s.Index != "" {
		resource = "index"
	}
	if s.Write {
		units = "Write"
	}
	return "dynamodb:" + resource + ":" + units + "CapacityUnits"
}

// Metric is the name of the figure that is held at the target.
func (s Scaling) Metric() string {
	if s.Write {
		return "DynamoDBWriteCapacityUtilization"
	}
	return "DynamoDBReadCapacityUtilization"
}

// Scalings is what auto scaling moves, the table first. An index without a
// capacity of its own has that of the table.
func Scalings(t *model.Table) []Scaling {
	if t.Capacity.OnDemand {
		return nil
	}
	out := both("", t.Capacity.AutoScaling)
	for _, x := range t.Indexes {
		switch {
		case x.Local:
		case x.Capacity != nil:
			out = append(out, both(x.Name.Text, x.Capacity.AutoScaling)...)
		default:
			out = append(out, both(x.Name.Text, t.Capacity.AutoScaling)...)
		}
	}
	return out
}

func both(index string, a *model.AutoScaling) []Scaling {
	if a == nil {
		return nil
	}
	return []Scaling{{Index: index, AutoScaling: *a}, {Index: index, Write: true, AutoScaling: *a}}
}
