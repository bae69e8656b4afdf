// Package buildinfo says what this binary is made of, as the Go toolchain
// recorded it: no number has to be kept by hand or given to the linker.
package buildinfo

import (
	"runtime"
	"runtime/debug"
	"strings"
)

// Info is what is known of a binary; texts are "" where nothing is.
type Info struct {
	Version  string // of the module without its v, such as 1.2.0; "devel" for a build of a checkout
	Revision string // of the repository
	Time     string // of the revision, RFC 3339
	Modified bool   // the checkout was changed after the revision
	Go       string // the toolchain, such as go1.26.0
	Platform string // operating system and architecture, such as linux/amd64
}

// Read reads the running binary's own record.
func Read() Info {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return of(info)
}

func of(info *debug.BuildInfo) Info {
	out := Info{Version: "devel", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		out.Version = strings.TrimPrefix(v, "v")
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			out.Revision = s.Value
		case "vcs.time":
			out.Time = s.Value
		case "vcs.modified":
			out.Modified = s.Value == "true"
		}
	}
	return out
}
