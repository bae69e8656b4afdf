package verify

import (
	"github.com/dynmodel/dynmodel/model"
)

// unproved is what a pattern says that no trial looks at, so that it cannot be
// called proved; "" when there is nothing of that kind.
func unproved(p *model.Pattern) string {
	if p.Operation == model.External {
		return "served by " + p.Service
	}
	return ""
}
