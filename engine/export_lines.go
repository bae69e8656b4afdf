package engine

import (
	"maps"
	"slices"
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/store"
)

// The shortest and the longest time whose changes are exported (API reference,
// IncrementalExportSpecification).
const (
	minExportWindow = 15 * time.Minute
	maxExportWindow = 24 * time.Hour
)

func checkIncremental(in *api.ExportTableToPointInTimeInput, spec *api.IncrementalExportSpecification) error {
	switch {
	case in.ExportTime != nil:
		return api.Invalid("ExportTime is for ExportType FULL_EXPORT")
	case spec == nil:
		return api.Required("incrementalExportSpecification")
	}
	return first(
		notNull("incrementalExportSpecification.exportFromTime", spec.ExportFromTime),
		oneOf("incrementalExportSpecification.exportViewType", spec.ExportViewType, viewNew, viewBoth))
}

// window returns what is asked for with all that was left out: until a day
// later or now, with both images.
func (h *history) window(asked *api.IncrementalExportSpecification, now time.Time) (*api.IncrementalExportSpecification, error) {
	spec := *asked
	from := time.Time(*spec.ExportFromTime)
	if spec.ExportToTime == nil {
		spec.ExportToTime = api.TimeOf(from.Add(min(maxExportWindow, now.Sub(from))))
	}
	if spec.ExportViewType == "" {
		spec.ExportViewType = viewBoth
	}
	err := first(
		h.checkReach("ExportFromTime", *spec.ExportFromTime, now),
		h.checkReach("ExportToTime", *spec.ExportToTime, now))
	if long := time.Time(*spec.ExportToTime).Sub(from); err == nil && (long < minExportWindow || long > maxExportWindow) {
		err = api.Invalid("The time between ExportFromTime and ExportToTime must be from 15 minutes to 24 hours")
	}
	return &spec, err
}

// exportItems puts a line for each item that the table had at some moment.
func (h *history) exportItems(snapshot store.Snapshot, s *schema, at time.Time, filter *exportFilter, format lineFormat, put putLine) error {
	var line []byte
	return h.itemsAt(snapshot, s, at, func(item attr.Item) bool {
		size := item.Size()
		item, ok := filter.of(item)
		if !ok {
			return true
		}
		line = format.item(line[:0], item)
		return put(line, size)
	})
}

// An itemChange is what became of one item in the time of an export.
type itemChange struct {
	key      attr.Item
	old, new attr.Item // empty where there was none
	last     time.Time
}

// exportChanges puts a line for each item that was changed, in the order of the
// table.
func (h *history) exportChanges(snapshot store.Snapshot, s *schema, spec *api.IncrementalExportSpecification, format lineFormat, put putLine) error {
	changes, err := h.changesBetween(snapshot, s, time.Time(*spec.ExportFromTime), time.Time(*spec.ExportToTime))
	if err != nil {
		return err
	}
	var line []byte
	for _, key := range slices.Sorted(maps.Keys(changes)) {
		c := changes[key]
		line = format.change(line[:0], c, spec.ExportViewType == viewBoth)
		if !put(line, c.new.Size()+c.old.Size()) {
			break
		}
	}
	return nil
}

// changesBetween returns what became of the items that were changed from one
// moment on and before another one, by their storage keys.
func (h *history) changesBetween(snapshot store.Snapshot, s *schema, from, to time.Time) (map[string]*itemChange, error) {
	changes := make(map[string]*itemChange)
	between := store.Range{From: historyKey(from, 0), To: historyKey(to, 0)}
	err := snapshot.Range(h.space, between, func(at string, record attr.Item) bool {
		key, _ := record.Get("key")
		old, _ := record.Get("old")
		c := changes[key.Text()]
		if c == nil {
			c = &itemChange{old: old.Item()}
			changes[key.Text()] = c
		}
		if !old.Item().IsEmpty() {
			c.key = s.key.of(old.Item())
		}
		c.last = historyTime(at)
		return true
	})
	if err != nil {
		return nil, err
	}
	later, err := h.replacedSince(snapshot, to)
	for key, c := range changes {
		item, changed := later[key]
		if !changed && err == nil {
			item, _, err = snapshot.Get(s.space, key)
		}
		if c.new = item; !item.IsEmpty() {
			c.key = s.key.of(item)
		}
	}
	return changes, err
}
