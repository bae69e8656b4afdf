package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/store"
)

// CreateTable makes a table. The answer says CREATING, as the service's does;
// the table is there by then.
func (db *DB) CreateTable(_ context.Context, in *api.CreateTableInput) (*api.CreateTableOutput, error) {
	d := definitionOf(in)
	if err := checkCreateTable(in, d); err != nil {
		return nil, err
	}
	db.settle()
	db.mu.Lock()
	defer db.mu.Unlock()
	if err := db.checkFree(*in.TableName); err != nil {
		return nil, err
	}
	t := db.newTable(in, d)
	created, err := db.introduce(t)
	if err != nil {
		return nil, err
	}
	return &api.CreateTableOutput{TableDescription: created}, nil
}

// checkFree checks that no table has a name. db.mu is held.
func (db *DB) checkFree(name string) error {
	old := db.tables[name]
	switch {
	case old == nil:
		return nil
	case old.transition.status != api.StatusUpdating && !old.transition.over(db.now()):
		return old.transition.inUse(name)
	}
	return api.Errorf(api.ResourceInUse, "Table already exists: %s", name)
}

// introduce makes a new table known, and describes it as being created. db.mu is
// held.
func (db *DB) introduce(t *table) (*api.TableDescription, error) {
	tr := db.transitionTo(api.StatusCreating, db.now())
	created := t.describeIn(tr)
	if b := created.BillingModeSummary; b != nil {
		created.BillingModeSummary = &api.BillingModeSummary{BillingMode: b.BillingMode} // it is on demand since it is created
	}
	if err := db.save(t); err != nil {
		return nil, err
	}
	db.tables[t.name] = t
	db.begin(t, tr)
	return created, nil
}

func definitionOf(in *api.CreateTableInput) *definition {
	return &definition{
		attributes: in.AttributeDefinitions,
		key:        in.KeySchema,
		locals:     in.LocalSecondaryIndexes,
		globals:    in.GlobalSecondaryIndexes,
		vectors:    in.VectorIndexes,
	}
}

func checkCreateTable(in *api.CreateTableInput, d *definition) error {
	if err := checkTableName(in.TableName); err != nil {
		return err
	}
	err := api.First(
		requiredList("attributeDefinitions", in.AttributeDefinitions),
		checkAttributes(in.AttributeDefinitions),
		checkName("tableName", *in.TableName),
		oneOf("billingMode", in.BillingMode, provisioned, payPerRequest),
		checkThroughput("provisionedThroughput", in.ProvisionedThroughput),
		checkElements("keySchema", d.key, 2),
		checkTableSettings(in.TableClass, in.SSESpecification, in.StreamSpecification),
		d.checkIndexes(),
		checkTagMembers(in.Tags))
	if err != nil {
		return err
	}
	return first(
		checkBilling(in.BillingMode, in.ProvisionedThroughput, in.GlobalSecondaryIndexes),
		checkCaps(in.BillingMode == payPerRequest, in.OnDemandThroughput),
		checkWarm(in.WarmThroughput, in.ProvisionedThroughput),
		checkPolicy(in.ResourcePolicy),
		checkVectorBilling(in.BillingMode, in.VectorIndexes),
		d.check(),
		checkStream(in.StreamSpecification),
		checkEncryption(in.SSESpecification),
		checkTagNames(in.Tags),
		checkTagCount(len(in.Tags)))
}

// checkTableSettings checks the members that CreateTable and UpdateTable share.
func checkTableSettings(class string, sse *api.SSESpecification, stream *api.StreamSpecification) error {
	errs := []error{oneOf("tableClass", class, "STANDARD", "STANDARD_INFREQUENT_ACCESS")}
	if sse != nil {
		errs = append(errs, oneOf("sSESpecification.sSEType", sse.SSEType, "AES256", "KMS"))
	}
	if stream != nil {
		errs = append(errs,
			notNull("streamSpecification.streamEnabled", stream.StreamEnabled),
			oneOf("streamSpecification.streamViewType", stream.StreamViewType, viewNew, viewOld, viewBoth, viewKeysOnly))
	}
	return api.First(errs...)
}

func checkThroughput(at string, p *api.ProvisionedThroughput) error {
	if p == nil {
		return nil
	}
	return api.First(
		notNull(at+".writeCapacityUnits", p.WriteCapacityUnits),
		atLeast(at+".writeCapacityUnits", p.WriteCapacityUnits, 1),
		notNull(at+".readCapacityUnits", p.ReadCapacityUnits),
		atLeast(at+".readCapacityUnits", p.ReadCapacityUnits, 1))
}

// maxUnits is the most that the service takes for a number of capacity units at
// all, whatever the quotas of the account.
const maxUnits = 1_000_000_000_000

