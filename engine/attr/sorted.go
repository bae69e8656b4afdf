package attr

import "slices"

// SortedKeys returns the keys of one of a request's maps in order. Every
// request asks for those of some map that is empty or has one key, which makes
// this worth doing without iterators.
func SortedKeys[T any](m map[string]T) []string {
	if len(m) == 0 {
		return nil
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
