package serve

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestParseRegion(t *testing.T) {
	for _, c := range []struct {
		line string
		want region
		ok   bool
	}{
		{"00400000-0136a000 r-xp 00000000 fe:00 1234    /opt/my tools/dynmodel", region{0x400000, 0x136a000, false, "/opt/my tools/dynmodel"}, true},
		{"023a0000-02443000 rw-p 01fa0000 fe:00 1234    /opt/dynmodel", region{0x23a0000, 0x2443000, true, "/opt/dynmodel"}, true},
		{"c000000000-c000400000 rw-p 00000000 00:00 0", region{}, false},
		{"7ffc1000-7ffc2000 r-xp 00000000 00:00 0       [vdso]", region{}, false},
		{"", region{}, false},
	} {
		if got, ok := parseRegion(c.line); got != c.want || ok != c.ok {
			t.Errorf("%q: %+v, %v", c.line, got, ok)
		}
	}
}

// The process goes on with fewer pages of its program in memory.
func TestReleaseMemory(t *testing.T) {
	before := residentFile(t)
	if err := releaseMemory(); err != nil {
		t.Fatal(err)
	}
	if after := residentFile(t); after >= before {
		t.Errorf("%d kB of files were in memory, and %d kB are now", before, after)
	}
}

// residentFile returns how much memory has pages of files, in kB.
func residentFile(t *testing.T) (kB int) {
	status, err := os.Open("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	defer status.Close()
	for lines := bufio.NewScanner(status); lines.Scan(); {
		if figure, ok := strings.CutPrefix(lines.Text(), "RssFile:"); ok {
			if _, err := fmt.Sscan(figure, &kB); err != nil {
				t.Fatal(err)
			}
		}
	}
	return kB
}
