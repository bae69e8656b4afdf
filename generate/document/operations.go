package document

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
)

// Index is a secondary index.
type Index struct {
	Name            string
	Kind            string // global or local
	Partition, Sort []string
	Holds           string // what it holds beside its keys
	Entities        []string
	Patterns        []string // those that read it
}

func (b *builder) indexes() []Index {
	var out []Index
	for _, x := range b.model.Table.Indexes {
		index := Index{Name: x.Name.Text, Kind: "global", Partition: keyNames(x.PartitionKey), Sort: keyNames(x.SortKey), Holds: holds(x)}
		if x.Local {
			index.Kind = "local"
		}
		for _, e := range b.model.Entities {
			if b.keyed(e, x) {
				index.Entities = append(index.Entities, e.Name.Text)
			}
		}
		for _, p := range b.plans {
			reads := func(v *plan.Variant) bool { return v.Read != nil && v.Read.Index == x }
			if slices.ContainsFunc(p.Variants, reads) {
				index.Patterns = append(index.Patterns, p.Pattern.Name.Text)
			}
		}
		out = append(out, index)
	}
	return out
}

// operations are how the table is kept and run.
func (b *builder) operations() []Fact {
	t := b.model.Table
	facts := []Fact{
		{"Time to live", b.ttl()},
		{"Stream", streamText(t.Stream)},
		{"Point-in-time recovery", recoveryText(t.PointInTimeRecovery)},
		{"Deletion protection", onOff(t.DeletionProtection)},
		{"Table class", strings.ReplaceAll(orElse(t.Class, "standard"), "_", " ")},
		{"Encryption at rest", encryptionText(t.Encryption)},
	}
	add := func(label, value string) {
		if value != "" {
			facts = append(facts, Fact{label, value})
		}
	}
	add("Region", t.Region)
	if len(t.Replicas) > 0 {
		add("Replicas", list(textsOf(t.Replicas))+", "+orElse(t.Consistency, "eventual")+" consistency")
	}
	if d := t.DAX; d != nil {
		text := "a cluster stands in front of the table"
		if d.Nodes > 0 {
			text += fmt.Sprintf(", %d nodes", d.Nodes)
		}
		add("DAX", strings.TrimSpace(text+" "+d.Type))
	}
	var tags []string
	for _, tag := range t.Tags {
		tags = append(tags, tag.Key+" = "+tag.Value)
	}
	add("Tags", joined(tags, ", "))
	add("Entity type", b.entityType())
	return facts
}

func (b *builder) entityType() string {
	if name := b.model.Table.EntityType; name != "" {
		return "each item names its entity in " + name
	}
	return "items do not name their entity"
}

func (b *builder) ttl() string {
	name := b.model.Table.TTL
	if name == nil {
		return "off"
	}
	var entities []string
	for _, e := range b.model.Entities {
		if e.Attribute(name.Text) != nil {
			entities = append(entities, e.Name.Text)
		}
	}
	if len(entities) == 0 {
		return name.Text
	}
	return name.Text + ", of " + list(entities)
}

func streamText(s *model.Stream) string {
	if s == nil || s.View == "" {
		return "off"
	}
	text := strings.ReplaceAll(s.View, "_", " ")
	if len(s.Consumers) > 0 {
		text += ", read by " + list(textsOf(s.Consumers))
	}
	return text
}

func recoveryText(r model.PointInTimeRecovery) string {
	if r.Enabled && r.Days > 0 {
		return fmt.Sprintf("on, for %d days", r.Days)
	}
	return onOff(r.Enabled)
}

func encryptionText(e model.Encryption) string {
	switch e.Kind {
	case "aws_managed":
		return "a key that AWS manages in the account"
	case "kms_key":
		return "the customer's key " + e.KMSKey
	}
	return "a key that AWS owns"
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// duration is a length of time in the greatest unit that it is a whole number of.
func duration(d time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		if d >= unit.length && d%unit.length == 0 {
			return Plural(int(d/unit.length), unit.name)
		}
	}
	return d.String()
}
