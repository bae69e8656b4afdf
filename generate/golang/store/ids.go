package store

import (
	crand "crypto/rand"
	"fmt"
	"math/big"
	"time"
)

const (
	crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	base62    = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

	// ksuidEpoch is the second from which KSUIDs count: 2014-05-13T16:53:20Z.
	ksuidEpoch = 1_400_000_000
)

// mint makes an identifier of a kind: uuid, uuid7, ulid or ksuid.
func mint(kind string) (string, error) {
	var b [20]byte
	crand.Read(b[:]) // never fails
	now := time.Now()
	ms := now.UnixMilli()
	switch kind {
	case "uuid":
		return uuid([16]byte(b[:16]), 4), nil
	case "uuid7":
		for i := range 6 {
			b[i] = byte(ms >> (40 - 8*i))
		}
		return uuid([16]byte(b[:16]), 7), nil
	case "ulid":
		for i := range 6 {
			b[i] = byte(ms >> (40 - 8*i))
		}
		return digitsOf(b[:16], crockford, 26), nil
	case "ksuid":
		s := now.Unix() - ksuidEpoch
		for i := range 4 {
			b[i] = byte(s >> (24 - 8*i))
		}
		return digitsOf(b[:], base62, 27), nil
	}
	return "", fmt.Errorf("no way to make an identifier of kind %q", kind)
}

func uuid(b [16]byte, version byte) string {
	b[6] = b[6]&0x0f | version<<4
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// digitsOf writes a number with so many digits of an alphabet.
func digitsOf(number []byte, alphabet string, n int) string {
	rest, base, digit := new(big.Int).SetBytes(number), big.NewInt(int64(len(alphabet))), new(big.Int)
	out := make([]byte, n)
	for i := n - 1; i >= 0; i-- {
		rest.DivMod(rest, base, digit)
		out[i] = alphabet[digit.Int64()]
	}
	return string(out)
}

// minted is the identifier given, or a new one when it is empty.
func (t *Table) minted(f *fault, kind, given string) string {
	if given != "" {
		return given
	}
	id, err := t.ids(kind)
	if err != nil {
		f.set(err)
	}
	return id
}
