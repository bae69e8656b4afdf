package report

import (
	"github.com/dynmodel/dynmodel/model/diag"
)

// style colours text, or leaves it plain.
type style bool

const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	blue   = "34"
	cyan   = "36"
)

func (s style) paint(code, text string) string {
	if !bool(s) || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) severity(sev diag.Severity, text string) string {
	switch sev {
	case diag.Error:
		return s.paint(bold+";"+red, text)
	case diag.Warning:
		return s.paint(bold+";"+yellow, text)
	}
	return s.paint(bold+";"+blue, text)
}

func (s style) verdict(v Verdict, text string) string {
	switch v {
	case Pass:
		return s.paint(green, text)
	case Skipped:
		return s.paint(yellow, text)
	}
	return s.paint(red, text)
}
