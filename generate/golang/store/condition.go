package store

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Conditions on items as they are stored, with DynamoDB's meaning: what is
// absent, nil here, is equal to nothing and unequal to everything.

// equal tells whether two values are there and equal.
func equal(a, b types.AttributeValue) bool { return a != nil && sameValue(a, b) }

// less, atMost, greater and atLeast compare values that have an order.
func less(a, b types.AttributeValue) bool    { c, ok := compareValues(a, b); return ok && c < 0 }
func atMost(a, b types.AttributeValue) bool  { c, ok := compareValues(a, b); return ok && c <= 0 }
func greater(a, b types.AttributeValue) bool { c, ok := compareValues(a, b); return ok && c > 0 }
func atLeast(a, b types.AttributeValue) bool { c, ok := compareValues(a, b); return ok && c >= 0 }

// among tells whether a value is one of a list.
func among(v types.AttributeValue, list ...types.AttributeValue) bool {
	return slices.ContainsFunc(list, func(w types.AttributeValue) bool { return equal(v, w) })
}

// compareValues orders two values of one type that has an order; false for others.
func compareValues(a, b types.AttributeValue) (int, bool) {
	switch a := a.(type) {
	case *types.AttributeValueMemberS:
		if b, ok := b.(*types.AttributeValueMemberS); ok {
			return strings.Compare(a.Value, b.Value), true
		}
	case *types.AttributeValueMemberN:
		if b, ok := b.(*types.AttributeValueMemberN); ok {
			return Number(a.Value).Cmp(Number(b.Value))
		}
	case *types.AttributeValueMemberB:
		if b, ok := b.(*types.AttributeValueMemberB); ok {
			return bytes.Compare(a.Value, b.Value), true
		}
	}
	return 0, false
}

// sameValue tells whether two values are the same; two that are absent are.
func sameValue(a, b types.AttributeValue) bool {
	if c, ok := compareValues(a, b); ok {
		return c == 0
	}
	switch a := a.(type) {
	case nil:
		return b == nil
	case *types.AttributeValueMemberBOOL:
		b, ok := b.(*types.AttributeValueMemberBOOL)
		return ok && a.Value == b.Value
	case *types.AttributeValueMemberNULL:
		return b != nil && isNull(b)
	case *types.AttributeValueMemberL:
		b, ok := b.(*types.AttributeValueMemberL)
		return ok && slices.EqualFunc(a.Value, b.Value, sameValue)
	case *types.AttributeValueMemberM:
		b, ok := b.(*types.AttributeValueMemberM)
		return ok && sameItem(a.Value, b.Value)
	}
	x, y := members(a), members(b) // of sets, whose order is no matter
	return isSet(a) && isSet(b) && len(x) == len(y) && !slices.ContainsFunc(x, func(v types.AttributeValue) bool { return !among(v, y...) })
}

func isSet(v types.AttributeValue) bool {
	switch v.(type) {
	case *types.AttributeValueMemberSS, *types.AttributeValueMemberNS, *types.AttributeValueMemberBS:
		return true
	}
	return false
}

// sameItem tells whether two items have the same attributes.
func sameItem(a, b stored) bool {
	if len(a) != len(b) {
		return false
	}
	for name, v := range a {
		if !equal(v, b[name]) {
			return false
		}
	}
	return true
}

// members are the members of a list or set.
func members(v types.AttributeValue) []types.AttributeValue {
	switch v := v.(type) {
	case *types.AttributeValueMemberL:
		return v.Value
	case *types.AttributeValueMemberSS:
		return each(v.Value, str)
	case *types.AttributeValueMemberNS:
		return each(v.Value, num)
	case *types.AttributeValueMemberBS:
		return each(v.Value, bin)
	}
	return nil
}

// beginsWith tells whether a text or binary value begins with another.
func beginsWith(v, with types.AttributeValue) bool {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		with, ok := with.(*types.AttributeValueMemberS)
		return ok && strings.HasPrefix(v.Value, with.Value)
	case *types.AttributeValueMemberB:
		with, ok := with.(*types.AttributeValueMemberB)
		return ok && bytes.HasPrefix(v.Value, with.Value)
	}
	return false
}

// contains tells whether a text contains another, or a list or set a member.
func contains(v, what types.AttributeValue) bool {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		what, ok := what.(*types.AttributeValueMemberS)
		return ok && strings.Contains(v.Value, what.Value)
	case *types.AttributeValueMemberB:
		what, ok := what.(*types.AttributeValueMemberB)
		return ok && bytes.Contains(v.Value, what.Value)
	}
	return among(what, members(v)...)
}

// typeOf is DynamoDB's word for the type of a value, nil when it is absent.
func typeOf(v types.AttributeValue) types.AttributeValue {
	switch v.(type) {
	case *types.AttributeValueMemberS:
		return str("S")
	case *types.AttributeValueMemberN:
		return str("N")
	case *types.AttributeValueMemberB:
		return str("B")
	case *types.AttributeValueMemberBOOL:
		return str("BOOL")
	case *types.AttributeValueMemberNULL:
		return str("NULL")
	case *types.AttributeValueMemberL:
		return str("L")
	case *types.AttributeValueMemberM:
		return str("M")
	case *types.AttributeValueMemberSS:
		return str("SS")
	case *types.AttributeValueMemberNS:
		return str("NS")
	case *types.AttributeValueMemberBS:
		return str("BS")
	}
	return nil
}

// size is what DynamoDB's size function gives, nil for what has no size.
func size(v types.AttributeValue) types.AttributeValue {
	n := 0
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		for _, r := range v.Value {
			n += utf16.RuneLen(r)
		}
	case *types.AttributeValueMemberB:
		n = len(v.Value)
	case *types.AttributeValueMemberM:
		n = len(v.Value)
	case *types.AttributeValueMemberL, *types.AttributeValueMemberSS, *types.AttributeValueMemberNS, *types.AttributeValueMemberBS:
		n = len(members(v))
	default:
		return nil
	}
	return num(strconv.Itoa(n))
}
