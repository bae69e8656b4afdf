package main_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/dynmodel/dynmodel/model/modeltest"
)

// BenchmarkCheckShop is a whole check of the shop, as at the keyboard.
func BenchmarkCheckShop(b *testing.B) {
	benchmarkCheck(b, filepath.Join(repository, "examples/shop/access-patterns.yaml"))
}

// BenchmarkCheckBig is a check of 60 entities and 300 access patterns. Beside
// BenchmarkCheckShop it tells whether time grows with the number of patterns.
func BenchmarkCheckBig(b *testing.B) {
	path := filepath.Join(b.TempDir(), "big.yaml")
	if err := os.WriteFile(path, []byte(modeltest.Big(60, 300)), 0o644); err != nil {
		b.Fatal(err)
	}
	benchmarkCheck(b, path)
}

func benchmarkCheck(b *testing.B, path string) {
	b.ReportAllocs()
	for b.Loop() {
		if code, out, errs := run("", "check", "-q", path); code != 0 {
			b.Fatalf("exit code %d\n%s%s", code, out, errs)
		}
	}
}
