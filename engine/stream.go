package engine

import (
	"time"

	"github.com/dynmodel/dynmodel/engine/api"
)

// streaming reports whether the table's stream is on.
func (t *table) streaming() bool {
	s := t.description.StreamSpecification
	return s != nil && *s.StreamEnabled
}

// setStream switches the stream of the table on or off; nil leaves it as it is.
func (t *table) setStream(s *api.StreamSpecification, now time.Time) {
	switch {
	case s == nil:
	case !*s.StreamEnabled:
		t.description.StreamSpecification = nil
	default:
		t.description.StreamSpecification = s
		t.description.LatestStreamLabel = now.UTC().Format("2006-01-02T15:04:05.000")
		t.description.LatestStreamArn = t.description.TableArn + "/stream/" + t.description.LatestStreamLabel
	}
}
