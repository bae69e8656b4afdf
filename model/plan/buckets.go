package plan

import (
	"fmt"
	"slices"

	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/value"
)

// maxBuckets bounds the requests of one call: a range of more buckets than this
// is a mistake, not a query.
const maxBuckets = 20000

// values are the values of a fan for a call, in order, each once.
func (s *scope) values(f *Fan) ([]value.Value, error) {
	switch f.Kind {
	case FanIn:
		return s.alternatives(f)
	case FanBucket:
		return s.buckets(f)
	}
	var shards []value.Value
	for i := range f.Shards {
		shards = append(shards, value.OfInt(int64(i)))
	}
	return shards, nil
}

// alternatives are the values of an IN.
func (s *scope) alternatives(f *Fan) ([]value.Value, error) {
	var all []value.Value
	for _, o := range f.Values {
		v, err := s.given(o, f.Attribute)
		if err != nil {
			return nil, err
		}
		if f.FromList {
			all = append(all, v.Items()...)
		} else {
			all = append(all, v)
		}
	}
	var out []value.Value
	for _, v := range all {
		if !slices.ContainsFunc(out, func(w value.Value) bool { return value.Equal(v, w) }) {
			out = append(out, v)
		}
	}
	return out, nil
}

// buckets are the buckets that a range touches, from the earliest to the latest.
func (s *scope) buckets(f *Fan) ([]value.Value, error) {
	low, err := s.bucket(f, f.Low)
	if err != nil {
		return nil, err
	}
	high, err := s.bucket(f, f.High)
	if err != nil {
		return nil, err
	}
	var out []value.Value
	for b := low; b <= high; {
		exactEnd := len(f.Funcs) == 0 && (b == low && f.Low.Excluded || b == high && f.High.Excluded)
		if !exactEnd {
			out = append(out, value.OfString(b))
		}
		if len(out) > maxBuckets {
			return nil, fmt.Errorf("the range of %s from %s to %s has more than %d buckets", f.Attribute.Name.Text, low, high, maxBuckets)
		}
		if b, err = bucketAfter(b, f.Unit); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// bucket is the bucket that an end of the range falls in.
func (s *scope) bucket(f *Fan, b Bound) (string, error) {
	v, err := s.given(b.Value, f.Attribute)
	if err != nil {
		return "", err
	}
	if v, err = encode.Apply(f.Funcs, v, typeOf(f.Attribute, v)); err != nil {
		return "", err
	}
	return v.Text(), nil
}

// bucketAfter is the bucket that follows.
func bucketAfter(bucket string, unit expr.Func) (string, error) {
	start, ok := encode.ParsePeriod(unit, bucket)
	if !ok {
		return "", fmt.Errorf("%q is no %s", bucket, unit)
	}
	next := encode.NextPeriod(unit, start)
	if next.Year() > 9999 {
		return Max, nil // sorts after every bucket
	}
	return encode.PeriodText(unit, next), nil
}

// combination is one value for each fan, and the group it is walked in.
type combination struct {
	values map[*Fan]value.Value
	group  int
}

// combinations are the combinations of the fans' values: in the order of the
// fans, or by buckets when those are walked through.
func (s *scope) combinations(r *Read) ([]combination, error) {
	all := []combination{{values: map[*Fan]value.Value{}}}
	for _, f := range r.Fan {
		values, err := s.values(f)
		if err != nil {
			return nil, err
		}
		if f == r.walked && r.backwards {
			slices.Reverse(values)
		}
		var next []combination
		for _, c := range all {
			for i, v := range values {
				group := c.group
				if f == r.walked {
					group = i
				}
				next = append(next, combination{values: withFan(c.values, f, v), group: group})
			}
		}
		all = next
	}
	slices.SortStableFunc(all, func(a, b combination) int { return a.group - b.group })
	return all, nil
}

func withFan(values map[*Fan]value.Value, f *Fan, v value.Value) map[*Fan]value.Value {
	out := make(map[*Fan]value.Value, len(values)+1)
	for g, w := range values {
		out[g] = w
	}
	out[f] = v
	return out
}
