package simulation

import "fmt"

// assumptions says what was played, and what of it is not documented.
func (r *run) assumptions() []string {
	out := []string{
		"Calls are drawn at the declared rates, each hour of the day by `daily` or a curve that reaches the peak; a peak that no hour reaches is a burst of five minutes. Patterns without a rate are left out.",
		"The busiest key value of every access pattern is taken to be the same one: the worst case.",
		"A partition serves 3,000 read and 1,000 write units a second, and one key value never more than that. (DynamoDB may divide the items of one value by sort key; it does not say when.)",
		fmt.Sprintf("A partition that is over %.0f%% for %d minutes splits, until the hottest value is alone. DynamoDB documents that it splits for heat, and not when.", hotUse*100, hotMinutes),
		"A throttled call is counted once. Retries are not played: they add load just when there is too much of it.",
		"A write is refused when any index that it writes to refuses it.",
	}
	if r.Model.Table.Capacity.OnDemand {
		state := "the table has served the declared peak before"
		if r.New {
			state = "the table is new"
		}
		return append(out, fmt.Sprintf("On demand: %s. It serves 12,000 reads and 4,000 writes a second or its warm throughput at once, and twice the highest minute that is half an hour old.", state))
	}
	return append(out,
		"Provisioned: unused capacity of up to 300 seconds is kept for bursts, and any partition may use all that the table has (adaptive capacity).",
		"Auto scaling raises capacity two minutes after the target is passed and lowers it after fifteen, four times a day and once more an hour. That an update takes two minutes is assumed.")
}
