package draft

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dynmodel/dynmodel/model/expr"
	"github.com/dynmodel/dynmodel/model/source"
	"github.com/dynmodel/dynmodel/model/source/jsontree"
	"github.com/dynmodel/dynmodel/model/source/yamltree"
)

// Command is an `aws dynamodb` command that reads or writes items.
type Command struct {
	Operation    string // GetItem, Query, …
	Table, Index string
	Key          []KeyTest
	Filter       string // in the language
	Change, If   string // in the language
	Consistent   bool
	Backward     bool
	Count        bool
	Limit        int64
}

// maxCommand is the longest command that is read, in bytes.
const maxCommand = 64 << 10

// ParseCommand reads an `aws dynamodb` command. Its values become the texts of
// key conditions; in filters and updates they become parameters.
func ParseCommand(text string) (*Command, error) {
	if len(text) > maxCommand {
		return nil, errors.New("it is too long")
	}
	words, err := shellWords(text)
	if err != nil {
		return nil, err
	}
	i := 0
	for i+2 < len(words) && (words[i] != "aws" || words[i+1] != "dynamodb") {
		i++
	}
	if i+2 >= len(words) {
		return nil, errors.New("it is no `aws dynamodb` command")
	}
	c := &Command{Operation: operationOf(words[i+2])}
	return c, c.flags(words[i+3:])
}

// operationOf is DynamoDB's name of a subcommand: get-item is GetItem.
func operationOf(word string) string {
	var b strings.Builder
	for _, w := range strings.FieldsFunc(word, func(r rune) bool { return r == '-' }) {
		first, size := utf8.DecodeRuneInString(w)
		b.WriteString(string(unicode.ToUpper(first)) + w[size:])
	}
	return b.String()
}

// flags reads what follows the subcommand.
func (c *Command) flags(words []string) error {
	values := map[string]string{}
	for i := 0; i < len(words); i++ {
		name, ok := strings.CutPrefix(words[i], "--")
		if !ok {
			continue
		}
		name, v, inline := strings.Cut(name, "=")
		if !inline && i+1 < len(words) && !strings.HasPrefix(words[i+1], "--") {
			i++
			v = words[i]
		}
		values[name] = v
	}
	has := func(flag string) bool { _, ok := values[flag]; return ok }
	c.Table, c.Index = values["table-name"], values["index-name"]
	c.Consistent, c.Backward = has("consistent-read"), has("no-scan-index-forward")
	c.Count = values["select"] == "COUNT"
	for _, flag := range []string{"limit", "max-items"} {
		if n, err := strconv.ParseInt(values[flag], 10, 32); err == nil && n > 0 {
			c.Limit = n
		}
	}
	names, err := attributeNames(values["expression-attribute-names"])
	if err != nil {
		return err
	}
	texts, err := attributeValues(values["expression-attribute-values"])
	if err != nil {
		return err
	}
	if err := c.keys(values["key-condition-expression"], values["key"], names, texts); err != nil {
		return err
	}
	c.Filter = inLanguage(values["filter-expression"], names)
	c.Change = inLanguage(values["update-expression"], names)
	c.If = inLanguage(values["condition-expression"], names)
	return nil
}

// Fill puts into a request what the command says of it.
func (c *Command) Fill(r *Request) {
	r.Operation, r.Key, r.Change, r.If = c.Operation, c.Key, c.Change, c.If
	r.Consistent, r.Backward, r.Count, r.Limit = c.Consistent, c.Backward, c.Count, c.Limit
	if c.Index != "" {
		r.Index = c.Index
	}
	if c.Filter != "" {
		r.Where = append(r.Where, c.Filter)
	}
}

// shellWords splits a command as a shell does: quotes, and lines that a backslash
// continues.
func shellWords(text string) ([]string, error) {
	var out []string
	var current strings.Builder
	inWord := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\'' || c == '"':
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				return nil, fmt.Errorf("a quote %c is not closed", c)
			}
			current.WriteString(text[i+1 : i+1+end])
			i, inWord = i+1+end, true
		case c == '\\' && i+1 < len(text):
			i++
			if text[i] != '\n' {
				current.WriteByte(text[i])
				inWord = true
			}
		case strings.IndexByte(" \t\r\n", c) >= 0:
			if inWord {
				out = append(out, current.String())
			}
			current.Reset()
			inWord = false
		default:
			current.WriteByte(c)
			inWord = true
		}
	}
	if inWord {
		out = append(out, current.String())
	}
	return out, nil
}

