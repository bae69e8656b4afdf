package differ_test

import (
	"flag"
	"maps"
	"slices"
	"testing"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/enginetest/differ"
	"github.com/dynmodel/dynmodel/engine/enginetest/witness"
)

var (
	operations = flag.Int("operations", 2000, "how many operations to compare with DynamoDB Local")
	seed       = flag.Uint64("seed", 1, "seed of the first sequence of operations")
)

// TestEngineAgainstDynamoDBLocal compares the embedded engine with AWS's own
// emulator. A long run is started with -operations.
func TestEngineAgainstDynamoDBLocal(t *testing.T) {
	db := engine.New()
	t.Cleanup(func() { db.Close() })
	report, err := differ.Run(t.Context(), differ.Options{
		Left:       db.Client(),
		Right:      witness.Client(witness.Start(t)),
		Known:      differ.FaultsOfDynamoDBLocal(),
		Seed:       *seed,
		Operations: *operations,
	})
	if err != nil {
		t.Fatal(err)
	}
	if report.Difference != nil {
		t.Errorf("after %d operations:\n%v", report.Operations, report.Difference)
	}
	t.Logf("%d operations in %d sequences", report.Operations, report.Sequences)
	for _, name := range slices.Sorted(maps.Keys(report.Known)) {
		t.Logf("%6d  %s", report.Known[name], name)
	}
}
