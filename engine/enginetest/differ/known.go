package differ

// Known is a fault of DynamoDB Local: a difference from DynamoDB that is
// expected, with the reason to believe DynamoDB to be otherwise.
type Known struct {
	Name, Reason string
	// Applies reports whether a difference is this one.
	Applies func(operation Operation, left, right answer) bool
}

// FaultsOfDynamoDBLocal lists what version 1.25.1 is known to do otherwise.
func FaultsOfDynamoDBLocal() []Known { return nil }
