package docs

import (
	"regexp"
	"strings"
	"testing"

	"github.com/dynmodel/dynmodel/generate"
	"github.com/dynmodel/dynmodel/generate/document"
	"github.com/dynmodel/dynmodel/model/modeltest"
)

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                     "plain",
		"":                          "",
		"a_b*c":                     `a\_b\*c`,
		"`x`":                       "\\`x\\`",
		"<script>":                  `\<script\>`,
		"[x](y)":                    `\[x\](y)`,
		"a & b":                     `a \& b`,
		"$1 and $2":                 `\$1 and \$2`,
		`back\slash`:                `back\\slash`,
		"line\none\r\n\ttwo":        "line one two",
		"# no heading":              `\# no heading`,
		"a # b":                     "a # b",
		"- no list":                 `\- no list`,
		"1. no list":                `1\. no list`,
		"34.57 GB":                  "34.57 GB",
		"2.":                        `2\.`,
		"~~no~~":                    `\~\~no\~\~`,
		"@someone":                  `\@someone`,
		"a | b":                     "a | b",
		"bidi \u202e and \x00 null": "bidi \u202e and null",
	} {
		if got := escape(text); got != want {
			t.Errorf("escape(%q) is %q, want %q", text, got, want)
		}
	}
}

func TestCode(t *testing.T) {
	for text, want := range map[string]string{
		"":            "",
		" \n ":        "",
		"x":           "`x`",
		"a`b":         "``a`b``",
		"`b`":         "`` `b` ``",
		"a``b`c":      "```a``b`c```",
		"<b>":         "`<b>`",
		"line\ntwo":   "`line two`",
		"a|b":         "`a|b`",
		`a\|b`:        "<code>a&#92;&#124;b</code>",
		"`\\|<i>":     "<code>&#96;&#92;&#124;&#60;i&#62;</code>",
		`ends with \`: "`ends with \\`",
	} {
		if got := code(text); got != want {
			t.Errorf("code(%q) is %q, want %q", text, got, want)
		}
	}
}

func TestProse(t *testing.T) {
	for text, want := range map[string]string{
		"declare `growth`, or *not*": "declare `growth`, or \\*not\\*",
		"`x`":                        "`x`",
		"no code":                    "no code",
		"open ` end":                 "open \\` end",
		"a `b` c `d` e":              "a `b` c `d` e",
	} {
		if got := prose(text); got != want {
			t.Errorf("prose(%q) is %q, want %q", text, got, want)
		}
	}
}

// hostile has what Markdown and HTML could read wrongly wherever a model lets
// people write freely.
const hostile = `version: 1
name: "hostile <script>alert('name')</script>"
description: "<script>alert(1)</script> | a ~tick~ *b* [x](javascript:alert(2)) & \\ end"
table:
  name: hostile
  partition_key: PK
  sort_key: SK
  indexes:
    GSI1: {partition_key: GSI1PK, sort_key: GSI1SK}
entities:
  Thing:
    description: "a | b\n# no heading\n<img src=x onerror=alert(3)>"
    attributes:
      id: {type: string, length: 1..20}
      "State#Date": string?
      "pipe|name": string?
      "<b>bold</b>": string?
      mark: ["x|y", "<i>", "plain"]
    keys:
      PK: "T|<i>#{id}"
      SK: "S\\|"
      GSI1PK: "</script>#{mark}"
      GSI1SK: "*{id}*"
access_patterns:
  - name: thing
    description: "</script><script>alert(4)</script> | x"
    get: Thing
  - name: things-by-mark
    query: Thing
    where: mark = $mark
  - name: put-thing
    put: Thing
    ignore: [{rule: unguarded-put, reason: "because | <script>alert(5)</script>\nsecond line"}]
samples:
  Thing:
    - {id: "a|b", mark: "<i>", "State#Date": "line one\nline two | <script>alert(6)</script>", "pipe|name": "p", "<b>bold</b>": "</script>"}
`

// bar is the end of a cell: a bar that no backslash escapes.
var bar = regexp.MustCompile(`(?:[^\\|]|\\.)*\|`)

// TestTables holds that every row of a table has the cells of its head, whatever
// stands in them.
func TestTables(t *testing.T) {
	for name, text := range map[string]string{"hostile": hostile, "shop": modeltest.Shop(), "big": modeltest.Big(12, 60)} {
		cells, rows := 0, 0
		for n, line := range strings.Split(string(rendered(t, text)), "\n") {
			if !strings.HasPrefix(line, "|") {
				cells = 0
				continue
			}
			rows++
			count := len(bar.FindAllString(line, -1))
			if cells == 0 {
				cells = count
			}
			if count != cells || !strings.HasSuffix(line, "|") {
				t.Errorf("%s: line %d has %d bars, its head %d: %s", name, n+1, count, cells, line)
			}
		}
		if rows < 20 {
			t.Errorf("%s: only %d rows", name, rows)
		}
	}
}

// codeSpans are code within lines: what stands there is no HTML.
var codeSpans = regexp.MustCompile("``[^\n]*?``|`[^`\n]*`")

func TestHostile(t *testing.T) {
	page := string(rendered(t, hostile))
	outside := codeSpans.ReplaceAllString(page, "")
	for _, tag := range regexp.MustCompile(`(\\?)</?[a-zA-Z!][^>]*>`).FindAllStringSubmatch(outside, -1) {
		switch {
		case tag[1] != "", tag[0] == "<!-- "+generate.Mark+" -->":
		case regexp.MustCompile(`^</?(br|details|summary|code)>$`).MatchString(tag[0]):
		default:
			t.Errorf("HTML from the model: %s", tag[0])
		}
	}
	for _, want := range []string{
		"# hostile \\<script\\>alert('name')\\</script\\>\n",
		`| **Thing** | ` + "`T\\|<i>#{id}` | <code>S&#92;&#124;</code> | `</script>#{mark}` | `*{id}*` | ",
		"\na | b # no heading \\<img src=x onerror=alert(3)\\>\n",
		"| **thing**<br>\\</script\\>\\<script\\>alert(4)\\</script\\> \\| x | GetItem Thing | table | ",
		"| `unguarded-put` | access pattern put-thing | because \\| \\<script\\>alert(5)\\</script\\> second line |",
		"State#Date: `line one line two \\| <script>alert(6)</script>`",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the document lacks %q", want)
		}
	}
}

// TestContent looks for what a reviewer of the shop wants to know.
func TestContent(t *testing.T) {
	page := string(rendered(t, modeltest.Shop()))
	for _, want := range []string{
		"| Entity | PK | SK | GSI1PK | GSI1SK | OpenPK | OpenSK | Attributes |",
		"| **OrderItem** | `ORDER#{orderId}` | `ITEM#{line\\|pad(3)}` | `ORDER#{orderId}` | `ITEM#{line\\|pad(3)}` |  |  | `orderId`, `line`, `sku`, `quantity` |",
		"`OPEN#{placedAt\\|day}`<br>when `status = 'placed'`",
		"| Query<br>descending, limit 20 | table | `PK = \"CUSTOMER#{customerId}\" AND SK BETWEEN \"ORDER#{since}\" AND \"ORDER#{MAX}\"` |  | 8 | 1 | 1 | 120/s, at peak 900/s |",
		"| Query<br>one query for each day of placedAt, asks for orderId, customerId, total, placedAt | OpenOrders |",
		"|  | PutItem OrderItem<br>for each of items, 1..20 times | table |",
		"| PutItem Customer<br>in one transaction, puts the guard of email | table |",
		"| Order | 0 to 50 per Customer, on average 8 | 16M |",
		"| OpenOrders | global | `OpenPK` | `OpenSK` | keys and orderId, customerId, total and placedAt | Order | open-orders |",
		"| Stream | new and old images |",
		"| place-order | `dynamodb:PutItem`, `dynamodb:UpdateItem` | table |",
		"| Transaction | place-order | 22 of 100 | 78% |",
		"```mermaid\nerDiagram\n",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the document lacks %q", want)
		}
	}
}

// rendered is the document of a model without findings.
func rendered(t *testing.T, text string) []byte {
	t.Helper()
	return Render(document.New(generate.NewInput(modeltest.Model(t, text))))
}
