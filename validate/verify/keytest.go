package verify

import (
	"regexp"
	"strings"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/plan"
	"github.com/dynmodel/dynmodel/model/value"
)

// keyTest is what a request asks of one key attribute.
type keyTest struct {
	attribute string
	op        model.KeyOp
	values    []value.Value // one, or two of between
}

var (
	keyBeginsWith = regexp.MustCompile(`^begins_with\s*\(\s*(\S+?)\s*,\s*(\S+?)\s*\)$`)
	keyBetween    = regexp.MustCompile(`^(\S+) BETWEEN (\S+) AND (\S+)$`)
	keyCompare    = regexp.MustCompile(`^(\S+) (=|<=|>=|<|>) (\S+)$`)
	keyJoint      = regexp.MustCompile(` AND `)
)

// keyTests reads the key condition of a query back.
func keyTests(r plan.Request) []keyTest {
	var tests []keyTest
	for _, term := range keyTerms(r.KeyCondition) {
		name := func(s string) string {
			if real, ok := r.Names[s]; ok {
				return real
			}
			return s
		}
		switch {
		case keyBeginsWith.MatchString(term):
			m := keyBeginsWith.FindStringSubmatch(term)
			tests = append(tests, keyTest{name(m[1]), model.KeyBeginsWith, []value.Value{r.Values[m[2]]}})
		case keyBetween.MatchString(term):
			m := keyBetween.FindStringSubmatch(term)
			tests = append(tests, keyTest{name(m[1]), model.KeyBetween, []value.Value{r.Values[m[2]], r.Values[m[3]]}})
		case keyCompare.MatchString(term):
			m := keyCompare.FindStringSubmatch(term)
			tests = append(tests, keyTest{name(m[1]), model.KeyOp(m[2]), []value.Value{r.Values[m[3]]}})
		}
	}
	return tests
}

// keyTerms cuts a key condition at the ANDs that join its terms, not at those
// of a BETWEEN.
func keyTerms(condition string) []string {
	var terms []string
	pieces := keyJoint.Split(condition, -1)
	for i := 0; i < len(pieces); i++ {
		term := pieces[i]
		if strings.Contains(term, " BETWEEN ") && i+1 < len(pieces) {
			i++
			term += " AND " + pieces[i]
		}
		terms = append(terms, strings.TrimSpace(term))
	}
	return terms
}

// holds tells whether a stored item passes the test.
func (k keyTest) holds(item plan.Stored) bool {
	v := item[k.attribute]
	if k.op == model.KeyBeginsWith {
		return v.Kind() == k.values[0].Kind() && strings.HasPrefix(v.Text(), k.values[0].Text())
	}
	c, ok := value.Compare(v, k.values[0])
	if !ok {
		return false
	}
	switch k.op {
	case model.KeyEq:
		return c == 0
	case model.KeyLt:
		return c < 0
	case model.KeyLe:
		return c <= 0
	case model.KeyGt:
		return c > 0
	case model.KeyGe:
		return c >= 0
	}
	high, _ := value.Compare(v, k.values[1])
	return c >= 0 && high <= 0
}

// String writes the test with its values: begins_with(SK, "ORDER#").
func (k keyTest) String() string {
	switch k.op {
	case model.KeyBeginsWith:
		return "begins_with(" + k.attribute + ", " + shownKey(k.values[0]) + ")"
	case model.KeyBetween:
		return k.attribute + " BETWEEN " + shownKey(k.values[0]) + " AND " + shownKey(k.values[1])
	}
	return k.attribute + " " + string(k.op) + " " + shownKey(k.values[0])
}

// shownKey is a key value as a person reads it: the character that closes
// ranges has no shape, and is named.
func shownKey(v value.Value) string {
	if v.Kind() != value.String {
		return v.String()
	}
	return strings.ReplaceAll(value.OfString(v.Text()).String(), `\U0010ffff`, "{MAX}")
}

// testsOf is what the requests ask of their keys; a request without a key
// condition asks nothing.
func testsOf(requests []plan.Request) [][]keyTest {
	var all [][]keyTest
	for _, r := range requests {
		all = append(all, keyTests(r))
	}
	return all
}

// failing is the first test that an item does not pass, and whether there is one.
func failing(tests []keyTest, item plan.Stored) (keyTest, bool) {
	for _, k := range tests {
		if !k.holds(item) {
			return k, true
		}
	}
	return keyTest{}, false
}

// joined writes tests as one key condition.
func joined(tests []keyTest) string {
	var terms []string
	for _, k := range tests {
		terms = append(terms, k.String())
	}
	return strings.Join(terms, " AND ")
}
