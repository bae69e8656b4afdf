//go:build !windows

package output

// keepsModes tells whether the file system knows executable files.
const keepsModes = true
