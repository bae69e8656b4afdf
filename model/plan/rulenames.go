package plan

// The rules that planning reports; package validate documents them.
const (
	RuleNoIndex               = "no-index"
	RuleMissingProjection     = "missing-projection"
	RuleWrongOrder            = "wrong-order"
	RuleInconsistentIndexRead = "inconsistent-index-read"
	RuleStaleIndexKey         = "stale-index-key"
	RuleBrokenUnique          = "broken-unique"
	RuleMutableKey            = "mutable-key"
	RuleLimitExceeded         = "limit-exceeded"
)
