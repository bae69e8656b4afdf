package store

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// shape is how the table's keys of an entity's items look, to tell entities apart
// where their type is not stored.
type shape struct {
	entity string
	keys   []keyShape
	read   func(stored) (Entity, error)
}

// keyShape is a key attribute: the pieces of its text, of which the empty ones
// are free; none when its value is an attribute's own.
type keyShape struct {
	name   string
	kind   string // S, N or B
	pieces []string
}

// readShaped reads an item as of the entity whose keys it has: the one that makes
// the same keys again, else the one that fits with the most fixed text.
func readShaped(item stored, shapes []shape) (Entity, error) {
	best, most := -1, -1
	for i, s := range shapes {
		fixed, ok := s.fits(item)
		if !ok {
			continue
		}
		if e, err := s.read(item); err == nil && s.makes(e, item) {
			return e, nil
		}
		if fixed > most {
			best, most = i, fixed
		}
	}
	if best < 0 {
		return nil, fmt.Errorf("%w: its keys are of none", ErrUnknownItem)
	}
	return shapes[best].read(item)
}

// makes tells whether an entity makes the keys of an item.
func (s shape) makes(e Entity, item stored) bool {
	made, err := e.MarshalItem()
	if err != nil {
		return false
	}
	for _, k := range s.keys {
		if !equal(made[k.name], item[k.name]) {
			return false
		}
	}
	return true
}

// fits tells whether the keys of an item look like the shape, and how many bytes
// of them are fixed.
func (s shape) fits(item stored) (fixed int, ok bool) {
	for _, k := range s.keys {
		v := item[k.name]
		if !equal(typeOf(v), str(k.kind)) {
			return 0, false
		}
		if text, ok := v.(*types.AttributeValueMemberS); ok && len(k.pieces) > 0 && !matches(k.pieces, text.Value) {
			return 0, false
		}
		for _, piece := range k.pieces {
			fixed += len(piece)
		}
	}
	return fixed, true
}

// matches tells whether a text is the pieces in order, with anything for the
// empty ones.
func matches(pieces []string, text string) bool {
	free := false // anything may stand before the next piece
	for i, piece := range pieces {
		switch {
		case piece == "":
			free = true
			continue
		case free && i == len(pieces)-1:
			return strings.HasSuffix(text, piece)
		case free:
			at := strings.Index(text, piece)
			if at < 0 {
				return false
			}
			text = text[at:]
		}
		rest, ok := strings.CutPrefix(text, piece)
		if !ok {
			return false
		}
		text, free = rest, false
	}
	return free || text == ""
}

// unknownItem says that an item is of no entity of this package.
func unknownItem(name string) error { return fmt.Errorf("%w: %q", ErrUnknownItem, name) }

// textAt is the text of an attribute, "" when it has none.
func textAt(item stored, name string) string {
	if s, ok := item[name].(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}

// asEntity is an item of one entity as one of any.
func asEntity[T Entity](item T, err error) (Entity, error) {
	if err != nil {
		return nil, err
	}
	return item, nil
}
