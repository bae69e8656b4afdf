package infer

import (
	"github.com/dynmodel/dynmodel/model/diag"
)

// nearest is the name that was probably meant, or "".
func nearest[V any](word string, known map[string]V) string {
	set := make(map[string]bool, len(known))
	for name := range known {
		set[name] = true
	}
	return diag.Nearest(word, sortedKeys(set))
}
