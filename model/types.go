package model

import (
	"net/url"
	"strings"
	"time"
)

// Types are the types that a model may name, in the order of the language's
// reference. An enumeration is written as its list of words instead.
func Types() []Type {
	return []Type{
		TypeString, TypeNumber, TypeBoolean, TypeBinary, TypeList, TypeMap, TypeStringSet, TypeNumberSet, TypeBinarySet, TypeAny,
		TypeInteger, TypeUUID, TypeUUID7, TypeULID, TypeKSUID, TypeEmail, TypeSlug, TypeURL, TypeS3Object,
		TypeMonth, TypeDate, TypeDatetime, TypeEpoch, TypeEpochMS,
	}
}

// The characters that texts of some types, and names, are made of.
const (
	digits    = "0123456789"
	lowercase = "abcdefghijklmnopqrstuvwxyz"
	uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	hex       = digits + "abcdefABCDEF"
	crockford = digits + "ABCDEFGHJKMNPQRSTVWXYZ"
)

// madeOf tells whether a text has no other characters than those.
func madeOf(text, characters string) bool {
	for i := range len(text) {
		if strings.IndexByte(characters, text[i]) < 0 {
			return false
		}
	}
	return true
}

func isUUID(text string) bool {
	return len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' &&
		madeOf(text[:8]+text[9:13]+text[14:18]+text[19:23]+text[24:], hex)
}

func isUUID7(text string) bool {
	return isUUID(text) && text[14] == '7' && strings.IndexByte("89abAB", text[19]) >= 0
}

func isULID(text string) bool { return len(text) == 26 && text[0] <= '7' && madeOf(text, crockford) }

func isKSUID(text string) bool { return len(text) == 27 && madeOf(text, digits+lowercase+uppercase) }

func isSlug(text string) bool { return text != "" && madeOf(text, digits+lowercase+"-") }

// IsResourceName tells whether DynamoDB takes a text as the name of a table or an
// index (Developer Guide, "Naming rules").
func IsResourceName(text string) bool {
	return len(text) >= 3 && len(text) <= 255 && madeOf(text, digits+lowercase+uppercase+"_.-")
}

// wellFormed tells whether a text is written as its type wants it; want says
// what that is.
func (a *Attribute) wellFormed(text string) (ok bool, want string) {
	switch a.Type {
	case TypeUUID:
		return isUUID(text), "a UUID such as 0b0e7a3c-6d2f-4f6e-9c1d-2a5b8e4f7a10"
	case TypeUUID7:
		return isUUID7(text), "a UUID of version 7 such as 01932c07-a5b4-7c3e-8f21-4d6e8a9b0c1d"
	case TypeULID:
		return isULID(text), "a ULID: 26 characters of 0-9 and A-Z without I, L, O and U"
	case TypeKSUID:
		return isKSUID(text), "a KSUID: 27 letters and digits"
	case TypeSlug:
		return isSlug(text), "a slug: a-z, 0-9 and -"
	case TypeEmail:
		return isEmail(text), "an e-mail address"
	case TypeURL:
		u, err := url.Parse(text)
		return err == nil && u.Scheme != "" && (u.Host != "" || u.Opaque != ""), "a URL with its scheme"
	case TypeMonth:
		return isTime(text, "2006-01"), "a month such as 2026-01"
	case TypeDate:
		return isTime(text, "2006-01-02"), "a date such as 2026-01-05"
	case TypeDatetime:
		return a.isDatetime(text), "a time such as " + a.exampleTime()
	}
	return true, ""
}

func isEmail(text string) bool {
	at := strings.LastIndexByte(text, '@')
	return at > 0 && at < len(text)-1 && !strings.ContainsAny(text, " \t\r\n")
}

// isTime tells whether a text is a time in exactly that layout.
func isTime(text, layout string) bool {
	t, err := time.Parse(layout, text)
	return err == nil && t.Format(layout) == text
}

// Layout is the layout, as in package time, of a datetime's values as they are
// written: in UTC unless NoZone. Variable precision is written to the second.
func (a *Attribute) Layout() string {
	layout := "2006-01-02T15:04"
	switch a.Domain.Precision {
	case PrecisionMinute:
	case PrecisionMilli:
		layout += ":05.000"
	case PrecisionMicro:
		layout += ":05.000000"
	case PrecisionNano:
		layout += ":05.000000000"
	default:
		layout += ":05"
	}
	if a.Domain.NoZone {
		return layout
	}
	return layout + "Z"
}

func (a *Attribute) isDatetime(text string) bool {
	if !a.Domain.AnyZone && a.Domain.Precision != PrecisionVariable {
		return isTime(text, a.Layout())
	}
	return len(a.times(text)) > 0
}

// times reads a text in the layouts of a datetime whose form varies.
func (a *Attribute) times(text string) []time.Time {
	layouts := []string{strings.TrimSuffix(a.Layout(), "Z")}
	if a.Domain.Precision == PrecisionVariable {
		layouts = []string{"2006-01-02T15:04", "2006-01-02T15:04:05"}
	}
	var out []time.Time
	for _, layout := range layouts {
		if a.Domain.AnyZone {
			layout += "Z07:00"
		} else if !a.Domain.NoZone {
			layout += "Z"
		}
		if t, err := time.Parse(layout, text); err == nil {
			out = append(out, t)
		}
	}
	return out
}

// exampleTime is a value of the datetime, for messages.
func (a *Attribute) exampleTime() string {
	return time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC).Format(a.Layout())
}
