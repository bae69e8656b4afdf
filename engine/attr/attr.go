// Package attr holds DynamoDB's attribute values and items: how they are kept
// in memory and on disk, compared, sized, ordered as keys, and read from and
// written to DynamoDB JSON.
//
// A [Value] and an [Item] are immutable views of one canonical binary
// encoding. Canonical means that equal values have equal bytes: attributes and
// map entries are sorted by name, set members are sorted, and numbers have one
// spelling. So values compare with ==, an item on disk is the item in memory,
// and reading a nested attribute skips over its neighbours instead of building
// a tree.
//
// The encoding of an item, and of a map, is a sequence of entries in name
// order; an entry is its name and its value. A list is a sequence of values, a
// set a sequence of members. Names, payloads and members carry their length as
// a varint:
//
//	item, map   { len(name) name value }
//	value       type len(payload) payload
//	list        { value }
//	set         { len(member) member }
//	string      UTF-8 bytes        binary  the bytes
//	bool        one byte, 0 or 1   null    nothing
//	number      see number.go
package attr

// Type is the type of an attribute value. The zero Type belongs to the zero
// Value, which stands for "no value".
type Type uint8

// The ten types of DynamoDB. Their numbers are part of the stored encoding.
const (
	S Type = iota + 1
	N
	B
	BOOL
	NULL
	L
	M
	SS
	NS
	BS
)

var typeNames = [...]string{"", "S", "N", "B", "BOOL", "NULL", "L", "M", "SS", "NS", "BS"}

// String returns the type's name as DynamoDB JSON writes it.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return "?"
}

// ParseType returns the type with the given name.
func ParseType[T string | []byte](name T) (Type, bool) {
	switch string(name) {
	case "S":
		return S, true
	case "N":
		return N, true
	case "B":
		return B, true
	case "BOOL":
		return BOOL, true
	case "NULL":
		return NULL, true
	case "L":
		return L, true
	case "M":
		return M, true
	case "SS":
		return SS, true
	case "NS":
		return NS, true
	case "BS":
		return BS, true
	}
	return 0, false
}

// IsSet reports whether t is one of the three set types.
func (t Type) IsSet() bool { return t == SS || t == NS || t == BS }

// IsKey reports whether a table or index key may have type t.
func (t Type) IsKey() bool { return t == S || t == N || t == B }

// member returns the type of the members of a set of type t.
func (t Type) member() Type { return t - SS + S }

// Limits of attribute values, from the service quotas page of the DynamoDB
// developer guide.
const (
	// MaxDepth is how deep values may nest; the attribute itself is level 1.
	MaxDepth = 32
	// MaxNameBytes is the longest attribute name, in UTF-8 bytes.
	MaxNameBytes = 65535
	// MaxItemBytes is the greatest [Item.Size] that a table accepts.
	MaxItemBytes = 400 << 10
)
