package engine

import (
	"context"
	"maps"
	"slices"

	"github.com/dynmodel/dynmodel/engine/api"
)

// UpdateContributorInsights keeps whether the most used keys of a table or an
// index are to be watched. Nobody watches them.
func (db *DB) UpdateContributorInsights(_ context.Context, in *api.ContributorInsightsInput) (*api.ContributorInsights, error) {
	err := api.First(
		tableName("tableName", in.TableName),
		required("contributorInsightsAction", in.ContributorInsightsAction),
		oneOf("contributorInsightsAction", in.ContributorInsightsAction, "ENABLE", "DISABLE"),
		oneOf("contributorInsightsMode", in.ContributorInsightsMode, "ACCESSED_AND_THROTTLED_KEYS", "THROTTLED_KEYS"))
	if err != nil {
		return nil, err
	}
	t, index, err := db.lockInsights(in)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	next := t.insightsOf(index)
	next.ContributorInsightsStatus, next.LastUpdateDateTime = "ENABLED", api.TimeOf(t.now)
	answered := "ENABLING"
	if in.ContributorInsightsAction == "DISABLE" {
		next.ContributorInsightsStatus, answered = "DISABLED", "DISABLING"
	}
	if in.ContributorInsightsMode != "" {
		next.ContributorInsightsMode = in.ContributorInsightsMode
	} else if next.ContributorInsightsMode == "" {
		next.ContributorInsightsMode = "ACCESSED_AND_THROTTLED_KEYS"
	}
	if t.insights == nil {
		t.insights = make(map[string]api.ContributorInsights)
	}
	t.insights[index] = next
	return &api.ContributorInsights{
		TableName:                 t.name,
		IndexName:                 index,
		ContributorInsightsStatus: answered,
		ContributorInsightsMode:   next.ContributorInsightsMode,
	}, db.save(t.table)
}

// DescribeContributorInsights returns what was set for a table or an index.
func (db *DB) DescribeContributorInsights(_ context.Context, in *api.ContributorInsightsInput) (*api.ContributorInsights, error) {
	t, index, err := db.lockInsights(in)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	described := t.insightsOf(index)
	return &described, nil
}

// lockInsights locks the table of a request; index is "" for the table itself.
func (db *DB) lockInsights(in *api.ContributorInsightsInput) (t locked, index string, err error) {
	err = api.First(
		tableName("tableName", in.TableName),
		optional(in.IndexName, func(name *string) error { return checkName("indexName", *name) }))
	if err != nil {
		return locked{}, "", err
	}
	if t, err = db.lockAny(*in.TableName); err != nil {
		return locked{}, "", err
	}
	if in.IndexName != nil {
		index = *in.IndexName
		if t.schema.index(index) == nil {
			t.mu.Unlock()
			return locked{}, "", api.Errorf(api.ResourceNotFound, "Requested resource not found: Index: %s not found", index)
		}
	}
	return t, index, nil
}

func (t *table) insightsOf(index string) api.ContributorInsights {
	if set, ok := t.insights[index]; ok {
		return set
	}
	return api.ContributorInsights{TableName: t.name, IndexName: index, ContributorInsightsStatus: "DISABLED"}
}

// ListContributorInsights lists what was set, for all tables or for one.
func (db *DB) ListContributorInsights(_ context.Context, in *api.ListContributorInsightsInput) (*api.ListContributorInsightsOutput, error) {
	out := &api.ListContributorInsightsOutput{ContributorInsightsSummaries: []api.ContributorInsights{}}
	for _, t := range db.allTables() {
		if in.TableName != nil && t.name != tableOf(*in.TableName) {
			continue
		}
		t.mu.Lock()
		for _, index := range slices.Sorted(maps.Keys(t.insights)) {
			s := t.insights[index]
			s.LastUpdateDateTime = nil
			out.ContributorInsightsSummaries = append(out.ContributorInsightsSummaries, s)
		}
		t.mu.Unlock()
	}
	return out, nil
}
