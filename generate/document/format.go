package document

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// Count is a number as a person reads it: 0.5, 12.5, 1,250, 16M.
func Count(n float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "B"}, {1e6, "M"}} {
		if math.Abs(n) >= unit.size {
			return short(n/unit.size) + unit.name
		}
	}
	if math.Abs(n) >= 10000 {
		return thousands(int64(math.Round(n)))
	}
	return thousandsOf(short(n))
}

// short is a number with three digits that say something, at most.
func short(n float64) string {
	decimals := 0
	switch a := math.Abs(n); {
	case a == math.Trunc(a), a >= 100:
	case a >= 10:
		decimals = 1
	case a >= 0.1:
		decimals = 2
	default:
		decimals = 4
	}
	text := strconv.FormatFloat(n, 'f', decimals, 64)
	if decimals > 0 {
		f, _ := strconv.ParseFloat(text, 64) // without trailing zeros
		text = strconv.FormatFloat(f, 'f', -1, 64)
	}
	return text
}

func thousandsOf(text string) string {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return text
	}
	return thousands(n)
}

func thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(text) - 3; i > start; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Bytes is a size in units of 1024.
func Bytes(n float64) string {
	units := []string{"B", "KB", "MB", "GB", "TB", "PB"}
	i := 0
	for n >= 1000 && i < len(units)-1 {
		n /= 1024
		i++
	}
	return short(n) + " " + units[i]
}

// Money is an amount of a currency: $0.06, $1,234.
func Money(amount float64, currency string) string {
	sign := currency + " "
	if currency == "USD" {
		sign = "$"
	}
	switch {
	case amount >= 100:
		return sign + thousands(int64(math.Round(amount)))
	case amount > 0 && amount < 0.005:
		return "under " + sign + "0.01"
	}
	return sign + strconv.FormatFloat(amount, 'f', 2, 64)
}

// Percent is a share from 0 to 1.
func Percent(share float64) string {
	switch {
	case share > 0 && share < 0.01:
		return "under 1%"
	case share > 0.99 && share < 1:
		return "over 99%"
	}
	return strconv.FormatFloat(share*100, 'f', 0, 64) + "%"
}

// Plural is a number of things: 1 item, 2 items.
func Plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(int64(n)) + " " + one + "s"
}

// list is a list in words: a, b and c.
func list(words []string) string {
	if len(words) < 2 {
		return joined(words, "")
	}
	return joined(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

func joined(words []string, by string) string { return strings.Join(words, by) }

func descending(a, b float64) int { return cmp.Compare(b, a) }

// Stretch is a piece of a text: words, or code.
type Stretch struct {
	Text string
	Code bool
}

// Stretches cuts a text at its backquotes, in which code stands. One without a
// partner is part of the words.
func Stretches(text string) []Stretch {
	var out []Stretch
	add := func(text string, code bool) {
		if text != "" {
			out = append(out, Stretch{text, code})
		}
	}
	for {
		before, rest, found := strings.Cut(text, "`")
		code, after, closed := strings.Cut(rest, "`")
		if !found || !closed {
			add(text, false)
			return out
		}
		add(before, false)
		add(code, true)
		text = after
	}
}
