//go:build !linux

package serve

import "runtime/debug"

// releaseMemory gives back the heap that only the start of the process has
// needed.
func releaseMemory() error {
	debug.FreeOSMemory()
	return nil
}
