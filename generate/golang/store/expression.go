package store

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// expression collects the names and values of the expressions of one request,
// where they are not known before the call.
type expression struct {
	names  map[string]string
	values stored
}

// name is a placeholder for a name that the call gives.
func (x *expression) name(name string) string {
	p := "#n" + strconv.Itoa(len(x.names))
	x.names[p] = name
	return p
}

// value is a placeholder for a value that the call gives.
func (x *expression) value(v types.AttributeValue) string {
	p := ":x" + strconv.Itoa(len(x.values))
	x.values[p] = v
	return p
}

// list are the placeholders of the members of an IN.
func (x *expression) list(f *fault, parameter string, values []types.AttributeValue) string {
	if len(values) == 0 {
		f.invalid(parameter, "is an empty list")
	}
	var out []string
	for i, v := range values {
		if !among(v, values[:i]...) {
			out = append(out, x.value(v))
		}
	}
	return strings.Join(out, ", ")
}

// unchanged is the condition that attributes are as they were read; that there
// is no item when there was none.
func (x *expression) unchanged(old stored, partitionKey string, attributes ...string) string {
	switch {
	case old == nil && partitionKey == "":
		return "" // the write's own condition says whether there must be an item
	case old == nil:
		return "attribute_not_exists(" + x.name(partitionKey) + ")"
	}
	var terms []string
	for _, name := range attributes {
		if v := old[name]; v != nil {
			terms = append(terms, x.name(name)+" = "+x.value(v))
		} else {
			terms = append(terms, "attribute_not_exists("+x.name(name)+")")
		}
	}
	return strings.Join(terms, " AND ")
}

// all joins conditions that are not empty; an OR among them stands in parentheses.
func all(conditions ...string) *string {
	conditions = slices.DeleteFunc(conditions, func(c string) bool { return c == "" })
	return ptr(strings.Join(conditions, " AND "))
}

// update is an update expression in the making.
type update struct{ set, remove, add, drop []string }

// text writes the clauses that are not empty; nil when all of them are.
func (u update) text() *string {
	var out []string
	for _, clause := range []struct {
		word    string
		actions []string
	}{{"SET", u.set}, {"REMOVE", u.remove}, {"ADD", u.add}, {"DELETE", u.drop}} {
		if len(clause.actions) > 0 {
			out = append(out, clause.word+" "+strings.Join(clause.actions, ", "))
		}
	}
	return ptr(strings.Join(out, " "))
}

// known is what is certain of attributes; those that are nil are absent.
func known(attributes stored) stored {
	maps.DeleteFunc(attributes, func(_ string, v types.AttributeValue) bool { return v == nil || isNull(v) })
	return attributes
}

// textOf is a value as it stands in a key.
func (f *fault) textOf(attribute string, v types.AttributeValue) string {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return f.number(attribute, Number(v.Value))
	case *types.AttributeValueMemberBOOL:
		return strconv.FormatBool(v.Value)
	case nil:
		f.invalid(attribute, "is not there, and a key needs it")
	default:
		f.invalid(attribute, "has no text: %T", v)
	}
	return ""
}

// numberOf is a value that has to be a number.
func (f *fault) numberOf(attribute string, v types.AttributeValue) Number {
	if n, ok := v.(*types.AttributeValueMemberN); ok {
		return Number(n.Value)
	}
	f.invalid(attribute, "is no number")
	return "0"
}

// first is the first of some values that is there; nil when none is.
func first(values ...types.AttributeValue) types.AttributeValue {
	for _, v := range values {
		if v != nil {
			return v
		}
	}
	return nil
}

// keyOf are attributes of an item that make its key; it is an error when one is absent.
func keyOf(item stored, names []string) (stored, error) {
	key := make(stored, len(names))
	for _, name := range names {
		v := item[name]
		if v == nil {
			return nil, fmt.Errorf("the key attribute %s is not there", name)
		}
		key[name] = v
	}
	return key, nil
}

// given and givenValues are what is behind the placeholders; nil when there is nothing.

func (x *expression) given() map[string]string {
	if len(x.names) == 0 {
		return nil
	}
	return x.names
}

func (x *expression) givenValues() stored {
	if len(x.values) == 0 {
		return nil
	}
	return x.values
}

// through is what a function makes of a value, nothing of one that is absent.
func through(v types.AttributeValue, f func(types.AttributeValue) types.AttributeValue) types.AttributeValue {
	if v == nil {
		return nil
	}
	return f(v)
}

// added is a + b, or a - b when the sign is -1; nil when one of them is absent.
func (f *fault) added(attribute string, a, b types.AttributeValue, sign int64) types.AttributeValue {
	if a == nil || b == nil {
		return nil
	}
	return num(string(f.sum(attribute, f.numberOf(attribute, a), f.numberOf(attribute, b), sign)))
}
