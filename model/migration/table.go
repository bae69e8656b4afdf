package migration

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dynmodel/dynmodel/model"
)

// tables is what differs between two tables.
type tables struct {
	old, new *model.Table
	// impossible are the differences that DynamoDB cannot make in a table that exists.
	impossible []Change
	settings   []setting
	// made, dropped and rebuilt are global indexes that only the new table has,
	// that only the old one has, and that both have with other keys or another projection.
	made, dropped, rebuilt []*model.Index
}

// setting is a difference of the table that is changed online.
type setting struct {
	Change
	// last tells that it takes something away, so that it waits until nothing
	// needs that any more.
	last bool
	call settingCall // nil: the call of another setting sets it too
}

// compareTables finds what differs between two tables.
func compareTables(old, new *model.Table) *tables {
	t := &tables{old: old, new: new}
	t.compareKeys()
	t.compareIndexes()
	t.compareSettings()
	return t
}

// changes lists what differs, the table's own first.
func (t *tables) changes() []Change {
	out := slices.Clone(t.impossible)
	for _, s := range t.settings {
		out = append(out, s.Change)
	}
	for _, x := range t.made {
		out = append(out, indexChange(x, "new: "+indexText(x)))
	}
	for _, x := range t.rebuilt {
		out = append(out, indexChange(x, fmt.Sprintf("was %s, is %s; an index cannot be changed, only deleted and made again", indexText(t.old.Index(x.Name.Text)), indexText(x))))
	}
	for _, x := range t.dropped {
		out = append(out, indexChange(x, "gone"))
	}
	return out
}

func indexChange(x *model.Index, text string) Change {
	return Change{Kind: KindStaged, Subject: "index " + x.Name.Text, Text: text}
}

// cannot notes a difference for which a new table is needed.
func (t *tables) cannot(subject, format string, args ...any) {
	t.impossible = append(t.impossible, Change{Kind: KindNewTable, Subject: subject, Text: fmt.Sprintf(format, args...)})
}

func (t *tables) compareKeys() {
	if was, is := t.old.Name.Text, t.new.Name.Text; was != is {
		t.cannot("table", "the name was %s, is %s; a table cannot be renamed", was, is)
	}
	if was, is := keysText(t.old.Keys()), keysText(t.new.Keys()); was != is {
		t.cannot("table", "the key was %s, is %s", was, is)
	}
	if was, is := t.old.Region, t.new.Region; was != is {
		t.cannot("table", "the region was %s, is %s", orNone(was), orNone(is))
	}
	if was, is := t.old.Consistency, t.new.Consistency; was != is && is == "strong" {
		t.cannot("table", "consistency was %s, is strong, which only an empty table can become", orNone(was))
	}
}

func (t *tables) compareIndexes() {
	for _, x := range t.new.Indexes {
		old := t.old.Index(x.Name.Text)
		switch {
		case old == nil && x.Local:
			t.cannot("index "+x.Name.Text, "new; a local index is made with its table")
		case old == nil:
			t.made = append(t.made, x)
		case indexText(old) == indexText(x):
		case old.Local || x.Local:
			t.cannot("index "+x.Name.Text, "was %s, is %s; a local index stays as it was made", indexText(old), indexText(x))
		default:
			t.rebuilt = append(t.rebuilt, x)
		}
	}
	for _, x := range t.old.Indexes {
		switch {
		case t.new.Index(x.Name.Text) != nil:
		case x.Local:
			t.cannot("index "+x.Name.Text, "gone; a local index cannot be deleted")
		default:
			t.dropped = append(t.dropped, x)
		}
	}
}

// indexText says what an index is.
func indexText(x *model.Index) string {
	kind := "index"
	if x.Local {
		kind = "local index"
	}
	return fmt.Sprintf("%s on %s, projecting %s", kind, keysText(x.Keys()), projectionText(x.Projection))
}

