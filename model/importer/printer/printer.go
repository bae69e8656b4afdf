// Package printer writes drafts as models in the language, with a comment on
// everything that was guessed.
package printer

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/format"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/value"
)

// Text is a draft that is complete as a model in the language; file is where it
// came from. What was guessed has a comment, what could not be carried over is
// listed at the end.
func Text(d *draft.Draft, file string) string {
	if d.Text != "" {
		return d.Text
	}
	p := &printer{draft: d}
	p.line("# Imported from %s (%s).", d.Format, path.Base(file))
	p.line("# What is marked as guessed stands nowhere in it: see that it is right, and take the comment away.")
	p.model()
	p.samples()
	p.notes()
	text := p.b.String()
	if laid, problems := format.Text(source.NewFile("model", text)); problems.Len() == 0 {
		return laid
	}
	return text
}

// Model is the text of a draft without samples and notes, in no particular layout.
func Model(d *draft.Draft) string {
	p := &printer{draft: d}
	p.model()
	return p.b.String()
}

// model writes all but samples and notes.
func (p *printer) model() {
	d := p.draft
	p.line("version: 1")
	if d.Name != "" && d.Name != d.Table.Name.Text {
		p.line("name: %s", format.Scalar(d.Name))
	}
	if d.Description != "" {
		p.line("description: %s", format.Scalar(d.Description))
	}
	p.table()
	p.entities()
	p.patterns()
}

type printer struct {
	draft *draft.Draft
	b     strings.Builder
}

func (p *printer) line(format string, args ...any) {
	fmt.Fprintf(&p.b, format+"\n", args...)
}

// guessed is the comment on what was guessed, with a blank before it.
func guessed(why string) string {
	if why == "" {
		return ""
	}
	return " # guessed: " + oneLine(why)
}

func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return r < 0x20 || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xfeff
	}), " ")
}

func (p *printer) table() {
	t := &p.draft.Table
	p.line("")
	p.line("table:")
	p.line("  name: %s", format.Scalar(t.Name.Text))
	p.line("  partition_key: %s", keyAttribute(t.PartitionKey))
	if t.SortKey != nil {
		p.line("  sort_key: %s", keyAttribute(*t.SortKey))
	}
	switch {
	case t.EntityType == "":
		p.line("  entity_type: none")
	case t.EntityType != "EntityType":
		p.line("  entity_type: %s", format.Scalar(t.EntityType))
	}
	if len(t.Indexes) > 0 {
		p.line("  indexes:")
	}
	for _, x := range t.Indexes {
		p.line("    %s: %s", format.Scalar(x.Name.Text), indexYAML(x))
	}
	p.settings()
}

func keyAttribute(k model.KeyAttribute) string {
	if k.Kind == value.String || k.Kind == value.None {
		return format.Scalar(k.Name)
	}
	return fmt.Sprintf("{name: %s, type: %s}", format.Scalar(k.Name), draft.TypeOf(k.Kind))
}

