package engine

import (
	"context"
	"maps"
	"slices"

	"github.com/dynmodel/dynmodel/engine/api"
)

// A scaled thing is what has auto scaling settings of its own: the reads or the
// writes of a table or an index, in a region. Writes are the same in all
// regions and have none; the index is "" for the table.
type scaled struct {
	region, index string
}

// UpdateTableReplicaAutoScaling keeps settings of auto scaling. Nothing is
// scaled.
func (db *DB) UpdateTableReplicaAutoScaling(_ context.Context, in *api.UpdateTableReplicaAutoScalingInput) (*api.TableReplicaAutoScalingOutput, error) {
	if err := tableName("tableName", in.TableName); err != nil {
		return nil, err
	}
	t, err := db.lockSteady(*in.TableName)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	if t.onDemand() {
		return nil, api.Invalid("Auto scaling is for tables with provisioned capacity; table %s is on demand", t.name)
	}
	next := maps.Clone(t.scaling)
	if next == nil {
		next = make(map[scaled]api.AutoScalingSettings)
	}
	keepScaling(next, scaled{}, in.ProvisionedWriteCapacityAutoScalingUpdate)
	for _, x := range in.GlobalSecondaryIndexUpdates {
		if err := t.checkScaledIndex(x.IndexName); err != nil {
			return nil, err
		}
		keepScaling(next, scaled{index: x.IndexName}, x.ProvisionedWriteCapacityAutoScalingUpdate)
	}
	for _, r := range in.ReplicaUpdates {
		if !slices.Contains(t.regions(), r.RegionName) {
			return nil, api.Errorf(api.ResourceNotFound, "Replica not found in region %s", r.RegionName)
		}
		keepScaling(next, scaled{region: r.RegionName}, r.ReplicaProvisionedReadCapacityAutoScalingUpdate)
		for _, x := range r.ReplicaGlobalSecondaryIndexUpdates {
			if err := t.checkScaledIndex(x.IndexName); err != nil {
				return nil, err
			}
			keepScaling(next, scaled{region: r.RegionName, index: x.IndexName}, x.ProvisionedReadCapacityAutoScalingUpdate)
		}
	}
	t.scaling = next
	if err := db.save(t.table); err != nil {
		return nil, err
	}
	out := t.describeScaling()
	out.TableAutoScalingDescription.TableStatus = api.StatusUpdating
	return out, nil
}

// DescribeTableReplicaAutoScaling returns what was set.
func (db *DB) DescribeTableReplicaAutoScaling(_ context.Context, in *api.DescribeTableReplicaAutoScalingInput) (*api.TableReplicaAutoScalingOutput, error) {
	if err := tableName("tableName", in.TableName); err != nil {
		return nil, err
	}
	t, err := db.lockAny(*in.TableName)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	return t.describeScaling(), nil
}

func (t locked) checkScaledIndex(name string) error {
	if x := t.schema.index(name); x == nil || x.local {
		return api.Errorf(api.ResourceNotFound, "Requested resource not found: Index: %s not found", name)
	}
	return nil
}

// regions returns those of the table itself and of its replicas.
func (t *table) regions() []string {
	all := []string{region}
	for _, r := range t.description.Replicas {
		all = append(all, r.RegionName)
	}
	return all
}

func keepScaling(settings map[scaled]api.AutoScalingSettings, of scaled, u *api.AutoScalingUpdate) {
	if u == nil {
		return
	}
	settings[of] = scaledBy(settings[of], u)
}

// scaledBy returns settings after an update.
func scaledBy(s api.AutoScalingSettings, u *api.AutoScalingUpdate) api.AutoScalingSettings {
	s.MinimumUnits, s.MaximumUnits = u.MinimumUnits, u.MaximumUnits
	s.AutoScalingDisabled, s.AutoScalingRoleArn = u.AutoScalingDisabled, u.AutoScalingRoleArn
	if u.ScalingPolicyUpdate != nil {
		s.ScalingPolicies = []api.ScalingPolicy{*u.ScalingPolicyUpdate}
	}
	return s
}

func (t locked) describeScaling() *api.TableReplicaAutoScalingOutput {
	settings := func(of scaled) *api.AutoScalingSettings {
		if s, ok := t.scaling[of]; ok {
			return &s
		}
		return nil
	}
	d := &api.TableAutoScaling{TableName: t.name, TableStatus: api.StatusActive}
	for _, name := range t.regions() {
		r := api.ReplicaAutoScaling{
			RegionName:    name,
			ReplicaStatus: api.StatusActive,
			ReplicaProvisionedReadCapacityAutoScalingSettings:  settings(scaled{region: name}),
			ReplicaProvisionedWriteCapacityAutoScalingSettings: settings(scaled{}),
		}
		for _, x := range t.description.GlobalSecondaryIndexes {
			r.GlobalSecondaryIndexes = append(r.GlobalSecondaryIndexes, api.IndexAutoScaling{
				IndexName:   x.IndexName,
				IndexStatus: api.StatusActive,
				ProvisionedReadCapacityAutoScalingSettings:  settings(scaled{region: name, index: x.IndexName}),
				ProvisionedWriteCapacityAutoScalingSettings: settings(scaled{index: x.IndexName}),
			})
		}
		d.Replicas = append(d.Replicas, r)
	}
	return &api.TableReplicaAutoScalingOutput{TableAutoScalingDescription: d}
}
