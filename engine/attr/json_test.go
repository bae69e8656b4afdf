package attr

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestReadAndWrite(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{}`, `{}`},
		{` { "b" : { "N" : "1e2" } , "a" : { "S" : "x" } } `, `{"a":{"S":"x"},"b":{"N":"100"}}`},
		{`{"a":{"BOOL":"TRUE"},"b":{"BOOL":"1"},"c":{"BOOL":"yes"},"d":{"BOOL":"false"},"e":{"BOOL":"0"},"f":{"BOOL":"No"}}`,
			`{"a":{"BOOL":true},"b":{"BOOL":true},"c":{"BOOL":true},"d":{"BOOL":false},"e":{"BOOL":false},"f":{"BOOL":false}}`},
		{`{"a":{"B":"AP8="},"b":{"BOOL":true},"c":{"BOOL":false},"d":{"NULL":true}}`, `{"a":{"B":"AP8="},"b":{"BOOL":true},"c":{"BOOL":false},"d":{"NULL":true}}`},
		{`{"l":{"L":[{"S":""},{"L":[]},{"M":{}}]}}`, `{"l":{"L":[{"S":""},{"L":[]},{"M":{}}]}}`},
		{`{"m":{"M":{"z":{"N":"-0"},"y":{"M":{"b":{"S":"2"},"a":{"S":"1"}}}}}}`, `{"m":{"M":{"y":{"M":{"a":{"S":"1"},"b":{"S":"2"}}},"z":{"N":"0"}}}}`},
		{`{"s":{"SS":["c","a","b"]},"n":{"NS":["3","10","-2"]},"b":{"BS":["Yg==","YQ=="]}}`, `{"b":{"BS":["YQ==","Yg=="]},"n":{"NS":["-2","3","10"]},"s":{"SS":["a","b","c"]}}`},
		// The last of two fields of the same name counts, as in DynamoDB Local.
		{`{"a":{"S":"1"},"b":{"S":"2"},"a":{"N":"3"}}`, `{"a":{"N":"3"},"b":{"S":"2"}}`},
		{`{"a":{"S":"1","S":"2"}}`, `{"a":{"S":"2"}}`},
		{`{"a":{"S":"x","N":null,"Other":[{"deep":[1,2.5,true,null,"s"]},[]]}}`, `{"a":{"S":"x"}}`},
		{`{"a":{"S":"\u0041\u00e9\ud83d\ude00\/\"\\\b\f\n\r\t\u0001\u007f"}}`, `{"a":{"S":"Aé😀/\"\\\b\f\n\r\t\u0001` + "\x7f" + `"}}`},
		{`{"a":{"S":"\ud800x\udc00"}}`, `{"a":{"S":"?x?"}}`},
		{`{"\u0061b":{"S":"日本"}}`, `{"ab":{"S":"日本"}}`},
	} {
		it, err := ParseItem([]byte(tt.in))
		if err != nil {
			t.Errorf("%s: %v", tt.in, err)
			continue
		}
		got := it.AppendJSON(nil)
		if string(got) != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.in, got, tt.want)
		}
		if again, err := ParseItem(got); err != nil || again != it {
			t.Errorf("%s does not survive a second reading: %v", got, err)
		}
	}
}

func TestRefusedValues(t *testing.T) {
	const (
		none    = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
		many    = "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"
		invalid = "One or more parameter values were invalid: "
	)
	for _, tt := range []struct{ in, want string }{
		{`{}`, none}, {`{"S":null}`, none}, {`{"X":"a"}`, none}, {`{"s":"a"}`, none}, {`null`, none},
		{`{"L":[null]}`, none}, {`{"L":[{}]}`, none}, {`{"M":{"a":null}}`, none},
		{`{"S":"a","N":"1"}`, many}, {`{"L":[],"M":{}}`, many},
		{`{"N":"abc"}`, "The parameter cannot be converted to a numeric value: abc"},
		{`{"NS":["1","x"]}`, "The parameter cannot be converted to a numeric value: x"},
		{`{"NULL":false}`, invalid + "Null attribute value types must have the value of true"},
		{`{"SS":[]}`, invalid + "An string set  may not be empty"},
		{`{"NS":[]}`, invalid + "An number set  may not be empty"},
		{`{"BS":[]}`, invalid + "Binary sets should not be empty"},
		{`{"M":{"a":{"L":[{"SS":[]}]}}}`, invalid + "An string set  may not be empty"},
		{`{"SS":["b","a","b"]}`, invalid + "Input collection [b, a, b] contains duplicates."},
		{`{"NS":["1","1.0"]}`, "Input collection contains duplicates"},
		{`{"BS":["YQ==","YQ=="]}`, invalid + "Input collection [YQ==, YQ==]of type BS contains duplicates."},
		{`{"SS":["a",null]}`, invalid + "An string set  may not have a null string as a member"},
		{`{"M":{"":{"S":"a"}}}`, "Empty attribute name"},
		{`{"M":{"` + strings.Repeat("n", 65536) + `":{"S":"a"}}}`, "Attribute name is too large, must be less than 65536 bytes"},
		// The first refusal counts.
		{`{"L":[{"NS":[]},{"SS":[]}]}`, invalid + "An number set  may not be empty"},
	} {
		v, err := ParseValue([]byte(tt.in))
		var refused *ValidationError
		if !errors.As(err, &refused) || refused.Message != tt.want || v.Exists() {
			t.Errorf("%.80s: %v, want %s", tt.in, err, tt.want)
		}
	}
}

func TestUnreadableValues(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{"N":123}`, "NUMBER_VALUE cannot be converted to String"},
		{`{"N":1.5}`, "DECIMAL_VALUE cannot be converted to String"},
		{`{"S":true}`, "TRUE_VALUE cannot be converted to String"},
		{`{"S":false}`, "FALSE_VALUE cannot be converted to String"},
		{`{"S":["a"]}`, "Unrecognized collection type class java.lang.String"},
		{`{"S":{"a":1}}`, "Start of structure or map found where not expected"},
		{`{"BOOL":"y"}`, "Unexpected token received from parser"},
		{`{"BOOL":1}`, "NUMBER_VALUE cannot be converted to Boolean"},
		{`{"NULL":[]}`, "Unrecognized collection type class java.lang.Boolean"},
		{`{"B":1}`, "only base-64-encoded strings are convertible to bytes"},
		{`{"B":[]}`, "Unrecognized collection type class java.nio.ByteBuffer"},
		{`{"BS":[true]}`, "only base-64-encoded strings are convertible to bytes"},
		{`{"B":"YQ"}`, `Base64 encoded length is expected a multiple of 4 bytes but found: 2`},
		{`{"B":"YR=="}`, `Invalid last non-pad Base64 character dectected`},
		{`{"B":"Y-_="}`, `Invalid Base64 character: '-'`},
		{`{"L":{}}`, "Start of structure or map found where not expected"},
		{`{"M":[]}`, "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"},
		{`{"SS":"a"}`, "Unexpected field type"},
		{`{"SS":{}}`, "Start of structure or map found where not expected"},
		{`{"L":1}`, "Unexpected field type"}, {`{"L":[1]}`, "Unexpected value type in payload"},
		{`{"L":[[]]}`, "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"},
		{`{"M":1}`, "Unexpected field type"}, {`{"M":{"a":"b"}}`, "Unexpected value type in payload"},
		{`{"NS":[1]}`, "NUMBER_VALUE cannot be converted to String"},
		{`"a"`, "Unexpected field type"}, {`1`, "Unexpected field type"}, {`[]`, "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"},
		{``, messageEOF}, {`{`, messageEOF}, {`{"S":"a`, messageEOF}, {`{"S":"a"`, messageEOF}, {`{"L":[{"S":"a"}`, messageEOF}, {`{"S":"\`, messageEOF},
		{`{"S":"a"} x`, "unexpected text after the end of the document"},
		{`{"S":"a",}`, "Unexpected token where a field name was expected"},
		{`{"S" "a"}`, "Unexpected token where ':' was expected"},
		{`{"L":[{"S":"a"} {"S":"b"}]}`, "Unexpected token where ',' or ']' was expected"},
		{`{"S":"\x"}`, "Unrecognized character escape in JSON input"},
		{`{"S":"\u12"}`, "Unrecognized character escape in JSON input"},
		{"{\"S\":\"a\x01\"}", "Illegal unquoted control character in JSON input"},
		{"{\"S\":\"a\xff\"}", "Invalid UTF-8 in JSON input"},
		{`{"S":nul}`, "Unrecognized token in JSON input"},
		// Text that is not JSON is refused before values are looked at.
		{`{"L":[{"SS":[]},{"S":1}]}`, "NUMBER_VALUE cannot be converted to String"},
	} {
		_, err := ParseValue([]byte(tt.in))
		var unreadable *SerializationError
		if !errors.As(err, &unreadable) || unreadable.Message != tt.want {
			t.Errorf("%s: %v, want %s", tt.in, err, tt.want)
		}
	}
}

func nested(levels int) []byte {
	return []byte(strings.Repeat(`{"L":[`, levels) + `{"S":"a"}` + strings.Repeat(`]}`, levels))
}

func TestNestingLimit(t *testing.T) {
	if _, err := ParseValue(nested(31)); err != nil {
		t.Errorf("31 lists around a string: %v", err)
	}
	empty := func(levels int) []byte {
		return []byte(strings.Repeat(`{"L":[`, levels) + `{"M":{}}` + strings.Repeat(`]}`, levels))
	}
	if _, err := ParseValue(empty(30)); err != nil {
		t.Errorf("30 lists around an empty map: %v", err)
	}
	for _, text := range [][]byte{nested(32), nested(400), empty(31)} {
		if v, err := ParseValue(text); err != ErrTooNested || v.Exists() {
			t.Errorf("%.80s…: %v", text, err)
		}
	}
}

// patience is far more than any text takes, and far less than one that is read
// in a time that grows faster than its length.
const patience = time.Minute

func TestHostileText(t *testing.T) {
	const size = 16 << 20
	for name, text := range map[string]string{
		"brackets":       strings.Repeat("[", size),
		"open lists":     strings.Repeat(`{"L":[`, size/6),
		"open maps":      strings.Repeat(`{"M":{"a":`, size/10),
		"unknown type":   `{"X":` + strings.Repeat("[", size),
		"deep lists":     string(nested(size / 9)),
		"big set":        `{"NS":["` + strings.Repeat(`1","`, size/4) + `1"]}`,
		"big wide map":   `{"M":{` + strings.Repeat(`"a":{"NULL":true},`, size/18) + `"a":{"NULL":true}}}`,
		"long number":    `{"N":"` + strings.Repeat("1", size) + `"}`,
		"many zeros":     `{"N":"0.` + strings.Repeat("0", size) + `1"}`,
		"long exponent":  `{"N":"1e` + strings.Repeat("9", size) + `"}`,
		"escaped string": `{"S":"` + strings.Repeat(`\u0041`, size/6) + `"`,
	} {
		start := time.Now()
		ParseValue([]byte(text))
		if took := time.Since(start); took > patience {
			t.Errorf("%s: %v", name, took)
		}
	}
}

// A scanner also reads the request around the values.
func TestScanner(t *testing.T) {
	const text = ` {"TableName":"Shop","Limit": 25 ,"Big":1e2,"Rate":-1.5,"On":true,"None":null,
		"Names":["a","b"],"Skipped":{"x":[{"y":[]},{}],"z":"]}"},"Key":{"pk":{"S":"a"}},"Raw": {"a" : [1]} } `
	var table, names, raw string
	var limit, big int64
	var rate float64
	var on, none bool
	var key Item
	s := NewScanner([]byte(text))
	for s.Object(StructureOf("Request")); s.NextField(); {
		switch string(s.Field()) {
		case "TableName":
			table = s.String()
		case "Limit":
			limit = s.Int()
		case "Big":
			big = s.Int()
		case "Rate":
			rate = s.Float()
		case "On":
			on = s.Bool()
		case "None":
			none = s.Null()
		case "Names":
			for s.Array(ListOf("String")); s.NextElement(); {
				names += s.String()
			}
		case "Key":
			key = s.Item()
		case "Raw":
			raw = string(s.Raw())
		default:
			s.Skip()
		}
	}
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	if table != "Shop" || limit != 25 || big != 100 || rate != -1.5 || !on || !none || names != "ab" || raw != `{"a" : [1]}` {
		t.Errorf("read %q %d %d %v %v %v %q %q", table, limit, big, rate, on, none, names, raw)
	}
	if key != NewItem(Entry{"pk", String("a")}) {
		t.Errorf("key is %s", key.AppendJSON(nil))
	}
}

// A reset scanner owes nothing to the text before.
func TestScannerReset(t *testing.T) {
	s := NewScanner([]byte(`{"a":{"SS":[]`))
	s.Item()
	s.Reset([]byte(`{"a":{"SS":["x"]}}`))
	it := s.Item()
	if s.End() != nil || s.Invalid() != nil || it != NewItem(Entry{"a", Set(String("x"))}) {
		t.Errorf("%v %v %s", s.Err(), s.Invalid(), it.AppendJSON(nil))
	}
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"a":{"S":"\u00e9\n"}}`, `{"a":{"N":"1.5e3"},"b":{"L":[{"BOOL":true},{"NULL":true}]}}`,
		`{"s":{"SS":["b","a"]},"n":{"NS":["1","2"]},"b":{"BS":["YQ=="]}}`, `{"m":{"M":{"x":{"M":{}}},"X":[1,{"y":null}]}}`, `{"a":{"S":1}}`, `{"a"`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		it, err := ParseItem(text)
		var spaced bytes.Buffer
		if json.Indent(&spaced, text, "", " ") == nil {
			if other, otherErr := ParseItem(spaced.Bytes()); other != it || fmt.Sprint(otherErr) != fmt.Sprint(err) {
				t.Fatalf("%q gives %v, with spaces %v", text, err, otherErr)
			}
		}
		if err != nil {
			return
		}
		if !json.Valid(text) {
			t.Fatalf("%q is not JSON", text)
		}
		out := it.AppendJSON(nil)
		if !json.Valid(out) {
			t.Fatalf("%q was written as %q", text, out)
		}
		if back, err := ParseItem(out); err != nil || back != it {
			t.Fatalf("%q was written as %q: %v", text, out, err)
		}
		if stored, ok := DecodeItem(it.AppendBinary(nil)); !ok || stored != it {
			t.Fatalf("%q: the stored form is refused", text)
		}
	})
}

// kilobyte is an item of about 1 KB, like an order in a shop: keys, scalars, a
// map, a list and some text.
func kilobyte() []byte {
	line := `{"M":{"sku":{"S":"SKU-000001"},"title":{"S":"oak table"},"qty":{"N":"2"},"price":{"N":"149.01"}}}`
	return []byte(`{"PK":{"S":"CUSTOMER#000123"},"SK":{"S":"ORDER#2026-05-17#000456"},"GSI1PK":{"S":"STATUS#OPEN"},"GSI1SK":{"S":"2026-05-17T08:15:00Z#000456"},` +
		`"entity":{"S":"Order"},"customerName":{"S":"Marta Sousa"},"email":{"S":"marta.sousa@example.com"},"total":{"N":"823.45"},"quantity":{"N":"3"},` +
		`"createdAt":{"S":"2026-05-17T08:15:00Z"},"expiresAt":{"N":"1794567890"},"gift":{"BOOL":false},"tags":{"SS":["gift","express"]},` +
		`"shipTo":{"M":{"street":{"S":"17 Garden Street"},"city":{"S":"Porto"},"geo":{"M":{"lat":{"N":"41.15"},"lon":{"N":"-8.61"}}}}},` +
		`"lines":{"L":[` + line + `,` + line + `,` + line + `]},"note":{"S":"` + strings.Repeat("abcdefgh ", 40) + `"}}`)
}

func BenchmarkReadItem(b *testing.B) {
	text := kilobyte()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	s := NewScanner(nil)
	for b.Loop() {
		s.Reset(text)
		if s.Item(); s.End() != nil {
			b.Fatal(s.Err())
		}
	}
}

func BenchmarkWriteItem(b *testing.B) {
	it, err := ParseItem(kilobyte())
	if err != nil {
		b.Fatal(err)
	}
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = it.AppendJSON(buf[:0])
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkDecodeItem(b *testing.B) {
	it, err := ParseItem(kilobyte())
	if err != nil {
		b.Fatal(err)
	}
	enc := it.AppendBinary(nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := DecodeItem(enc); !ok {
			b.Fatal("the item is refused")
		}
	}
}

func BenchmarkItemSize(b *testing.B) {
	it, err := ParseItem(kilobyte())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		it.Size()
	}
}

// The first byte that needs a second look is found wherever it is.
func TestPlainPrefix(t *testing.T) {
	for _, special := range []byte{'"', '\\', 0, '\n', 0x1f, 0x80, 0xff} {
		for n := range 40 {
			text := []byte(strings.Repeat("~ !#[]az", 5)[:n])
			if got := plainPrefix(text); got != n {
				t.Fatalf("%q: %d plain bytes, want %d", text, got, n)
			}
			for i := range text {
				broken := append([]byte(nil), text...)
				broken[i] = special
				if i+1 < n {
					broken[n-1] = special
				}
				if got := plainPrefix(broken); got != i {
					t.Fatalf("%q: %d plain bytes, want %d", broken, got, i)
				}
			}
		}
	}
}

// A text is written as encoding/json has it, whatever stands in it, and whatever
// follows it where it was taken from.
func TestAppendText(t *testing.T) {
	for _, odd := range []string{"", "\"", "\\", "\x01", "\n", "\x7f", "é", "語", "😀"} {
		for n := range 40 {
			for i := range n + 1 {
				text := strings.Repeat("~ !#[]az", 5)[:n]
				text = text[:i] + odd + text[i:]
				for _, behind := range []string{"", "\"", "plain and more", "\x00\xff\"\\ and more"} {
					got := appendText([]byte("at"), text+behind, len(text))
					var back string
					if err := json.Unmarshal([]byte(`"`+string(got[2:])+`"`), &back); err != nil || back != text {
						t.Fatalf("%q before %q was written as %q: %v", text, behind, got, err)
					}
				}
			}
		}
	}
}

// Text that ends early is refused, wherever that is.
func TestCutShort(t *testing.T) {
	whole := append(kilobyte(), `{"a":{"NULL":true},"b":{"BOOL":false},"c":{"NS":["1"]},"d":{"BS":["YQ=="]},"e":{"S":"\u00e9\ud83d\ude00"}}`...)
	first := len(kilobyte())
	for _, text := range [][]byte{whole[:first], whole[first:]} {
		if _, err := ParseItem(text); err != nil {
			t.Fatal(err)
		}
		for n := range text {
			if _, err := ParseItem(text[:n:n]); err == nil {
				t.Fatalf("%q is accepted", text[:n])
			}
		}
	}
}
