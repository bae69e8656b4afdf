package rules

import (
	"math"
	"strconv"
)

// amount writes an expected value as people read it: whole above ten, else with
// up to two decimals.
func amount(x float64) string {
	if x >= 10 {
		return strconv.FormatFloat(math.Round(x), 'f', -1, 64)
	}
	return strconv.FormatFloat(math.Round(x*100)/100, 'f', -1, 64)
}
