package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Page are some of the items of a call.
type Page[T any] struct {
	Items []T
	// Next is where the next page begins, for After; empty when there is none.
	Next Cursor
}

// Cursor is a place between two items of a call. It says nothing to those who
// hold it, and is refused by other patterns and with other parameters.
type Cursor string

// CursorCodec writes cursors as text and reads them back.
type CursorCodec interface {
	Encode(cursor []byte) (string, error)
	Decode(text string) ([]byte, error)
}

// plainCursors writes cursors in base 64.
type plainCursors struct{}

func (plainCursors) Encode(cursor []byte) (string, error) {
	return base64.RawURLEncoding.EncodeToString(cursor), nil
}

func (plainCursors) Decode(text string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(text)
}

// defaultPage is how many items are in a page when neither the model nor the
// caller says.
const defaultPage = 100

// pageOf is a page of the items of a call.
func pageOf[T any](ctx context.Context, t *Table, o options, build builder, read func(stored) (T, error)) (Page[T], error) {
	var page Page[T]
	w, err := t.begin(o, build)
	if err != nil {
		return page, err
	}
	size := firstOf(o.size, w.page, w.limit, defaultPage)
	w.bound(size)
	for len(page.Items) < size {
		item, err := w.next(ctx)
		if err != nil {
			return Page[T]{}, err
		}
		if item == nil {
			return page, nil
		}
		row, err := read(item)
		if o.skip && errors.Is(err, ErrUnknownItem) {
			continue
		}
		if err != nil {
			return Page[T]{}, err
		}
		page.Items = append(page.Items, row)
	}
	if w.more() {
		page.Next, err = w.cursor()
	}
	return page, err
}

func firstOf(numbers ...int) int {
	for _, n := range numbers {
		if n > 0 {
			return n
		}
	}
	return 0
}

// bound lets no request read more than a page.
func (w *walk) bound(size int) {
	n := int32(size)
	for _, s := range w.streams {
		if q := s.request.query; q != nil {
			q.Limit = &n
		} else {
			s.request.scan.Limit = &n
		}
	}
}

// position is what a cursor holds.
type position struct {
	Call    []byte    `json:"c"` // of which call it is
	Now     time.Time `json:"n"` // when its first page was read
	Group   int       `json:"g"`
	Streams []place   `json:"s"`
}

// place is where a stream goes on: at the beginning when it is empty.
type place struct {
	End bool                 `json:"e,omitempty"`
	Key map[string][2]string `json:"k,omitempty"` // type and text of each attribute
}

// call is what tells one call from another.
func (w *walk) call() ([]byte, error) {
	params, err := json.Marshal(w.params)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(fmt.Appendf(params, "\x00%s\x00%s", w.pattern, w.table.name))
	return sum[:12], nil
}

// cursor is the place that the walk has come to.
func (w *walk) cursor() (Cursor, error) {
	at := position{Now: w.now, Group: w.group}
	var err error
	if at.Call, err = w.call(); err != nil {
		return "", err
	}
	for _, s := range w.streams {
		p, err := s.place(w.keys)
		if err != nil {
			return "", err
		}
		at.Streams = append(at.Streams, p)
	}
	b, err := json.Marshal(at)
	if err != nil {
		return "", err
	}
	text, err := w.table.cursors.Encode(b)
	return Cursor(text), err
}

// place is where the stream goes on.
func (s *stream) place(keys []string) (place, error) {
	key := s.from
	switch {
	case len(s.items) > 0 && s.taken == nil:
		key = s.before
	case len(s.items) > 0:
		var err error
		if key, err = keyOf(s.taken, keys); err != nil {
			return place{}, err
		}
	case s.finished:
		return place{End: true}, nil
	}
	return place{Key: written(key)}, nil
}

func written(key stored) map[string][2]string {
	out := make(map[string][2]string, len(key))
	for name, v := range key {
		switch v := v.(type) {
		case *types.AttributeValueMemberS:
			out[name] = [2]string{"S", v.Value}
		case *types.AttributeValueMemberN:
			out[name] = [2]string{"N", v.Value}
		case *types.AttributeValueMemberB:
			out[name] = [2]string{"B", base64.StdEncoding.EncodeToString(v.Value)}
		}
	}
	return out
}

func (p place) key() (stored, error) {
	out := make(stored, len(p.Key))
	for name, v := range p.Key {
		switch v[0] {
		case "S":
			out[name] = str(v[1])
		case "N":
			out[name] = num(v[1])
		default:
			b, err := base64.StdEncoding.DecodeString(v[1])
			if err != nil {
				return nil, err
			}
			out[name] = bin(b)
		}
	}
	return out, nil
}

// decode reads a cursor.
func (t *Table) decode(c Cursor) (position, error) {
	var at position
	b, err := t.cursors.Decode(string(c))
	if err == nil {
		err = json.Unmarshal(b, &at)
	}
	if err != nil {
		return at, fmt.Errorf("%w: %w", ErrCursor, err)
	}
	return at, nil
}

// resume goes on at a position, which has to be of this call.
func (w *walk) resume(at position) error {
	call, err := w.call()
	if err != nil {
		return err
	}
	if !bytes.Equal(call, at.Call) || len(at.Streams) != len(w.streams) {
		return ErrCursor
	}
	w.group = at.Group
	for i, s := range w.streams {
		if s.finished = at.Streams[i].End; s.finished || len(at.Streams[i].Key) == 0 {
			continue
		}
		if s.from, err = at.Streams[i].key(); err != nil {
			return fmt.Errorf("%w: %w", ErrCursor, err)
		}
	}
	return nil
}
