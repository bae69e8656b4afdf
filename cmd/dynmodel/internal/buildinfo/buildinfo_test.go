package buildinfo

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestOf(t *testing.T) {
	platform := runtime.GOOS + "/" + runtime.GOARCH
	for name, test := range map[string]struct {
		info debug.BuildInfo
		want Info
	}{
		"nothing known": {debug.BuildInfo{}, Info{Version: "devel"}},
		"go install":    {debug.BuildInfo{Main: debug.Module{Version: "v1.2.0"}}, Info{Version: "1.2.0"}},
		"a checkout": {debug.BuildInfo{Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{
			{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-01-05T09:00:00Z"}, {Key: "vcs.modified", Value: "true"}}},
			Info{Version: "devel", Revision: "abc", Time: "2026-01-05T09:00:00Z", Modified: true}},
	} {
		t.Run(name, func(t *testing.T) {
			test.want.Go, test.want.Platform = runtime.Version(), platform
			if got := of(&test.info); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}
