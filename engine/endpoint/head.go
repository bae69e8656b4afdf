package endpoint

import (
	"bytes"
	"strconv"

	"github.com/dynmodel/dynmodel/engine"
)

// A head is what the lane has to know of a request before its body.
type head struct {
	size   int // of the head, in bytes
	length int // of the body
	target []byte
}

const requestLine = "POST / HTTP/1.1\r\n"

// readHead reads the head that text begins with. ok is false if it isn't there
// as a whole, or if the request is not of the lane's kind.
func readHead(text []byte) (h head, ok bool) {
	end := bytes.Index(text, []byte("\r\n\r\n"))
	if end < 0 || end > maxHeaderSize || !bytes.HasPrefix(text, []byte(requestLine)) {
		return head{}, false
	}
	h = head{size: end + len("\r\n\r\n"), length: -1}
	var seen headers
	for lines := text[len(requestLine) : end+len("\r\n")]; len(lines) > 0; {
		line, rest, _ := bytes.Cut(lines, []byte("\r\n"))
		name, value, found := bytes.Cut(line, []byte(":"))
		if !found || !isToken(name) || !isText(value) || !h.take(&seen, name, bytes.Trim(value, " \t")) {
			return head{}, false
		}
		lines = rest
	}
	return h, seen == headers{host: true, length: true, dialect: true, target: true, date: true, authorization: true}
}

// headers are those that the lane wants once each.
type headers struct{ host, length, dialect, target, date, authorization bool }

// once reports whether a header is there for the first time.
func once(seen *bool) bool {
	first := !*seen
	*seen = true
	return first
}

// take reads one header and reports whether the lane can go on with it.
func (h *head) take(seen *headers, name, value []byte) bool {
	switch {
	case is(name, "host"):
		return once(&seen.host) && isHost(value)
	case is(name, "content-length"):
		n, err := strconv.ParseUint(string(value), 10, 32)
		h.length = int(n)
		return once(&seen.length) && err == nil && n <= engine.MaxRequestBytes
	case is(name, "x-amz-target"):
		h.target = value
		return once(&seen.target)
	case is(name, "content-type"):
		return once(&seen.dialect) && string(value) == engine.ContentType
	case is(name, "x-amz-date"):
		return once(&seen.date)
	case is(name, "authorization"):
		return once(&seen.authorization) && engine.IsSignature(value)
	case is(name, "connection"):
		return is(value, "keep-alive")
	case is(name, "accept-encoding"):
		return !bytes.Contains(value, []byte("gzip"))
	}
	return !isBeyond(name)
}

// faultHeader is engine.FaultHeader in lower case.
const faultHeader = "x-dynmodel-fault"

// beyond are the headers that ask for what the lane does not do.
var beyond = [...]string{"te", "expect", "origin", "trailer", "upgrade", "content-encoding", "transfer-encoding", faultHeader}

func isBeyond(name []byte) bool {
	for _, b := range &beyond {
		if is(name, b) {
			return true
		}
	}
	return false
}

// is compares text with a word in lower case.
func is(text []byte, word string) bool {
	if len(text) != len(word) {
		return false
	}
	for i, c := range text {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// isHost reports whether text is a name or an address with or without a port.
func isHost(text []byte) bool {
	for _, c := range text {
		if !isLetterOrDigit(c) && c != '.' && c != '-' && c != ':' && c != '[' && c != ']' {
			return false
		}
	}
	return len(text) > 0
}

func isLetterOrDigit(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// isToken reports whether text is the name of a header, as far as such names
// are in use.
func isToken(text []byte) bool {
	for _, c := range text {
		if !isLetterOrDigit(c) && c != '-' {
			return false
		}
	}
	return len(text) > 0
}

// isText reports whether text has no control characters but tabs.
func isText(text []byte) bool {
	for _, c := range text {
		if c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
