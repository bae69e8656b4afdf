// Package rules holds what the check finds, one file per rule: its name,
// severity, documentation, examples and, where the model and its plans are all
// it takes to judge, the function that does.
package rules

import "github.com/dynmodel/dynmodel/validate"

// All are the rules in the order of the reference.
func All() []*validate.Rule {
	return []*validate.Rule{
		invalidModel(),
		unknownReference(),

		// Keys
		keyCollision(),
		duplicateIdentity(),
		optionalKey(),
		keyTypeMismatch(),
		emptyKey(),
		keyTooLong(),
		ambiguousDelimiter(),
		unpaddedNumber(),
		unsortableTime(),
		caseSensitiveKey(),
		lowCardinalityPartition(),
		constantPartition(),
		unboundedCollection(),
		mutableKey(),
		missingEntityType(),

		// Access patterns
		noIndex(),
		fullScan(),
		filterDiscards(),
		wrongResult(),
		wrongOrder(),
		missingProjection(),
		inconsistentIndexRead(),
		staleRead(),
		unboundedResult(),
		scatterGather(),
		overBudget(),
		limitExceeded(),
		expiredItemsVisible(),
		duplicatePattern(),
		isolationLeak(),
		exampleMismatch(),

		// Indexes
		unusedIndex(),
		tooManyIndexes(),
		localIndex(),
		redundantIndex(),
		mergeableIndexes(),
		overProjection(),
		sparseIndexCandidate(),

		// Writes
		wrongWrite(),
		staleIndexKey(),
		immutableChange(),
		partialItem(),
		outOfDomain(),
		unguardedPut(),
		lostUpdate(),
		duplicateTransactionItem(),
		staleCopy(),
		brokenUnique(),

		// Capacity
		itemTooLarge(),
		largeItem(),
		hotPartition(),
		fixedCapacity(),
		capacityMode(),
		indexUnderprovisioned(),
		daxCandidate(),
		daxUnsuitable(),

		// Operations
		ttlType(),
		streamRequired(),
		replicaConflict(),
		noBackup(),

		// Housekeeping
		unusedEntity(),
		unusedIgnore(),
	}
}
