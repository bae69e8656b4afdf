// Package source is the ground floor: the text of input files and places in it.
//
// Everything read from a model carries a Span, so that every finding can name
// file, line and column. Spans hold byte offsets; lines and columns are worked
// out only when one is shown.
package source

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// File is the text of one input. It does not change once made.
type File struct {
	name  string
	text  string
	lines []int // byte offset of the start of each line
}

// NewFile makes a File. The name is the path as the user gave it ("-" for
// standard input); it is what findings show.
func NewFile(name, text string) *File {
	lines := []int{0}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			lines = append(lines, i+1)
		}
	}
	return &File{name: name, text: text, lines: lines}
}

// Name is the path as the user gave it.
func (f *File) Name() string { return f.name }

// Text is the whole text.
func (f *File) Text() string { return f.text }

// Lines is the number of lines; a final newline does not start another one.
func (f *File) Lines() int {
	n := len(f.lines)
	if n > 1 && f.lines[n-1] == len(f.text) {
		return n - 1
	}
	return n
}

// Line is the text of a line (1-based) without its line break, or "" outside
// the file.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	end := len(f.text)
	if n < len(f.lines) {
		end = f.lines[n] - 1
	}
	return strings.TrimSuffix(f.text[f.lines[n-1]:end], "\r")
}

// Offset is the byte offset of a 1-based line and 1-based column in
// characters, held within the file.
func (f *File) Offset(line, column int) int {
	if line < 1 {
		return 0
	}
	if line > len(f.lines) {
		return len(f.text)
	}
	at := f.lines[line-1]
	for rest := f.Line(line); column > 1 && rest != ""; column-- {
		_, n := utf8.DecodeRuneInString(rest)
		at, rest = at+n, rest[n:]
	}
	return at
}

// Position is a place as people count: both 1-based, the column in characters.
type Position struct {
	Line, Column int
}

// Position turns a byte offset into a Position.
func (f *File) Position(offset int) Position {
	offset = max(0, min(offset, len(f.text)))
	line := sort.SearchInts(f.lines, offset+1)
	return Position{Line: line, Column: utf8.RuneCountInString(f.text[f.lines[line-1]:offset]) + 1}
}

// Span is a stretch of a file: byte offsets from Start up to but not including
// End. The zero Span is nowhere.
type Span struct {
	File       *File
	Start, End int
}

// Known tells whether the span is anywhere at all.
func (s Span) Known() bool { return s.File != nil }

// Text is the text the span covers.
func (s Span) Text() string {
	if s.File == nil {
		return ""
	}
	return s.File.text[s.Start:s.End]
}

// From is the position of the first character.
func (s Span) From() Position {
	if s.File == nil {
		return Position{}
	}
	return s.File.Position(s.Start)
}

// To is the position just after the last character.
func (s Span) To() Position {
	if s.File == nil {
		return Position{}
	}
	return s.File.Position(s.End)
}

// Sub is the part of s from byte i up to but not including byte j, counted
// from the start of s and held within it.
func (s Span) Sub(i, j int) Span {
	n := s.End - s.Start
	i = max(0, min(i, n))
	j = max(i, min(j, n))
	return Span{File: s.File, Start: s.Start + i, End: s.Start + j}
}

// Compare orders spans by file name, start and end; unknown spans come first.
func (s Span) Compare(t Span) int {
	switch {
	case s.File == nil && t.File == nil:
		return 0
	case s.File == nil:
		return -1
	case t.File == nil:
		return 1
	}
	if c := strings.Compare(s.File.name, t.File.name); c != 0 {
		return c
	}
	if s.Start != t.Start {
		return s.Start - t.Start
	}
	return s.End - t.End
}
