package serve

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
)

// releaseMemory gives back what only the start of the process has needed: the
// heap, and the pages of the program file. The start touches a little of every
// package, which is most of the file, and serving needs a fraction of it. Pages
// that are needed again come back from the system's cache of the file.
func releaseMemory() error {
	debug.FreeOSMemory()
	program, err := os.Executable()
	if err != nil {
		return err
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return err
	}
	defer maps.Close()
	var failed error
	lines := bufio.NewScanner(maps)
	for lines.Scan() {
		region, ok := parseRegion(lines.Text())
		if ok && region.file == program && !region.writable {
			if _, _, err := syscall.Syscall(syscall.SYS_MADVISE, region.from, region.to-region.from, syscall.MADV_DONTNEED); err != 0 {
				failed = errors.Join(failed, err)
			}
		}
	}
	return errors.Join(failed, lines.Err())
}

// A region is a part of the process's memory that is mapped from a file.
type region struct {
	from, to uintptr
	writable bool
	file     string
}

// parseRegion reads a line of /proc/self/maps; ok is false for memory that is
// of no file.
func parseRegion(line string) (r region, ok bool) {
	place, file, ok := strings.Cut(line, " /")
	if !ok {
		return region{}, false
	}
	var permissions string
	if _, err := fmt.Sscanf(place, "%x-%x %s", &r.from, &r.to, &permissions); err != nil {
		return region{}, false
	}
	r.writable = strings.Contains(permissions, "w")
	r.file = "/" + file
	return r, true
}
