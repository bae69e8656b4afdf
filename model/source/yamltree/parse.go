package yamltree

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/dynmodel/dynmodel/model/diag"
	"github.com/dynmodel/dynmodel/model/source"
)

// MaxSize is the size of the largest file that is read, in bytes. A hand-written
// model is a hundred times smaller.
const MaxSize = 4 << 20

// The bounds of what a document may expand to; both are far from what any
// model needs.
const (
	maxDepth   = 64
	maxValues  = 500_000 // values in the text, by a quick count
	maxAliased = 100_000 // values reached through aliases
)

// Parse reads a file into a tree and reports what is wrong with it to list.
// It returns nil when nothing of the file could be read or it is empty.
func Parse(file *source.File, list *diag.List) *Node {
	p := &parser{file: file, list: list, text: file.Text()}
	if !p.readable() {
		return nil
	}
	docs, err := decode(p.text)
	if err != nil && len(docs) == 0 {
		docs, err = decode(p.recover(err))
		if err != nil && len(docs) == 0 && p.reported == 0 {
			p.errorf(p.span(0, len(p.file.Line(1))), "this cannot be read as YAML: %s", clean(err))
		}
	}
	if len(docs) > 1 || err != nil && len(docs) == 1 {
		p.errorf(p.secondDocument(), "a second YAML document starts here; a file holds one. Put it into a file of its own and `include` it")
	}
	return p.tree(docs)
}

// secondDocument is the place of the mark between two documents.
func (p *parser) secondDocument() source.Span {
	start, content := 0, false
	for line := range strings.Lines(p.text) {
		if content && documentMark(line) {
			return p.span(start, start+3)
		}
		content = content || !blankOrComment(line) && !documentMark(line)
		start += len(line)
	}
	return p.span(0, 0)
}

// parser is the state of reading one file.
type parser struct {
	file *source.File
	list *diag.List
	text string

	reported int
}

// maxReported is how many errors of one file are reported.
const maxReported = 1000

func (p *parser) errorf(at source.Span, format string, args ...any) {
	if p.reported++; p.reported > maxReported {
		return
	}
	p.list.Addf(diag.InvalidModel, diag.Error, at, format, args...)
}

func (p *parser) span(start, end int) source.Span {
	return source.Span{File: p.file, Start: start, End: end}
}

const bom = "\uFEFF"

// readable refuses what is no text, before the library sees it.
func (p *parser) readable() bool {
	if len(p.text) > MaxSize {
		p.errorf(p.span(0, 0), "the file has %.1f MB; a model may have at most %d MB. Split it with `include`", float64(len(p.text))/(1<<20), MaxSize>>20)
		return false
	}
	if encoding := otherEncoding(p.text); encoding != "" {
		p.errorf(p.span(0, 0), "the file is written in %s; save it as UTF-8", encoding)
		return false
	}
	if manyValues(p.text) {
		p.errorf(p.span(0, 0), "the file holds more than %d values; split it with `include`", maxValues)
		return false
	}
	start := 0
	if strings.HasPrefix(p.text, bom) {
		start = len(bom)
	}
	for i, r := range p.text[start:] {
		i += start
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(p.text[i:], "\uFFFD"):
			p.errorf(p.span(i, i+1), "this is not UTF-8 text (byte 0x%02X); save the file as UTF-8", p.text[i])
			return false
		case r == 0:
			p.errorf(p.span(i, i+1), "the file contains a zero byte; it is binary, not a model")
			return false
		case !printable(r):
			p.errorf(p.span(i, i+utf8.RuneLen(r)), "the control character U+%04X is not allowed; in a quoted value write it as \"\\u%04X\"", r, r)
			return false
		}
	}
	return true
}

// manyValues counts what separates values: the library needs about a kilobyte
// and a microsecond for each.
func manyValues(text string) bool {
	if len(text) < maxValues {
		return false
	}
	count := 0
	for _, mark := range []string{"\n", ",", ": ", "[", "{"} {
		count += strings.Count(text, mark)
	}
	return count > maxValues
}

// otherEncoding names the encoding when the text is in UTF-16 or UTF-32, by
// its byte order mark or by the zero bytes of its first two characters.
func otherEncoding(text string) string {
	for _, mark := range []string{"\xFF\xFE", "\xFE\xFF", "\x00\x00\xFE\xFF"} {
		if strings.HasPrefix(text, mark) {
			return "UTF-16 or UTF-32"
		}
	}
	if len(text) >= 4 && (text[0] == 0) != (text[1] == 0) && (text[2] == 0) != (text[3] == 0) {
		return "UTF-16"
	}
	return ""
}

// printable tells the characters that YAML 1.2 (section 5.1) allows in a text.
func printable(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r', r == 0x85:
		return true
	case r < 0x20, r >= 0x7F && r < 0xA0, r == 0xFEFF, r == 0xFFFE, r == 0xFFFF:
		return false
	}
	return true
}

// decode runs the library: the documents of a text, at most two of them. The
// library reports some hostile inputs by a panic of its own.
func decode(text string) (docs []*yaml.Node, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	d := yaml.NewDecoder(strings.NewReader(guardQuestionMarks(oldVersion(text))))
	for len(docs) < 2 {
		var n yaml.Node
		switch err := d.Decode(&n); {
		case errors.Is(err, io.EOF):
			return docs, nil
		case err != nil:
			return docs, err
		}
		docs = append(docs, &n)
	}
	return docs, nil
}

// versions finds a line such as `%YAML 1.2` in front of a document.
var versions = regexp.MustCompile(`\A(?:(?:#.*|%.*|[ \t\r]*)\n)*%YAML[ \t]+1\.([0-9])`)

// oldVersion calls the text YAML 1.1, which is what the library reads. It refuses
// 1.2 by name, though not what such files hold.
func oldVersion(text string) string {
	start := strings.TrimPrefix(text, bom)
	if !strings.Contains(start[:min(len(start), maxPreamble)], "%YAML") {
		return text
	}
	found := versions.FindStringSubmatchIndex(start)
	if found == nil {
		return text
	}
	at := len(text) - len(start) + found[2]
	return text[:at] + "1" + text[at+1:]
}

// maxPreamble is how far into a file a version is looked for.
const maxPreamble = 4 << 10

// questionMark stands for a question mark inside a word, in the text given to
// the library: inside brackets it would end the word there, which YAML 1.2 and
// our optional types do not want. It takes one column, as what it stands for.
const questionMark = "\U0010FFFD"

func guardQuestionMarks(text string) string {
	if !strings.Contains(text, "?") || strings.Contains(text, questionMark) {
		return text
	}
	var b strings.Builder
	done := 0
	for i := 1; i < len(text); i++ {
		if text[i] == '?' && !isBlank(text[i-1]) && !strings.ContainsRune("[{,", rune(text[i-1])) {
			b.WriteString(text[done:i])
			b.WriteString(questionMark)
			done = i + 1
		}
	}
	b.WriteString(text[done:])
	return b.String()
}

// tree turns the library's documents into a tree.
func (p *parser) tree(docs []*yaml.Node) *Node {
	if len(docs) == 0 || len(docs[0].Content) == 0 {
		return nil
	}
	c := &converter{parser: p, lines: lineStarts(p.text), known: map[*yaml.Node]*Node{}, guarded: !strings.Contains(p.text, questionMark)}
	return c.convert(docs[0].Content[0], 0)
}