func checkUnits(p *api.ProvisionedThroughput) error {
	switch {
	case p == nil:
	case *p.ReadCapacityUnits > maxUnits:
		return api.Invalid("Given value %d for ReadCapacityUnits is out of bounds", *p.ReadCapacityUnits)
	case *p.WriteCapacityUnits > maxUnits:
		return api.Invalid("Given value %d for WriteCapacityUnits is out of bounds", *p.WriteCapacityUnits)
	}
	return nil
}

func checkBilling(mode string, p *api.ProvisionedThroughput, globals []api.GlobalSecondaryIndex) error {
	switch {
	case mode != payPerRequest && p == nil:
		return api.InvalidParameter("ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED")
	case mode == payPerRequest && p != nil:
		return errThroughputOnDemand
	}
	if err := checkUnits(p); err != nil {
		return err
	}
	for _, x := range globals {
		if err := checkIndexBilling(mode == payPerRequest, x.IndexName, x.ProvisionedThroughput); err != nil {
			return err
		}
	}
	return nil
}

var errThroughputOnDemand = api.InvalidParameter("Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST")

func checkIndexBilling(onDemand bool, index string, p *api.ProvisionedThroughput) error {
	switch {
	case onDemand && p != nil:
		return api.InvalidParameter("ProvisionedThroughput should not be specified for index: %s when BillingMode is PAY_PER_REQUEST", index)
	case !onDemand && p == nil:
		return api.InvalidParameter("ProvisionedThroughput must be specified for index: %s", index)
	}
	return checkUnits(p)
}

// checkEncryption checks the kind of encryption: KMS is the only one (API
// reference, SSESpecification).
func checkEncryption(sse *api.SSESpecification) error {
	if sse != nil && sse.Enabled != nil && *sse.Enabled && sse.SSEType == "AES256" {
		return api.InvalidParameter("SSEType AES256 is not supported")
	}
	return nil
}

// checkCaps checks the upper bounds of on-demand capacity: from 1 on, or -1 for
// none (API reference, OnDemandThroughput).
func checkCaps(onDemand bool, caps *api.OnDemandThroughput) error {
	if caps == nil {
		return nil
	}
	if !onDemand {
		return api.InvalidParameter("OnDemandThroughput can only be specified when BillingMode is PAY_PER_REQUEST")
	}
	for _, c := range []struct {
		name  string
		value *int64
	}{{"MaxReadRequestUnits", caps.MaxReadRequestUnits}, {"MaxWriteRequestUnits", caps.MaxWriteRequestUnits}} {
		if c.value != nil && *c.value < 1 && *c.value != -1 {
			return api.InvalidParameter("%s must be at least 1, or -1 for no maximum, but is %d", c.name, *c.value)
		}
	}
	return nil
}

// checkWarm checks that a table is not to be warmed to less than it serves anyway
// (DynamoDB developer guide, warm throughput).
func checkWarm(w *api.WarmThroughput, p *api.ProvisionedThroughput) error {
	if w == nil {
		return nil
	}
	least := describeWarm(nil, p)
	for _, c := range []struct {
		name         string
		value, least *int64
	}{{"ReadUnitsPerSecond", w.ReadUnitsPerSecond, least.ReadUnitsPerSecond}, {"WriteUnitsPerSecond", w.WriteUnitsPerSecond, least.WriteUnitsPerSecond}} {
		if c.value != nil && *c.value < *c.least {
			return api.InvalidParameter("Requested %s for WarmThroughput is lower than baseline %d", c.name, *c.least)
		}
	}
	return nil
}

func checkStream(s *api.StreamSpecification) error {
	switch {
	case s == nil:
	case *s.StreamEnabled && s.StreamViewType == "":
		return api.InvalidParameter("StreamViewType is required when StreamEnabled is true")
	case !*s.StreamEnabled && s.StreamViewType != "":
		return api.InvalidParameter("StreamViewType is not allowed when StreamEnabled is false")
	}
	return nil
}

// newTable makes the table of a checked request.
func (db *DB) newTable(in *api.CreateTableInput, d *definition) *table {
	now := db.now()
	t := &table{name: *in.TableName, sizes: make(map[store.Space]*figures)}
	s := d.schema(t.name)
	s.space = t.newSpace(&db.spaces)
	for x := range s.allIndexes() {
		x.space = t.newSpace(&db.spaces)
	}
	t.schema.Store(s)
	t.description = describeNew(in, now)
	t.tags = in.Tags
	if in.ResourcePolicy != nil {
		t.policies.set(t.description.TableArn, *in.ResourcePolicy, now)
	}
	db.setStream(t, in.StreamSpecification, now)
	return t
}

// newSpace takes a key space that the table counts the contents of.
func (t *table) newSpace(numbers *spaceNumbers) store.Space {
	s := numbers.take()
	t.sizes[s] = new(figures)
	return s
}

