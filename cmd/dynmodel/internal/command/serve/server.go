package serve

import (
	"context"
	"errors"
	"net"
	"syscall"
	"time"

	"github.com/dynmodel/dynmodel/engine"
	"github.com/dynmodel/dynmodel/engine/endpoint"
)

// sweepEvery is how often expired items and old records are removed.
const sweepEvery = time.Minute

// serve answers requests until ctx ends, then those that are under way.
func serve(ctx context.Context, listener net.Listener, db *engine.DB) error {
	ctx, cancel := context.WithCancel(ctx)
	swept := make(chan struct{})
	go func() {
		defer close(swept)
		sweep(ctx, db)
	}()
	err := endpoint.Serve(ctx, listener, db)
	cancel()
	<-swept
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
