package parse

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// namedDay are the weights of the 24 hours of a day that has a word.
func namedDay(word string) [24]float64 {
	switch word {
	case "office":
		return [24]float64{1, 1, 1, 1, 1, 2, 4, 8, 14, 18, 20, 20, 16, 18, 20, 20, 17, 12, 6, 3, 2, 1, 1, 1}
	case "evening":
		return [24]float64{6, 4, 2, 2, 2, 2, 3, 5, 7, 8, 8, 9, 10, 10, 9, 9, 10, 12, 15, 18, 20, 20, 16, 10}
	case "night":
		return [24]float64{10, 20, 20, 20, 10, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 5}
	}
	return [24]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}
}

// readDaily reads `flat`, `office`, `evening` or `night`, or 24 weights.
func (p *patternDraft) readDaily(n *yamltree.Node) *model.Daily {
	d := &model.Daily{At: n.At}
	if !p.whole(func() { d.Weights = p.dailyWeights(n) }) {
		return nil
	}
	return d
}

func (p *patternDraft) dailyWeights(n *yamltree.Node) (weights [24]float64) {
	if n.Kind == yamltree.Scalar {
		return namedDay(p.word(n, "flat", "office", "evening", "night"))
	}
	items := p.items(n, "a day is `flat`, `office`, `evening`, `night`, or a list of 24 weights")
	sum := 0.0
	for i, item := range items {
		if w := p.number(item); i < len(weights) {
			weights[i] = w
			sum += w
		}
	}
	switch {
	case n.Incomplete || n.Kind != yamltree.Sequence:
	case len(items) != len(weights):
		p.errorf(n.At, "a day has 24 weights, one for each hour from midnight UTC, not %d", len(items))
	case sum <= 0:
		p.errorf(n.At, "a day's weights are all zero; leave out the rate of what is never called")
	}
	return weights
}
