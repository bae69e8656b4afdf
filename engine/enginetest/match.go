package enginetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// matcher compares decoded JSON with what a case expects. In an expected
// answer, "$_" stands for anything, and a string that is just a variable stands
// for its value, or takes on the string or number it meets if it has none yet. Where an
// answer may have more members than expected, null says that one is absent.
type matcher struct {
	mode      Match
	variables map[string]string
}

// match returns an error that says where the first difference is.
func (m matcher) match(path string, want, got any) error {
	switch want := want.(type) {
	case map[string]any:
		return m.object(path, want, got)
	case []any:
		return m.list(path, want, got)
	case string:
		return m.text(path, want, got)
	}
	if want != got {
		return different(path, want, got)
	}
	return nil
}

func (m matcher) object(path string, want map[string]any, got any) error {
	object, ok := got.(map[string]any)
	if !ok {
		return different(path, want, got)
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		value, ok := object[name]
		if m.mode == Including && want[name] == nil && !ok {
			continue
		}
		if !ok {
			return fmt.Errorf("%s: no %q in %s", path, name, show(got))
		}
		member := m
		if isSet(name) && m.mode == Exact {
			member.mode = Unordered
		}
		if err := member.match(path+"."+name, want[name], value); err != nil {
			return err
		}
	}
	if m.mode == Including {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if _, ok := want[name]; !ok {
			return fmt.Errorf("%s: unexpected %q: %s", path, name, show(object[name]))
		}
	}
	return nil
}

func isSet(name string) bool { return name == "SS" || name == "NS" || name == "BS" }

func (m matcher) list(path string, want []any, got any) error {
	list, ok := got.([]any)
	if !ok {
		return different(path, want, got)
	}
	if len(list) != len(want) {
		return fmt.Errorf("%s: want %d elements, got %d: %s", path, len(want), len(list), show(got))
	}
	if m.mode != Exact {
		return m.anyOrder(path, want, list)
	}
	for i := range want {
		if err := m.match(fmt.Sprintf("%s[%d]", path, i), want[i], list[i]); err != nil {
			return err
		}
	}
	return nil
}

func (m matcher) anyOrder(path string, want, got []any) error {
	rest := slices.Clone(got)
	for _, element := range want {
		i := slices.IndexFunc(rest, func(candidate any) bool { return m.match(path, element, candidate) == nil })
		if i < 0 {
			return fmt.Errorf("%s: no element like %s in %s", path, show(element), show(got))
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return nil
}

func (m matcher) text(path, want string, got any) error {
	if want == "$_" {
		return nil
	}
	if variablePattern.FindString(want) == want && want != "" {
		switch value := got.(type) {
		case string:
			m.variables[want] = value
			return nil
		case float64:
			m.variables[want] = strconv.FormatFloat(value, 'f', -1, 64)
			return nil
		}
	}
	if got != want {
		return different(path, want, got)
	}
	return nil
}

func different(path string, want, got any) error {
	return fmt.Errorf("%s: want %s, got %s", path, show(want), show(got))
}

// matchMessage compares an exception's text; three dots at either end of the
// expected one stand for any text.
func matchMessage(want, got string) bool {
	middle, anyEnd := strings.CutSuffix(want, "...")
	middle, anyStart := strings.CutPrefix(middle, "...")
	switch {
	case anyStart && anyEnd:
		return strings.Contains(got, middle)
	case anyStart:
		return strings.HasSuffix(got, middle)
	case anyEnd:
		return strings.HasPrefix(got, middle)
	}
	return got == want
}

const shownLength = 600

// show prints a value as JSON, cut to a length that a person reads.
func show(value any) string { return shorten(compactJSON(value)) }

func shorten(text string) string {
	if len(text) > shownLength {
		return text[:shownLength] + "…"
	}
	return text
}

// compactJSON prints decoded JSON without spaces and without HTML escapes.
func compactJSON(value any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(text.String(), "\n")
}
