package golang

import (
	"os"
	"testing"
)

func TestDump(t *testing.T) {
	if os.Getenv("DUMP") == "" {
		t.Skip()
	}
	write(t, os.Getenv("DUMP"), generated(t, os.Getenv("DUMPMODEL"), "store"))
}
