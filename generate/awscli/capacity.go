package awscli

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/dynmodel/dynmodel/generate/table"
	"github.com/dynmodel/dynmodel/generate/tree"
	"github.com/dynmodel/dynmodel/model"
)

const billingMode = "Table.BillingModeSummary.BillingMode || 'PROVISIONED'"

// ofTable and ofIndex are queries of something of the table, and of a global index.
func ofTable(query string) string { return "Table." + query }

func ofIndex(name string) func(string) string {
	return func(query string) string {
		return "Table.GlobalSecondaryIndexes[?IndexName=='" + name + "']." + query + " | [0]"
	}
}

// capacity sets the table's capacity mode and figures. Figures that auto scaling
// moves are left to it.
func (s *script) capacity() {
	d := table.Create(s.table)
	s.line("")
	if d.ProvisionedThroughput == nil {
		s.set("capacity: on demand", billingMode, "PAY_PER_REQUEST", "--billing-mode PAY_PER_REQUEST")
		s.limits("the table", ofTable, d.OnDemandThroughput, func(units tree.Map) string { return "--on-demand-throughput " + json(units) })
		s.warm("the table", ofTable, d.WarmThroughput, func(units tree.Map) string { return "--warm-throughput " + json(units) })
		return
	}
	var indexes tree.List
	for _, x := range d.GlobalSecondaryIndexes {
		indexes = append(indexes, updateOf(*x.IndexName, "ProvisionedThroughput", units(x.ProvisionedThroughput)))
	}
	arguments := "--provisioned-throughput " + json(units(d.ProvisionedThroughput))
	all := arguments
	if indexes != nil {
		all += " --global-secondary-index-updates " + json(indexes)
	}
	s.set("capacity: provisioned", billingMode, "PROVISIONED", "--billing-mode PROVISIONED "+all)
	if s.table.Capacity.AutoScaling == nil {
		s.set("capacity of the table", ofTable("$units"), unitsText(d.ProvisionedThroughput), arguments)
	}
}

func updateOf(index, key string, value tree.Node) tree.Map {
	return tree.Map{{Key: "Update", Value: tree.Map{{Key: "IndexName", Value: tree.Text(index)}, {Key: key, Value: value}}}}
}

func units(p *types.ProvisionedThroughput) tree.Map {
	return tree.Map{{Key: "ReadCapacityUnits", Value: tree.Number(*p.ReadCapacityUnits)}, {Key: "WriteCapacityUnits", Value: tree.Number(*p.WriteCapacityUnits)}}
}

// unitsText are provisioned units as the script asks for them, such as 10 5.
func unitsText(p *types.ProvisionedThroughput) string {
	return fmt.Sprintf("%d %d", *p.ReadCapacityUnits, *p.WriteCapacityUnits)
}

// unlimited is the figure that takes an on-demand limit away.
const unlimited = -1

// limits sets what on-demand capacity may go up to.
func (s *script) limits(what string, of func(string) string, o *types.OnDemandThroughput, argument func(tree.Map) string) {
	read, write := int64(unlimited), int64(unlimited)
	if o != nil && o.MaxReadRequestUnits != nil {
		read = *o.MaxReadRequestUnits
	}
	if o != nil && o.MaxWriteRequestUnits != nil {
		write = *o.MaxWriteRequestUnits
	}
	s.set("limits of "+what, of("$limits"), fmt.Sprintf("%d %d", read, write),
		argument(tree.Map{{Key: "MaxReadRequestUnits", Value: tree.Number(read)}, {Key: "MaxWriteRequestUnits", Value: tree.Number(write)}}))
}

// warm raises what the table is warmed up for; DynamoDB never lowers it.
func (s *script) warm(what string, of func(string) string, w *types.WarmThroughput, argument func(tree.Map) string) {
	if w == nil {
		return
	}
	var units tree.Map
	var enough []string
	for _, side := range []struct {
		name   string
		wanted *int64
	}{{"ReadUnitsPerSecond", w.ReadUnitsPerSecond}, {"WriteUnitsPerSecond", w.WriteUnitsPerSecond}} {
		if side.wanted != nil {
			units.Add(side.name, tree.Number(*side.wanted))
			enough = append(enough, fmt.Sprintf("%s >= \\`%d\\`", side.name, *side.wanted))
		}
	}
	s.set("warm throughput of "+what, of("WarmThroughput.["+strings.Join(enough, " && ")+"] | [0]"), "True", argument(units))
}

// scaling registers what auto scaling moves; doing it again changes nothing.
func (s *script) scaling() {
	scaled := table.Scalings(s.table)
	if len(scaled) == 0 {
		return
	}
	s.line("")
	s.line("# scale RESOURCE DIMENSION METRIC MIN MAX TARGET")
	s.line("scale() {")
	s.line(`  aws application-autoscaling register-scalable-target --service-namespace dynamodb --resource-id "$1" \`)
	s.line(`    --scalable-dimension "$2" --min-capacity "$4" --max-capacity "$5" >/dev/null`)
	s.line(`  aws application-autoscaling put-scaling-policy --service-namespace dynamodb --resource-id "$1" \`)
	s.line(`    --scalable-dimension "$2" --policy-name "$1:$3" --policy-type TargetTrackingScaling \`)
	s.line(`    --target-tracking-scaling-policy-configuration \`)
	s.line(`    "{\"TargetValue\":$6,\"PredefinedMetricSpecification\":{\"PredefinedMetricType\":\"$3\"}}" >/dev/null`)
	s.line("}")
	for _, c := range scaled {
		resource := `"table/$table"`
		if c.Index != "" {
			resource = `"table/$table/index/` + c.Index + `"`
		}
		s.line("scale %s %s %s %d %d %d", resource, c.Dimension(), c.Metric(), c.Min, c.Max, c.Target)
	}
}

// scaledIndex tells whether auto scaling moves the capacity of an index.
func scaledIndex(t *model.Table, index string) bool {
	for _, c := range table.Scalings(t) {
		if c.Index == index {
			return true
		}
	}
	return false
}