// jsonObject reads the JSON that stands in a flag; nil for none.
func jsonObject(flag, text string) (*yamltree.Node, error) {
	if text == "" {
		return nil, nil
	}
	node, _, err := jsontree.Parse(source.NewFile("--"+flag, text))
	if err != nil {
		return nil, err
	}
	if node.Kind != yamltree.Mapping {
		return nil, fmt.Errorf("--%s is no JSON object", flag)
	}
	return node, nil
}

func attributeNames(text string) (map[string]string, error) {
	node, err := jsonObject("expression-attribute-names", text)
	out := map[string]string{}
	if node != nil {
		for _, e := range node.Entries {
			out[e.Key.Text] = e.Value.Text
		}
	}
	return out, err
}

// attributeValues are the texts of values by their names; of other values than
// texts and numbers there is none.
func attributeValues(text string) (map[string]string, error) {
	node, err := jsonObject("expression-attribute-values", text)
	return textsOf(node), err
}

func textsOf(node *yamltree.Node) map[string]string {
	out := map[string]string{}
	if node == nil {
		return out
	}
	for _, e := range node.Entries {
		v := e.Value
		if v.Kind == yamltree.Mapping && len(v.Entries) == 1 {
			v = v.Entries[0].Value
		}
		if v.Kind == yamltree.Scalar {
			out[e.Key.Text] = v.Text
		}
	}
	return out
}

var (
	comparison = regexp.MustCompile(`^\(*\s*([#\w.-]+)\s*(=|<=|>=|<|>)\s*(:\w+)\s*\)*$`)
	beginning  = regexp.MustCompile(`(?i)^\(*\s*begins_with\s*\(\s*([#\w.-]+)\s*,\s*(:\w+)\s*\)\s*\)*$`)
	betweens   = regexp.MustCompile(`(?i)^\(*\s*([#\w.-]+)\s+BETWEEN\s+(:\w+)\s+AND\s+(:\w+)\s*\)*$`)
	and        = regexp.MustCompile(`(?i)\s+AND\s+`)
)

// keys reads a key condition, or the key of a single item.
func (c *Command) keys(condition, key string, names, values map[string]string) error {
	node, err := jsonObject("key", key)
	if err != nil {
		return err
	}
	if node != nil {
		texts := textsOf(node)
		for _, e := range node.Entries {
			c.Key = append(c.Key, KeyTest{Attribute: e.Key.Text, Op: "=", Values: []string{texts[e.Key.Text]}})
		}
	}
	for condition = strings.TrimSpace(condition); condition != ""; {
		test, rest, err := firstTest(condition, names, values)
		if err != nil {
			return err
		}
		c.Key = append(c.Key, test)
		condition = rest
	}
	return nil
}

// firstTest reads a condition up to an AND that is no part of BETWEEN.
func firstTest(condition string, names, values map[string]string) (test KeyTest, rest string, err error) {
	resolve := func(name string) string {
		if real, ok := names[name]; ok {
			return real
		}
		return name
	}
	for from := 0; ; {
		end := len(condition)
		next := and.FindStringIndex(condition[from:])
		if next != nil {
			end = from + next[0]
			rest = strings.TrimSpace(condition[from+next[1]:])
		} else {
			rest = ""
		}
		piece := strings.TrimSpace(condition[:end])
		if m := comparison.FindStringSubmatch(piece); m != nil {
			return KeyTest{resolve(m[1]), m[2], []string{values[m[3]]}}, rest, nil
		}
		if m := beginning.FindStringSubmatch(piece); m != nil {
			return KeyTest{resolve(m[1]), "begins_with", []string{values[m[2]]}}, rest, nil
		}
		if m := betweens.FindStringSubmatch(piece); m != nil {
			return KeyTest{resolve(m[1]), "between", []string{values[m[2]], values[m[3]]}}, rest, nil
		}
		if next == nil {
			return test, "", fmt.Errorf("the key condition `%s` is not understood", Clip(condition))
		}
		from += next[1]
	}
}

var (
	nameToken  = regexp.MustCompile(`#\w+`)
	valueToken = regexp.MustCompile(`:(\w+)`)
)

// inLanguage is an expression of DynamoDB in the language: names written out,
// values as parameters.
func inLanguage(text string, names map[string]string) string {
	text = nameToken.ReplaceAllStringFunc(text, func(token string) string {
		if real, ok := names[token]; ok {
			return expr.Name(real)
		}
		return token
	})
	return valueToken.ReplaceAllString(strings.Join(strings.Fields(text), " "), "$$$1")
}
