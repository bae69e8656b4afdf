package engine

import (
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
)

// applySettings changes what UpdateTable can change beside indexes.
func (t *table) applySettings(in *api.UpdateTableInput, now time.Time) {
	d := &t.description
	if in.BillingMode == payPerRequest && !t.onDemand() {
		d.BillingModeSummary = &api.BillingModeSummary{BillingMode: payPerRequest, LastUpdateToPayPerRequestDateTime: api.TimeOf(now)}
		d.ProvisionedThroughput = describeThroughput(nil)
		for i := range d.GlobalSecondaryIndexes {
			d.GlobalSecondaryIndexes[i].ProvisionedThroughput = describeThroughput(nil)
		}
	}
	if in.BillingMode == provisioned && t.onDemand() {
		summary := *d.BillingModeSummary
		summary.BillingMode = provisioned
		d.BillingModeSummary = &summary
	}
	if in.ProvisionedThroughput != nil {
		d.ProvisionedThroughput = changeThroughput(d.ProvisionedThroughput, in.ProvisionedThroughput, now)
	}
	if in.OnDemandThroughput != nil {
		d.OnDemandThroughput = in.OnDemandThroughput
	}
	if in.WarmThroughput != nil {
		d.WarmThroughput = describeWarm(in.WarmThroughput, in.ProvisionedThroughput)
	}
	if in.TableClass != "" {
		d.TableClassSummary = &api.TableClassSummary{TableClass: in.TableClass, LastUpdateDateTime: api.TimeOf(now)}
	}
	if in.SSESpecification != nil {
		d.SSEDescription = describeSSE(in.SSESpecification)
	}
	if in.DeletionProtectionEnabled != nil {
		d.DeletionProtectionEnabled = *in.DeletionProtectionEnabled
	}
}

// changeThroughput keeps the record of when throughput went up and down.
func changeThroughput(old *api.ProvisionedThroughputDescription, p *api.ProvisionedThroughput, now time.Time) *api.ProvisionedThroughputDescription {
	next := *old
	next.ReadCapacityUnits, next.WriteCapacityUnits = *p.ReadCapacityUnits, *p.WriteCapacityUnits
	if next.ReadCapacityUnits > old.ReadCapacityUnits || next.WriteCapacityUnits > old.WriteCapacityUnits {
		next.LastIncreaseDateTime = api.TimeOf(now)
	}
	if next.ReadCapacityUnits < old.ReadCapacityUnits || next.WriteCapacityUnits < old.WriteCapacityUnits {
		next.NumberOfDecreasesToday = 1
		if d := old.LastDecreaseDateTime; d != nil && sameDay(time.Time(*d), now) {
			next.NumberOfDecreasesToday = old.NumberOfDecreasesToday + 1
		}
		next.LastDecreaseDateTime = api.TimeOf(now)
	}
	return &next
}

// sameDay reports whether two moments are on one day of UTC, by which the
// service counts decreases.
func sameDay(a, b time.Time) bool {
	const day = 24 * time.Hour
	return a.UTC().Truncate(day).Equal(b.UTC().Truncate(day))
}
