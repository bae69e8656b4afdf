package terraform

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// resource reads one aws_dynamodb_table.
type resource struct {
	*configuration
	*draft.Draft
	kinds map[string]value.Kind // of the attributes that are declared
}

// text is an argument as text; "" when it is not there.
func (r *resource) text(body *hclsyntax.Body, name string) string {
	a := body.Attributes[name]
	if a == nil {
		return ""
	}
	return r.expression(a.Expr)
}

// expression is the value of an expression, else its source with all signs taken
// away that no name may have.
func (r *resource) expression(e hclsyntax.Expression) string {
	v, diags := e.Value(r.values)
	if !diags.HasErrors() {
		if text, ok := textOf(v); ok {
			return text
		}
		if v.IsNull() {
			return ""
		}
	}
	at := r.span(e.Range())
	text := strings.Trim(at.Text(), `"`)
	r.Lostf(at, "the value of `%s` is not known here; its text stands for it", text)
	return strings.Map(func(c rune) rune {
		if c < 0x80 && (c == '_' || c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return c
		}
		return -1
	}, text)
}

func (r *resource) number(body *hclsyntax.Body, name string) int64 {
	n, _ := strconv.ParseInt(r.text(body, name), 10, 64)
	return max(n, 0)
}

func (r *resource) list(body *hclsyntax.Body, name string) []string {
	a := body.Attributes[name]
	if a == nil {
		return nil
	}
	v, diags := a.Expr.Value(r.values)
	if diags.HasErrors() || v.IsNull() || !v.IsWhollyKnown() || !v.CanIterateElements() {
		r.Lostf(r.span(a.SrcRange), "`%s` is not known here", name)
		return nil
	}
	var out []string
	for it := v.ElementIterator(); it.Next(); {
		_, item := it.Element()
		if text, ok := textOf(item); ok {
			out = append(out, text)
		}
	}
	return out
}

func (r *resource) key(name string, at source.Span) model.KeyAttribute {
	kind, declared := r.kinds[name]
	if !declared {
		r.Faultf(at, "the key attribute `%s` is not declared by an `attribute` block; it is taken for a string", name)
		kind = value.String
	}
	return model.KeyAttribute{At: at, Name: name, Kind: kind}
}

// settings reads the arguments of the table.
func (r *resource) settings(body *hclsyntax.Body) {
	t := &r.Table
	t.Capacity = model.Capacity{OnDemand: true}
	if read, write := r.number(body, "read_capacity"), r.number(body, "write_capacity"); r.text(body, "billing_mode") != "PAY_PER_REQUEST" && read > 0 && write > 0 {
		t.Capacity = model.Capacity{Read: read, Write: write}
	}
	t.DeletionProtection = r.text(body, "deletion_protection_enabled") == "true"
	if r.text(body, "table_class") == "STANDARD_INFREQUENT_ACCESS" {
		t.Class = "infrequent_access"
	}
	if view := r.text(body, "stream_view_type"); view != "" && r.text(body, "stream_enabled") != "false" {
		t.Stream = &model.Stream{View: strings.ToLower(view)}
	}
	t.Region = r.text(body, "region")
	r.tags(body)
	for _, name := range []string{"count", "for_each"} {
		if a := body.Attributes[name]; a != nil {
			r.Lostf(r.span(a.SrcRange), "`%s` makes several tables; one is imported", name)
		}
	}
}

func (r *resource) tags(body *hclsyntax.Body) {
	a := body.Attributes["tags"]
	if a == nil {
		return
	}
	v, diags := a.Expr.Value(r.values)
	if diags.HasErrors() || v.IsNull() || !v.IsWhollyKnown() || !v.CanIterateElements() {
		r.Lostf(r.span(a.SrcRange), "the tags are not known here")
		return
	}
	for it := v.ElementIterator(); it.Next(); {
		key, tag := it.Element()
		name, _ := textOf(key)
		text, _ := textOf(tag)
		r.Table.Tags = append(r.Table.Tags, model.Tag{Key: name, Value: text})
	}
	slices.SortFunc(r.Table.Tags, func(a, b model.Tag) int { return strings.Compare(a.Key, b.Key) })
}

