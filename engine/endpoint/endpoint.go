// Package endpoint serves an engine over HTTP, for processes that do nothing
// else.
//
// Requests of the kind that SDKs send (a POST with a body of known length, on
// a connection that stays open) take a lane of their own, which is a multiple
// cheaper than net/http: it reads a request and writes its answer with one
// system call each, and allocates next to nothing. The lane knows that kind of
// request only. Whatever is different, be it a page's request, compression, a
// head that comes in pieces or one that is wrong, goes to net/http together
// with its connection, so that there is one place that knows all of HTTP.
package endpoint

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/dynmodel/dynmodel/engine"
)

// What a client may take, so that slow ones hold nothing for long.
const (
	headerTime    = 10 * time.Second
	requestTime   = time.Minute // for the whole of a request: 16 MB at most
	answerTime    = 2 * time.Minute
	idleTime      = 5 * time.Minute
	maxHeaderSize = 64 << 10
)

// shutdownTime is how long requests under way are waited for.
const shutdownTime = 5 * time.Second

// Serve answers requests until ctx ends, then those that are under way. It
// closes the listener.
func Serve(ctx context.Context, listener net.Listener, db *engine.DB) error {
	s := newServer(listener.Addr(), db)
	ended := make(chan error, 2)
	go func() { ended <- s.rest.Serve(s.handed) }()
	go func() { ended <- s.accept(listener) }()
	select {
	case err := <-ended:
		listener.Close()
		s.rest.Close()
		s.close()
		return err
	case <-ctx.Done():
		listener.Close()
		return s.shutDown()
	}
}

// A server has the connections of the lane, and net/http for the others.
type server struct {
	db     *engine.DB
	rest   *http.Server
	handed *handover

	mu     sync.Mutex
	lanes  map[*lane]struct{}
	ending bool
	served sync.WaitGroup // of lanes
}

func newServer(address net.Addr, db *engine.DB) *server {
	return &server{
		db: db,
		rest: &http.Server{
			Handler:           db,
			ReadHeaderTimeout: headerTime,
			ReadTimeout:       requestTime,
			WriteTimeout:      answerTime,
			IdleTimeout:       idleTime,
			MaxHeaderBytes:    maxHeaderSize,
		},
		handed: newHandover(address),
		lanes:  make(map[*lane]struct{}),
	}
}

// acceptPause is how long a server that has run out of something, like file
// descriptors, waits before it accepts another connection.
const acceptPause = 50 * time.Millisecond

func (s *server) accept(listener net.Listener) error {
	for {
		conn, err := listener.Accept()
		var temporary interface{ Temporary() bool }
		switch {
		case errors.As(err, &temporary) && temporary.Temporary():
			time.Sleep(acceptPause)
		case err != nil:
			return err
		default:
			s.enter(conn)
		}
	}
}

// enter serves a connection in the lane, unless the server is ending.
func (s *server) enter(conn net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending {
		conn.Close()
		return
	}
	l := &lane{server: s, conn: conn}
	s.lanes[l] = struct{}{}
	s.served.Go(l.run)
}

func (s *server) leave(l *lane) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.lanes, l)
}

// shutDown closes connections without a request under way, waits for the
// others, and closes what takes too long.
func (s *server) shutDown() error {
	s.mu.Lock()
	s.ending = true
	for l := range s.lanes {
		l.retire()
	}
	s.mu.Unlock()

	patience, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	idle := make(chan struct{})
	go func() {
		defer close(idle)
		s.served.Wait()
	}()
	err := s.rest.Shutdown(patience)
	select {
	case <-idle:
	case <-patience.Done():
	}
	s.close()
	if errors.Is(err, context.DeadlineExceeded) {
		return s.rest.Close()
	}
	return err
}

// close closes the connections that are left in the lane.
func (s *server) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ending = true
	for l := range s.lanes {
		l.conn.Close()
	}
}
