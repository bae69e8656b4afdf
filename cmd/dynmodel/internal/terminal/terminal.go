// Package terminal is the outside world of a command: its streams, the
// environment, and what is known of the terminal behind them.
package terminal

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"golang.org/x/term"
)

// Streams are what a command reads from and writes to.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// Env looks an environment variable up; "" when it is not set.
	Env func(string) string
	// OutTerminal and ErrTerminal tell whether a person watches the stream.
	OutTerminal, ErrTerminal bool
	// Columns is the width of the terminal behind Out; 0 when there is none.
	Columns int
}

// System is the process's own streams.
func System() *Streams {
	s := &Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv,
		OutTerminal: term.IsTerminal(int(os.Stdout.Fd())), ErrTerminal: term.IsTerminal(int(os.Stderr.Fd()))}
	if s.OutTerminal {
		s.Columns = columns(int(os.Stdout.Fd()), s.Env)
	}
	return s
}

// usualColumns is the width assumed of a terminal that does not tell its own.
const usualColumns = 80

func columns(fd int, env func(string) string) int {
	if n, err := strconv.Atoi(env("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if n, _, err := term.GetSize(fd); err == nil && n > 0 {
		return n
	}
	return usualColumns
}

// ColorMode is the value of --color.
type ColorMode string

// The colour modes.
const (
	ColorAuto   ColorMode = "auto"
	ColorAlways ColorMode = "always"
	ColorNever  ColorMode = "never"
)

// Set reads the flag's value.
func (c *ColorMode) Set(s string) error {
	switch m := ColorMode(s); m {
	case ColorAuto, ColorAlways, ColorNever:
		*c = m
		return nil
	}
	return fmt.Errorf("must be auto, always or never")
}

// String is the flag's value.
func (c *ColorMode) String() string { return string(*c) }

// Type names the flag's values in help.
func (c *ColorMode) Type() string { return "auto|always|never" }

// Color tells whether to colour what is written to Out. NO_COLOR is honoured
// (no-color.org); --color=always is stronger.
func (s *Streams) Color(mode ColorMode) bool {
	switch mode {
	case ColorAlways:
		return true
	case ColorNever:
		return false
	}
	return s.OutTerminal && s.Env("NO_COLOR") == "" && s.Env("TERM") != "dumb"
}
