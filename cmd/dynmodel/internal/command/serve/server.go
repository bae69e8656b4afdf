package serve

import (
	"context"
	"errors"
	"net"
	"net/http"
	"syscall"
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

// sweepEvery is how often expired items and old records are removed.
const sweepEvery = time.Minute

// serve answers requests until ctx ends, then those that are under way.
func serve(ctx context.Context, listener net.Listener, db *engine.DB) error {
	server := &http.Server{
		Handler:           db,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       requestTime,
		WriteTimeout:      answerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeaderSize,
	}
	ctx, cancel := context.WithCancel(ctx)
	swept := make(chan struct{})
	go func() {
		defer close(swept)
		sweep(ctx, db)
	}()
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		err = shutDown(server)
	}
	cancel()
	<-swept
	return err
}

// shutDown waits for requests under way and closes what takes too long.
func shutDown(server *http.Server) error {
	patience, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	err := server.Shutdown(patience)
	if errors.Is(err, context.DeadlineExceeded) {
		return server.Close()
	}
	return err
}

// sweep does in the background what the service does: it removes what has
// expired. A sweep that fails is tried again.
func sweep(ctx context.Context, db *engine.DB) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			db.Sweep(ctx)
		}
	}
}

// isTaken tells whether an address could not be listened on because somebody
// else does.
func isTaken(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }
