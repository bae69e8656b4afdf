package engine

import (
	"context"
	"maps"
	"slices"

	"github.com/dynmodel/dynmodel/engine/api"
)

// Replicas are kept as a table's configuration; a DB is one region only.

func checkReplicaMembers(updates []api.ReplicationGroupUpdate) error {
	var errs []error
	for i, u := range updates {
		at := element("replicaUpdates", i)
		errs = append(errs,
			checkReplicaMember(at+".create", u.Create),
			checkReplicaMember(at+".update", u.Update),
			checkReplicaMember(at+".delete", u.Delete))
	}
	return api.First(errs...)
}

func checkReplicaMember(at string, r *api.Replica) error {
	if r == nil {
		return nil
	}
	return required(at+".regionName", r.RegionName)
}

// checkReplicas checks changes to the replicas of a table.
func checkReplicas(updates []api.ReplicationGroupUpdate) error {
	if len(updates) > 1 {
		return api.Invalid("Only one replica update is allowed at a time")
	}
	for _, u := range updates {
		n := 0
		for _, r := range []*api.Replica{u.Create, u.Update, u.Delete} {
			if r != nil {
				n++
			}
		}
		if n != 1 {
			return api.Invalid("A replica update must have exactly one of Create, Update and Delete")
		}
	}
	return nil
}

// changeReplicas returns the replicas after some changes. Those that are there
// are not changed in place, since answers may still hold them.
func changeReplicas(old []api.Replica, updates []api.ReplicationGroupUpdate) ([]api.Replica, error) {
	replicas := slices.Clone(old)
	find := func(r *api.Replica) int {
		return slices.IndexFunc(replicas, func(have api.Replica) bool { return have.RegionName == r.RegionName })
	}
	for _, u := range updates {
		switch {
		case u.Create != nil:
			if u.Create.RegionName == region || find(u.Create) >= 0 {
				return nil, api.Invalid("Failed to create a the new replica of table because one or more replicas already existed as tables in region %s", u.Create.RegionName)
			}
			replicas = append(replicas, activeReplica(*u.Create))
		case u.Update != nil:
			at := find(u.Update)
			if at < 0 {
				return nil, errNoReplica(u.Update)
			}
			replicas[at] = activeReplica(*u.Update)
		default:
			at := find(u.Delete)
			if at < 0 {
				return nil, errNoReplica(u.Delete)
			}
			replicas = slices.Delete(replicas, at, at+1)
		}
	}
	return replicas, nil
}

func (t *table) setReplicas(replicas []api.Replica) {
	t.description.Replicas = replicas
	if len(replicas) > 0 {
		t.description.GlobalTableVersion = "2019.11.21"
	}
}

func errNoReplica(r *api.Replica) error {
	return api.Errorf(api.ReplicaNotFound, "Replica not found in region %s", r.RegionName)
}

// activeReplica returns a replica as descriptions have it.
func activeReplica(r api.Replica) api.Replica {
	r.ReplicaStatus = api.StatusActive
	if r.TableClassOverride != "" {
		r.ReplicaTableClassSummary = &api.TableClassSummary{TableClass: r.TableClassOverride}
		r.TableClassOverride = ""
	}
	return r
}

// CreateGlobalTable keeps a global table of the older version.
func (db *DB) CreateGlobalTable(_ context.Context, in *api.GlobalTableInput) (*api.GlobalTableOutput, error) {
	if err := first(tableName("globalTableName", in.GlobalTableName), requiredList("replicationGroup", in.ReplicationGroup)); err != nil {
		return nil, err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	name := *in.GlobalTableName
	switch {
	case db.tables[name] == nil:
		return nil, api.Errorf(api.TableNotFound, "Table not found: %s", name)
	case db.globalTables[name] != nil:
		return nil, api.Errorf(api.GlobalTableAlreadyExists, "Global table with name: %s already exists", name)
	}
	g := &api.GlobalTable{
		GlobalTableName:   name,
		GlobalTableArn:    "arn:aws:dynamodb::" + accountID + ":global-table/" + name,
		GlobalTableStatus: api.StatusActive,
		CreationDateTime:  api.TimeOf(db.now()),
	}
	for _, r := range in.ReplicationGroup {
		g.ReplicationGroup = append(g.ReplicationGroup, activeReplica(r))
	}
	if db.globalTables == nil {
		db.globalTables = make(map[string]*api.GlobalTable)
	}
	db.globalTables[name] = g
	return &api.GlobalTableOutput{GlobalTableDescription: g}, db.saveAccount()
}

func requiredList[T any](member string, list []T) error {
	if list == nil {
		return api.Required(member)
	}
	return nil
}

// UpdateGlobalTable changes the replicas of a global table.
func (db *DB) UpdateGlobalTable(_ context.Context, in *api.GlobalTableInput) (*api.GlobalTableOutput, error) {
	if err := first(tableName("globalTableName", in.GlobalTableName), requiredList("replicaUpdates", in.ReplicaUpdates)); err != nil {
		return nil, err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	old, err := db.globalTable(*in.GlobalTableName)
	if err != nil {
		return nil, err
	}
	next := *old
	if next.ReplicationGroup, err = changeReplicas(old.ReplicationGroup, in.ReplicaUpdates); err != nil {
		return nil, err
	}
	db.globalTables[next.GlobalTableName] = &next
	return &api.GlobalTableOutput{GlobalTableDescription: &next}, db.saveAccount()
}

// globalTable returns a global table. db.mu is held.
func (db *DB) globalTable(name string) (*api.GlobalTable, error) {
	g := db.globalTables[name]
	if g == nil {
		return nil, api.Errorf(api.GlobalTableNotFound, "Global table not found: Global table with name: %s does not exist.", name)
	}
	return g, nil
}

// DescribeGlobalTable describes a global table.
func (db *DB) DescribeGlobalTable(_ context.Context, in *api.GlobalTableInput) (*api.GlobalTableOutput, error) {
	if err := tableName("globalTableName", in.GlobalTableName); err != nil {
		return nil, err
	}
	db.mu.RLock()
	defer db.mu.RUnlock()
	g, err := db.globalTable(*in.GlobalTableName)
	if err != nil {
		return nil, err
	}
	return &api.GlobalTableOutput{GlobalTableDescription: g}, nil
}

// ListGlobalTables lists global tables by name.
func (db *DB) ListGlobalTables(_ context.Context, in *api.ListGlobalTablesInput) (*api.ListGlobalTablesOutput, error) {
	if err := atLeast("limit", in.Limit, 1); err != nil {
		return nil, err
	}
	limit := maxListedTables
	if in.Limit != nil {
		limit = int(*in.Limit)
	}
	db.mu.RLock()
	defer db.mu.RUnlock()
	out := &api.ListGlobalTablesOutput{GlobalTables: []api.GlobalTable{}}
	for _, name := range slices.Sorted(maps.Keys(db.globalTables)) {
		g := db.globalTables[name]
		if in.ExclusiveStartGlobalTableName != nil && name <= *in.ExclusiveStartGlobalTableName || !replicatedIn(g, in.RegionName) {
			continue
		}
		if len(out.GlobalTables) == limit {
			out.LastEvaluatedGlobalTableName = out.GlobalTables[limit-1].GlobalTableName
			break
		}
		out.GlobalTables = append(out.GlobalTables, api.GlobalTable{GlobalTableName: name, ReplicationGroup: g.ReplicationGroup})
	}
	return out, nil
}

func replicatedIn(g *api.GlobalTable, region *string) bool {
	return region == nil || slices.ContainsFunc(g.ReplicationGroup, func(r api.Replica) bool { return r.RegionName == *region })
}