func indexYAML(x *model.Index) string {
	var fields []string
	add := func(format string, args ...any) { fields = append(fields, fmt.Sprintf(format, args...)) }
	if x.Local {
		add("local: true")
	} else {
		add("partition_key: %s", keyList(x.PartitionKey))
	}
	if len(x.SortKey) > 0 {
		add("sort_key: %s", keyList(x.SortKey))
	}
	switch x.Projection.Type {
	case model.ProjectKeysOnly:
		add("projection: keys_only")
	case model.ProjectInclude:
		list := make([]string, len(x.Projection.Attributes))
		for i, a := range x.Projection.Attributes {
			list[i] = format.Scalar(a.Text)
		}
		add("projection: [%s]", strings.Join(list, ", "))
	}
	if x.Capacity != nil {
		add("capacity: %s", capacityYAML(*x.Capacity))
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

func keyList(keys []model.KeyAttribute) string {
	if len(keys) == 1 {
		return keyAttribute(keys[0])
	}
	list := make([]string, len(keys))
	for i, k := range keys {
		list[i] = keyAttribute(k)
	}
	return "[" + strings.Join(list, ", ") + "]"
}

func capacityYAML(c model.Capacity) string {
	var fields []string
	add := func(key string, n int64) {
		if n > 0 {
			fields = append(fields, fmt.Sprintf("%s: %d", key, n))
		}
	}
	if c.OnDemand {
		add("max_read", c.MaxRead)
		add("max_write", c.MaxWrite)
		add("warm_read", c.WarmRead)
		add("warm_write", c.WarmWrite)
		if len(fields) == 0 {
			return "on_demand"
		}
		return "{on_demand: {" + strings.Join(fields, ", ") + "}}"
	}
	add("read", c.Read)
	add("write", c.Write)
	if s := c.AutoScaling; s != nil {
		fields = append(fields, fmt.Sprintf("autoscaling: {min: %d, max: %d, target: %d}", s.Min, s.Max, s.Target))
	}
	return "{provisioned: {" + strings.Join(fields, ", ") + "}}"
}

// settings writes what a table may have beside keys and indexes.
func (p *printer) settings() {
	t := &p.draft.Table
	if !t.Capacity.OnDemand {
		p.line("  capacity: %s", capacityYAML(t.Capacity))
	} else if c := capacityYAML(t.Capacity); c != "on_demand" {
		p.line("  capacity: %s", c)
	}
	if t.TTL != nil {
		p.line("  ttl: %s", format.Scalar(t.TTL.Text))
	}
	if t.Stream != nil {
		p.line("  stream: %s", format.Scalar(t.Stream.View))
	}
	if r := t.PointInTimeRecovery; r.Enabled && r.Days > 0 {
		p.line("  point_in_time_recovery: {days: %d}", r.Days)
	} else if r.Enabled {
		p.line("  point_in_time_recovery: true")
	}
	if t.DeletionProtection {
		p.line("  deletion_protection: true")
	}
	if t.Class != "" && t.Class != "standard" {
		p.line("  class: %s", t.Class)
	}
	switch t.Encryption.Kind {
	case "kms_key":
		p.line("  encryption: {kms_key: %s}", format.Scalar(t.Encryption.KMSKey))
	case "aws_managed":
		p.line("  encryption: aws_managed")
	}
	if t.Region != "" {
		p.line("  region: %s", format.Scalar(t.Region))
	}
	if len(t.Replicas) > 0 {
		list := make([]string, len(t.Replicas))
		for i, r := range t.Replicas {
			list[i] = format.Scalar(r.Text)
		}
		p.line("  replicas: [%s]", strings.Join(list, ", "))
	}
	if t.Consistency != "" {
		p.line("  consistency: %s", t.Consistency)
	}
	if len(t.Tags) > 0 {
		p.line("  tags:")
	}
	for _, tag := range t.Tags {
		p.line("    %s: %s", format.Scalar(tag.Key), doubleQuoted(tag.Value))
	}
}

func (p *printer) entities() {
	p.line("")
	p.line("entities:")
	for i, e := range p.draft.Entities {
		if i > 0 {
			p.line("")
		}
		p.line("  %s:%s", e.Name, guessed(e.Guess))
		if e.Description != "" {
			p.line("    description: %s", format.Scalar(e.Description))
		}
		if e.Type != "" && e.Type != e.Name && p.draft.Table.EntityType != "" {
			p.line("    type: %s", format.Scalar(e.Type))
		}
		if len(e.Attributes) == 0 {
			p.line("    attributes: {}")
		} else {
			p.line("    attributes:")
		}
		for _, a := range e.Attributes {
			p.line("      %s: %s%s", format.Scalar(a.Name), attributeYAML(a), guessed(a.Guess))
		}
		p.keys(e)
		p.volume(e)
	}
}

// attributeYAML is an attribute's type and options, as short as they can be said.
func attributeYAML(a *draft.Attribute) string {
	var fields []string
	add := func(format string, args ...any) { fields = append(fields, fmt.Sprintf(format, args...)) }
	switch {
	case a.Ref != "":
		add("ref: %s", a.Ref)
	case len(a.Values) > 0:
		add("values: [%s]", words(a.Values))
	default:
		add("type: %s", a.Type)
	}
	if a.Ref == "" {
		if a.Precision != "" && a.Precision != model.PrecisionSecond {
			add("precision: %s", a.Precision)
		}
		if a.NoZone {
			add("zone: none")
		} else if a.AnyZone {
			add("zone: any")
		}
		if a.Pattern != "" {
			add("pattern: %s", doubleQuoted(a.Pattern))
		}
		if a.Min != "" {
			add("min: %s", a.Min)
		}
		if a.Max != "" {
			add("max: %s", a.Max)
		}
		if a.Items != nil {
			add("items: %s", attributeYAML(a.Items))
		}
		if a.Members != nil {
			add("attributes: {%s}", membersYAML(a.Members))
		}
	}
	if a.Default != "" {
		add("default: %s", a.Default)
	}
	if a.OnWrite != "" {
		add("on_write: %s", a.OnWrite)
	}
	if a.Optional {
		add("optional: true")
	}
	if a.Description != "" {
		add("description: %s", doubleQuoted(a.Description))
	}
	switch {
	case len(fields) == 1 && len(a.Values) > 0:
		return "[" + words(a.Values) + "]"
	case len(fields) == 1 && a.Ref == "":
		return string(a.Type)
	case len(fields) == 2 && a.Optional && a.Ref == "" && len(a.Values) == 0:
		return string(a.Type) + "?"
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

func membersYAML(members []*draft.Attribute) string {
	out := make([]string, len(members))
	for i, m := range members {
		out[i] = format.Scalar(m.Name) + ": " + attributeYAML(m)
	}
	return strings.Join(out, ", ")
}

func words(values []string) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = writeValue(value.OfString(v), true)
	}
	return strings.Join(out, ", ")
}

func (p *printer) keys(e *draft.Entity) {
	made := slices.DeleteFunc(slices.Clone(e.Keys), func(k *draft.Key) bool { return k.Parts == nil })
	if len(made) > 0 {
		p.line("    keys:")
	}
	for _, k := range made {
		if k.When != "" {
			p.line("      %s: {template: %s, when: %s}%s", format.Scalar(k.Attribute), format.Scalar(draft.Text(k.Parts)), format.Scalar(k.When), guessed(k.Guess))
			continue
		}
		p.line("      %s: %s%s", format.Scalar(k.Attribute), format.Scalar(draft.Text(k.Parts)), guessed(k.Guess))
	}
	if len(e.Unique) > 0 {
		list := make([]string, len(e.Unique))
		for i, u := range e.Unique {
			list[i] = format.Scalar(u[0])
			if len(u) > 1 {
				list[i] = "[" + strings.Join(u, ", ") + "]"
			}
		}
		p.line("    unique: [%s]", strings.Join(list, ", "))
	}
}

func (p *printer) volume(e *draft.Entity) {
	switch {
	case e.Count > 0 && e.Size > 0:
		p.line("    volume: {count: %d, size: %dB}", e.Count, e.Size)
	case e.Count > 0:
		p.line("    volume: {count: %d}", e.Count)
	}
}

func (p *printer) patterns() {
	if len(p.draft.Patterns) == 0 {
		return
	}
	p.line("")
	p.line("access_patterns:")
	for i, q := range p.draft.Patterns {
		if i > 0 {
			p.line("")
		}
		p.line("  - name: %s%s", q.Name, guessed(q.Guess))
		if q.Description != "" {
			p.line("    description: %s", format.Scalar(oneLine(q.Description)))
		}
		for _, f := range q.Fields {
			if strings.HasPrefix(f.Value, "\n") {
				p.line("    %s:%s", f.Key, f.Value)
			} else {
				p.line("    %s: %s", f.Key, f.Value)
			}
		}
	}
}

func (p *printer) samples() {
	header := false
	for _, e := range p.draft.Entities {
		if len(e.Items) == 0 {
			continue
		}
		if !header {
			p.line("")
			p.line("samples:")
			header = true
		}
		p.line("  %s:", e.Name)
		for _, item := range e.Items {
			p.sample(e, item)
		}
	}
}

// maxLine is how long a sample on one line may be.
const maxLine = 140

func (p *printer) sample(e *draft.Entity, item *draft.Item) {
	var fields []string
	length := 0
	for _, a := range e.Attributes {
		v, ok := item.Values[a.Name]
		if !ok {
			continue
		}
		field := format.Scalar(a.Name) + ": " + writeValue(v, a.Type != model.TypeAny)
		fields = append(fields, field)
		length += len(field) + 2
	}
	switch {
	case length <= maxLine:
		p.line("    - {%s}", strings.Join(fields, ", "))
	default:
		p.line("    - %s", strings.Join(fields, "\n      "))
	}
}

func (p *printer) notes() {
	notes := p.draft.All()
	for _, kind := range []struct {
		kind  draft.Kind
		title string
	}{{draft.Lost, "Not carried over:"}, {draft.Fault, "Found wrong in the input:"}} {
		of := slices.DeleteFunc(slices.Clone(notes), func(n draft.Note) bool { return n.Kind != kind.kind })
		if len(of) == 0 {
			continue
		}
		p.line("")
		p.line("# %s", kind.title)
		for _, n := range of {
			where := ""
			if n.At.Known() {
				from := n.At.From()
				where = fmt.Sprintf("%d:%d: ", from.Line, from.Column)
			}
			p.line("# - %s%s", where, oneLine(n.Text))
		}
	}
}
