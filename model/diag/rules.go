package diag

// The names of the rules. What each means stands in package rules; the names are
// here because every package that finds something, and the ignore key of the
// language, uses them.
const (
	RuleInvalidModel             = "invalid-model"
	RuleUnknownReference         = "unknown-reference"
	RuleKeyCollision             = "key-collision"
	RuleDuplicateIdentity        = "duplicate-identity"
	RuleOptionalKey              = "optional-key"
	RuleKeyTypeMismatch          = "key-type-mismatch"
	RuleEmptyKey                 = "empty-key"
	RuleKeyTooLong               = "key-too-long"
	RuleAmbiguousDelimiter       = "ambiguous-delimiter"
	RuleUnpaddedNumber           = "unpadded-number"
	RuleUnsortableTime           = "unsortable-time"
	RuleCaseSensitiveKey         = "case-sensitive-key"
	RuleLowCardinalityPartition  = "low-cardinality-partition"
	RuleConstantPartition        = "constant-partition"
	RuleUnboundedCollection      = "unbounded-collection"
	RuleMutableKey               = "mutable-key"
	RuleMissingEntityType        = "missing-entity-type"
	RuleNoIndex                  = "no-index"
	RuleFullScan                 = "full-scan"
	RuleFilterDiscards           = "filter-discards"
	RuleWrongResult              = "wrong-result"
	RuleWrongOrder               = "wrong-order"
	RuleMissingProjection        = "missing-projection"
	RuleInconsistentIndexRead    = "inconsistent-index-read"
	RuleStaleRead                = "stale-read"
	RuleUnboundedResult          = "unbounded-result"
	RuleScatterGather            = "scatter-gather"
	RuleOverBudget               = "over-budget"
	RuleLimitExceeded            = "limit-exceeded"
	RuleExpiredItemsVisible      = "expired-items-visible"
	RuleDuplicatePattern         = "duplicate-pattern"
	RuleIsolationLeak            = "isolation-leak"
	RuleExampleMismatch          = "example-mismatch"
	RuleUnusedIndex              = "unused-index"
	RuleTooManyIndexes           = "too-many-indexes"
	RuleLocalIndex               = "local-index"
	RuleRedundantIndex           = "redundant-index"
	RuleMergeableIndexes         = "mergeable-indexes"
	RuleOverProjection           = "over-projection"
	RuleSparseIndexCandidate     = "sparse-index-candidate"
	RuleWrongWrite               = "wrong-write"
	RuleStaleIndexKey            = "stale-index-key"
	RuleImmutableChange          = "immutable-change"
	RulePartialItem              = "partial-item"
	RuleOutOfDomain              = "out-of-domain"
	RuleUnguardedPut             = "unguarded-put"
	RuleLostUpdate               = "lost-update"
	RuleDuplicateTransactionItem = "duplicate-transaction-item"
	RuleStaleCopy                = "stale-copy"
	RuleBrokenUnique             = "broken-unique"
	RuleItemTooLarge             = "item-too-large"
	RuleLargeItem                = "large-item"
	RuleHotPartition             = "hot-partition"
	RuleFixedCapacity            = "fixed-capacity"
	RuleCapacityMode             = "capacity-mode"
	RuleIndexUnderprovisioned    = "index-underprovisioned"
	RuleDAXCandidate             = "dax-candidate"
	RuleDAXUnsuitable            = "dax-unsuitable"
	RuleTTLType                  = "ttl-type"
	RuleStreamRequired           = "stream-required"
	RuleReplicaConflict          = "replica-conflict"
	RuleNoBackup                 = "no-backup"
	RuleUnusedEntity             = "unused-entity"
	RuleUnusedIgnore             = "unused-ignore"
)

// RuleNames are all rules, in the order of the reference.
func RuleNames() []string {
	return []string{
		RuleInvalidModel,
		RuleUnknownReference,
		RuleKeyCollision,
		RuleDuplicateIdentity,
		RuleOptionalKey,
		RuleKeyTypeMismatch,
		RuleEmptyKey,
		RuleKeyTooLong,
		RuleAmbiguousDelimiter,
		RuleUnpaddedNumber,
		RuleUnsortableTime,
		RuleCaseSensitiveKey,
		RuleLowCardinalityPartition,
		RuleConstantPartition,
		RuleUnboundedCollection,
		RuleMutableKey,
		RuleMissingEntityType,
		RuleNoIndex,
		RuleFullScan,
		RuleFilterDiscards,
		RuleWrongResult,
		RuleWrongOrder,
		RuleMissingProjection,
		RuleInconsistentIndexRead,
		RuleStaleRead,
		RuleUnboundedResult,
		RuleScatterGather,
		RuleOverBudget,
		RuleLimitExceeded,
		RuleExpiredItemsVisible,
		RuleDuplicatePattern,
		RuleIsolationLeak,
		RuleExampleMismatch,
		RuleUnusedIndex,
		RuleTooManyIndexes,
		RuleLocalIndex,
		RuleRedundantIndex,
		RuleMergeableIndexes,
		RuleOverProjection,
		RuleSparseIndexCandidate,
		RuleWrongWrite,
		RuleStaleIndexKey,
		RuleImmutableChange,
		RulePartialItem,
		RuleOutOfDomain,
		RuleUnguardedPut,
		RuleLostUpdate,
		RuleDuplicateTransactionItem,
		RuleStaleCopy,
		RuleBrokenUnique,
		RuleItemTooLarge,
		RuleLargeItem,
		RuleHotPartition,
		RuleFixedCapacity,
		RuleCapacityMode,
		RuleIndexUnderprovisioned,
		RuleDAXCandidate,
		RuleDAXUnsuitable,
		RuleTTLType,
		RuleStreamRequired,
		RuleReplicaConflict,
		RuleNoBackup,
		RuleUnusedEntity,
		RuleUnusedIgnore,
	}
}