// block reads one block of the table.
func (r *resource) block(b *hclsyntax.Block) {
	t := &r.Table
	at := r.span(b.DefRange())
	on := func(name string) bool { return r.text(b.Body, name) == "true" }
	switch b.Type {
	case "attribute", "lifecycle", "timeouts":
	case "global_secondary_index":
		r.AddIndex(r.index(b, "name", at))
	case "local_secondary_index":
		x := r.index(b, "name", at)
		x.Local = true
		r.AddIndex(x)
	case "ttl":
		if name := r.text(b.Body, "attribute_name"); name != "" && r.text(b.Body, "enabled") != "false" {
			t.TTL = &model.Name{Text: name, At: at}
		}
	case "point_in_time_recovery":
		t.PointInTimeRecovery = model.PointInTimeRecovery{Enabled: on("enabled"), Days: int(r.number(b.Body, "recovery_period_in_days"))}
	case "server_side_encryption":
		switch key := r.text(b.Body, "kms_key_arn"); {
		case key != "":
			t.Encryption = model.Encryption{Kind: "kms_key", KMSKey: key}
		case on("enabled"):
			t.Encryption = model.Encryption{Kind: "aws_managed"}
		}
	case "replica":
		t.Replicas = append(t.Replicas, model.Name{Text: r.text(b.Body, "region_name"), At: at})
		if r.text(b.Body, "consistency_mode") == "STRONG" {
			t.Consistency = "strong"
		}
	case "on_demand_throughput":
		t.Capacity.MaxRead, t.Capacity.MaxWrite = r.number(b.Body, "max_read_request_units"), r.number(b.Body, "max_write_request_units")
	case "warm_throughput":
		t.Capacity.WarmRead, t.Capacity.WarmWrite = r.number(b.Body, "read_units_per_second"), r.number(b.Body, "write_units_per_second")
	default:
		r.Lostf(at, "the block `%s` is not carried over", b.Type)
	}
}

// index reads an index, with the keys as blocks or, as before, as arguments.
func (r *resource) index(b *hclsyntax.Block, name string, at source.Span) *model.Index {
	x := &model.Index{At: at, Name: model.Name{Text: r.text(b.Body, name), At: at}, Projection: model.Projection{Type: model.ProjectAll}}
	add := func(keyType, name string) {
		switch {
		case name == "":
		case keyType == "HASH":
			x.PartitionKey = append(x.PartitionKey, r.key(name, at))
		default:
			x.SortKey = append(x.SortKey, r.key(name, at))
		}
	}
	add("HASH", r.text(b.Body, "hash_key"))
	add("RANGE", r.text(b.Body, "range_key"))
	projection := b.Body
	word := "projection_type"
	for _, inner := range b.Body.Blocks {
		switch inner.Type {
		case "key_schema":
			name := r.text(inner.Body, "attribute_name")
			if letter := r.text(inner.Body, "attribute_type"); letter != "" {
				r.kinds[name] = kindOf(letter)
			}
			add(r.text(inner.Body, "key_type"), name)
		case "projection":
			projection = inner.Body
		}
	}
	switch r.text(projection, word) {
	case "KEYS_ONLY":
		x.Projection.Type = model.ProjectKeysOnly
	case "INCLUDE":
		x.Projection.Type = model.ProjectInclude
		for _, a := range r.list(projection, "non_key_attributes") {
			x.Projection.Attributes = append(x.Projection.Attributes, model.Name{Text: a, At: at})
		}
	}
	if read, write := r.number(b.Body, "read_capacity"), r.number(b.Body, "write_capacity"); read > 0 && write > 0 && !r.Table.Capacity.OnDemand {
		x.Capacity = &model.Capacity{Read: read, Write: write}
	}
	return x
}

// separateIndex adds an index that is a resource of its own to its table.
func (c *configuration) separateIndex(b *hclsyntax.Block, tables map[string]*draft.Draft) {
	a := b.Body.Attributes["table_name"]
	var d *draft.Draft
	if a != nil {
		for _, traversal := range a.Expr.Variables() {
			if len(traversal) > 1 && traversal.RootName() == "aws_dynamodb_table" {
				if step, ok := traversal[1].(hcl.TraverseAttr); ok {
					d = tables[step.Name]
				}
			}
		}
	}
	at := c.span(b.DefRange())
	if d == nil {
		c.notes.Lostf(at, "the index %s is of a table that is not here", strings.Join(b.Labels, "."))
		return
	}
	r := &resource{configuration: c, Draft: d, kinds: map[string]value.Kind{}}
	for _, k := range d.Table.Keys() {
		r.kinds[k.Name] = k.Kind
	}
	d.AddIndex(r.index(b, "index_name", at))
}
