package endpoint

import (
	"net"
	"sync"
)

// A handover is the listener of net/http: it accepts the connections that the
// lane hands over.
type handover struct {
	address net.Addr
	conns   chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func newHandover(address net.Addr) *handover {
	return &handover{address: address, conns: make(chan net.Conn), closed: make(chan struct{})}
}

// hand gives a connection away, of which read has been read and not answered.
func (h *handover) hand(conn net.Conn, read []byte) {
	select {
	case h.conns <- &reread{Conn: conn, again: read}:
	case <-h.closed:
		conn.Close()
	}
}

func (h *handover) Accept() (net.Conn, error) {
	select {
	case conn := <-h.conns:
		return conn, nil
	case <-h.closed:
		return nil, net.ErrClosed
	}
}

func (h *handover) Close() error {
	h.once.Do(func() { close(h.closed) })
	return nil
}

func (h *handover) Addr() net.Addr { return h.address }

// A reread is a connection whose beginning is read a second time.
type reread struct {
	net.Conn
	again []byte
}

func (r *reread) Read(p []byte) (int, error) {
	if len(r.again) > 0 {
		n := copy(p, r.again)
		r.again = r.again[n:]
		return n, nil
	}
	return r.Conn.Read(p)
}
