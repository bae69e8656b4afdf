// Package serve is `dynmodel serve`: the embedded engine as an endpoint.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/command"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/modelfiles"
	"github.com/dynmodel/dynmodel/cmd/dynmodel/internal/terminal"
	"github.com/dynmodel/dynmodel/engine"
)

// Options are the command's flags.
type Options struct {
	streams *terminal.Streams

	model string
	host  string
	port  uint16
	data  string
	fault string
	takes time.Duration
	quiet bool
}

// New makes the command.
func New(streams *terminal.Streams) *cobra.Command {
	o := &Options{streams: streams}
	cmd := &cobra.Command{
		Use:   "serve [-f FILE]",
		Short: "Serve a DynamoDB for any SDK, the AWS CLI or a GUI",
		Long: `Listens as a DynamoDB endpoint. With a model, its table is made and its samples
are in it. Data is in memory, or with --data in a folder, where a write that was
acknowledged survives even if the process is killed.

It listens on the loopback interface unless --host says otherwise. Requests need
a signature, as SDKs always send one, but any credentials will do.

With --fault it behaves as on a bad day, to test how a program retries, pages
and reads what is stale. Faults are joined by commas; shares are from 0 to 1:
  latency=50ms      every request waits, so long on average
  throttle=0.1      so many reads and writes are throttled
  capacity          tables are throttled beyond their capacity, and partitions
                    beyond 3,000 read and 1,000 write units per second
  unprocessed=0.2   batches leave so many of their parts
  conflicts=0.05    so many writes and transactions meet another transaction
  lag=500ms         eventually consistent reads, and indexes, are so old
  short-pages=0.1   pages of queries and scans end after so many items
  seed=1            of what is left to chance
A request can have faults of its own in the header ` + engine.FaultHeader + `.

With --transitions tables, indexes, backups, exports and the like take so long
to be made, changed or deleted, as in the cloud, to test programs that wait for
it. Otherwise all that is done when a request is answered.

Exit status: 0 when it was ended by a signal; 1 when the model cannot be read as
it is written; 2 for a wrong flag, a port that is taken, or a folder that cannot
be written to.`,
		Example: `  dynmodel serve
  dynmodel serve -f access-patterns.yaml
  dynmodel serve --data ./data --port 0 --quiet
  dynmodel serve --fault throttle=0.1,latency=20ms`,
		Args:              command.ModelArg(&o.model),
		ValidArgsFunction: command.CompleteFiles,
		RunE:              func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	o.flags(cmd)
	return cmd
}

func (o *Options) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	command.FileFlag(cmd, &o.model, "model whose table and samples to serve; - is standard input")
	f.StringVar(&o.host, "host", "127.0.0.1", "address to listen on")
	f.Uint16Var(&o.port, "port", 8000, "port to listen on; 0 takes any that is free")
	f.StringVar(&o.data, "data", "", "folder to keep data in, made if it is not there (default: memory)")
	f.StringVar(&o.fault, "fault", "", "faults to have, like throttle=0.1,lag=1s")
	f.DurationVar(&o.takes, "transitions", 0, "how long tables, indexes and the like are CREATING, UPDATING or DELETING")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print nothing but the endpoint's URL")
}

func (o *Options) run(ctx context.Context) error {
	faults, err := engine.ParseFaults(o.fault)
	if err != nil {
		return err
	}
	m, err := o.readModel()
	if err != nil {
		return err
	}
	listener, err := o.listen()
	if err != nil {
		return err
	}
	defer listener.Close()
	db, err := o.open(engine.WithFaults(faults), engine.WithTransitions(o.takes))
	if err != nil {
		return err
	}
	loaded, err := load(ctx, sound(db.Client()), m)
	if err == nil {
		o.greet(listener.Addr(), loaded)
		err = serve(ctx, listener, db)
	}
	if closed := db.Close(); err == nil {
		err = closed
	}
	return err
}

// open makes the DB that is served.
func (o *Options) open(options ...engine.Option) (*engine.DB, error) {
	if o.data == "" {
		return engine.New(options...), nil
	}
	buckets := filepath.Join(o.data, "buckets")
	if err := os.MkdirAll(buckets, 0o755); err != nil {
		return nil, fmt.Errorf("--data %w", modelfiles.CannotWrite(o.data, err))
	}
	db, err := engine.Open(filepath.Join(o.data, "tables"), append(options, engine.WithBuckets(buckets))...)
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return nil, fmt.Errorf("--data %w", modelfiles.CannotWrite(failed.Path, err))
	}
	return db, err
}

func (o *Options) listen() (net.Listener, error) {
	address := net.JoinHostPort(o.host, strconv.Itoa(int(o.port)))
	listener, err := net.Listen("tcp", address)
	if isTaken(err) {
		return nil, fmt.Errorf("%s is taken by another process; name another with --port, or 0 for any that is free", address)
	}
	return listener, err
}
