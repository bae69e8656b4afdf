package parse

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// scale is a suffix and what it multiplies by.
type scale struct {
	suffix string
	factor float64
}

// scaled reads a plain decimal with one of some suffixes; a scale with an empty
// suffix is for none.
func scaled(text string, scales []scale) (float64, bool) {
	for _, s := range scales {
		digits, found := strings.CutSuffix(text, s.suffix)
		if !found || digits == "" || strings.ContainsAny(digits, "eExX_iInN+- ") {
			continue
		}
		if f, err := strconv.ParseFloat(digits, 64); err == nil {
			return f * s.factor, true
		}
	}
	return 0, false
}

// counts are the suffixes of plain numbers: 10k, 2M, 1B.
func counts() []scale {
	return []scale{{"k", 1e3}, {"M", 1e6}, {"B", 1e9}, {"", 1}}
}

// bytes are the suffixes of sizes; AWS's kilobyte has 1024 bytes.
func bytes() []scale {
	return []scale{{"KB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}, {"B", 1}}
}

// percents is the one suffix of a share.
func percents() []scale { return []scale{{"%", 0.01}} }

// units are the kinds of whole numbers with their suffixes and an example.
type unit struct {
	scales  []scale
	example string
}

func countUnit() unit { return unit{counts(), "a whole number such as 20, 10k or 2M"} }
func sizeUnit() unit  { return unit{bytes(), "a size such as 400B, 2KB or 1.5MB"} }

func (u unit) parse(text string) (int64, bool) {
	f, ok := scaled(text, u.scales)
	if !ok || f != math.Trunc(f) || f > 1e15 {
		return 0, false
	}
	return int64(f), true
}

// whole reads a whole number of a unit that is at least least.
func (r *reader) wholeNumber(n *yamltree.Node, u unit, least int64) int64 {
	text, ok := r.text(n)
	if !ok {
		return 0
	}
	i, ok := u.parse(text)
	switch {
	case !ok:
		r.errorf(n.At, "this is %s, not `%s`", u.example, clip(text))
	case i < least:
		r.errorf(n.At, "this is at least %d", least)
	}
	return i
}

// count reads a positive count into an int.
func (r *reader) count(target *int) func(*yamltree.Node) {
	return func(n *yamltree.Node) { *target = int(r.wholeNumber(n, countUnit(), 1)) }
}

// units reads a non-negative count into an int64.
func (r *reader) units(target *int64) func(*yamltree.Node) {
	return func(n *yamltree.Node) { *target = r.wholeNumber(n, countUnit(), 1) }
}

// span reads a range such as 1..64, or a single number, which is both bounds.
func (r *reader) rangeOf(n *yamltree.Node, u unit) model.Range {
	text, ok := r.text(n)
	if !ok {
		return model.Range{}
	}
	low, high, found := strings.Cut(text, "..")
	if !found {
		high = low
	}
	from, ok1 := u.parse(low)
	to, ok2 := u.parse(high)
	switch {
	case !ok1 || !ok2:
		r.errorf(n.At, "this is %s, or a range such as 1..64, not `%s`", u.example, clip(text))
	case from > to:
		r.errorf(n.At, "the range %s ends before it begins", text)
	}
	return model.Range{Min: from, Max: to}
}

// number reads a number with an optional k, M or B.
func (r *reader) number(n *yamltree.Node) float64 {
	text, ok := r.text(n)
	if !ok {
		return 0
	}
	f, ok := scaled(text, counts())
	if !ok {
		r.errorf(n.At, "this is a number such as 8, 2.5 or 10k, not `%s`", clip(text))
	}
	return f
}

// share reads a percentage as a fraction of one.
func (r *reader) share(n *yamltree.Node) float64 {
	text, ok := r.text(n)
	if !ok {
		return 0
	}
	f, ok := scaled(text, percents())
	if !ok || f > 1 {
		r.errorf(n.At, "this is a share such as 20%%, not `%s`", clip(text))
	}
	return f
}

const day = 24 * time.Hour

// duration reads a length of time such as 30s, 5m, 2h or 7d.
func (r *reader) duration(target *time.Duration) func(*yamltree.Node) {
	return func(n *yamltree.Node) {
		text, ok := r.text(n)
		if !ok {
			return
		}
		seconds, ok := scaled(text, []scale{{"ms", 0.001}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}, {"w", 7 * 86400}})
		if !ok || seconds <= 0 || seconds > 1e9 {
			r.errorf(n.At, "this is a length of time such as 30s, 5m, 2h or 7d, not `%s`", clip(text))
			return
		}
		*target = time.Duration(seconds * float64(time.Second))
	}
}

// period is the time that a word of a rate stands for; a month has 30 days.
func period(word string) time.Duration {
	switch word {
	case "s", "sec", "second":
		return time.Second
	case "m", "min", "minute":
		return time.Minute
	case "h", "hour":
		return time.Hour
	case "d", "day":
		return day
	case "w", "week":
		return 7 * day
	case "month":
		return 30 * day
	case "year":
		return 365 * day
	}
	return 0
}

// rate reads `200/s`, or {each: Entity, value: 1/min}.
func (r *builder) rate(n *yamltree.Node) *model.Rate {
	rate := &model.Rate{At: n.At}
	ok := r.whole(func() {
		if n.Kind == yamltree.Scalar {
			r.perSecond(rate, n)
			return
		}
		r.object(n, head(n), "a rate", []field{
			{"value", true, func(n *yamltree.Node) { r.perSecond(rate, n) }},
			{"each", true, func(n *yamltree.Node) {
				if e := r.entityNamed(n); e != nil {
					rate.Each = e.entity
				}
			}},
		})
	})
	if !ok {
		return nil
	}
	return rate
}

func (r *reader) perSecond(rate *model.Rate, n *yamltree.Node) {
	text, ok := r.text(n)
	if !ok {
		return
	}
	amount, per, _ := strings.Cut(text, "/")
	f, ok := scaled(strings.TrimSpace(amount), counts())
	p := period(strings.TrimSpace(per))
	if !ok || p == 0 {
		r.errorf(n.At, "this is a rate such as 200/s, 5/min or 1M/day, not `%s`", clip(text))
		return
	}
	rate.PerSecond, rate.Text = f/p.Seconds(), text
}

// growth reads `5%/month`.
func (r *reader) growth(n *yamltree.Node) *model.Growth {
	text, ok := r.text(n)
	if !ok {
		return nil
	}
	amount, per, _ := strings.Cut(text, "/")
	f, ok := scaled(strings.TrimSpace(amount), []scale{{"%", 1}})
	p := period(strings.TrimSpace(per))
	if !ok || p == 0 {
		r.errorf(n.At, "this is a growth such as 5%%/month, not `%s`", clip(text))
		return nil
	}
	return &model.Growth{Percent: f, Per: p}
}
