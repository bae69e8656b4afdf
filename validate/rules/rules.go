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

		// Indexes
		unusedIndex(),
		tooManyIndexes(),
		localIndex(),
		redundantIndex(),
		mergeableIndexes(),
		overProjection(),
		sparseIndexCandidate(),

		// Housekeeping
		unusedEntity(),
		unusedIgnore(),
	}
}
