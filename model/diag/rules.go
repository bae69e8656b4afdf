package diag

// The names of the rules. What each means stands in package rules; the names are
// here because every package that finds something, and the ignore key of the
// language, uses them.
const (
	InvalidModel             = "invalid-model"
	UnknownReference         = "unknown-reference"
	KeyCollision             = "key-collision"
	DuplicateIdentity        = "duplicate-identity"
	OptionalKey              = "optional-key"
	KeyTypeMismatch          = "key-type-mismatch"
	EmptyKey                 = "empty-key"
	KeyTooLong               = "key-too-long"
	AmbiguousDelimiter       = "ambiguous-delimiter"
	UnpaddedNumber           = "unpadded-number"
	UnsortableTime           = "unsortable-time"
	CaseSensitiveKey         = "case-sensitive-key"
	LowCardinalityPartition  = "low-cardinality-partition"
	ConstantPartition        = "constant-partition"
	UnboundedCollection      = "unbounded-collection"
	MutableKey               = "mutable-key"
	MissingEntityType        = "missing-entity-type"
	NoIndex                  = "no-index"
	FullScan                 = "full-scan"
	FilterDiscards           = "filter-discards"
	WrongResult              = "wrong-result"
	WrongOrder               = "wrong-order"
	MissingProjection        = "missing-projection"
	InconsistentIndexRead    = "inconsistent-index-read"
	StaleRead                = "stale-read"
	UnboundedResult          = "unbounded-result"
	ScatterGather            = "scatter-gather"
	OverBudget               = "over-budget"
	LimitExceeded            = "limit-exceeded"
	ExpiredItemsVisible      = "expired-items-visible"
	DuplicatePattern         = "duplicate-pattern"
	IsolationLeak            = "isolation-leak"
	ExampleMismatch          = "example-mismatch"
	UnusedIndex              = "unused-index"
	TooManyIndexes           = "too-many-indexes"
	LocalIndex               = "local-index"
	RedundantIndex           = "redundant-index"
	MergeableIndexes         = "mergeable-indexes"
	OverProjection           = "over-projection"
	SparseIndexCandidate     = "sparse-index-candidate"
	WrongWrite               = "wrong-write"
	StaleIndexKey            = "stale-index-key"
	ImmutableChange          = "immutable-change"
	PartialItem              = "partial-item"
	OutOfDomain              = "out-of-domain"
	UnguardedPut             = "unguarded-put"
	LostUpdate               = "lost-update"
	DuplicateTransactionItem = "duplicate-transaction-item"
	StaleCopy                = "stale-copy"
	BrokenUnique             = "broken-unique"
	ItemTooLarge             = "item-too-large"
	LargeItem                = "large-item"
	HotPartition             = "hot-partition"
	FixedCapacity            = "fixed-capacity"
	CapacityMode             = "capacity-mode"
	IndexUnderprovisioned    = "index-underprovisioned"
	DAXCandidate             = "dax-candidate"
	DAXUnsuitable            = "dax-unsuitable"
	TTLType                  = "ttl-type"
	StreamRequired           = "stream-required"
	ReplicaConflict          = "replica-conflict"
	NoBackup                 = "no-backup"
	UnusedEntity             = "unused-entity"
	UnusedIgnore             = "unused-ignore"
)

// Names are all rules, in the order of the reference.
func RuleNames() []string {
	return []string{
		InvalidModel,
		UnknownReference,
		KeyCollision,
		DuplicateIdentity,
		OptionalKey,
		KeyTypeMismatch,
		EmptyKey,
		KeyTooLong,
		AmbiguousDelimiter,
		UnpaddedNumber,
		UnsortableTime,
		CaseSensitiveKey,
		LowCardinalityPartition,
		ConstantPartition,
		UnboundedCollection,
		MutableKey,
		MissingEntityType,
		NoIndex,
		FullScan,
		FilterDiscards,
		WrongResult,
		WrongOrder,
		MissingProjection,
		InconsistentIndexRead,
		StaleRead,
		UnboundedResult,
		ScatterGather,
		OverBudget,
		LimitExceeded,
		ExpiredItemsVisible,
		DuplicatePattern,
		IsolationLeak,
		ExampleMismatch,
		UnusedIndex,
		TooManyIndexes,
		LocalIndex,
		RedundantIndex,
		MergeableIndexes,
		OverProjection,
		SparseIndexCandidate,
		WrongWrite,
		StaleIndexKey,
		ImmutableChange,
		PartialItem,
		OutOfDomain,
		UnguardedPut,
		LostUpdate,
		DuplicateTransactionItem,
		StaleCopy,
		BrokenUnique,
		ItemTooLarge,
		LargeItem,
		HotPartition,
		FixedCapacity,
		CapacityMode,
		IndexUnderprovisioned,
		DAXCandidate,
		DAXUnsuitable,
		TTLType,
		StreamRequired,
		ReplicaConflict,
		NoBackup,
		UnusedEntity,
		UnusedIgnore,
	}
}