func projectionText(p model.Projection) string {
	if p.Type != model.ProjectInclude {
		return string(p.Type)
	}
	names := make([]string, len(p.Attributes))
	for i, a := range p.Attributes {
		names[i] = a.Text
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

func keysText(keys []model.KeyAttribute) string {
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = fmt.Sprintf("%s (%s)", k.Name, k.Kind)
	}
	return strings.Join(parts, ", ")
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// compareSettings finds what is changed online.
func (t *tables) compareSettings() {
	o, n := t.old, t.new
	t.compareCapacity()
	t.set(setting{call: updateClass}, "class", orText(o.Class, "standard"), orText(n.Class, "standard"))
	t.set(setting{call: updateStream, last: n.Stream == nil}, "stream", streamText(o.Stream), streamText(n.Stream))
	t.set(setting{call: updateBackups, last: !n.PointInTimeRecovery.Enabled}, "point-in-time recovery", recoveryText(o.PointInTimeRecovery), recoveryText(n.PointInTimeRecovery))
	t.set(setting{call: updateTTL, last: true}, "ttl", nameText(o.TTL), nameText(n.TTL))
	t.set(setting{call: updateProtection, last: !n.DeletionProtection}, "deletion protection", strconv.FormatBool(o.DeletionProtection), strconv.FormatBool(n.DeletionProtection))
	t.set(setting{call: updateEncryption}, "encryption", encryptionText(o.Encryption), encryptionText(n.Encryption))
	t.set(setting{call: updateTags}, "tags", tagsText(o.Tags), tagsText(n.Tags))
	t.set(setting{call: updateReplicas}, "replicas", namesText(o.Replicas), namesText(n.Replicas))
}

// compareCapacity compares the capacity of the table and of the indexes that
// stay. One call sets all of it.
func (t *tables) compareCapacity() {
	first := len(t.settings)
	t.set(setting{}, "capacity", capacityText(t.old.Capacity), capacityText(t.new.Capacity))
	for _, x := range t.new.Indexes {
		if old := t.old.Index(x.Name.Text); old != nil && indexText(old) == indexText(x) {
			t.set(setting{Change: Change{Subject: "index " + x.Name.Text}}, "capacity", ownCapacity(old), ownCapacity(x))
		}
	}
	if len(t.settings) > first {
		t.settings[first].call = updateCapacity
	}
}

// set notes a setting whose value is another one; of the table, when s does not say of what.
func (t *tables) set(s setting, name, was, is string) {
	if was == is {
		return
	}
	if s.Subject == "" {
		s.Subject = "table"
	}
	s.Kind, s.Text = KindOnline, fmt.Sprintf("%s was %s, is %s", name, was, is)
	t.settings = append(t.settings, s)
}

func ownCapacity(x *model.Index) string {
	if x.Capacity == nil {
		return "that of the table"
	}
	return capacityText(*x.Capacity)
}

func capacityText(c model.Capacity) string {
	if c.OnDemand {
		return "on demand" + limitsText("at most", c.MaxRead, c.MaxWrite) + limitsText("warm for", c.WarmRead, c.WarmWrite)
	}
	text := fmt.Sprintf("%d RCU and %d WCU", c.Read, c.Write)
	if a := c.AutoScaling; a != nil {
		text += fmt.Sprintf(", scaled from %d to %d at %d%%", a.Min, a.Max, a.Target)
	}
	return text
}

func limitsText(word string, read, write int64) string {
	if read == 0 && write == 0 {
		return ""
	}
	return fmt.Sprintf(", %s %d reads and %d writes a second", word, read, write)
}

func streamText(s *model.Stream) string {
	if s == nil {
		return "off"
	}
	return s.View
}

func recoveryText(r model.PointInTimeRecovery) string {
	switch {
	case !r.Enabled:
		return "off"
	case r.Days > 0:
		return fmt.Sprintf("%d days", r.Days)
	}
	return "on"
}

func nameText(n *model.Name) string {
	if n == nil {
		return "off"
	}
	return n.Text
}

func encryptionText(e model.Encryption) string {
	if e.KMSKey != "" {
		return e.KMSKey
	}
	return orNone(e.Kind)
}

func tagsText(tags []model.Tag) string {
	parts := make([]string, len(tags))
	for i, t := range tags {
		parts[i] = t.Key + "=" + t.Value
	}
	return orNone(strings.Join(parts, " "))
}

func namesText(names []model.Name) string {
	parts := make([]string, len(names))
	for i, n := range names {
		parts[i] = n.Text
	}
	return orNone(strings.Join(parts, ", "))
}
