package enginetest_test

import (
	"testing"

	"github.com/dynmodel/dynmodel/engine/enginetest"
	"github.com/dynmodel/dynmodel/engine/enginetest/witness"
)

// TestDynamoDBLocal holds the cases against AWS's own emulator: a case that it
// fails without a note on the difference is probably wrong.
func TestDynamoDBLocal(t *testing.T) {
	enginetest.Run(t, enginetest.Endpoint{
		Client: witness.Client(witness.Start(t)),
		Kind:   enginetest.DynamoDBLocal,
	})
}
