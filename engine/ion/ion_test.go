package ion_test

import (
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/engine/attr"
	"github.com/dynmodel/dynmodel/engine/ion"
)

func item(t *testing.T, text string) attr.Item {
	t.Helper()
	it, err := attr.ParseItem([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return it
}

// The first line is the example of the developer guide.
func TestAppendStruct(t *testing.T) {
	for _, c := range []struct{ item, want string }{
		{`{"Authors":{"SS":["Author1","Author2"]},"Id":{"N":"103"},"InPublication":{"BOOL":false},"PageCount":{"N":"600"},"Price":{"N":"2000"},"Title":{"S":"Book 103 Title"}}`,
			`{Authors:$dynamodb_SS::["Author1","Author2"],Id:103.,InPublication:false,PageCount:6d2,Price:2d3,Title:"Book 103 Title"}`},
		{`{"a":{"L":[{"NULL":true},{"M":{"b":{"B":"aGk="}}},{"L":[]},{"M":{}}]}}`, `{a:[null,{b:{{aGk=}}},[],{}]}`},
		{`{"n":{"NS":["1.5","-0.25","0"]},"b":{"BS":["aGk="]}}`, `{b:$dynamodb_BS::[{{aGk=}}],n:$dynamodb_NS::[-0.25,0.,1.5]}`},
		{`{"my-key":{"S":"a\"b\\\n"},"null":{"S":""},"it's":{"BOOL":true},"$10":{"BOOL":true},"$a":{"BOOL":true},"é":{"S":"é"}}`,
			`{'$10':true,$a:true,'it\'s':true,'my-key':"a\"b\\\n",'null':"",'é':"é"}`},
	} {
		if got := string(ion.AppendStruct(nil, item(t, c.item))); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.item, got, c.want)
		}
	}
}

func TestDecimals(t *testing.T) {
	for number, want := range map[string]string{
		"0": "0.", "1": "1.", "-42": "-42.", "10": "1d1", "1000000": "1d6", "123.456": "123.456", "0.5": "0.5", "0.000001": "0.000001",
		"0.0000001": "1d-7", "0.00000012": "1.2", "1E125": "1d125", "-1E-130": "-1d-130", "12345678901234567890123456789012345678": "12345678901234567890123456789012345678.",
		"100.5": "100.5",
	} {
		v, err := attr.ParseNumber(number)
		if err != nil {
			t.Fatal(err)
		}
		got := string(ion.AppendValue(nil, v))
		if number == "0.00000012" {
			want = "12d-8"
		}
		if got != want {
			t.Errorf("%s is %s, want %s", number, got, want)
		}
		back, err := ion.ReadStruct("{n:" + got + "}")
		if read, _ := back.Get("n"); err != nil || read != v {
			t.Errorf("%s is read back as %s, %v", got, read.Number(), err)
		}
	}
}

func TestReadStruct(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`$ion_1_0 {Item:{Id:103.,PageCount:6d2}}`, `{"Item":{"M":{"Id":{"N":"103"},"PageCount":{"N":"600"}}}}`},
		{` { "a" : 1 , 'b c' : "x" , } // done`, `{"a":{"N":"1"},"b c":{"S":"x"}}`},
		{`{a:'''long ''' /* and */ '''text''', b:"\u00e9\x41\U0001f600\t"}`, `{"a":{"S":"long text"},"b":{"S":"éA😀\t"}}`},
		{`{a:note::[1_000.5, -2.d3, null], b:{{ aG k= }}}`, `{"a":{"L":[{"N":"1000.5"},{"N":"-2000"},{"NULL":true}]},"b":{"B":"aGk="}}`},
		{`{a:$dynamodb_NS::[1.,2.],b:$dynamodb_SS::["x"],c:$dynamodb_BS::[{{aGk=}}]}`, `{"a":{"NS":["1","2"]},"b":{"SS":["x"]},"c":{"BS":["aGk="]}}`},
		{`{a:{b:true,'false':false}}`, `{"a":{"M":{"b":{"BOOL":true},"false":{"BOOL":false}}}}`},
	} {
		got, err := ion.ReadStruct(c.text)
		if err != nil || got != item(t, c.want) {
			t.Errorf("%s\n got %s, %v\nwant %s", c.text, got.AppendJSON(nil), err, c.want)
		}
	}
}

func TestReadStructRefuses(t *testing.T) {
	for text, want := range map[string]string{
		``:                                     "a struct is expected",
		`[1]`:                                  "a struct is expected",
		`{a:1}{b:2}`:                           "something follows the struct",
		`{a:1`:                                 "',' or '}' is expected",
		`{a}`:                                  `":" is expected`,
		`{a:"x}`:                               "a closing quote is missing",
		`{a:1e5}`:                              "no decimal",
		`{a:0x10}`:                             "no decimal",
		`{a:2026-11-30T}`:                      "no decimal",
		`{a:1d126}`:                            "no decimal",
		`{a:symbol}`:                           "no value of an item",
		`{a:null.int}`:                         "no place in an item",
		`{a:(1 2)}`:                            "a name or a value is expected",
		`{a:{{%%}}}`:                           "Base64",
		`{a:$dynamodb_SS::[]}`:                 "a set is empty",
		`{a:$dynamodb_SS::[1.]}`:               "members of one type",
		`{a:$dynamodb_NS::[1,1]}`:              "a member twice",
		`{a:"\q"}`:                             "no such escape",
		`{a:"\ud800"}`:                         "no character",
		"{a:\"\xff\"}":                         "not UTF-8",
		`{a:` + strings.Repeat("[", 100_000):   "nested too deeply",
		`{a:` + strings.Repeat("b::", 100_000): "nested too deeply",
	} {
		if _, err := ion.ReadStruct(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %s", text, err, want)
		}
	}
}

func FuzzReadStruct(f *testing.F) {
	f.Add(`$ion_1_0 {Item:{a:$dynamodb_SS::["x"],b:6d2,c:{{aGk=}},d:[null,true,{'e f':'''g'''}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		it, err := ion.ReadStruct(text)
		if err != nil {
			return
		}
		again, err := ion.ReadStruct(string(ion.AppendStruct(nil, it)))
		if err != nil || again != it {
			t.Errorf("%q is not read back: %v", text, err)
		}
	})
}
