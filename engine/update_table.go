package engine

import (
	"context"
	"slices"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/store"
)

// UpdateTable changes the settings of a table, or creates, changes or deletes
// one of its global indexes. A new index is filled before the answer.
func (db *DB) UpdateTable(_ context.Context, in *api.UpdateTableInput) (*api.UpdateTableOutput, error) {
	if err := checkUpdateTable(in); err != nil {
		return nil, err
	}
	t, err := db.lock(*in.TableName)
	if err != nil {
		return nil, errTableNamed(*in.TableName)
	}
	defer t.mu.Unlock()
	if err := t.checkUpdate(in); err != nil {
		return nil, err
	}
	replicas, err := changeReplicas(t.description.Replicas, in.ReplicaUpdates)
	if err != nil {
		return nil, err
	}
	status := ""
	for _, u := range in.GlobalSecondaryIndexUpdates {
		if status, err = db.updateIndex(t.table, in, u); err != nil {
			return nil, err
		}
	}
	for _, u := range in.VectorIndexUpdates {
		if err = db.updateVector(t.table, in, u); err != nil {
			return nil, err
		}
	}
	t.applySettings(in, t.now)
	t.setReplicas(replicas)
	before := t.stream
	db.setStream(t.table, in.StreamSpecification, t.now)
	return &api.UpdateTableOutput{TableDescription: t.describeUpdating(in, status)}, db.save(t.table, before)
}

func checkUpdateTable(in *api.UpdateTableInput) error {
	err := first(
		tableName("tableName", in.TableName),
		checkTableSettings(in.BillingMode, in.TableClass, in.ProvisionedThroughput, in.SSESpecification, in.StreamSpecification),
		checkReplicas(in.ReplicaUpdates))
	if err != nil {
		return err
	}
	if err := checkStream(in.StreamSpecification); err != nil {
		return err
	}
	if in.BillingMode == payPerRequest && in.ProvisionedThroughput != nil {
		return checkBilling(in.BillingMode, in.ProvisionedThroughput, nil)
	}
	if in.BillingMode == "" && in.TableClass == "" && in.ProvisionedThroughput == nil && in.OnDemandThroughput == nil && in.WarmThroughput == nil &&
		len(in.GlobalSecondaryIndexUpdates) == 0 && len(in.VectorIndexUpdates) == 0 && in.StreamSpecification == nil && in.SSESpecification == nil && in.DeletionProtectionEnabled == nil && len(in.ReplicaUpdates) == 0 {
		return api.Invalid("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required")
	}
	return first(checkIndexUpdates(in.GlobalSecondaryIndexUpdates), checkVectorUpdates(in.VectorIndexUpdates))
}

func checkIndexUpdates(updates []api.GlobalSecondaryIndexUpdate) error {
	created, deleted := 0, 0
	seen := make(map[string]bool)
	for _, u := range updates {
		var names []string
		if u.Create != nil {
			created++
			names = append(names, u.Create.IndexName)
			if err := checkIndexMembers("globalSecondaryIndexUpdates.1.member.create", u.Create.IndexName, u.Create.KeySchema, u.Create.Projection, 2*maxPartKeys); err != nil {
				return err
			}
		}
		if u.Update != nil {
			names = append(names, u.Update.IndexName)
			if err := checkThroughput("globalSecondaryIndexUpdates.1.member.update.provisionedThroughput", u.Update.ProvisionedThroughput); err != nil {
				return err
			}
		}
		if u.Delete != nil {
			deleted++
			names = append(names, u.Delete.IndexName)
		}
		if len(names) != 1 {
			return api.InvalidParameter("One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null")
		}
		if seen[names[0]] {
			return api.InvalidParameter("Only one global secondary index update per index is allowed simultaneously. Index: %s", names[0])
		}
		seen[names[0]] = true
	}
	if created+deleted > 1 {
		return api.Errorf(api.LimitExceeded, "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")
	}
	return nil
}

