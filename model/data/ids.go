package data

import (
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"time"

	"github.com/dynmodel/dynmodel/model"
	"github.com/dynmodel/dynmodel/model/value"
)

// crockford is the alphabet of a ULID: 26 characters, the first ten of which
// are the milliseconds since 1970 (github.com/ulid/spec).
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// base62 is the alphabet of a KSUID: 27 characters for 20 bytes, the first
// four of which are the seconds since ksuidEpoch (github.com/segmentio/ksuid).
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

const (
	ksuidEpoch  = 1400000000
	ksuidLength = 27
	ulidLength  = 26
)

// Mint makes the identifier of a type of ids from a time, which those that hold
// one will show, and a number: different numbers give different identifiers.
func Mint(t model.Type, at time.Time, n uint64) value.Value {
	var tail [16]byte
	binary.BigEndian.PutUint64(tail[:8], mix(n))
	binary.BigEndian.PutUint64(tail[8:], mix(n^0x9e3779b97f4a7c15))
	switch t {
	case model.TypeULID:
		return value.OfString(ulid(at, tail))
	case model.TypeKSUID:
		return value.OfString(ksuid(at, tail))
	case model.TypeUUID7:
		return value.OfString(uuid7(at, tail))
	}
	return value.OfString(uuidText(tail, 4))
}

// mix scatters a number over 64 bits, one to one (splitmix64's finaliser).
func mix(n uint64) uint64 {
	n += 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}

func ulid(at time.Time, tail [16]byte) string {
	var text [ulidLength]byte
	ms := uint64(at.UnixMilli())
	for i := 9; i >= 0; i-- {
		text[i] = crockford[ms&31]
		ms >>= 5
	}
	high, low := binary.BigEndian.Uint64(tail[:8]), uint64(tail[8])<<8|uint64(tail[9])
	for i := ulidLength - 1; i >= 10; i-- {
		text[i] = crockford[low&31]
		low = low>>5 | high&31<<11 // 16 bits follow 64
		high >>= 5
	}
	return string(text[:])
}

func ksuid(at time.Time, tail [16]byte) string {
	var raw [20]byte
	binary.BigEndian.PutUint32(raw[:4], uint32(at.Unix()-ksuidEpoch))
	copy(raw[4:], tail[:])
	var text [ksuidLength]byte
	n, digit, base := new(big.Int).SetBytes(raw[:]), new(big.Int), big.NewInt(62)
	for i := ksuidLength - 1; i >= 0; i-- {
		n.DivMod(n, base, digit)
		text[i] = base62[digit.Int64()]
	}
	return string(text[:])
}

// uuid7 is RFC 9562's version 7: 48 bits of milliseconds since 1970 first.
func uuid7(at time.Time, tail [16]byte) string {
	raw := tail
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(at.UnixMilli())<<16)
	copy(raw[:6], ms[:6])
	copy(raw[6:], tail[:10])
	return uuidText(raw, 7)
}

// uuidText writes 16 bytes as a UUID of the given version, variant 10.
func uuidText(raw [16]byte, version byte) string {
	raw[6] = raw[6]&0x0f | version<<4
	raw[8] = raw[8]&0x3f | 0x80
	h := hex.EncodeToString(raw[:])
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
