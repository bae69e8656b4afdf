package terraform

import (
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/dynmodel/dynmodel/generate/table"
	"github.com/dynmodel/dynmodel/model"
)

// resource adds the aws_dynamodb_table.
func resource(body *hclwrite.Body, t *model.Table) error {
	d := table.Create(t)
	b := body.AppendNewBlock("resource", []string{"aws_dynamodb_table", "table"}).Body()
	reference(b, "name", "var", "table_name")
	region(b, t)
	text(b, "billing_mode", string(d.BillingMode))
	if p := d.ProvisionedThroughput; p != nil {
		number(b, "read_capacity", *p.ReadCapacityUnits)
		number(b, "write_capacity", *p.WriteCapacityUnits)
	}
	text(b, "hash_key", *d.KeySchema[0].AttributeName)
	if len(d.KeySchema) > 1 {
		text(b, "range_key", *d.KeySchema[1].AttributeName)
	}
	if d.TableClass != "" {
		text(b, "table_class", string(d.TableClass))
	}
	flag(b, "deletion_protection_enabled", t.DeletionProtection)
	if s := d.StreamSpecification; s != nil {
		flag(b, "stream_enabled", true)
		text(b, "stream_view_type", string(s.StreamViewType))
	}
	if len(d.Tags) > 0 {
		tags(b, d.Tags)
	}
	keys(b, d)
	throughput(b, d.OnDemandThroughput, d.WarmThroughput)
	settings(b, t, d)
	if err := replicas(b, t); err != nil {
		return err
	}
	lifecycle(b, t)
	return nil
}

// keys adds the attributes of keys, and the indexes.
func keys(b *hclwrite.Body, d *dynamodb.CreateTableInput) {
	for _, a := range d.AttributeDefinitions {
		attribute := block(b, "attribute")
		text(attribute, "name", *a.AttributeName)
		text(attribute, "type", string(a.AttributeType))
	}
	for _, x := range d.GlobalSecondaryIndexes {
		index := block(b, "global_secondary_index")
		text(index, "name", *x.IndexName)
		projection(index, x.Projection)
		if p := x.ProvisionedThroughput; p != nil {
			number(index, "read_capacity", *p.ReadCapacityUnits)
			number(index, "write_capacity", *p.WriteCapacityUnits)
		}
		for _, k := range x.KeySchema {
			key := block(index, "key_schema")
			text(key, "attribute_name", *k.AttributeName)
			text(key, "key_type", string(k.KeyType))
		}
		throughput(index, x.OnDemandThroughput, x.WarmThroughput)
	}
	for _, x := range d.LocalSecondaryIndexes {
		index := block(b, "local_secondary_index")
		text(index, "name", *x.IndexName)
		text(index, "range_key", *x.KeySchema[1].AttributeName)
		projection(index, x.Projection)
	}
}

func projection(b *hclwrite.Body, p *types.Projection) {
	text(b, "projection_type", string(p.ProjectionType))
	if len(p.NonKeyAttributes) > 0 {
		texts(b, "non_key_attributes", p.NonKeyAttributes)
	}
}

func throughput(b *hclwrite.Body, o *types.OnDemandThroughput, w *types.WarmThroughput) {
	if o != nil {
		limits := block(b, "on_demand_throughput")
		given(limits, "max_read_request_units", o.MaxReadRequestUnits)
		given(limits, "max_write_request_units", o.MaxWriteRequestUnits)
	}
	if w != nil {
		warm := block(b, "warm_throughput")
		given(warm, "read_units_per_second", w.ReadUnitsPerSecond)
		given(warm, "write_units_per_second", w.WriteUnitsPerSecond)
	}
}

func settings(b *hclwrite.Body, t *model.Table, d *dynamodb.CreateTableInput) {
	if t.TTL != nil {
		ttl := block(b, "ttl")
		text(ttl, "attribute_name", t.TTL.Text)
		flag(ttl, "enabled", true)
	}
	recovery := block(b, "point_in_time_recovery")
	flag(recovery, "enabled", t.PointInTimeRecovery.Enabled)
	if days := t.PointInTimeRecovery.Days; days > 0 {
		number(recovery, "recovery_period_in_days", int64(days))
	}
	if s := d.SSESpecification; s != nil {
		encryption := block(b, "server_side_encryption")
		flag(encryption, "enabled", true)
		if s.KMSMasterKeyId != nil {
			text(encryption, "kms_key_arn", *s.KMSMasterKeyId)
		}
	}
}

func replicas(b *hclwrite.Body, t *model.Table) error {
	for _, name := range table.OtherRegions(t) {
		replica := block(b, "replica")
		text(replica, "region_name", name)
		if table.Strong(t) {
			text(replica, "consistency_mode", "STRONG")
		}
		if t.Encryption.KMSKey != "" {
			key, err := table.KeyIn(name, t)
			if err != nil {
				return err
			}
			text(replica, "kms_key_arn", key)
		}
		flag(replica, "point_in_time_recovery", t.PointInTimeRecovery.Enabled)
		flag(replica, "deletion_protection_enabled", t.DeletionProtection)
		flag(replica, "propagate_tags", true)
	}
	return nil
}

// lifecycle keeps the table when its resource goes, and leaves to auto scaling
// the capacity that it moves.
func lifecycle(b *hclwrite.Body, t *model.Table) {
	scaled := table.Scalings(t)
	ofIndex := 0
	for _, s := range scaled {
		if s.Index != "" {
			ofIndex++
		}
	}
	l := block(b, "lifecycle")
	flag(l, "prevent_destroy", true)
	if len(scaled) > ofIndex {
		l.SetAttributeRaw("ignore_changes", identifiers("read_capacity", "write_capacity"))
	}
	if ofIndex > 0 {
		comment(l, strings.Join([]string{
			"The capacity of a single index cannot be named here: applying a change of the",
			"table sets those of indexes back to what is above, until they are scaled again.",
		}, "\n# "))
	}
}