// checkUpdate checks the request against the table as it is.
func (t *table) checkUpdate(in *api.UpdateTableInput) error {
	if p := in.ProvisionedThroughput; p != nil {
		now := t.description.ProvisionedThroughput
		switch {
		case t.onDemand() && in.BillingMode == "":
			return api.InvalidParameter("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")
		case !t.onDemand() && in.BillingMode == "" && *p.ReadCapacityUnits == now.ReadCapacityUnits && *p.WriteCapacityUnits == now.WriteCapacityUnits && len(in.GlobalSecondaryIndexUpdates) == 0:
			return api.Invalid("The provisioned throughput for the table will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the table: %d. Requested ReadCapacityUnits: %d. Current WriteCapacityUnits provisioned for the table: %d. Requested WriteCapacityUnits: %d. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
				now.ReadCapacityUnits, *p.ReadCapacityUnits, now.WriteCapacityUnits, *p.WriteCapacityUnits)
		}
	}
	if in.BillingMode == provisioned && t.onDemand() && in.ProvisionedThroughput == nil {
		return checkBilling(provisioned, nil, nil)
	}
	if s := in.StreamSpecification; s != nil && *s.StreamEnabled == t.streaming() {
		if t.streaming() {
			return api.Invalid("Table already has an enabled stream: TableName: %s", t.name)
		}
		return api.Invalid("Table is already in the process of disabling its stream or has no stream: TableName: %s", t.name)
	}
	for _, u := range in.GlobalSecondaryIndexUpdates {
		if err := t.checkIndexUpdate(in, u); err != nil {
			return err
		}
	}
	for _, u := range in.VectorIndexUpdates {
		if err := t.checkVectorUpdate(in, u); err != nil {
			return err
		}
	}
	return nil
}

func (t *table) onDemand() bool {
	b := t.description.BillingModeSummary
	return b != nil && b.BillingMode == payPerRequest
}

func (t *table) checkIndexUpdate(in *api.UpdateTableInput, u api.GlobalSecondaryIndexUpdate) error {
	s := t.schema.Load()
	if u.Create == nil {
		name := ""
		if u.Update != nil {
			name = u.Update.IndexName
		} else {
			name = u.Delete.IndexName
		}
		if x := s.index(name); x == nil || x.local {
			return api.Errorf(api.ResourceNotFound, "Requested resource not found")
		}
		return nil
	}
	onDemand := in.BillingMode == payPerRequest || in.BillingMode == "" && t.onDemand()
	switch {
	case s.index(u.Create.IndexName) != nil:
		return api.Invalid("Attempting to create an index which already exists")
	case onDemand && u.Create.ProvisionedThroughput != nil:
		return api.InvalidParameter("ProvisionedThroughput should not be specified for index: %s when BillingMode is PAY_PER_REQUEST", u.Create.IndexName)
	case !onDemand && u.Create.ProvisionedThroughput == nil:
		return api.InvalidParameter("ProvisionedThroughput must be specified for index: %s", u.Create.IndexName)
	case len(t.description.GlobalSecondaryIndexes) == maxGlobalIndexes:
		return api.Errorf(api.LimitExceeded, "GlobalSecondaryIndex count exceeds the per-table limit of %d", maxGlobalIndexes)
	}
	if err := t.checkRedefined(in.AttributeDefinitions); err != nil {
		return err
	}
	given := &definition{attributes: in.AttributeDefinitions}
	d := t.definition(in.AttributeDefinitions)
	d.globals = append(d.globals, *u.Create)
	return first(given.checkGlobal(*u.Create), d.checkProjected())
}

// checkRedefined refuses other types for attributes that are already in keys.
func (t *table) checkRedefined(attributes []api.AttributeDefinition) error {
	for _, old := range t.description.AttributeDefinitions {
		for _, a := range attributes {
			if a.AttributeName == old.AttributeName && a.AttributeType != old.AttributeType {
				return api.InvalidParameter("Attributes cannot be redefined. Please check that your attribute has the same type as previously defined. Existing schema: Schema:[SchemaElement: key{%s:%s}] New schema: Schema:[SchemaElement: key{%s:%s}]",
					old.AttributeName, old.AttributeType, a.AttributeName, a.AttributeType)
			}
		}
	}
	return nil
}

