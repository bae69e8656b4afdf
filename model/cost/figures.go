package cost

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Money writes an amount of a currency for people: $12.34, $1,234,567, under a
// cent with what there is of it.
func Money(currency string, x float64) string {
	sign, unit := "", ""
	if currency == "USD" {
		sign = "$"
	} else {
		unit = " " + currency
	}
	if x < 0 {
		sign, x = "-"+sign, -x
	}
	switch {
	case x == 0:
		return sign + "0" + unit
	case x < 0.01:
		return sign + strconv.FormatFloat(x, 'g', 2, 64) + unit
	case x < 1000:
		return sign + strconv.FormatFloat(x, 'f', 2, 64) + unit
	}
	return sign + grouped(x) + unit
}

// Price writes what a number of things costs, with three digits that tell.
func Price(currency string, x float64) string {
	if x == 0 || x >= 10 {
		return Money(currency, x)
	}
	text := strconv.FormatFloat(x, 'g', 3, 64)
	if currency == "USD" {
		return "$" + text
	}
	return text + " " + currency
}

// grouped writes a whole number with commas.
func grouped(x float64) string {
	digits := strconv.FormatFloat(math.Round(x), 'f', 0, 64)
	var out strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteRune(d)
	}
	return out.String()
}

// Count writes a number of things for people: 0.25, 12, 3.8M.
func Count(n float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e15, "e15"}, {1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "k"}} {
		if n >= unit.size*0.9995 {
			return fmt.Sprintf("%.3g%s", n/unit.size, unit.name)
		}
	}
	return strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64)
}

// Percent writes a share for people, in two figures: 0.5%, 12%, 120%.
func Percent(share float64) string {
	p := 100 * share
	switch {
	case p > 0 && p < 0.01:
		return "under 0.01%"
	case p < 0.1:
		return strconv.FormatFloat(math.Round(p*1000)/1000, 'f', -1, 64) + "%"
	case p < 1:
		return strconv.FormatFloat(math.Round(p*100)/100, 'f', -1, 64) + "%"
	case p < 10:
		return strconv.FormatFloat(math.Round(p*10)/10, 'f', -1, 64) + "%"
	}
	return strconv.FormatFloat(p, 'f', 0, 64) + "%"
}

// Bytes writes a size for people: 900 B, 1.5 KB, 12.3 GB.
func Bytes(n float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1 << 40, "TB"}, {1 << 30, "GB"}, {1 << 20, "MB"}, {1 << 10, "KB"}} {
		if n >= unit.size {
			return fmt.Sprintf("%.3g %s", n/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%.0f B", n)
}

// ModeName is a capacity mode in words.
func ModeName(mode string) string {
	switch mode {
	case OnDemand:
		return "on demand"
	case Provisioned:
		return "provisioned, auto scaling"
	case Reserved1:
		return "reserved for 1 year"
	case Reserved3:
		return "reserved for 3 years"
	}
	return "provisioned, fixed"
}

// ClassName is a table class in words.
func ClassName(class string) string {
	if class == InfrequentAccess {
		return "infrequent access"
	}
	return class
}
