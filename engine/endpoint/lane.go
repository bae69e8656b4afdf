package endpoint

import (
	"context"
	"errors"
	"hash/crc32"
	"io"
	"log"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dynmodel/dynmodel/engine"
)

// A lane serves one connection, as long as its requests are of the lane's kind.
type lane struct {
	server *server
	conn   net.Conn
	state  atomic.Int32 // laneIdle and so on

	in     []byte // what has been read and not answered; a request from the start
	armed  time.Time
	dated  int64 // the second of date
	date   []byte
	target string // of the request before, which is mostly that of the next
}

// The states of a lane.
const (
	laneIdle    int32 = iota // waits for a request
	laneBusy                 // has one under way
	laneRetired              // takes no more
)

const (
	// idleBytes is the buffer of a connection that has had no large request.
	idleBytes = 4 << 10

	// keptBytes bounds what a connection keeps between requests.
	keptBytes = 128 << 10

	// believedBytes is the memory that a request gets for the length that it
	// claims, before it has sent anything.
	believedBytes = 512 << 10

	// rearmTime is how old deadlines get: moving them with every request costs
	// more than reading it.
	rearmTime = 20 * time.Second
)

// run serves the connection until it ends, or is no longer the lane's.
func (l *lane) run() {
	defer l.server.leave(l)
	handed := false
	defer func() {
		if v := recover(); v != nil {
			log.Printf("panic serving %v: %v\n%s", l.conn.RemoteAddr(), v, debug.Stack())
		}
		if !handed {
			l.conn.Close()
		}
	}()
	l.in = make([]byte, 0, idleBytes)
	for l.await() {
		h, ok := readHead(l.in)
		if ok {
			err := l.readBody(h)
			ok = !errors.Is(err, io.EOF) // what ends early is not of the lane's kind, either
			if ok && err != nil {
				return
			}
		}
		if !ok {
			handed = true
			l.conn.SetDeadline(time.Time{})
			l.server.handed.hand(l.conn, l.in)
			return
		}
		if !l.answer(h) || !l.next(h) {
			return
		}
	}
}

// await waits until there is the beginning of a request.
func (l *lane) await() bool {
	if now := time.Now(); now.Sub(l.armed) > rearmTime {
		l.armed = now
		l.conn.SetReadDeadline(now.Add(idleTime))
		l.conn.SetWriteDeadline(now.Add(answerTime))
	}
	if len(l.in) == 0 && l.read() != nil {
		return false
	}
	return l.state.CompareAndSwap(laneIdle, laneBusy)
}

// read reads more of the connection, for which there is room.
func (l *lane) read() error {
	n, err := l.conn.Read(l.in[len(l.in):cap(l.in)])
	l.in = l.in[:len(l.in)+n]
	return err
}

// readBody reads the rest of a request.
func (l *lane) readBody(h head) error {
	want := h.size + h.length
	if len(l.in) >= want {
		return nil
	}
	l.conn.SetReadDeadline(time.Now().Add(requestTime))
	l.armed = time.Time{}
	for len(l.in) < want {
		if len(l.in) == cap(l.in) {
			l.grow(min(want, max(2*len(l.in), believedBytes)))
		}
		if err := l.read(); err != nil {
			return err
		}
	}
	return nil
}

func (l *lane) grow(size int) {
	grown := make([]byte, len(l.in), size)
	copy(grown, l.in)
	l.in = grown
}

// next makes room for the next request and reports whether there may be one.
func (l *lane) next(h head) bool {
	rest := l.in[h.size+h.length:]
	if cap(l.in) > keptBytes {
		l.in = make([]byte, 0, max(idleBytes, len(rest)))
	}
	l.in = append(l.in[:0], rest...)
	return l.state.CompareAndSwap(laneBusy, laneIdle)
}

// retire lets the lane take no more requests. What is under way is answered.
func (l *lane) retire() {
	if l.state.Swap(laneRetired) == laneIdle {
		l.conn.Close()
	}
}

// answers saves the memory of answers that have been sent.
var answers = sync.Pool{New: func() any { return new(answer) }}

// An answer is its body with room before it for its head, so that one write
// sends both.
type answer struct{ text []byte }

const (
	// headRoom is more than any head of an answer.
	headRoom = 512

	// pooledBytes bounds the answers whose memory is saved: a page of a Scan,
	// which is a megabyte by DynamoDB's count, is more on the wire.
	pooledBytes = 4 << 20
)

// answer answers a request.
func (l *lane) answer(h head) bool {
	a := answers.Get().(*answer)
	defer func() {
		if cap(a.text) <= pooledBytes {
			answers.Put(a)
		}
	}()
	if string(h.target) != l.target {
		l.target = string(h.target)
	}
	if cap(a.text) < headRoom {
		a.text = make([]byte, headRoom, 2*headRoom)
	}
	var status int
	a.text, status = l.server.db.Answer(context.Background(), l.target, l.in[h.size:h.size+h.length], a.text[:headRoom])
	var room [headRoom]byte
	top := l.appendHead(room[:0], status, a.text[headRoom:])
	start := headRoom - len(top)
	copy(a.text[start:], top)
	_, err := l.conn.Write(a.text[start:])
	return err == nil
}

// appendHead appends the head of an answer.
func (l *lane) appendHead(dst []byte, status int, body []byte) []byte {
	dst = append(dst, "HTTP/1.1 "...)
	dst = strconv.AppendInt(dst, int64(status), 10)
	dst = append(dst, ' ')
	dst = append(dst, http.StatusText(status)...)
	dst = append(dst, "\r\nContent-Type: "+engine.ContentType+"\r\nX-Amzn-Requestid: "...)
	dst = l.server.db.AppendRequestID(dst)
	dst = append(dst, "\r\nX-Amz-Crc32: "...)
	dst = strconv.AppendUint(dst, uint64(crc32.ChecksumIEEE(body)), 10)
	dst = append(dst, "\r\nDate: "...)
	dst = l.appendDate(dst)
	if l.state.Load() == laneRetired {
		dst = append(dst, "\r\nConnection: close"...)
	}
	dst = append(dst, "\r\nContent-Length: "...)
	dst = strconv.AppendInt(dst, int64(len(body)), 10)
	return append(dst, "\r\n\r\n"...)
}

// appendDate appends the time, as HTTP has it.
func (l *lane) appendDate(dst []byte) []byte {
	if now := time.Now(); now.Unix() != l.dated {
		l.dated = now.Unix()
		l.date = now.UTC().AppendFormat(l.date[:0], http.TimeFormat)
	}
	return append(dst, l.date...)
}
