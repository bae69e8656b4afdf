package mutation

import (
	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/validate/check"
)

// argument is a reason why a mutant that nothing was found about behaves as the
// model says. Holds computes whether it applies; where it is in doubt, it does not.
type argument struct {
	name  string // as it is printed
	of    []Operator
	holds func(*comparison) bool
}

// arguments are tried in order.
var arguments = [...]argument{
	{
		// The requests are made from the templates. They find the same items as
		// long as the keys can be told apart: see keysStand.
		name:  "keys of other text that are told apart as well, same requests",
		of:    []Operator{LostDelimiter, LostFunction, LostPart, SwappedParts, ShortenedPrefix},
		holds: func(c *comparison) bool { return c.keysStand() && c.sameRequests() },
	},
	{
		// What the key no longer says, the request says in its filter, which drops
		// what it does not want: the answer is the same.
		name:  "keys that are told apart as well, with a filter for what they no longer say",
		of:    []Operator{LostDelimiter, LostFunction, LostPart, SwappedParts, ShortenedPrefix},
		holds: func(c *comparison) bool { return c.keysStand() && c.filtered() },
	},
	{
		// The index has more items, and every request for them says in its filter
		// what the index said before.
		name:  "an index of more items, with a filter for what it no longer says",
		of:    []Operator{LostWhen},
		holds: func(c *comparison) bool { return c.filteredInstead() },
	},
	{
		// A pinned range that is wider than it was, with nobody else's items in it.
		name:  "a pinned key that catches the same items",
		of:    []Operator{ShortenedPrefix, LostKeyCondition},
		holds: func(c *comparison) bool { return c.pinnedStands() },
	},
	{
		// A domain says what can be in a key, and what a key condition can catch.
		// Where keys are told apart with wider values too, nothing relies on it.
		name:  "wider values whose keys are told apart as well, same requests",
		of:    []Operator{LooserDomain},
		holds: func(c *comparison) bool { return c.domainStands() },
	},
	{
		// Whatever is read through the index has all its attributes still.
		name:  "an attribute that nothing reads through the index",
		of:    []Operator{LostProjection},
		holds: func(c *comparison) bool { return c.unprojected() },
	},
	{
		// DynamoDB fetches what a local index lacks from the table.
		name:  "an attribute that a local index fetches from the table",
		of:    []Operator{LostProjection},
		holds: func(c *comparison) bool { return c.fetched() },
	},
	{
		// Another index serves what this one did, with no more requests and
		// without a filter that it did not need.
		name:  "patterns that another index serves as well",
		of:    []Operator{LostIndex, LostProjection},
		holds: func(c *comparison) bool { return c.servedElsewhere() },
	},
	{
		// What another index or the table does not say by its keys, the request says
		// in its filter; there are no more requests. The keys that are left are as
		// they were, and so are the answers. What that costs is for the rules to judge.
		name:  "patterns that another index serves, with a filter for what its keys do not say",
		of:    []Operator{LostIndex},
		holds: func(c *comparison) bool { return c.filtered() },
	},
	{
		// A condition of a read that is not pinned is the question itself; it is
		// answered as asked.
		name:  "another question",
		of:    []Operator{LostCondition, WeakerBound},
		holds: func(c *comparison) bool { return c.otherQuestion() },
	},
	{
		// A condition of a write is the definition of when it is wanted, unless
		// something else of the model rests on it.
		name:  "another rule of when to write, on which nothing else rests",
		of:    []Operator{LostCondition, WeakerBound},
		holds: func(c *comparison) bool { return c.otherCondition() },
	},
	{
		// No key or guard is made of what the write changes.
		name:  "old values that no key needs",
		of:    []Operator{LostOldValue},
		holds: func(c *comparison) bool { return c.oldValuesUnneeded() },
	},
	{
		// Nobody looks an item up by the values that were unique.
		name:  "a rule on which no pattern rests",
		of:    []Operator{LostUnique},
		holds: func(c *comparison) bool { return c.uniqueUnused() },
	},
}

// excuse is the argument that shows a mutant to behave as before, "" when none does.
func excuse(m Mutant, sound, broken *check.Result) string {
	c := &comparison{mutant: m, sound: sound.Model, broken: broken.Model, soundPlans: sound.Plans, brokenPlans: broken.Plans}
	for _, a := range arguments {
		for _, op := range a.of {
			if op == m.Operator && a.holds(c) {
				return a.name
			}
		}
	}
	return ""
}

// comparison is a sound model and its mutant, with their plans, one for each
// pattern.
type comparison struct {
	mutant                  Mutant
	sound, broken           *model.Model
	soundPlans, brokenPlans []*plan.Plan
}

// pairs are the variants of all patterns before and after; false where a
// pattern has not the same variants.
func (c *comparison) pairs(visit func(p *model.Pattern, before, after *plan.Variant) bool) bool {
	if len(c.soundPlans) != len(c.brokenPlans) {
		return false
	}
	for i, p := range c.soundPlans {
		q := c.brokenPlans[i]
		if len(p.Variants) != len(q.Variants) {
			return false
		}
		for j := range p.Variants {
			if !visit(q.Pattern, p.Variants[j], q.Variants[j]) {
				return false
			}
		}
	}
	return true
}