// definition returns the table's definition with the given attributes added.
func (t *table) definition(added []api.AttributeDefinition) *definition {
	d := &definition{attributes: slices.Clone(t.description.AttributeDefinitions), key: t.description.KeySchema}
	for _, a := range added {
		if d.typeOf(a.AttributeName) == "" {
			d.attributes = append(d.attributes, a)
		}
	}
	for _, x := range t.description.GlobalSecondaryIndexes {
		d.globals = append(d.globals, api.GlobalSecondaryIndex{IndexName: x.IndexName, KeySchema: x.KeySchema, Projection: x.Projection})
	}
	for _, x := range t.description.LocalSecondaryIndexes {
		d.locals = append(d.locals, api.LocalSecondaryIndex{IndexName: x.IndexName, KeySchema: x.KeySchema, Projection: x.Projection})
	}
	for _, x := range t.description.VectorIndexes {
		d.vectors = append(d.vectors, x.VectorIndex)
	}
	return d
}

// updateIndex makes one change to the indexes and returns the status that the
// index has in the answer. The table is locked.
func (db *DB) updateIndex(t *table, in *api.UpdateTableInput, u api.GlobalSecondaryIndexUpdate) (status string, err error) {
	switch {
	case u.Create != nil:
		return api.StatusCreating, db.createIndex(t, t.definition(in.AttributeDefinitions), *u.Create)
	case u.Delete != nil:
		return api.StatusDeleting, db.deleteIndex(t, u.Delete.IndexName)
	}
	for i := range t.description.GlobalSecondaryIndexes {
		x := &t.description.GlobalSecondaryIndexes[i]
		if x.IndexName != u.Update.IndexName {
			continue
		}
		if p := u.Update.ProvisionedThroughput; p != nil {
			x.ProvisionedThroughput = describeThroughput(p)
		}
		if o := u.Update.OnDemandThroughput; o != nil {
			x.OnDemandThroughput = o
		}
		if w := u.Update.WarmThroughput; w != nil {
			x.WarmThroughput = describeWarm(w)
		}
	}
	return api.StatusUpdating, nil
}

// createIndex adds an index and fills it. Items whose attributes cannot be its
// key are left out without an error, as by the service.
func (db *DB) createIndex(t *table, d *definition, x api.GlobalSecondaryIndex) error {
	s := t.schema.Load()
	made := d.global(x)
	made.space = t.newSpace(&db.spaces)
	if err := db.backfill(t, s, made.space, made.fitting); err != nil {
		return err
	}
	next := *s
	next.indexes = slices.Insert(slices.Clone(s.indexes), len(t.description.GlobalSecondaryIndexes), made)
	t.schema.Store(&next)
	t.description.AttributeDefinitions = d.attributes
	t.description.GlobalSecondaryIndexes = append(slices.Clone(t.description.GlobalSecondaryIndexes), describeGlobal(t.description.TableArn, x))
	return nil
}

// backfill puts the entry of each of the table's items into a space.
func (db *DB) backfill(t *table, s *schema, space store.Space, entryOf func(attr.Item) entry) error {
	snapshot := db.store.Snapshot()
	defer snapshot.Close()
	w := batchWriter{store: db.store}
	err := snapshot.Range(s.space, store.Range{}, func(_ string, item attr.Item) bool {
		t.replace(&w.batch, space, entry{}, entryOf(item), writeUnits)
		return w.flushFull()
	})
	return first(err, w.flush())
}

func (db *DB) deleteIndex(t *table, name string) error {
	s := t.schema.Load()
	gone := s.index(name)
	next := *s
	next.indexes = slices.DeleteFunc(slices.Clone(s.indexes), func(x *index) bool { return x == gone })
	t.schema.Store(&next)
	t.description.GlobalSecondaryIndexes = slices.DeleteFunc(slices.Clone(t.description.GlobalSecondaryIndexes), func(x api.GlobalSecondaryIndexDescription) bool {
		return x.IndexName == name
	})
	t.description.AttributeDefinitions = t.definition(nil).used()
	return db.dropIndexSpace(t, gone.space)
}