func describeNew(in *api.CreateTableInput, now time.Time) api.TableDescription {
	arn := arnPrefix + *in.TableName
	desc := api.TableDescription{
		AttributeDefinitions:      in.AttributeDefinitions,
		TableName:                 *in.TableName,
		KeySchema:                 in.KeySchema,
		TableStatus:               api.StatusActive,
		CreationDateTime:          api.TimeOf(now),
		ProvisionedThroughput:     describeThroughput(in.ProvisionedThroughput),
		TableArn:                  arn,
		TableId:                   tableID(arn, now),
		DeletionProtectionEnabled: in.DeletionProtectionEnabled != nil && *in.DeletionProtectionEnabled,
		OnDemandThroughput:        in.OnDemandThroughput,
		WarmThroughput:            describeWarm(in.WarmThroughput, in.ProvisionedThroughput),
		SSEDescription:            describeSSE(in.SSESpecification),
	}
	if in.BillingMode == payPerRequest {
		desc.BillingModeSummary = &api.BillingModeSummary{BillingMode: payPerRequest, LastUpdateToPayPerRequestDateTime: api.TimeOf(now)}
	}
	if in.TableClass != "" {
		desc.TableClassSummary = &api.TableClassSummary{TableClass: in.TableClass}
	}
	for _, x := range in.GlobalSecondaryIndexes {
		desc.GlobalSecondaryIndexes = append(desc.GlobalSecondaryIndexes, describeGlobal(arn, x))
	}
	for _, x := range in.LocalSecondaryIndexes {
		desc.LocalSecondaryIndexes = append(desc.LocalSecondaryIndexes, api.LocalSecondaryIndexDescription{
			IndexName: x.IndexName, KeySchema: x.KeySchema, Projection: x.Projection, IndexArn: arn + "/index/" + x.IndexName,
		})
	}
	for _, x := range in.VectorIndexes {
		desc.VectorIndexes = append(desc.VectorIndexes, describeVector(arn, x))
	}
	return desc
}

func describeGlobal(tableARN string, x api.GlobalSecondaryIndex) api.GlobalSecondaryIndexDescription {
	return api.GlobalSecondaryIndexDescription{
		IndexName:             x.IndexName,
		KeySchema:             x.KeySchema,
		Projection:            x.Projection,
		IndexStatus:           api.StatusActive,
		ProvisionedThroughput: describeThroughput(x.ProvisionedThroughput),
		OnDemandThroughput:    x.OnDemandThroughput,
		WarmThroughput:        describeWarm(x.WarmThroughput, x.ProvisionedThroughput),
		IndexArn:              tableARN + "/index/" + x.IndexName,
	}
}

// describeThroughput returns zeros for on-demand capacity, as the service does.
func describeThroughput(p *api.ProvisionedThroughput) *api.ProvisionedThroughputDescription {
	if p == nil {
		return &api.ProvisionedThroughputDescription{}
	}
	return &api.ProvisionedThroughputDescription{ReadCapacityUnits: *p.ReadCapacityUnits, WriteCapacityUnits: *p.WriteCapacityUnits}
}

// describeWarm fills in what a new table serves at once: if on demand as much as
// any, or else what is provisioned (DynamoDB developer guide, warm throughput).
func describeWarm(w *api.WarmThroughput, p *api.ProvisionedThroughput) *api.WarmThroughput {
	reads, writes := int64(12000), int64(4000)
	if p != nil {
		reads, writes = *p.ReadCapacityUnits, *p.WriteCapacityUnits
	}
	described := api.WarmThroughput{ReadUnitsPerSecond: &reads, WriteUnitsPerSecond: &writes, Status: api.StatusActive}
	if w != nil && w.ReadUnitsPerSecond != nil {
		described.ReadUnitsPerSecond = w.ReadUnitsPerSecond
	}
	if w != nil && w.WriteUnitsPerSecond != nil {
		described.WriteUnitsPerSecond = w.WriteUnitsPerSecond
	}
	return &described
}

func describeSSE(sse *api.SSESpecification) *api.SSEDescription {
	if sse == nil || sse.Enabled == nil || !*sse.Enabled {
		return nil
	}
	return &api.SSEDescription{Status: "ENABLED", SSEType: "KMS", KMSMasterKeyArn: keyARN(sse.KMSMasterKeyId)}
}

// ownKey is the key of DynamoDB itself.
const ownKey = "3c2f6f1e-5b0a-4a6e-8c43-0d1f6a9b7e52"

// keyARN is the ARN of a key of KMS, which may be named by it, by its id or by an
// alias.
func keyARN(key string) string {
	const keys = "arn:aws:kms:" + region + ":" + accountID + ":"
	switch {
	case strings.HasPrefix(key, "arn:"):
		return key
	case strings.HasPrefix(key, "alias/"):
		return keys + key
	case key == "":
		key = ownKey
	}
	return keys + "key/" + key
}

// tableID makes a UUID of what makes the table unique.
func tableID(arn string, created time.Time) string {
	a := xxhash.Sum64String(arn)
	b := xxhash.Sum64String(fmt.Sprint(arn, created.UnixNano()))
	return fmt.Sprintf("%08x-%04x-4%03x-8%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>48&0xfff, b&0xffffffffffff)
}
