package infer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/encode"
	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/importer/draft"
	"github.com/dynmodel/dynmodel/model/value"
)

// form is a form in which texts are written, and the type that has it.
type form struct {
	typ     model.Type
	pattern *regexp.Regexp
	holds   func(string) bool // further than the pattern; nil: nothing
}

// forms are the types that are told by their form, the most special first. They
// are made when they are first needed: most commands import nothing.
var forms = sync.OnceValue(func() []form {
	return []form{
		{model.TypeUUID7, regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`), nil},
		{model.TypeUUID, regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`), nil},
		{model.TypeULID, regexp.MustCompile(`^[0-7][0-9A-HJKMNP-TV-Z]{25}$`), nil},
		{model.TypeKSUID, regexp.MustCompile(`^[0-9A-Za-z]{27}$`), mixed},
		{model.TypeDatetime, regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d`), isDatetime},
		{model.TypeDate, regexp.MustCompile(`^\d{4}-\d\d-\d\d$`), isDate},
		{model.TypeMonth, regexp.MustCompile(`^\d{4}-\d\d$`), isMonth},
		{model.TypeEmail, regexp.MustCompile(`^[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$`), nil},
		{model.TypeURL, regexp.MustCompile(`^https?://[^\s]+$`), nil},
	}
})

// mixed tells a KSUID from a long word: it has digits and both cases.
func mixed(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.ToLower(s) != s && strings.ToUpper(s) != s
}

func isDatetime(s string) bool {
	_, ok := datetimeForm(s)
	return ok
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func isMonth(s string) bool {
	_, err := time.Parse("2006-01", s)
	return err == nil
}

// timeForm is how a datetime is written.
type timeForm struct {
	precision model.Precision
	zone      string // utc, none or any
}

var datetime = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$`)

func datetimeForm(s string) (timeForm, bool) {
	m := datetime.FindStringSubmatch(s)
	if m == nil {
		return timeForm{}, false
	}
	if _, err := time.Parse("2006-01-02T15:04", s[:16]); err != nil {
		return timeForm{}, false
	}
	f := timeForm{zone: "any"}
	switch m[3] {
	case "Z":
		f.zone = "utc"
	case "":
		f.zone = "none"
	}
	digits := max(len(m[2])-1, 0)
	switch {
	case m[1] == "":
		f.precision = model.PrecisionMinute
	case digits == 0:
		f.precision = model.PrecisionSecond
	case digits == 3:
		f.precision = model.PrecisionMilli
	case digits == 6:
		f.precision = model.PrecisionMicro
	case digits == 9:
		f.precision = model.PrecisionNano
	default:
		f.precision = model.PrecisionVariable
	}
	return f, true
}

// typeOfText is the type that one text looks like; string when it is like none.
func typeOfText(s string) model.Type {
	for _, f := range forms() {
		if f.pattern.MatchString(s) && (f.holds == nil || f.holds(s)) {
			return f.typ
		}
	}
	return model.TypeString
}

// The times of which whole numbers are taken for epochs: 2001 to 2099.
const (
	firstEpoch = 1_000_000_000
	lastEpoch  = 4_102_444_800
)

// typeOfValue is the type that one value looks like.
func typeOfValue(v value.Value) model.Type {
	switch v.Kind() {
	case value.String:
		return typeOfText(v.Text())
	case value.Number:
		n, ok := v.Int()
		switch {
		case !ok:
			return model.TypeNumber
		case n >= firstEpoch && n <= lastEpoch:
			return model.TypeEpoch
		case n >= firstEpoch*1000 && n <= lastEpoch*1000:
			return model.TypeEpochMS
		}
		return model.TypeInteger
	}
	return draft.TypeOf(v.Kind())
}

// setDomain decides what is not known of an attribute by the values it has.
// InKey tells that the attribute stands in a key template.
func setDomain(a *draft.Attribute, values []value.Value, inKey bool) {
	if len(values) == 0 {
		if a.Type == "" {
			a.Type, a.Guess = model.TypeString, "no item has it"
		}
		return
	}
	if a.Type != "" && a.Type != draft.TypeOf(a.Type.Kind()) {
		return // stated more closely than the items could say
	}
	kind := values[0].Kind()
	for _, v := range values {
		if v.Kind() != kind {
			a.Type, a.Guess = model.TypeAny, fmt.Sprintf("%s in one item, %s in another", kind, v.Kind())
			return
		}
	}
	switch kind {
	case value.String:
		setStringDomain(a, texts(values), inKey)
	case value.Number:
		setNumberDomain(a, values)
	default:
		a.Type = draft.TypeOf(kind)
		nest(a, values, 0)
	}
}

func texts(values []value.Value) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = v.Text()
	}
	return out
}

// setStringDomain finds the form that all texts have.
func setStringDomain(a *draft.Attribute, all []string, inKey bool) {
	a.Type = model.TypeString
	for _, f := range forms() {
		if !every(all, func(s string) bool { return f.pattern.MatchString(s) && (f.holds == nil || f.holds(s)) }) {
			continue
		}
		a.Type, a.Guess = f.typ, guessFrom(len(all))
		if f.typ == model.TypeDatetime {
			setTimeForm(a, all)
		}
		return
	}
	if words, ok := enumeration(a.Name, all); ok && (!inKey || namesChoice(a.Name)) {
		a.Type, a.Values, a.Guess = model.TypeEnum, words, fmt.Sprintf("the values of %s", items(len(all)))
		return
	}
	if !inKey || every(all, func(s string) bool { return s == "" }) {
		return
	}
	if every(all, isSlug) {
		a.Type, a.Guess = model.TypeSlug, guessFrom(len(all))
		return
	}
	for _, p := range keyPatterns {
		if re := regexp.MustCompile("^" + p + "$"); isIdentifier(a.Name) && every(all, re.MatchString) {
			a.Pattern, a.Guess = p, guessFrom(len(all))
			return
		}
	}
}

var slug = regexp.MustCompile(`^[a-z0-9-]+$`)

func isSlug(text string) bool { return len(text) <= 64 && slug.MatchString(text) }

// keyPatterns are the domains given to identifiers in keys, which then cannot
// hold the delimiter.
var keyPatterns = []string{`[A-Za-z0-9_-]{1,64}`, `[A-Za-z0-9_.:+-]{1,64}`, `[^#|]{1,100}`}

// isIdentifier tells names whose values are made up by a program, not by people.
func isIdentifier(name string) bool {
	words := splitWords(name)
	last := words[len(words)-1]
	return slices.Contains([]string{"id", "uuid", "key", "code", "number", "no", "sku", "hash", "ref", "arn", "type", "name"}, last)
}

func setTimeForm(a *draft.Attribute, all []string) {
	first, _ := datetimeForm(all[0])
	a.Precision, a.NoZone, a.AnyZone = first.precision, first.zone == "none", first.zone == "any"
	for _, s := range all {
		f, _ := datetimeForm(s)
		if f.precision != first.precision {
			a.Precision = model.PrecisionVariable
		}
		if f.zone != first.zone {
			a.NoZone, a.AnyZone = false, true
		}
	}
}

func setNumberDomain(a *draft.Attribute, values []value.Value) {
	whole := every(values, func(v value.Value) bool { _, ok := v.Int(); return ok })
	if !whole {
		a.Type = model.TypeNumber
		return
	}
	a.Type, a.Guess = model.TypeInteger, guessFrom(len(values))
	if !namesTime(a.Name) {
		return
	}
	for _, t := range []model.Type{model.TypeEpoch, model.TypeEpochMS} {
		if every(values, func(v value.Value) bool { return typeOfValue(v) == t }) {
			a.Type = t
		}
	}
}

// namesTime tells names of points in time.
func namesTime(name string) bool {
	words := splitWords(name)
	last := words[len(words)-1]
	return slices.Contains([]string{"at", "on", "time", "timestamp", "ts", "ttl", "date", "expires", "expiry", "expiration", "expire", "epoch", "until", "since", "created", "updated", "modified"}, last)
}

// The bounds of an enumeration that is guessed.
const (
	maxWords    = 12
	wordsRepeat = 3 // each value stands in so many items on average
)

var word = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

func isWord(text string) bool { return len(text) <= 32 && word.MatchString(text) }

// enumeration tells whether texts are the words of an enumeration: few of them,
// repeated, or repeated less where the name says so.
func enumeration(name string, all []string) ([]string, bool) {
	words := slices.Clone(all)
	slices.Sort(words)
	words = slices.Compact(words)
	if len(words) > maxWords || !every(words, isWord) || !namesChoice(name) && every(words, func(w string) bool { return len(w) < 3 }) {
		return nil, false
	}
	if namesChoice(name) {
		return words, len(words) >= 2 && len(all) >= fewItems && len(words) < len(all)
	}
	return words, len(words) >= 2 && len(all) >= wordsRepeat*len(words) && !isIdentifier(name)
}

func namesChoice(name string) bool {
	words := splitWords(name)
	last := words[len(words)-1]
	return slices.Contains([]string{"status", "state", "role", "type", "kind", "tier", "level", "category", "gender", "language", "currency", "priority", "severity"}, last)
}

func every[T any](all []T, holds func(T) bool) bool {
	return !slices.ContainsFunc(all, func(v T) bool { return !holds(v) })
}

func guessFrom(n int) string { return "from " + items(n) }

// items counts items in words.
func items(n int) string {
	if n == 1 {
		return "1 item"
	}
	return fmt.Sprintf("%d items", n)
}

// textOf is a value, with functions applied, as it stands in a key.
func textOf(v value.Value, funcs []expr.Func) (string, bool) {
	if len(funcs) == 0 {
		text, err := encode.Text(v)
		return text, err == nil
	}
	out, err := encode.Apply(funcs, v, typeOfValue(v))
	if err != nil {
		return "", false
	}
	text, err := encode.Text(out)
	return text, err == nil
}
