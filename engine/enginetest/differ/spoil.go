package differ

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// spoil puts something of another kind, or nonsense, in the place of one value
// somewhere in a request.
func (g *generator) spoil(o Operation) Operation {
	var body any
	if err := json.Unmarshal([]byte(o.Body), &body); err != nil {
		panic(fmt.Sprintf("the generator made no JSON: %v", err))
	}
	all := places(body, func(any) {})[1:] // but for the request itself
	put := all[g.random.IntN(len(all))]
	put(pick[any](g, nil, 23, -1, true, "", "nonsense", []any{}, []any{23}, object{}, object{"nonsense": 23}))
	o.Body, o.Spoiled = encode(body), true
	return o
}

// places returns what replaces each value in v, v itself first; put replaces v.
func places(v any, put func(any)) []func(any) {
	all := []func(any){put}
	switch v := v.(type) {
	case object:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, places(v[name], func(other any) { v[name] = other })...)
		}
	case []any:
		for i := range v {
			all = append(all, places(v[i], func(other any) { v[i] = other })...)
		}
	}
	return all
}
