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
	t, err := db.lockAny(*in.TableName)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	if tr := t.transition; !tr.over(t.now) && !tr.permits(in) {
		return nil, tr.inUse(t.name)
	}
	if err := t.checkUpdate(in); err != nil {
		return nil, err
	}
	replicas, err := changeReplicas(t.description.Replicas, in.ReplicaUpdates)
	if err != nil {
		return nil, err
	}
	tr := t.transitionOf(in, db.transitionTo(api.StatusUpdating, t.now))
	for _, u := range in.GlobalSecondaryIndexUpdates {
		if err = db.updateIndex(t.table, in, u); err != nil {
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
	if err := db.save(t.table, before); err != nil {
		return nil, err
	}
	db.mu.Lock()
	t.transition = tr
	db.mu.Unlock()
	tr.allocating = true
	return &api.UpdateTableOutput{TableDescription: t.describeIn(tr)}, nil
}

// transitionOf fills in what an update of the table changes, which is not done
// yet.
func (t *table) transitionOf(in *api.UpdateTableInput, tr transition) transition {
	if in.ProvisionedThroughput != nil && in.BillingMode != payPerRequest {
		tr.keep("", t.description.ProvisionedThroughput)
	}
	tr.toOnDemand = in.BillingMode == payPerRequest && !t.onDemand()
	for _, u := range in.GlobalSecondaryIndexUpdates {
		switch {
		case u.Create != nil:
			tr.indexes[u.Create.IndexName] = api.StatusCreating
		case u.Update != nil:
			tr.indexes[u.Update.IndexName] = api.StatusUpdating
			if x, err := t.globalIndex(u.Update.IndexName); err == nil && u.Update.ProvisionedThroughput != nil {
				tr.keep(x.IndexName, x.ProvisionedThroughput)
			}
		default:
			if x, err := t.globalIndex(u.Delete.IndexName); err == nil {
				going := *x
				going.IndexStatus = api.StatusDeleting
				tr.leaving = &going
			}
		}
	}
	for _, u := range in.VectorIndexUpdates {
		if u.Create != nil {
			tr.indexes[u.Create.IndexName] = api.StatusCreating
		}
	}
	return tr
}

func checkUpdateTable(in *api.UpdateTableInput) error {
	if err := checkTableName(in.TableName); err != nil {
		return err
	}
	err := api.First(
		checkAttributes(in.AttributeDefinitions),
		tableName("tableName", in.TableName),
		oneOf("billingMode", in.BillingMode, provisioned, payPerRequest),
		checkThroughput("provisionedThroughput", in.ProvisionedThroughput),
		checkTableSettings(in.TableClass, in.SSESpecification, in.StreamSpecification),
		checkIndexUpdateMembers(in.GlobalSecondaryIndexUpdates),
		checkVectorUpdateMembers(in.VectorIndexUpdates),
		checkReplicaMembers(in.ReplicaUpdates))
	switch {
	case err != nil:
		return err
	case changesNothing(in):
		return api.Invalid("At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or SSESpecification or ReplicaUpdates is required")
	case in.BillingMode == payPerRequest && in.ProvisionedThroughput != nil:
		return errThroughputOnDemand
	case in.BillingMode == provisioned && in.ProvisionedThroughput == nil:
		return api.InvalidParameter("ProvisionedThroughput must be specified when BillingMode is PROVISIONED")
	}
	return first(
		checkUnits(in.ProvisionedThroughput),
		checkStream(in.StreamSpecification),
		checkEncryption(in.SSESpecification),
		checkReplicas(in.ReplicaUpdates),
		checkIndexUpdates(in.GlobalSecondaryIndexUpdates),
		checkVectorUpdates(in.VectorIndexUpdates))
}

func changesNothing(in *api.UpdateTableInput) bool {
	return in.BillingMode == "" && in.TableClass == "" && in.ProvisionedThroughput == nil && in.OnDemandThroughput == nil &&
		in.WarmThroughput == nil && in.StreamSpecification == nil && in.SSESpecification == nil && in.DeletionProtectionEnabled == nil &&
		len(in.GlobalSecondaryIndexUpdates) == 0 && len(in.VectorIndexUpdates) == 0 && len(in.ReplicaUpdates) == 0
}

func checkIndexUpdateMembers(updates []api.GlobalSecondaryIndexUpdate) error {
	var errs []error
	for i, u := range updates {
		at := element("globalSecondaryIndexUpdates", i)
		if u.Create != nil {
			errs = append(errs, checkGlobalMembers(at+".create", u.Create))
		}
		if u.Update != nil {
			errs = append(errs,
				checkIndexName(at+".update.indexName", u.Update.IndexName),
				checkThroughput(at+".update.provisionedThroughput", u.Update.ProvisionedThroughput))
		}
		if u.Delete != nil {
			errs = append(errs, checkIndexName(at+".delete.indexName", u.Delete.IndexName))
		}
	}
	return api.First(errs...)
}

func checkIndexUpdates(updates []api.GlobalSecondaryIndexUpdate) error {
	online := 0
	seen := make(map[string]bool)
	for _, u := range updates {
		var names []string
		if u.Create != nil {
			names = append(names, u.Create.IndexName)
		}
		if u.Update != nil {
			names = append(names, u.Update.IndexName)
			if err := checkUnits(u.Update.ProvisionedThroughput); err != nil {
				return err
			}
		}
		if u.Delete != nil {
			names = append(names, u.Delete.IndexName)
		}
		if len(names) != 1 {
			return api.InvalidParameter("One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, GlobalSecondaryIndexUpdate.Delete must not be null")
		}
		if seen[names[0]] {
			return api.InvalidParameter("Only one global secondary index update per index is allowed simultaneously. Index: %s", names[0])
		}
		seen[names[0]] = true
		if u.Update == nil {
			online++
		}
	}
	if online > 1 {
		return errOneOnlineIndex
	}
	return nil
}

var errOneOnlineIndex = api.Errorf(api.LimitExceeded, "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table")

// checkUpdate checks the request against the table as it is.
func (t *table) checkUpdate(in *api.UpdateTableInput) error {
	onDemand := in.BillingMode == payPerRequest || in.BillingMode == "" && t.onDemand()
	err := first(t.checkThroughputChange(in), checkCaps(onDemand, in.OnDemandThroughput), t.checkStreamChange(in.StreamSpecification))
	for _, u := range in.GlobalSecondaryIndexUpdates {
		err = first(err, t.checkIndexUpdate(in, u))
	}
	for _, u := range in.VectorIndexUpdates {
		err = first(err, t.checkVectorUpdate(in, u))
	}
	return err
}

func (t *table) checkThroughputChange(in *api.UpdateTableInput) error {
	p := in.ProvisionedThroughput
	switch {
	case p == nil:
		return nil
	case t.onDemand() && in.BillingMode == "":
		return errThroughputOnDemand
	case t.onDemand():
		return t.checkIndexesProvisioned(in.GlobalSecondaryIndexUpdates)
	}
	now := t.description.ProvisionedThroughput
	if !now.Is(p) || len(in.GlobalSecondaryIndexUpdates) > 0 {
		return nil
	}
	return errSameThroughput("table", "table", now, p)
}

// checkIndexesProvisioned checks that a table that goes from on-demand to
// provisioned capacity gets some for each of its indexes.
func (t *table) checkIndexesProvisioned(updates []api.GlobalSecondaryIndexUpdate) error {
	for _, x := range t.description.GlobalSecondaryIndexes {
		provided := slices.ContainsFunc(updates, func(u api.GlobalSecondaryIndexUpdate) bool {
			return u.Update != nil && u.Update.IndexName == x.IndexName && u.Update.ProvisionedThroughput != nil ||
				u.Delete != nil && u.Delete.IndexName == x.IndexName
		})
		if !provided {
			return checkIndexBilling(false, x.IndexName, nil)
		}
	}
	return nil
}

// errSameThroughput says that nothing would change. of names the table or the
// index whose throughput it is.
func errSameThroughput(of, kind string, now *api.ProvisionedThroughputDescription, asked *api.ProvisionedThroughput) error {
	return api.Invalid("The provisioned throughput for the %[1]s will not change. The requested value equals the current value. Current ReadCapacityUnits provisioned for the %[2]s: %[3]d. Requested ReadCapacityUnits: %[4]d. Current WriteCapacityUnits provisioned for the %[2]s: %[5]d. Requested WriteCapacityUnits: %[6]d. Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.",
		of, kind, now.ReadCapacityUnits, *asked.ReadCapacityUnits, now.WriteCapacityUnits, *asked.WriteCapacityUnits)
}

func (t *table) checkStreamChange(s *api.StreamSpecification) error {
	switch {
	case s == nil || *s.StreamEnabled != t.streaming():
		return nil
	case t.streaming():
		return api.Invalid("Table already has an enabled stream: TableName: %s", t.name)
	}
	return api.Invalid("Table is already in the process of disabling its stream or has no stream: TableName: %s", t.name)
}

func (t *table) onDemand() bool {
	b := t.description.BillingModeSummary
	return b != nil && b.BillingMode == payPerRequest
}

func (t *table) checkIndexUpdate(in *api.UpdateTableInput, u api.GlobalSecondaryIndexUpdate) error {
	onDemand := in.BillingMode == payPerRequest || in.BillingMode == "" && t.onDemand()
	switch {
	case u.Create != nil:
		return t.checkIndexCreation(in, u.Create, onDemand)
	case u.Delete != nil:
		_, err := t.globalIndex(u.Delete.IndexName)
		return err
	}
	x, err := t.globalIndex(u.Update.IndexName)
	p := u.Update.ProvisionedThroughput
	switch {
	case err != nil || p == nil:
		return err
	case onDemand:
		return checkIndexBilling(onDemand, x.IndexName, p)
	case !t.onDemand() && x.ProvisionedThroughput.Is(p):
		return errSameThroughput("index "+x.IndexName, "index", x.ProvisionedThroughput, p)
	}
	return nil
}

// globalIndex returns what is said of a global index that a request names.
func (t *table) globalIndex(name string) (*api.GlobalSecondaryIndexDescription, error) {
	for i := range t.description.GlobalSecondaryIndexes {
		if x := &t.description.GlobalSecondaryIndexes[i]; x.IndexName == name {
			return x, nil
		}
	}
	return nil, api.Errorf(api.ResourceNotFound, "Requested resource not found")
}

func (t *table) checkIndexCreation(in *api.UpdateTableInput, x *api.GlobalSecondaryIndex, onDemand bool) error {
	s := t.schema.Load()
	if s.index(x.IndexName) != nil || s.vector(x.IndexName) != nil {
		return api.Invalid("Attempting to create an index which already exists")
	}
	err := first(checkIndexBilling(onDemand, x.IndexName, x.ProvisionedThroughput), t.checkRedefined(in.AttributeDefinitions))
	switch {
	case err != nil:
		return err
	case len(t.description.GlobalSecondaryIndexes) == maxGlobalIndexes:
		return api.Errorf(api.LimitExceeded, "GlobalSecondaryIndex count exceeds the per-table limit of %d", maxGlobalIndexes)
	}
	given := &definition{attributes: in.AttributeDefinitions}
	d := t.definition(in.AttributeDefinitions)
	d.globals = append(d.globals, *x)
	return first(given.checkGlobal(*x), d.checkProjected())
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

// updateIndex makes one change to the indexes. The table is locked.
func (db *DB) updateIndex(t *table, in *api.UpdateTableInput, u api.GlobalSecondaryIndexUpdate) error {
	switch {
	case u.Create != nil:
		return db.createIndex(t, t.definition(in.AttributeDefinitions), *u.Create)
	case u.Delete != nil:
		return db.deleteIndex(t, u.Delete.IndexName)
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
			x.WarmThroughput = describeWarm(w, u.Update.ProvisionedThroughput)
		}
	}
	return nil
}

// createIndex adds an index and fills it. Items whose attributes cannot be its
// key are left out without an error, as by the service.
func (db *DB) createIndex(t *table, d *definition, x api.GlobalSecondaryIndex) error {
	s := t.schema.Load()
	made := d.global(x)
	made.space, made.readable = t.newSpace(&db.spaces), db.now().Add(db.transitions)
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
