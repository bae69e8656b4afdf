package engine

import (
	"context"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
)

// UpdateGlobalTableSettings keeps the capacity of a global table of the older
// version. Nothing follows from it.
func (db *DB) UpdateGlobalTableSettings(_ context.Context, in *api.UpdateGlobalTableSettingsInput) (*api.GlobalTableSettingsOutput, error) {
	err := first(
		tableName("globalTableName", in.GlobalTableName),
		oneOf("globalTableBillingMode", in.GlobalTableBillingMode, provisioned, payPerRequest),
		atLeast("globalTableProvisionedWriteCapacityUnits", in.GlobalTableProvisionedWriteCapacityUnits, 1))
	if err != nil {
		return nil, err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	g, err := db.globalTable(*in.GlobalTableName)
	if err != nil {
		return nil, err
	}
	replicas := db.settingsOf(g)
	for i := range replicas {
		setOfAll(&replicas[i], in, db.now())
	}
	for _, u := range in.ReplicaSettingsUpdate {
		at := slices.IndexFunc(replicas, func(r api.ReplicaSettings) bool { return r.RegionName == u.RegionName })
		if at < 0 {
			return nil, errNoReplica(&api.Replica{RegionName: u.RegionName})
		}
		setOfReplica(&replicas[at], u)
	}
	if db.globalSettings == nil {
		db.globalSettings = make(map[string][]api.ReplicaSettings)
	}
	db.globalSettings[g.GlobalTableName] = replicas
	return &api.GlobalTableSettingsOutput{GlobalTableName: g.GlobalTableName, ReplicaSettings: replicas}, db.saveAccount()
}

// DescribeGlobalTableSettings returns what was set.
func (db *DB) DescribeGlobalTableSettings(_ context.Context, in *api.DescribeGlobalTableSettingsInput) (*api.GlobalTableSettingsOutput, error) {
	if err := tableName("globalTableName", in.GlobalTableName); err != nil {
		return nil, err
	}
	db.mu.RLock()
	defer db.mu.RUnlock()
	g, err := db.globalTable(*in.GlobalTableName)
	if err != nil {
		return nil, err
	}
	return &api.GlobalTableSettingsOutput{GlobalTableName: g.GlobalTableName, ReplicaSettings: db.settingsOf(g)}, nil
}

// settingsOf returns a copy of the settings of a global table: one for each of
// its replicas. db.mu is held.
func (db *DB) settingsOf(g *api.GlobalTable) []api.ReplicaSettings {
	kept := db.globalSettings[g.GlobalTableName]
	replicas := make([]api.ReplicaSettings, len(g.ReplicationGroup))
	for i, r := range g.ReplicationGroup {
		replicas[i] = api.ReplicaSettings{RegionName: r.RegionName, ReplicaStatus: api.StatusActive}
		if at := slices.IndexFunc(kept, func(s api.ReplicaSettings) bool { return s.RegionName == r.RegionName }); at >= 0 {
			replicas[i] = kept[at]
			replicas[i].ReplicaGlobalSecondaryIndexSettings = slices.Clone(kept[at].ReplicaGlobalSecondaryIndexSettings)
		}
	}
	return replicas
}

// setOfAll changes what all replicas have in common.
func setOfAll(r *api.ReplicaSettings, in *api.UpdateGlobalTableSettingsInput, now time.Time) {
	if in.GlobalTableBillingMode != "" {
		r.ReplicaBillingModeSummary = &api.BillingModeSummary{BillingMode: in.GlobalTableBillingMode}
		if in.GlobalTableBillingMode == payPerRequest {
			r.ReplicaBillingModeSummary.LastUpdateToPayPerRequestDateTime = api.TimeOf(now)
		}
	}
	keep(&r.ReplicaProvisionedWriteCapacityUnits, in.GlobalTableProvisionedWriteCapacityUnits)
	scale(&r.ReplicaProvisionedWriteCapacityAutoScalingSettings, in.GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate)
	for _, u := range in.GlobalTableGlobalSecondaryIndexSettingsUpdate {
		x := indexSettings(r, u.IndexName)
		keep(&x.ProvisionedWriteCapacityUnits, u.ProvisionedWriteCapacityUnits)
		scale(&x.ProvisionedWriteCapacityAutoScalingSettings, u.ProvisionedWriteCapacityAutoScalingSettingsUpdate)
	}
}

// setOfReplica changes what one replica has for itself.
func setOfReplica(r *api.ReplicaSettings, u api.ReplicaSettingsUpdate) {
	keep(&r.ReplicaProvisionedReadCapacityUnits, u.ReplicaProvisionedReadCapacityUnits)
	scale(&r.ReplicaProvisionedReadCapacityAutoScalingSettings, u.ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate)
	if u.ReplicaTableClass != "" {
		r.ReplicaTableClassSummary = &api.TableClassSummary{TableClass: u.ReplicaTableClass}
	}
	for _, u := range u.ReplicaGlobalSecondaryIndexSettingsUpdate {
		x := indexSettings(r, u.IndexName)
		keep(&x.ProvisionedReadCapacityUnits, u.ProvisionedReadCapacityUnits)
		scale(&x.ProvisionedReadCapacityAutoScalingSettings, u.ProvisionedReadCapacityAutoScalingSettingsUpdate)
	}
}

// indexSettings returns the settings of an index of a replica, made if they
// are not there.
func indexSettings(r *api.ReplicaSettings, name string) *api.ReplicaIndexSettings {
	all := &r.ReplicaGlobalSecondaryIndexSettings
	at := slices.IndexFunc(*all, func(x api.ReplicaIndexSettings) bool { return x.IndexName == name })
	if at < 0 {
		at = len(*all)
		*all = append(*all, api.ReplicaIndexSettings{IndexName: name, IndexStatus: api.StatusActive})
	}
	return &(*all)[at]
}

// keep sets a number that the request gives.
func keep(to **int64, given *int64) {
	if given != nil {
		*to = given
	}
}

// scale changes auto scaling settings as far as the request gives some.
func scale(to **api.AutoScalingSettings, u *api.AutoScalingUpdate) {
	if u == nil {
		return
	}
	var next api.AutoScalingSettings
	if *to != nil {
		next = **to
	}
	next = scaledBy(next, u)
	*to = &next
}
