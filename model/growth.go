package model

import (
	"math"
	"time"
)

// mostGrowth is where a growth ends that nobody means: a figure stays a figure.
const mostGrowth = 1e12

// After is by how much the growth multiplies in a time: compound, 1 for no
// growth, and no more than a trillion.
func (g *Growth) After(d time.Duration) float64 {
	if g == nil || g.Per <= 0 {
		return 1
	}
	return min(mostGrowth, math.Pow(1+g.Percent/100, float64(d)/float64(g.Per)))
}
